"""Rounds: nothing twice, everything labelled is the census, the paper's averages unbiased."""

import numpy as np
import pytest
from oracles import table
from scipy.special import ndtri

import fewlabels as fl
from fewlabels import adaptive, metrics, recipes
from fewlabels.maths import bounds, inclusion, totals

RNG = np.random.default_rng(0)
PROB = RNG.beta(0.6, 1.5, size=60)
TRUTH = (RNG.random(60) < PROB).astype(int)
POOL = fl.Pool(PROB)
WAYS = [(combine, like) for combine in adaptive.COMBINE for like in (None, "paper")]


def run(combine, like, counts, seed=0, pool=POOL, truth=TRUTH, metric="f1"):
    study = fl.Adaptive(pool, metric, seed=seed, like=like, combine=combine)
    for count in counts:
        items = study.next(count)
        study.add(truth[items.index])
    return study


@pytest.mark.parametrize(("combine", "like"), WAYS)
def test_no_item_is_asked_for_twice(combine, like):
    study = run(combine, like, [10, 10, 15])
    index = study.state.index
    assert len(np.unique(index)) == len(index) == len(study)
    if combine == "growing":
        assert len(study) == 35


@pytest.mark.parametrize("combine", adaptive.COMBINE)
def test_everything_labelled_is_the_census(combine):
    study = run(combine, None, [20, 60, 60])
    while len(study) < 60:
        items = study.next(60)
        study.add(TRUTH[items.index])
    for name, est in study.estimate(metrics.names("binary")).items():
        exact = float(metrics.get(name, "binary").value(table(TRUTH, POOL.decisions)))
        assert est.value == pytest.approx(exact, rel=1e-9)
        assert est.interval(0.9) == pytest.approx((exact, exact), rel=1e-9)


@pytest.mark.parametrize(("sampler", "same"), [(None, "stratified"), ("priority", "priority"), ("poisson", "priority")])
def test_the_first_round_is_the_samplers_own_draw(sampler, same):
    study = fl.Adaptive(POOL, "f1", seed=4, sampler=sampler)
    drawn = fl.design(POOL, "f1", 25, sampler=same).draw(seed=4)
    first = study.next(25)
    assert sorted(first.ids.tolist()) == drawn.ids.tolist()
    np.testing.assert_allclose(np.sort(first.weight), np.sort(drawn.weight))


def test_samples_that_cannot_grow_have_no_rounds():
    with pytest.raises(fl.FewlabelsError, match="uniform ones cannot grow"):
        fl.Adaptive(POOL, "f1", sampler="uniform")


def test_a_round_keeps_a_part_of_what_items_were_worth_before_any_label():
    first, moved = recipes.proportional(recipes.worth(POOL, "f1").h), []
    for truth in (TRUTH, 1 - TRUTH):  # labels that agree with the scores, and labels that do not
        worth = adaptive.informed(run("growing", None, [10, 20], truth=truth).state)
        now = recipes.proportional(worth.h)
        moved.append(np.abs(now / first - 1.0).max())
        assert np.all(inclusion.total(worth.h) * now >= np.sqrt(adaptive.KEPT) * first * (1 - 1e-12))
    assert moved[1] > max(0.2, 4 * moved[0])  # only where they do not do the labels have much of a say


def test_order_does_not_matter():
    order = np.random.default_rng(3).permutation(60)
    turned = fl.Pool(PROB[order], ids=order)
    here, there = run("growing", None, [10, 20]), run("growing", None, [10, 20], pool=turned, truth=TRUTH[order])
    assert set(here.state.index.tolist()) == set(order[there.state.index].tolist())
    assert here.estimate().value == pytest.approx(there.estimate().value, rel=1e-6)


@pytest.mark.parametrize("combine", ["paper", "precision"])
def test_the_average_of_rounds_is_unbiased(combine):
    """250 studies of two rounds, the second informed by the first: every cell within 4.5 standard errors."""
    exact = table(TRUTH, POOL.decisions)
    found = []
    for seed in range(250):
        study = run(combine, "paper", [15, 15], seed=10 * seed)
        sample, shares = adaptive.drawn(study.state)
        codes = sample.decisions.astype(int)[:, None]
        found.append(totals.tables(shares, codes, sample.weight))
    found = np.array(found)
    noise = found.std(axis=0) / np.sqrt(len(found))
    assert np.all(np.abs(found.mean(axis=0) - exact) <= 4.5 * noise)


def test_mistakes_have_their_sentence():
    with pytest.raises(fl.FewlabelsError, match="combine"):
        fl.Adaptive(POOL, "f1", combine="all")
    study = fl.Adaptive(POOL, "f1")
    with pytest.raises(fl.FewlabelsError, match="nothing is labelled"):
        study.estimate()
    with pytest.raises(fl.FewlabelsError, match="at least 1"):
        study.next(0)
    items = study.next(5)
    with pytest.raises(fl.FewlabelsError, match="have no label yet"):
        study.next(5)
    with pytest.raises(fl.FewlabelsError, match="not drawn"):
        study.add({"nobody": 1})
    study.add(dict.fromkeys(items.ids[:2].tolist(), 1))
    assert len(study) == 2
    study.add(dict.fromkeys(items.ids[2:].tolist(), 0))
    assert len(study) == 5


@pytest.mark.parametrize("combine", adaptive.COMBINE)
def test_rounds_without_a_floor_say_what_they_cannot_serve(combine):
    study = run(combine, "paper", [4, 4], metric="precision")
    with pytest.warns(fl.FewlabelsWarning, match="recall cannot be served"):
        study.estimate("recall")
    assert study.estimate("precision").notes == ()
    assert run(combine, None, [8, 8], metric="precision").estimate("recall").notes == ()


def test_the_anytime_tail_holds_over_all_looks_of_a_random_walk():
    # Against simulation: a mean of normals, looked at after each of 1,500 steps, leaves the sequence in at most 5% of
    # 2,000 walks (three standard errors allowed), while the fixed-level interval is left far more often.
    steps = np.arange(1, 1501)
    walks = np.random.default_rng(0).normal(size=(2000, 1500)).cumsum(axis=1) / np.sqrt(steps)
    reach = -ndtri([bounds.anytime_tail(0.95, t, 300) for t in steps])
    missed = np.mean((np.abs(walks) > reach).any(axis=1))
    assert missed <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)
    assert np.mean((np.abs(walks) > 1.96).any(axis=1)) > 0.3


def test_a_study_stops_when_it_is_narrow_enough_and_the_sequence_is_wider():
    rng = np.random.default_rng(1)
    prob = rng.beta(0.3, 2.0, 3000)
    truth = (rng.random(3000) < prob).astype(int)
    study = fl.Adaptive(fl.Pool(prob), "f1", seed=5)
    assert not study.enough(0.08)
    while not study.enough(0.08, level=0.9):
        items = study.next(40)
        study.add(truth[items.index])
    low, high = study.estimate().interval(0.9)
    first, last = study.sequence(0.9, tight_at=len(study))
    assert high - low <= 0.16
    assert 40 < len(study) < 1500
    assert first < low < high < last
    with pytest.raises(fl.FewlabelsError, match="above 0"):
        study.enough(0)
