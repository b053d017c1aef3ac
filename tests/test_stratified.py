"""Stratified draws: exactly the budget, evenly over the scores, with the variance that belongs to them."""

import json

import numpy as np
import pytest
from oracles import table

import fewlabels as fl
from fewlabels import metrics
from fewlabels.maths import totals

RNG = np.random.default_rng(7)
SIZE = 2000
PROB = RNG.beta(0.6, 2, SIZE)
TRUTH = (RNG.random(SIZE) < PROB).astype(int)
POOL = fl.Pool(PROB, ids=[f"n{n}" for n in range(SIZE)])
GRID = RNG.random((SIZE, 4)) ** 2
SHARES = RNG.dirichlet([2, 1, 1], SIZE)
POOLS = {
    "binary": (POOL, "f1"),
    "multilabel": (fl.Pool(GRID, task="multilabel"), "f1_micro"),
    "multiclass": (fl.Pool(SHARES, task="multiclass"), "accuracy"),
}
F1 = metrics.get("f1", "binary")


def places(design):
    """Where each item stands in the line."""
    place = np.empty(len(design.pool.order), dtype=np.int64)
    place[design.pool.order] = np.arange(len(place))
    return place


def errors(pool, truth, metric, budget, sampler, repetitions, like="paper"):
    """Errors, told variances, and whether 90% limits held, over seeds."""
    value = metrics.get(metric, pool.task, pool.classes).value(table(truth, pool.decisions, classes=pool.width))
    design, found = fl.design(pool, metric, budget, sampler=sampler), []
    for seed in range(repetitions):
        sample = design.draw(seed)
        est = fl.estimate(sample, truth[sample.index], metric, like=like)
        low, high = est.interval(0.9)
        found.append((est.value - value, est.variance, low <= value <= high))
    return np.array(found).T


@pytest.mark.parametrize("task", POOLS)
def test_the_draw_is_even_over_the_line(task):
    """In every tenth of the line the count is off its expectation by less than half of what Poisson sampling's is."""
    pool, metric = POOLS[task]
    design = fl.design(pool, metric, 200, sampler="stratified")
    tenth = places(design) * 10 // SIZE
    expected = np.bincount(tenth, design.inclusion)
    independent = np.bincount(tenth, design.inclusion * (1 - design.inclusion))
    drawn = [design.draw(seed) for seed in range(60)]
    assert {len(sample) for sample in drawn} == {200}
    off = np.array([np.bincount(tenth[sample.index], minlength=10) - expected for sample in drawn])
    assert np.all(np.mean(off**2, axis=0) < independent / 4)


@pytest.mark.parametrize("task", POOLS)
def test_certain_items_are_in_and_weigh_one(task):
    pool, metric = POOLS[task]
    for budget in (300, 1200, 1900):
        design = fl.design(pool, metric, budget, sampler="stratified")
        sample = design.draw(seed=3)
        index, b = design.drawn(seed=3)
        assert np.any(b >= 1) or budget < 1900
        assert set(np.flatnonzero(b >= 1).tolist()) <= set(index.tolist()) == set(sample.index.tolist())
        np.testing.assert_allclose(sample.weight * sample.inclusion, 1)
        assert np.all(sample.spread[sample.inclusion >= 1] == 0)


def test_weighted_totals_are_much_closer_than_poisson_ones():
    """400 repetitions of F1 at 150 labels: at most 0.85 of Poisson sampling's squared error, so weighted."""
    stratified, poisson = (errors(POOL, TRUTH, "f1", 150, name, 400)[0] for name in ("stratified", "poisson"))
    assert np.mean(stratified**2) < 0.85 * np.mean(poisson**2)


def test_the_variance_is_told_and_the_limits_hold():
    """600 repetitions with labels drawn anew: the mean variance within 15% of the errors', a little over two of its
    standard errors; 90% limits hold in 86 to 94%, three of theirs; uncentred, the variance would be far too large."""
    rng, design = np.random.default_rng(1), fl.design(POOL, "f1", 250, sampler="stratified")
    for like in (None, "paper"):
        found = []
        for seed in range(600):
            truth = (rng.random(SIZE) < PROB).astype(int)
            one_hot, decided = np.eye(2)[truth[:, None]], POOL.decisions.astype(int)[:, None]
            value = float(F1.value(totals.tables(one_hot, decided, np.ones(SIZE))))
            sample = design.draw(seed)
            est = fl.estimate(sample, truth[sample.index], "f1", like=like)
            low, high = est.interval(0.9)
            uncentred = totals.variance(est.influences, sample.spread)
            found.append((est.value - value, est.variance, low <= value <= high, uncentred))
        error, variance, held, uncentred = np.array(found).T
        assert variance.mean() == pytest.approx(np.mean(error**2), rel=0.15)
        assert 0.86 < held.mean() < 0.94
    assert uncentred.mean() > 1.2 * np.mean(error**2)


@pytest.mark.parametrize("period", [2, 4, 7, 8, 16, 64])
def test_no_pattern_along_the_line_leads_it_astray(period):
    """Labels that alternate along the line, with any period: squared error at most 1.3 of Poisson sampling's.

    Every 2^k-th item of the line would all have the same label here.
    """
    even = fl.Pool(np.full(SIZE, 0.4), ids=POOL.ids)
    truth = (places(fl.design(even, "accuracy", 125)) % period < max(period // 2, 1)).astype(int)
    stratified, poisson = (errors(even, truth, "accuracy", 125, name, 300)[0] for name in ("stratified", "poisson"))
    assert np.mean(stratified**2) < 1.3 * np.mean(poisson**2)


def test_a_random_part_of_it_is_one_group_and_its_variance_is_told():
    """500 repetitions with half of the labels missing at random: mean variance within 20% of the errors' square."""
    design, found = fl.design(POOL, "f1", 300, sampler="stratified"), []
    value = float(F1.value(table(TRUTH, POOL.decisions)))
    for seed in range(500):
        sample = design.draw(seed)
        known = np.random.default_rng(seed).permutation(300) < 150
        given = {id: TRUTH[n] for id, n in zip(sample.ids[known], sample.index[known], strict=True)}
        est = fl.estimate(sample, given, "f1", like="paper", missing="random")
        found.append((est.value - value, est.variance))
    error, variance = np.array(found).T
    assert variance.mean() == pytest.approx(np.mean(error**2), rel=0.2)
    part = sample.thinned(known)
    assert set(part.group.tolist()) == {0}
    np.testing.assert_allclose(part.weight, 2 * sample.weight[known])


@pytest.mark.parametrize("task", POOLS)
def test_groups_go_through_a_file(task):
    pool, metric = POOLS[task]
    sample = fl.design(pool, metric, 100, sampler="stratified").draw(seed=2)
    again = fl.Sample.from_state(json.loads(json.dumps(sample.to_state())))
    np.testing.assert_array_equal(again.group, sample.group)
    assert again.grouped
    assert not fl.design(pool, metric, 100, sampler="poisson").draw(seed=2).grouped


def test_equal_scores_are_lined_up_at_random_but_the_same_in_any_order():
    order = np.random.default_rng(3).permutation(400)
    ids = np.array([f"x{n}" for n in range(400)])
    same = [
        fl.design(fl.Pool(np.full(400, 0.3), ids=ids[rows]), "accuracy", 40, sampler="stratified").draw(seed=5)
        for rows in (np.arange(400), order)
    ]
    assert set(same[0].ids.tolist()) == set(same[1].ids.tolist())
    assert dict(zip(same[0].ids, same[0].group, strict=True)) == dict(zip(same[1].ids, same[1].group, strict=True))


def test_it_is_the_default_and_the_papers_way_is_poisson():
    """The sampler that won the contest draws where none is named: exactly the budget; the paper's varies around it."""
    assert fl.design(POOL, "f1", 100).sampler.name == "stratified"
    assert {len(fl.design(POOL, "f1", 100).draw(seed)) for seed in range(20)} == {100}
    for like in ("paper", "printed"):
        assert fl.design(POOL, "f1", 100, like=like).sampler.name == "poisson"
    assert len({len(fl.design(POOL, "f1", 100, like="paper").draw(seed)) for seed in range(20)}) > 1
    assert fl.labels_needed(POOL, "f1", stderr=0.05) == fl.labels_needed(POOL, "f1", stderr=0.05, sampler="stratified")
