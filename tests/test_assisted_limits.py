"""Limits of assisted totals where few errors are left, or many columns have few each.

Of 60 intervals at 90% more than 12 miss with a chance below 1% if they hold (binomial).
"""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.metrics import f1_score

import fewlabels as fl
from fewlabels.maths import columns

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


@pytest.mark.parametrize("budget", [40, 300])
def test_away_from_errors_limits_go_by_what_the_labels_show(budget):
    """Labels that are all as the scores have it vary less than the model expects, even of the model they recalibrate.

    Towards errors that is not believed: there the variance is never below what the model expects of single labels.
    """
    pool = fl.Pool(np.random.default_rng(4).beta(0.5, 1.0, size=3000))
    sample = fl.design(pool, "accuracy", budget).draw(seed=0)
    way = fl.estimate(sample, sample.decisions, "accuracy").way
    for part, one in zip(way.model.parts, way.ratios, strict=True):
        design, model = columns.variances(part.column, way.slope[part.label, :, part.decision])
        assert 0 < one.calm < one.ratio
        assert one.ratio * design == pytest.approx(model + part.share * (design - model))


def test_the_method_says_whether_limits_are_wary():
    rng = np.random.default_rng(5)
    one = fl.design(fl.Pool(rng.random(300)), "f1", 60).draw(seed=0)
    assert "wary" in fl.estimate(one, rng.random(len(one)) < one.prob, "f1").method
    many = fl.design(fl.Pool(rng.random((300, 3)), task="multilabel"), "f1_micro", 60).draw(seed=0)
    found = fl.estimate(many, (rng.random(many.prob.shape) < many.prob).astype(int), "f1_micro")
    assert "wary" not in found.method
