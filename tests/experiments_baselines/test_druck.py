"""Stratified sampling against the enumeration of every sample, and its choices against brute force."""

from itertools import combinations, product

import numpy as np
import pytest

from experiments.baselines import druck

STRATUM = np.array([0, 0, 0, 1, 1, 1, 1])
SIZE = np.array([3, 4])
Z = np.array([1.0, 4.0, -2.0, 0.0, 3.0, 3.0, 7.0])


def samples(take):
    groups = [combinations(np.flatnonzero(h == STRATUM), n) for h, n in enumerate(take)]
    return [np.array([i for part in choice for i in part]) for choice in product(*groups)]


def test_total_and_its_variance_are_unbiased_over_all_samples():
    totals, variances = [], []
    for index in samples([2, 2]):
        totals.append(sum(SIZE[h] * Z[index][STRATUM[index] == h].mean() for h in (0, 1)))
        variances.append(druck.total_variance(Z[index], STRATUM[index], SIZE))
    assert np.mean(totals) == pytest.approx(Z.sum())
    assert np.mean(variances) == pytest.approx(np.var(totals))


def test_every_sample_of_the_strata_is_equally_likely():
    rng = np.random.default_rng(3)
    counts = {tuple(sorted(index)): 0 for index in samples([1, 2])}
    for _ in range(9000):
        counts[tuple(sorted(druck.draw(STRATUM, np.array([1, 2]), rng)))] += 1
    expected = 9000 / len(counts)
    statistic = sum((n - expected) ** 2 / expected for n in counts.values())
    assert statistic < 40.8  # 99.9% of chi square with 17 degrees of freedom


def test_allocation_is_the_best_of_all_allocations():
    size, deviation = np.array([30, 20, 50]), np.array([0.9, 0.1, 0.4])

    def variance(take):
        return float(np.sum(size**2 * deviation**2 / take))

    found = druck.allocate(size, deviation, 20)
    best = min((np.array([a, b, 20 - a - b]) for a in range(2, 17) for b in range(2, 19 - a)), key=variance)
    assert found.sum() == 20
    assert variance(found) <= 1.02 * variance(best)


@pytest.mark.parametrize("budget", [3, 7, 60, 100])
def test_allocation_spends_the_budget_within_the_strata(budget):
    size = np.array([2, 30, 68])
    take = druck.allocate(size, np.array([5.0, 1.0, 0.0]), budget)
    assert take.sum() == budget
    assert np.all(take <= size)


def test_strata_never_mix_decisions():
    rng = np.random.default_rng(0)
    p = rng.random(500) ** 4
    c = (p > 0.3).astype(float)
    stratum = druck.strata(p, c, 10)
    assert all(len(set(c[stratum == h])) == 1 for h in np.unique(stratum))
    assert 4 <= len(np.unique(stratum)) <= 11


def test_standard_error_agrees_with_the_spread_of_estimates():
    rng = np.random.default_rng(8)
    p = rng.beta(0.5, 1.5, 4000)
    y = (rng.random(4000) < p).astype(float)
    c = (p >= 0.5).astype(float)
    stratum = druck.strata(p, c, 12)
    size = np.bincount(stratum)
    take = druck.allocate(size, druck.model_deviation(0.5, p, c, stratum), 300)
    guesses = []
    for _ in range(400):
        index = druck.draw(stratum, take, rng)
        guesses.append(druck.estimate(0.5, c[index], y[index], stratum[index], size))
    values = np.array([g.value for g in guesses])
    truth = (c * y).sum() / (0.5 * (c + y)).sum()
    assert abs(values.mean() - truth) < 4 * values.std() / np.sqrt(400) + 0.002
    assert np.mean([g.stderr for g in guesses]) == pytest.approx(values.std(), rel=0.15)


def test_everything_labelled_is_the_census():
    c, y = (STRATUM == 0).astype(float), (Z > 2.5).astype(float)
    guess = druck.estimate(0.5, c, y, STRATUM, SIZE)
    assert guess.value == pytest.approx((c * y).sum() / (0.5 * (c + y)).sum())
    assert guess.stderr == 0.0
