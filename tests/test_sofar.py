"""Part-labelled studies: the answer is sound whichever round was labelled how far."""

import numpy as np
import pytest

from fewlabels import Pool, estimate, rounds, sofar
from fewlabels.errors import FewlabelsError
from fewlabels.study import Item, Round
from fewlabels.votes import StoredVote

RNG = np.random.default_rng(4)
PROB = RNG.beta(0.4, 2.0, 1500)
TRUTH = RNG.random(1500) < np.clip(PROB * 1.3, 0, 1)
POOL = Pool(PROB)


def past_of(drawn, votes=(), setup=None, kinds=("draw", "extend", "next")):
    """A study in memory, as the file would give it back."""
    items, known = [], set()
    for number, one in enumerate(drawn, 1):
        ids = [str(id) for id in one.sample.ids.tolist()]
        items += [Item(id, 0.0, {}, number) for id in ids if id not in known]
        known |= set(ids)
    facts = {
        "metrics": list(setup.metrics),
        "sampler": setup.sampler,
        "seed": setup.seed,
        "classes": ["0", "1"],
        "task": "binary",
    }
    history = [Round(kinds[n], one.design, one.stored(), n + 1) for n, one in enumerate(drawn)]
    return rounds.Past(facts, history, items, votes)


def vote(id):
    return StoredVote(str(id), "1" if TRUTH[int(id)] else "0")


@pytest.mark.parametrize("sampler", ["priority", "poisson", "stratified", "uniform"])
def test_totals_of_a_half_labelled_extension_are_unbiased(sampler):
    shares, totals = (1.0, 0.5), []
    for seed in range(300):
        setup = rounds.Setup(("f1",), sampler, seed)
        first = rounds.first(POOL, setup, 60)
        second = rounds.extended(POOL, past_of([first], setup=setup), 150)
        old = np.isin(second.sample.index, first.sample.index)
        coin = np.random.default_rng(seed).permutation(len(old))
        known = old | (coin < np.quantile(coin[~old], shares[1]))
        part = sofar.labelled_part(second.sample, known, (~old).astype(int), second.path, [first.sample])
        totals.append(np.dot(part.weight, TRUTH[part.index]))
    off = np.mean(totals) - TRUTH.sum()
    assert abs(off) < 4 * np.std(totals) / np.sqrt(len(totals))
    naive = sofar.labelled_part(second.sample, known, np.zeros(len(old), int), second.path[-1:], [])
    assert not np.allclose(naive.weight, part.weight) or sampler == "uniform"


def test_an_extension_that_nobody_touched_changes_nothing():
    setup = rounds.Setup(("f1", "recall"), "priority", 11)
    first = rounds.first(POOL, setup, 80)
    votes = [vote(id) for id in first.sample.ids]
    second = rounds.extended(POOL, past_of([first], setup=setup), 200)
    alone = past_of([first], votes, setup).labelled()
    grown = past_of([first, second], votes, setup).labelled()
    one, other = (estimate(sample, given, "f1") for sample, given, _, _ in (alone, grown))
    assert other.value == pytest.approx(one.value, rel=1e-9)
    assert other.stderr == pytest.approx(one.stderr, rel=1e-6)
    assert other.interval(0.9) == pytest.approx(one.interval(0.9), rel=2e-3)


@pytest.mark.parametrize("sampler", ["stratified", "priority"])
def test_adaptive_rounds_grow_the_sample_and_its_inclusion(sampler):
    setup = rounds.Setup(("f1",), sampler, 5)
    first = rounds.first(POOL, setup, 100)
    past = past_of([first], [vote(id) for id in first.sample.ids], setup, ("draw", "next"))
    second = rounds.adaptive(POOL, past, 50)
    assert len(second.sample) == 150
    assert set(first.sample.index) <= set(second.sample.index)
    assert np.all(np.diff(second.path, axis=0) >= 0)
    both = past_of([first, second], [vote(id) for id in second.sample.ids], setup, ("draw", "next"))
    third = rounds.adaptive(POOL, both, 50)
    assert len(third.sample) == 200
    assert third.path.shape == (3, 200)
    everything = past_of([first, second, third], [vote(id) for id in third.sample.ids], setup, ("draw", "next", "next"))
    sample, given, kind, notes = everything.labelled()
    low, high = estimate(sample, given, "f1", kind=kind).interval(0.999)
    hits = np.sum(POOL.decisions & TRUTH)
    assert low <= 2 * hits / (POOL.decisions.sum() + TRUTH.sum()) <= high
    assert notes == []


def test_rounds_refuse_what_they_cannot_do():
    setup = rounds.Setup(("f1",), "importance", 5)
    past = past_of([rounds.first(POOL, setup, 100)], setup=setup)
    with pytest.raises(
        FewlabelsError, match=r"rounds follow a stratified, priority or poisson draw.*enlarge it with extend"
    ):
        rounds.adaptive(POOL, past, 10)
    with pytest.raises(FewlabelsError, match="already has a budget of 100"):
        rounds.extended(POOL, past, 90)
    with pytest.raises(FewlabelsError, match="nothing is labelled yet"):
        past.labelled()


def test_picked_items_are_noticed_and_random_ones_are_not():
    score = np.random.default_rng(0).random(300)
    assert sofar.looks_picked(score, score > 0.6)
    chances = [sofar.looks_picked(score, np.random.default_rng([k, 1]).random(300) < 0.4) for k in range(300)]
    assert not any(chances)
    setup = rounds.Setup(("f1",), "priority", 5)
    first = rounds.first(POOL, setup, 100)
    sure = [id for id, p in zip(first.sample.ids, first.sample.prob, strict=True) if p > 0.5]
    *_, notes = past_of([first], [vote(id) for id in sure], setup).labelled()
    assert any("they were picked" in note for note in notes)
