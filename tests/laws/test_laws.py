"""Laws that hold for every way, sampler, metric and task; nothing is left unclassified."""

from dataclasses import replace

import numpy as np
import pytest
from oracles import subsets, table

import fewlabels as fl
from fewlabels import designs, metrics, recipes

RNG = np.random.default_rng(0)
N = 90


def _pools():
    prob = RNG.beta(0.6, 1.5, size=N)
    grid = RNG.beta(0.6, 1.5, size=(N, 3))
    shares = RNG.dirichlet([1.5, 1, 0.5, 0.5], size=N)
    likeliest = np.array([RNG.choice(4, p=row) for row in shares])
    return {
        "binary": (fl.Pool(prob), (RNG.random(N) < prob).astype(int)),
        "multilabel": (fl.Pool(grid, task="multilabel"), (RNG.random((N, 3)) < grid).astype(int)),
        "multiclass": (fl.Pool(shares, task="multiclass"), likeliest),
    }


POOLS = _pools()
LIKES = [like for like in recipes.RECIPES if like != "printed"]  # the printed way breaks laws: that is what it is for
ONCE = [name for name, sampler in designs.SAMPLERS.items() if sampler.chances is None]
AGAIN = [name for name, sampler in designs.SAMPLERS.items() if sampler.chances is not None]
METRICS = [(task, name) for task, (pool, _) in POOLS.items() for name in metrics.names(task, pool.classes)]
FIRST = {"binary": "f1", "multilabel": "f1_macro", "multiclass": "f1_macro"}


def census(task, name, pool, truth):
    metric = metrics.get(name, task, pool.classes)
    if metric.exact:
        return float(
            metric.value(
                table((truth == pool.decisions).reshape(len(truth), -1).all(axis=1), np.ones(len(pool), dtype=int))
            )
        )
    return float(metric.value(table(truth, pool.decisions, classes=pool.width)))


def turned(pool, truth, order):
    """The same pool with its rows in another order."""
    again = fl.Pool(
        pool.prob[order], task=pool.task, ids=pool.ids[order], decisions=pool.decisions[order], classes=pool.classes
    )
    return again, truth[order]


@pytest.mark.parametrize("like", LIKES)
@pytest.mark.parametrize("sampler", ONCE)
@pytest.mark.parametrize("task", POOLS)
def test_everything_labelled_is_the_census(task, sampler, like):
    pool, truth = POOLS[task]
    for budget in (N, 3 * N):
        design = fl.design(pool, FIRST[task], budget, sampler=sampler, like=like)
        if design.chances is not None:
            continue  # the paper's uniform draws with replacement, and never has a census
        assert design.expected_stderr == pytest.approx(0, abs=1e-12)
        sample = design.draw(seed=0)
        for name, est in fl.estimate(sample, truth[sample.index], metrics.names(task, pool.classes), like=like).items():
            exact = census(task, name, pool, truth)
            assert est.value == pytest.approx(exact, rel=1e-9)
            assert est.stderr == pytest.approx(0, abs=1e-9)
            assert est.interval(0.99) == pytest.approx((exact, exact), rel=1e-9)


@pytest.mark.parametrize("sampler", list(designs.SAMPLERS))
@pytest.mark.parametrize("task", POOLS)
def test_everything_labelled_is_the_census_however_it_came_about(task, sampler):
    """A draw that happens to touch every item leaves nothing open, whatever the chances were."""
    pool, truth = POOLS[task]
    sample = fl.design(pool, FIRST[task], N if sampler in ONCE else 100 * N, sampler=sampler).draw(seed=0)
    sample = replace(sample, weight=sample.weight * 1.1, spread=sample.spread + 0.1)
    assert sample.complete
    for name, est in fl.estimate(sample, truth, metrics.names(task)).items():
        assert est.value == pytest.approx(census(task, name, pool, truth), rel=1e-9)
        assert est.interval(0.9) == pytest.approx((est.value, est.value))


@pytest.mark.parametrize("like", LIKES)
@pytest.mark.parametrize("sampler", list(designs.SAMPLERS))
@pytest.mark.parametrize("task", POOLS)
def test_order_does_not_matter(task, sampler, like):
    pool, truth = POOLS[task]
    order = np.random.default_rng(5).permutation(N)
    found = []
    for one, labels in ((pool, truth), turned(pool, truth, order)):
        sample = fl.design(one, FIRST[task], 40, sampler=sampler, like=like).draw(seed=9)
        found.append((set(sample.ids.tolist()), fl.estimate(sample, labels[sample.index], FIRST[task], like=like)))
    (ids, est), (same_ids, same) = found
    assert ids == same_ids
    assert est.value == pytest.approx(same.value, rel=1e-9)
    assert est.stderr == pytest.approx(same.stderr, rel=1e-6)
    assert est.interval(0.9) == pytest.approx(same.interval(0.9), rel=1e-6)


@pytest.mark.parametrize("like", LIKES)
@pytest.mark.parametrize("sampler", list(designs.SAMPLERS))
@pytest.mark.parametrize("task", POOLS)
def test_a_larger_budget_draws_a_superset(task, sampler, like):
    pool, _ = POOLS[task]
    for seed in range(4):
        before = set()
        for budget in (1, 2, 7, 20, 21, 50, 88, 90, 200):
            ids = set(fl.design(pool, FIRST[task], budget, sampler=sampler, like=like).draw(seed=seed).ids.tolist())
            assert before <= ids
            before = ids


@pytest.mark.parametrize("like", LIKES)
@pytest.mark.parametrize(("task", "name"), METRICS)
def test_a_larger_budget_draws_a_superset_for_every_metric(task, name, like):
    pool, _ = POOLS[task]
    drawn = [set(fl.design(pool, name, budget, like=like).draw(seed=3).ids.tolist()) for budget in (5, 20, 60, 90)]
    assert drawn[0] <= drawn[1] <= drawn[2] <= drawn[3]
    assert len(drawn[3]) == N


@pytest.mark.parametrize("sampler", list(designs.SAMPLERS))
def test_seeds_draw_different_samples(sampler):
    pool, _ = POOLS["binary"]
    design = fl.design(pool, "f1", 30, sampler=sampler)
    drawn = {tuple(design.draw(seed=seed).ids.tolist()) for seed in range(30)}
    assert len(drawn) == 30
    assert design.draw(seed=7).ids.tolist() == design.draw(seed=7).ids.tolist()


@pytest.mark.parametrize("like", LIKES)
@pytest.mark.parametrize("sampler", list(designs.SAMPLERS))
@pytest.mark.parametrize("task", POOLS)
def test_totals_are_unbiased(task, sampler, like):
    """The mean of 600 weighted tables against the census, cell by cell, within 4.5 standard errors."""
    pool, truth = POOLS[task]
    design = fl.design(pool, FIRST[task], 30, sampler=sampler, like=like, floor=0.2)
    exact = table(truth, pool.decisions, classes=pool.width)
    cells = np.zeros((N, *exact.shape))
    for n in range(N):
        cells[n] = table(truth[n : n + 1], pool.decisions[n : n + 1], classes=pool.width)
    found = np.empty((600, *exact.shape))
    for seed in range(600):
        sample = design.draw(seed=seed)
        found[seed] = np.tensordot(sample.weight, cells[sample.index], axes=1)
    noise = found.std(axis=0) / np.sqrt(600)
    assert np.all(np.abs(found.mean(axis=0) - exact) <= 4.5 * noise + 1e-9)


@pytest.mark.parametrize("like", LIKES)
@pytest.mark.parametrize("name", metrics.names("binary"))
def test_poisson_totals_are_unbiased_exactly(name, like):
    prob = np.array([0.05, 0.2, 0.35, 0.55, 0.7, 0.9, 0.45, 0.8])
    y = np.array([0, 1, 0, 1, 0, 1, 0, 1])
    pool = fl.Pool(prob)
    b = fl.design(pool, name, 3, like=like, floor=0.1).inclusion
    mean = sum(chance * table(y[s], pool.decisions[s], 1 / b[s]) for chance, s in subsets(b))
    np.testing.assert_allclose(mean, table(y, pool.decisions), rtol=1e-9)


@pytest.mark.parametrize("like", LIKES)
@pytest.mark.parametrize(("task", "name"), METRICS)
def test_every_metric_from_a_sample_drawn_for_another(task, name, like):
    """Value within the support, an interval around it, wider at a higher level, whatever the sample was drawn for."""
    pool, truth = POOLS[task]
    for sampler in ("poisson", "uniform"):
        sample = fl.design(pool, FIRST[task], 45, sampler=sampler, like=like, floor=0.1).draw(seed=2)
        with_notes = fl.estimate(sample, truth[sample.index], name, like=like)
        low, high = with_notes.interval(0.9)
        lower, higher = with_notes.interval(0.99)
        bottom, top = metrics.get(name, task, pool.classes).support
        assert bottom <= lower <= low + 1e-12  # equal, but for rounding, where the labels leave no more room
        assert low <= with_notes.value <= high
        assert high - 1e-12 <= higher <= top
        assert np.isfinite(with_notes.stderr)


@pytest.mark.parametrize("like", LIKES)
@pytest.mark.parametrize("task", POOLS)
def test_names_of_classes_do_not_matter(task, like):
    pool, truth = POOLS[task]
    names = {"binary": ("bad", "good"), "multilabel": ("u", "v", "w"), "multiclass": ("u", "v", "w", "x")}[task]
    named = fl.Pool(pool.prob, task=task, ids=pool.ids, decisions=None, classes=names)
    sample, same = (fl.design(p, FIRST[task], 40, like=like).draw(seed=1) for p in (pool, named))
    assert sample.ids.tolist() == same.ids.tolist()
    labels = truth[sample.index]
    told = labels if task == "multilabel" else [names[k] for k in labels]
    one, two = (fl.estimate(sample, labels, FIRST[task], like=like), fl.estimate(same, told, FIRST[task], like=like))
    assert (one.value, one.stderr, *one.interval()) == pytest.approx((two.value, two.stderr, *two.interval()), rel=1e-6)


def repeated(task, sampler, like, repetitions):
    """How often 90% intervals held the census, the errors, and the variances that were told."""
    rng = np.random.default_rng(11)
    size = 800
    if task == "binary":
        prob = rng.beta(0.8, 2, size=size)
    elif task == "multilabel":
        prob = rng.beta(0.8, 2, size=(size, 3))
    else:
        prob = rng.dirichlet([2, 1, 1], size=size)
    pool = fl.Pool(prob, task=task)
    design = fl.design(pool, FIRST[task], 240, sampler=sampler, like=like)
    hits, errors, told = 0, [], []
    for seed in range(repetitions):
        if task == "multiclass":
            truth = (rng.random((size, 1)) > prob.cumsum(axis=1)[:, :-1]).sum(axis=1)
        else:
            truth = (rng.random(prob.shape) < prob).astype(int)
        exact = census(task, FIRST[task], pool, truth)
        sample = design.draw(seed=seed)
        est = fl.estimate(sample, truth[sample.index], FIRST[task], like=like)
        low, high = est.interval(0.9)
        hits += low <= exact <= high
        errors.append(est.value - exact)
        told.append(est.variance)
    return hits, np.array(errors), np.array(told)


EVERY_WAY = [(task, sampler, None) for task in POOLS for sampler in designs.SAMPLERS] + [
    (task, sampler, "paper") for task in POOLS for sampler in ("poisson", "importance", "stratified", "uniform")
]


@pytest.mark.parametrize(
    ("task", "sampler", "like"),
    [way if way[1] == "poisson" else pytest.param(*way, marks=pytest.mark.slow) for way in EVERY_WAY],
)
def test_intervals_cover(task, sampler, like):
    """100 repetitions at 90%: fewer than 80 hits have a chance of 1 in 1,000 if the coverage is 90%."""
    hits, errors, told = repeated(task, sampler, like, 100)
    assert hits >= 80
    assert np.sqrt(np.mean(told)) == pytest.approx(np.sqrt(np.mean(np.square(errors))), rel=0.3)
    assert abs(np.mean(errors)) < 0.45 * np.std(errors)


@pytest.mark.parametrize("like", LIKES)
@pytest.mark.parametrize("votes", [1, 2, 4])
def test_intervals_cover_when_people_disagree(votes, like):
    """What is estimated is the metric of the expected labels; 100 repetitions at 90%, at least 80 hits."""
    rng = np.random.default_rng(12)
    prob = rng.beta(0.8, 2, size=600)
    pool = fl.Pool(prob)
    yes = np.clip(prob + rng.normal(0, 0.1, size=600), 0.02, 0.98)
    exact = float(metrics.get("f1", "binary").value(expected_table(yes, pool.decisions)))
    design = fl.design(pool, "f1", 200, like=like)
    hits = 0
    for seed in range(100):
        sample = design.draw(seed=seed)
        cast = (rng.random((len(sample), votes)) < yes[sample.index, None]).astype(int)
        low, high = fl.estimate(sample, cast.tolist(), "f1", kind="votes", like=like).interval(0.9)
        hits += low <= exact <= high
    assert hits >= 80


def expected_table(chance, decisions):
    return sum(
        weight[:, None, None] * np.eye(2)[y][:, None] * np.eye(2)[decisions.astype(int)][:, None, :]
        for y, weight in ((0, 1 - chance), (1, chance))
    ).sum(axis=0)[None]
