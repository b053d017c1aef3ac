"""Limits of assisted totals where few errors are left, or many columns have few each.

Of 60 intervals at 90% more than 12 miss with a chance below 1% if they hold (binomial).
"""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.metrics import f1_score

import fewlabels as fl

RUNS, MOST = 60, 12


def test_the_corner_where_nothing_is_left_is_within_reach():
    chance = expit(60 * np.random.default_rng(1).standard_normal(2000) - 50)
    pool = fl.Pool(chance)
    design, missed = fl.design(pool, "accuracy", 300), 0
    for seed in range(RUNS):
        labels = np.random.default_rng(seed).random(2000) < chance
        sample = design.draw(seed)
        low, high = fl.estimate(sample, labels[sample.index], "accuracy").interval(0.9)
        missed += not low <= np.mean(labels == pool.decisions) <= high
    assert missed <= MOST


@pytest.mark.parametrize("budget", [60, 150])
def test_many_classes_with_few_errors_each(budget):
    rng = np.random.default_rng(2)
    prob = rng.dirichlet(np.full(10, 0.03), size=3000)
    pool = fl.Pool(prob, task="multiclass")
    design, missed = fl.design(pool, "f1_macro", budget), 0
    for seed in range(RUNS):
        labels = (prob.cumsum(axis=1) > np.random.default_rng(seed).random((3000, 1))).argmax(axis=1)
        sample = design.draw(seed)
        low, high = fl.estimate(sample, labels[sample.index], "f1_macro").interval(0.9)
        missed += not low <= f1_score(labels, pool.decisions, average="macro") <= high
    assert missed <= MOST


def test_one_sided_bounds_reach_the_corner_too():
    prob = np.r_[np.full(990, 1e-9), np.full(10, 0.3)]
    sample = fl.design(fl.Pool(prob), "accuracy", 60).draw(seed=0)
    est = fl.estimate(sample, np.zeros(len(sample), dtype=int), "accuracy")
    assert est.interval(0.95, side="upper")[1] == pytest.approx(1.0, abs=1e-9)
    assert est.interval(0.95, side="lower")[0] < est.value
