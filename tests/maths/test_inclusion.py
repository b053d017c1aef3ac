"""Inclusion probabilities against numerical optimisation, enumeration and simulation."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import sequences
from scipy.optimize import LinearConstraint, minimize

from fewlabels.maths import inclusion

deviations = st.lists(st.one_of(st.just(0.0), st.floats(1e-200, 1e200), st.floats(0.01, 10.0)), min_size=1, max_size=30)


def numerical_optimum(h, budget):
    """min sum h^2/b, sum b = M, 0 <= b <= 1 by a solver that knows nothing of water levels."""
    start = np.full(len(h), budget / len(h))
    found = minimize(
        lambda b: np.sum(h**2 / b),
        start,
        jac=lambda b: -(h**2) / b**2,
        hess=lambda b: np.diag(2 * h**2 / b**3),
        bounds=[(1e-9, 1)] * len(h),
        constraints=[LinearConstraint(np.ones(len(h)), budget, budget)],
        method="trust-constr",
        options={"gtol": 1e-9, "xtol": 1e-12, "maxiter": 2000},
    )
    return found.x


@pytest.mark.parametrize("seed", range(6))
def test_is_the_numerical_optimum(seed):
    rng = np.random.default_rng(seed)
    h = rng.gamma(0.6, size=9)
    h[2] = h[3]  # a tie
    budget = float(rng.uniform(1.5, 7))
    b, best = inclusion.poisson(h, budget), numerical_optimum(h, budget)
    assert np.sum(h**2 / b) == pytest.approx(np.sum(h**2 / best), rel=1e-5)
    np.testing.assert_allclose(b, best, atol=2e-3)


@settings(max_examples=300, deadline=None)
@given(deviations, st.floats(0, 1))
def test_sums_to_the_budget_and_is_proportional_below_one(h, part):
    h = np.array(h)
    budget = max(1.0, part * len(h))
    b = inclusion.poisson(h, budget)
    assert np.all((b >= 0) & (b <= 1))
    assert math.fsum(b) == pytest.approx(min(budget, len(h)), rel=1e-9)
    if np.count_nonzero(h) > budget:
        # The conditions of Karush, Kuhn and Tucker: h/b is one number below b = 1 and no smaller at b = 1.
        free, certain = (b < 1) & (b > 1e-300), b == 1  # smaller numbers have lost digits
        levels = h[free] / b[free]
        assert np.all(b[h == 0] == 0)
        if free.any():
            np.testing.assert_allclose(levels, levels[0], rtol=1e-9)
            assert np.all(h[certain] >= levels[0] * (1 - 1e-9))


@settings(max_examples=100, deadline=None)
@given(deviations, st.floats(0, 1), st.floats(0, 1))
def test_grows_with_the_budget(h, one, other):
    h = np.array(h)
    low, high = sorted((1 + one * len(h), 1 + other * len(h)))
    assert np.all(inclusion.poisson(h, low) <= inclusion.poisson(h, high) * (1 + 1e-12))


@pytest.mark.parametrize(
    ("h", "budget", "expected"),
    [
        ([5, 1, 1, 1, 1], 2, [1, 0.25, 0.25, 0.25, 0.25]),
        ([3, 3, 3], 3, [1, 1, 1]),
        ([3, 3, 3], 99, [1, 1, 1]),
        ([0, 0, 0, 0], 2, [0.5, 0.5, 0.5, 0.5]),
        ([7, 0, 0], 1, [1, 0, 0]),
        ([7, 0, 0], 2, [1, 0.5, 0.5]),
        ([1, 1e-20, 1e-20], 1, [1, 1e-20, 1e-20]),
        ([1, 1, 1e-20, 1e-20], 2, [1, 1, 1e-20, 1e-20]),
        ([5e-324, 5e-324, 0], 1, [0.5, 0.5, 0]),
        ([2], 1, [1]),
    ],
)
def test_edges(h, budget, expected):
    np.testing.assert_allclose(inclusion.poisson(np.array(h, dtype=float), budget), expected, rtol=1e-12)


def test_a_hair_of_the_budget_is_left_after_the_certain_items():
    h = np.array([1e6, 1e6, 1.0, 1.0])
    np.testing.assert_allclose(inclusion.poisson(h, 2.5), [1, 1, 0.25, 0.25])


def test_the_printed_algorithm_is_wrong_by_one_more_often_than_not():
    rng = np.random.default_rng(0)
    right = wrong = silent = 0
    for _ in range(2000):
        h = rng.exponential(size=rng.integers(2, 30)) ** rng.uniform(0.5, 3)
        budget = int(rng.integers(1, len(h) + 1))
        try:
            printed = inclusion.poisson_printed(h, budget)
        except ValueError:
            silent += 1
            continue
        if abs(printed.sum() - budget) < 1e-9:
            right += 1
            np.testing.assert_allclose(printed, inclusion.poisson(h, budget), atol=1e-9)
        else:
            wrong += 1
    assert wrong > right > 0
    assert silent > 0


def test_the_printed_algorithm_never_returns_when_everything_is_to_be_labelled():
    with pytest.raises(ValueError, match="no solution"):
        inclusion.poisson_printed(np.array([4.0, 2.0, 1.0]), 3)


def test_inclusion_in_draws_with_replacement_by_enumeration():
    q = np.array([0.5, 0.3, 0.15, 0.05])
    for draws in (1, 2, 5):
        seen = np.zeros(4)
        for chance, order in sequences(q, draws):
            seen[list(set(order))] += chance
        np.testing.assert_allclose(inclusion.drawn(q, draws), seen, rtol=1e-12)
        assert inclusion.distinct(q, draws) == pytest.approx(seen.sum(), rel=1e-12)


def test_distinct_items_by_simulation():
    rng = np.random.default_rng(1)
    q = rng.gamma(0.5, size=200)
    q /= q.sum()
    counts = [len(np.unique(rng.choice(200, size=150, p=q))) for _ in range(2000)]
    assert inclusion.distinct(q, 150) == pytest.approx(np.mean(counts), abs=4 * np.std(counts) / math.sqrt(2000))


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.02, 0.98))
def test_draws_for_is_the_inverse_of_distinct(seed, part):
    q = np.random.default_rng(seed).gamma(0.5, size=40) + 1e-6
    q /= q.sum()
    labels = part * 40
    assert inclusion.distinct(q, inclusion.draws_for(q, labels)) == pytest.approx(labels, rel=1e-6)


def test_all_items_need_endless_draws():
    assert inclusion.draws_for(np.array([0.5, 0.5, 0.0]), 2) == math.inf
    np.testing.assert_allclose(inclusion.drawn(np.array([1.0, 0.0]), 3), [1, 0])


def test_poisson_beats_draws_of_equal_distinct_labels():
    # While no b saturates E_BS <= (1/M_BS - 1/N) M_IS E_IS. The paper goes on to (1 - M_IS/N) E_IS with M_BS = M_IS,
    # which drops a term of the same order and is no bound.
    h = np.random.default_rng(2).gamma(2, size=500)
    q = h / h.sum()
    for draws in (10, 30, 60):
        labels = inclusion.distinct(q, draws)
        assert labels < inclusion.saturation(h)
        ours = inclusion.error(h, inclusion.poisson(h, labels))
        theirs = inclusion.error_of_draws(h, q, draws)
        assert theirs == pytest.approx(h.sum() ** 2 / draws)
        assert ours <= (1 / labels - 1 / 500) * draws * theirs < theirs
        assert ours > (1 - draws / 500) * theirs


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_saturation_is_where_the_first_item_becomes_certain(seed):
    h = np.random.default_rng(seed).gamma(0.7, size=20) + 1e-9
    at = inclusion.saturation(h)
    assert inclusion.poisson(h, at * (1 - 1e-9)).max() < 1
    if at < 19:
        assert inclusion.poisson(h, at * (1 + 1e-9)).max() == 1


def test_error_is_infinite_where_an_item_that_matters_is_left_out():
    assert inclusion.error(np.array([1.0, 1.0]), np.array([1.0, 0.0])) == math.inf
    assert inclusion.error(np.array([1.0, 0.0]), np.array([0.5, 0.0])) == 1.0
    assert inclusion.error_of_draws(np.array([1.0, 1.0]), np.array([1.0, 0.0]), 3) == math.inf


def test_pieces_longer_than_the_cache_change_nothing():
    h = np.random.default_rng(3).gamma(0.5, size=100_001)
    b = inclusion.poisson(h, 5000)
    assert math.fsum(b) == pytest.approx(5000, rel=1e-12)
    ranked = np.sort(h)[::-1]
    tail = np.cumsum(ranked[::-1])[::-1]
    k = next(k for k in range(5000) if ranked[k] * (5000 - k) <= tail[k])
    np.testing.assert_allclose(b, np.minimum(1, h * (5000 - k) / tail[k]), rtol=1e-9)


def test_priority_sampling_is_unbiased_and_so_is_its_variance():
    """20,000 samples of exactly four items, three totals, within 4.5 standard errors."""
    rng = np.random.default_rng(4)
    h = np.array([5.0, 3.0, 2.0, 1.0, 0.5, 0.5, 0.2, 0.1])
    totals, variances = [], []
    d = np.stack([h, np.ones(8), np.arange(8) - 3.0], axis=1)
    for _ in range(20_000):
        index, b = inclusion.priority(h, rng.random(8), 4)
        assert len(index) == 4
        totals.append(d[index].T @ (1 / b[index]))
        variances.append((d[index].T ** 2) @ ((1 / b[index]) * (1 / b[index] - 1)))
    totals, variances = np.array(totals), np.array(variances)
    assert np.all(np.abs(totals.mean(axis=0) - d.sum(axis=0)) < 4.5 * totals.std(axis=0) / math.sqrt(20_000))
    squared = (totals - d.sum(axis=0)) ** 2
    gap = squared - variances
    assert np.all(np.abs(gap.mean(axis=0)) < 4.5 * gap.std(axis=0) / math.sqrt(20_000))


def test_priority_samples_nest_and_go_on_where_they_stopped():
    rng = np.random.default_rng(5)
    h, u = rng.gamma(0.7, size=50), rng.random(50)
    h[:5] = 0
    drawn = [set(inclusion.priority(h, u, m)[0].tolist()) for m in (3, 10, 40, 48, 50)]
    assert all(a < b for a, b in itertools.pairwise(drawn))
    first, reached = inclusion.priority(h, u, 10)
    second, grown = inclusion.priority(h, u, 30, reached)
    assert set(first.tolist()) | set(second.tolist()) == drawn[2]
    assert not set(first.tolist()) & set(second.tolist())
    assert np.all(grown >= reached)
    np.testing.assert_allclose(grown, inclusion.priority(h, u, 40)[1])
