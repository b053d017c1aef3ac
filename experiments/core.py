"""The one place that asks fewlabels for what the experiments need, for many repetitions at once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

import fewlabels as fl
from fewlabels import metrics, recipes
from fewlabels.maths import bounds, influence

from .problems import Problem

Floats = NDArray[np.float64]

LEVEL = 0.9
TRUST = 0.9  # the paper's lambda
STEP = 1e-30  # of the complex step: far below rounding, so the derivative is exact


def deviations(problem: Problem, metric: str, trust: float = TRUST, printed: bool = False) -> Floats:
    """h_n of the paper's pre-sampling stage; ``printed`` is its macro formula, without products of different labels."""
    return recipes.worth(problem.pool, metric, trust=trust, like="printed" if printed else "paper").h


def true_deviations(problem: Problem, metric: str) -> Floats:
    """|d_n| with every label and the metric known: what the best design of all would use."""
    slope = _metric(metric, problem).slope(problem.census)
    return np.abs(influence.observed(np.eye(problem.pool.width)[problem.labels], problem.decisions, slope))


def truth(problem: Problem, metric: str) -> float:
    """The metric with everything labelled."""
    return float(_metric(metric, problem).value(problem.census))


def values(metric: str, task: str, classes: int, tables: Floats) -> Floats:
    """The metric at tables[..., k, y, c]; 0 where it is undefined, as in scikit-learn."""
    return np.asarray(_named(metric, task, classes).value(tables), dtype=np.float64)


def variances(metric: str, task: str, classes: int, tables: Floats, units: Floats, share: Floats) -> Floats:
    """sum a d^2 for every leading index: the slope at each table on each group's unit table, by the complex step."""
    function = _named(metric, task, classes).value
    slope = np.empty_like(tables)
    for place in np.ndindex(tables.shape[-3:]):
        moved = tables.astype(np.complex128)
        moved[(..., *place)] += 1j * STEP
        slope[(..., *place)] = np.imag(function(moved)) / STEP
    d = np.tensordot(slope, units, axes=([-3, -2, -1], [-3, -2, -1]))
    return np.einsum("...g,...g->...", share, d * d)


def biases(problem: Problem, metric: str, b: Floats) -> tuple[float, float]:
    """The leading bias at inclusion probabilities ``b`` with every label known: ours, and as the paper prints it.

    A sample of everything with unit weights, whose shares in the variance are their expectations 1/b - 1.
    """
    everything = fl.design(problem.pool, metric, problem.size, like="paper").draw(seed=0)
    expected = replace(everything, spread=1.0 / b - 1.0)
    right, printed = (fl.estimate(expected, problem.scored.labels, metric, like=like) for like in ("paper", "printed"))
    return right.bias, printed.bias


def limits(value: Floats, variance: Floats) -> tuple[Floats, Floats]:
    """The paper's 90% limits for every entry: a Beta with that mean and variance; NaN where there is none."""
    tails = bounds.tails(LEVEL, "both")
    pairs = [bounds.beta(v, s, *tails) for v, s in zip(value.ravel().tolist(), variance.ravel().tolist(), strict=True)]
    low, high = np.array(pairs).reshape(*value.shape, 2).transpose(-1, *range(value.ndim))
    return low, high


def _metric(metric: str, problem: Problem) -> metrics.Metric:
    return metrics.get(metric, problem.pool.task, problem.pool.classes)


@cache
def _named(metric: str, task: str, classes: int) -> metrics.Metric:
    return metrics.get(metric, task, tuple(range(classes)))
