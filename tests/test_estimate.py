"""Estimates: the paper's formulas by hand, exact expectations by enumeration, intervals where the paper has none."""

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from oracles import label_vectors, mean_and_variance, subsets, table
from scipy import stats

import fewlabels as fl
from fewlabels import metrics

RNG = np.random.default_rng(0)
PROB = RNG.beta(0.6, 2, size=400)
TRUTH = (RNG.random(400) < PROB).astype(int)
POOL = fl.Pool(PROB)
TP = fl.metrics.smooth("true positives", lambda t: t.tp)  # linear: what is asymptotic elsewhere is exact here


def truth_of(name):
    return float(metrics.get(name, "binary").value(table(TRUTH, POOL.decisions)))


def drawn(b, index, prob, decisions, **more):
    """A Poisson sample of exactly these items; the pool has one item more, so that none of them is a census."""
    pool = fl.Pool(prob, decisions=decisions)
    found = fl.design(pool, "f1", len(prob), **{"sampler": "poisson", **more}).draw(seed=0)
    b = np.asarray(b)[index]
    picked = found._only(np.isin(np.arange(len(prob)), index))
    return replace(picked, inclusion=b, weight=1 / b, spread=(1 / b) * (1 / b - 1), size=len(prob) + 1, source=None)


RATIOS = {
    "f1": (lambda c, y: c * y, lambda c, y: (c + y) / 2),
    "precision": (lambda c, y: c * y, lambda c, y: c),
    "recall": (lambda c, y: c * y, lambda c, y: y),
    "accuracy": (lambda c, y: 1 - abs(c - y), lambda c, y: 1 + 0 * c),
    "specificity": (lambda c, y: (1 - c) * (1 - y), lambda c, y: 1 - y),
}


@pytest.mark.parametrize("name", RATIOS)
def test_poisson_as_in_the_paper(name):
    sample = fl.design(POOL, "f1", 120, like="paper").draw(seed=5)
    y, c, b = TRUTH[sample.index], sample.decisions.astype(int), sample.inclusion
    f, g = (np.asarray(part(c, y), dtype=float) for part in RATIOS[name])
    value = np.sum(f / b) / np.sum(g / b)
    h2 = (1 / b - 1) * (f - value * g) ** 2 + np.where(b < 1, 1e-10, 0)
    sigma2 = np.sum(h2 / b) / np.sum(g / b) ** 2
    est = fl.estimate(sample, y, name, like="paper")
    assert est.value == pytest.approx(value, rel=1e-12)
    assert est.variance == pytest.approx(sigma2, rel=1e-9)
    assert est.labels == len(sample)
    strength = value * (1 - value) / sigma2 - 1
    law = stats.beta(value * strength, (1 - value) * strength)
    np.testing.assert_allclose(est.interval(0.9), law.interval(0.9), rtol=1e-9)


@pytest.mark.parametrize("sampler", ["importance", "uniform"])
@pytest.mark.parametrize("name", RATIOS)
def test_importance_sampling_as_in_the_paper(name, sampler):
    design = fl.design(POOL, "f1", 120, like="paper", sampler=sampler)
    sample = design.draw(seed=5)
    each = np.repeat(np.arange(len(sample)), sample.counts)
    assert len(each) == 120
    q = np.full(400, 1 / 400) if sampler == "uniform" else design.chances
    q = q[sample.index][each]
    y, c = TRUTH[sample.index][each], sample.decisions.astype(int)[each]
    f, g = (np.asarray(part(c, y), dtype=float) for part in RATIOS[name])
    value = np.sum(f / q) / np.sum(g / q)
    h2 = (f - value * g) ** 2 + 1e-10
    mu = np.mean(g / q) / 400
    sigma2 = np.sum(h2 / q**2) / (mu * 120 * 400) ** 2
    est = fl.estimate(sample, TRUTH[sample.index], name, like="paper")
    assert est.value == pytest.approx(value, rel=1e-12)
    assert est.variance == pytest.approx(sigma2, rel=1e-9)
    assert est.labels == len(np.unique(each))


def test_uniform_without_replacement_is_the_textbook_proportion():
    sample = fl.design(POOL, "f1", 80, sampler="uniform").draw(seed=2)
    right = (POOL.decisions == TRUTH)[sample.index]
    est = fl.estimate(replace(sample, source=None), TRUTH[sample.index], "accuracy")
    assert est.value == pytest.approx(right.mean())
    assert est.variance == pytest.approx((1 - 80 / 400) / 80 * np.var(right, ddof=1))


@pytest.mark.parametrize("name", ["f1", "recall"])
def test_the_bias_of_a_ratio_by_simulation_and_as_printed(name):
    """40,000 samples: the leading term is within 15% of the bias; the paper's is not even near."""
    prob, truth = PROB[:150], TRUTH[:150]
    design = fl.design(fl.Pool(prob), "f1", 60, like="paper", trust=0.8)
    b, c = design.inclusion, (prob > 0.5).astype(int)
    f, g = (np.asarray(part(c, truth), dtype=float) for part in RATIOS[name])
    exact = f.sum() / g.sum()
    weights = (np.random.default_rng(1).random((40_000, 150)) < b) / b
    values = (weights @ f) / (weights @ g)
    bias, noise = values.mean() - exact, values.std() / 200
    right = -np.sum(g * (f - exact * g) * (1 / b - 1)) / g.sum() ** 2
    printed = np.sum(f * g * (1 / b - 1)) / g.sum() ** 2
    assert abs(bias) > 5 * noise
    assert right == pytest.approx(bias, rel=0.15, abs=3 * noise)
    assert abs(printed - bias) > 2 * abs(right - bias) + 3 * noise
    told = {like: [] for like in ("paper", "printed")}
    for seed in range(150):
        sample = design.draw(seed=seed)
        for like, found in told.items():
            found.append(fl.estimate(sample, truth[sample.index], name, like=like).bias)
    assert np.mean(told["paper"]) == pytest.approx(right, rel=0.25)
    assert np.mean(told["printed"]) == pytest.approx(printed, rel=0.25)


def test_exact_expectation_of_value_and_variance_over_every_sample():
    prob = np.array([0.2, 0.4, 0.7, 0.9, 0.6])
    b = np.array([0.3, 0.5, 0.8, 1.0, 0.45])
    y, c = np.array([0, 1, 1, 1, 0]), prob > 0.5
    outcomes = []
    for chance, s in subsets(b):
        est = fl.estimate(drawn(b, s, prob, c), y[s], TP)
        outcomes.append((chance, est.value, est.variance))
    mean, variance = mean_and_variance((p, v) for p, v, _ in outcomes)
    assert mean == pytest.approx(2)
    assert mean_and_variance((p, v) for p, _, v in outcomes)[0] == pytest.approx(variance)


@pytest.mark.parametrize("votes", [1, 2, 3])
def test_votes_by_enumerating_samples_and_votes(votes):
    """With two votes or more the variance is exactly unbiased; with one it is too large by sum (E d)^2."""
    prob, b, chance_of_yes = np.array([0.6, 0.7, 0.2]), np.array([0.4, 0.7, 0.5]), np.array([0.8, 0.3, 0.5])
    c = prob > 0.5
    outcomes = []
    for chance, s in subsets(b):
        if not len(s):
            outcomes.append((chance, 0.0, 0.0))
            continue
        sample = drawn(b, s, prob, c)
        for likely, cast in label_vectors(np.repeat(chance_of_yes[s, None], votes, axis=1)):
            est = fl.estimate(sample, cast.tolist(), TP, kind="votes")
            outcomes.append((chance * likely, est.value, est.variance))
    mean, variance = mean_and_variance((p, v) for p, v, _ in outcomes)
    assert mean == pytest.approx(0.8 + 0.3)
    told = mean_and_variance((p, v) for p, _, v in outcomes)[0]
    assert told == pytest.approx(variance + (0.8**2 + 0.3**2 if votes == 1 else 0))


def test_distributions_by_enumeration():
    """Ours is the variance of the mean label; the paper's that of one label drawn from the distribution."""
    prob, b, share = np.array([0.6, 0.7, 0.2, 0.9]), np.array([0.4, 0.7, 0.5, 1.0]), np.array([0.8, 0.3, 0.5, 0.6])
    c = prob > 0.5
    ours, paper, single = [], [], []
    for chance, s in subsets(b):
        sample = drawn(b, s, prob, c)
        est = fl.estimate(sample, share[s], TP, kind="distribution")
        ours.append((chance, est.value, est.variance))
        told = fl.estimate(sample, share[s], TP, kind="distribution", like="paper").variance
        paper.append((chance, told - 1e-10 * np.sum(1 / b[s] * (b[s] < 1)) / 25))
        for likely, y in label_vectors(share[s]):
            single.append((chance * likely, np.sum(y * c[s] / b[s])))
    mean, variance = mean_and_variance((p, v) for p, v, _ in ours)
    assert mean == pytest.approx(share[c].sum())
    assert mean_and_variance((p, v) for p, _, v in ours)[0] == pytest.approx(variance)
    assert mean_and_variance(paper)[0] == pytest.approx(mean_and_variance(single)[1])


def test_votes_on_whole_items_by_enumeration():
    prob = np.array([[0.6, 0.2], [0.8, 0.9]])
    pool = fl.Pool(prob, task="multilabel")
    share = fl.metrics.get("accuracy", "multilabel", pool.classes)
    assert share.exact
    b = np.array([0.5, 0.8])
    base = replace(fl.design(pool, "accuracy", 2).draw(seed=0), source=None)
    yes = np.array([[0.7, 0.4], [0.9, 0.5]])
    sample = replace(base, inclusion=b, weight=1 / b, spread=(1 / b) * (1 / b - 1))
    outcomes = []
    for likely, cast in label_vectors(np.repeat(yes[:, None, :], 2, axis=1)):
        est = fl.estimate(sample, cast.tolist(), "accuracy", kind="votes", like="paper")
        outcomes.append((likely, est.tables[0, 1, 1]))
    right = [0.7 * 0.6, 0.9 * 0.5]
    assert mean_and_variance(outcomes)[0] == pytest.approx(np.sum(right / b))


def test_a_random_part_of_the_labels_is_unbiased():
    prob, b = np.array([0.6, 0.7, 0.9, 0.8]), np.array([0.5, 0.7, 0.9, 0.6])
    y = np.array([1, 1, 0, 1])
    outcomes = []
    for chance, s in subsets(b):
        if not len(s):
            outcomes.append((chance, 0.0, 0.0))
            continue
        kept = list(itertools.combinations(range(len(s)), math.ceil(len(s) / 2)))
        for part in kept:
            told = [int(y[n]) if k in part else None for k, n in enumerate(s)]
            est = fl.estimate(drawn(b, s, prob, prob > 0.5), told, TP, missing="random")
            assert est.labels == len(part)
            outcomes.append((chance / len(kept), est.value, est.variance))
    mean, variance = mean_and_variance((p, v) for p, v, _ in outcomes)
    assert mean == pytest.approx(3)
    assert mean_and_variance((p, v) for p, _, v in outcomes)[0] > variance


@pytest.mark.parametrize("like", [None, "paper"])
def test_intervals_nest_and_one_side_means_one_side(like):
    sample = fl.design(POOL, "f1", 80, like=like).draw(seed=0)
    est = fl.estimate(sample, TRUTH[sample.index], "f1", like=like)
    limits = [est.interval(level) for level in (0.5, 0.8, 0.9, 0.95, 0.99)]
    assert all(a[0] > b[0] and a[1] < b[1] for a, b in itertools.pairwise(limits))
    assert all(0 <= low < est.value < high <= 1 for low, high in limits)
    bounds = [(est.interval(level, side="lower"), est.interval(level, side="upper")) for level in (0.8, 0.9, 0.95)]
    assert all(lower[1] == 1.0 and upper[0] == 0.0 for lower, upper in bounds)
    lows, highs = [lower[0] for lower, _ in bounds], [upper[1] for _, upper in bounds]
    assert lows == sorted(lows, reverse=True)
    assert highs == sorted(highs)
    low, high = est.interval(0.9)
    if like == "paper":
        assert (low, high) == pytest.approx((lows[-1], highs[-1]), rel=1e-6)
    else:  # of the chance to miss, the limit towards errors has the smaller part
        assert low < lows[-1] < est.value < high < highs[-1]


@pytest.mark.parametrize("like", [None, "paper"])
@pytest.mark.parametrize("right", [True, False])
def test_no_error_seen_is_not_certainty(like, right):
    sample = fl.design(POOL, "accuracy", 40, like=like).draw(seed=1)
    labels = sample.decisions if right else ~sample.decisions
    for name in ("accuracy", "f1", "precision", "recall"):
        est = fl.estimate(sample, labels, name, like=like)
        low, high = est.interval(0.95)
        assert 0 <= low <= est.value <= high <= 1
        assert high - low > 0.01
        more = fl.design(POOL, "accuracy", 200, like=like).draw(seed=1)
        wider = high - low
        low, high = fl.estimate(more, more.decisions if right else ~more.decisions, name, like=like).interval(0.95)
        assert high - low < wider


def test_one_label_is_no_certainty_either():
    sample = fl.design(POOL, "accuracy", 1, sampler="uniform").draw(seed=0)
    for label in (0, 1):
        est = fl.estimate(sample, [label], "prevalence", like="paper")
        low, high = est.interval(0.9)
        assert high - low > 0.3


@pytest.mark.parametrize("like", [None, "paper"])
def test_nothing_labelled_of_a_class_is_told(like):
    sample = fl.design(POOL, "f1", 10, like=like).draw(seed=3)
    kept = sample._only(~sample.decisions)
    with pytest.warns(fl.FewlabelsWarning, match="undefined"):
        est = fl.estimate(replace(kept, source=None), np.zeros(len(kept)), "recall", like=like)
    assert est.interval(0.9) == (0.0, 1.0)
    assert "undefined" in str(est)


def test_a_variance_too_large_for_a_beta_still_has_an_interval():
    sample = fl.design(POOL, "f1", 400, like="paper").draw(seed=0)._only(np.arange(400) < 2)
    big = replace(sample, weight=np.array([100.0, 100.0]), spread=np.array([3e4, 3e4]), source=None)
    est = fl.estimate(big, [0, 1], "prevalence", like="paper")
    assert est.variance > est.value * (1 - est.value)
    low, high = est.interval(0.9)
    assert 0 <= low <= est.value <= high <= 1
    assert high - low > 0.5


def test_several_at_once_are_the_same_as_one_by_one():
    sample = fl.design(POOL, ["f1", "recall"], 100).draw(seed=0)
    names = metrics.names("binary")
    together = fl.estimate(sample, TRUTH[sample.index], names)
    assert list(together) == names
    for name in names:
        alone = fl.estimate(sample, TRUTH[sample.index], name)
        assert (together[name].value, together[name].variance) == (alone.value, alone.variance)


@pytest.mark.parametrize("like", [None, "paper"])
def test_error_rate_mirrors_accuracy(like):
    sample = fl.design(POOL, "f1", 100, like=like).draw(seed=0)
    found = fl.estimate(sample, TRUTH[sample.index], ["accuracy", "error_rate"], like=like)
    assert found["accuracy"].value + found["error_rate"].value == pytest.approx(1)
    assert found["accuracy"].stderr == pytest.approx(found["error_rate"].stderr)
    low, high = found["accuracy"].interval(0.9)
    np.testing.assert_allclose(found["error_rate"].interval(0.9), (1 - high, 1 - low), rtol=1e-6)


def test_plain_values_and_words():
    sample = fl.design(POOL, "f1", 100).draw(seed=0)
    est = fl.estimate(sample, TRUTH[sample.index], "f1")
    told = json.loads(json.dumps(est.to_dict(0.9)))
    assert (told["low"], told["high"]) == pytest.approx(est.interval(0.9))
    assert told["labels"] == len(sample)
    assert told["size"] == 400
    words = str(est)
    assert words.startswith(f"f1 = {est.value:.4f}, 95% interval")
    assert f"{len(sample)} labels of 400 items" in words


def test_the_paper_estimates_from_the_samplers_agree_with_the_truth():
    """Each within five of its own standard errors, for every metric and seed tried."""
    for sampler in ("poisson", "importance", "uniform"):
        sample = fl.design(POOL, "f1", 250, like="paper", sampler=sampler, floor=0.1).draw(seed=1)
        for name, est in fl.estimate(sample, TRUTH[sample.index], metrics.names("binary"), like="paper").items():
            assert abs(est.value - truth_of(name)) < 5 * est.stderr + 1e-9


@pytest.mark.parametrize("like", [None, "paper"])
def test_a_census_of_votes_that_disagree_is_no_certainty(like):
    sample = fl.design(POOL, "f1", 400, like=like).draw(seed=0)
    first, second = ((np.random.default_rng(seed).random(400) < PROB).astype(int) for seed in (1, 2))
    est = fl.estimate(sample, np.stack([first, second], axis=1).tolist(), "f1", kind="votes", like=like)
    low, high = est.interval(0.9)
    assert low < est.value < high
    assert est.stderr > 0.01
    same = fl.estimate(sample, np.stack([first, first], axis=1).tolist(), "f1", kind="votes", like=like)
    assert same.stderr == pytest.approx(0, abs=1e-6)


def test_estimates_show_themselves_in_a_notebook_and_become_a_frame():
    rng = np.random.default_rng(3)
    prob = rng.random(300)
    sample = fl.design(fl.Pool(prob), "f1", budget=80).draw(seed=1)
    several = fl.estimate(sample, (rng.random(300) < prob)[sample.index], ["f1", "recall"])
    assert several.to_frame()["metric"].tolist() == ["f1", "recall"]
    assert several["f1"].to_frame(0.9)["level"].tolist() == [0.9]
    assert several._repr_html_().count("<tr>") == 3
    assert f"{several['f1'].value:.4f}" in several["f1"]._repr_html_()
    assert str(several).splitlines()[1].startswith("recall = ")
    odd = fl.metrics.smooth("a<b", lambda t: t.tp / (t.tp + t.fp))
    assert "a&lt;b" in fl.estimate(sample, np.ones(len(sample), dtype=int), odd)._repr_html_()
