"""One decision's column of a confusion table: assisted total and variance, for any number of classes.

A column knows its cells: how many items each still has unlabelled (``left``), the recalibrated model m there, and the
sums over its items of 1/b - 1 (``w1``) and (1-b)(1-2b)/b^2 (``w3``), which carry the second and third moments of the
sampling error. ``proven`` are the labels seen. A metric looks at a column through its slope g over the classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Column(NamedTuple):
    m: Floats  # (cells, classes)
    plain: Floats  # the same if no label defies its score: what is presumed of the labels that are left
    left: Floats
    w1: Floats
    w3: Floats
    proven: Floats  # (classes,)
    rest: Floats  # (classes,): R = sum_s (w - 1)(L - s), what the labels say beyond the scores
    doubt: Floats  # (classes, classes): covariance that the model's own uncertainty gives sum_left m
    towards: Callable[[int, float], Floats]  # m for the limit towards a class with such a tail


def moments(m: Floats, g: Floats, delta: float = 0.0) -> tuple[Floats, Floats, Floats]:
    """Mean, second and third central moments of g(y), cell by cell, for y from m tilted by exp(delta g)."""
    tilt = np.exp(delta * g - np.max(delta * g))
    raw = (tilt * g ** np.arange(4)[:, None]) @ m.T  # a power a row: rows lie together in memory
    mean, second, third = raw[1:] / raw[0]
    square = mean * mean
    return mean, np.maximum(second - square, 0.0), third - 3.0 * mean * second + 2.0 * mean * square


def _apart(column: Column, second: Floats, doubt: Floats | float) -> tuple[Floats, Floats]:
    """V_D and V_M <= V_D from the variances within cells, and the doubt about the model."""
    design = column.w1 @ second
    return design, np.minimum(column.left @ second + doubt, design)


def variances(column: Column, g: Floats) -> tuple[float, float]:
    """V_D of the difference estimator, and V_M <= V_D of the model's word alone, for the total of g(y)."""
    _, second, _ = moments(column.m, g - g.min())
    design, model = _apart(column, second, float(g @ column.doubt @ g))
    return float(design), float(model)


def translation(column: Column) -> float:
    """lambda: how much of what the labels say beyond the model is believed.

    With z^2 = R^2 / (V_D - V_M) it is (z^2 + 1)/(z^2 + 2), the posterior mean's share when the model's misfit is a
    priori as large as the noise; z^2 is the mean over the classes. The total never moves more than 0.354 standard
    deviations from the difference estimator, so its safety stays; where the model fits, half of the noise goes.
    """
    design, model = _apart(column, column.m * (1.0 - column.m), np.diag(column.doubt))
    known = design > 0
    ratios = column.rest[known] ** 2 / np.maximum(design - model, 1e-9 * design)[known]
    z2 = float(np.mean(ratios)) if len(ratios) else 0.0
    return (z2 + 1.0) / (z2 + 2.0) if math.isfinite(z2) else 1.0


def total(column: Column, share: float) -> Floats:
    """The column: labels seen, the model's word on the rest, and a share of the labels' correction, as far as possible.

    No entry goes below what is proven, and the column keeps its known sum.
    """
    open_ = float(column.left.sum())
    wanted = np.maximum(column.left @ column.plain + share * column.rest, 0.0)
    whole = float(wanted.sum())
    if whole <= 0 or open_ <= 0:
        return column.proven + open_ / len(column.proven)
    return np.asarray(column.proven + wanted * (open_ / whole))
