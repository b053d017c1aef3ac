"""One decision's column of a confusion table: assisted total, variance, and limits, for any number of classes.

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
from scipy.special import gammaincinv, ndtri, stdtrit

from .roots import increasing_root

Floats = NDArray[np.float64]

_FAR = 40.0  # in units of the slope's range: a tilt that leaves nothing of the other classes


class Column(NamedTuple):
    m: Floats  # (cells, classes)
    left: Floats
    w1: Floats
    w3: Floats
    proven: Floats  # (classes,)
    rest: Floats  # (classes,): R = sum_s (w - 1)(L - m), what the labels say beyond the model
    doubt: Callable[[Floats], float]  # variance that the model's own uncertainty gives sum_left m . g


def spread(q: Floats, g: Floats) -> tuple[Floats, Floats]:
    """Second and third central moments of g(y) for y ~ q, cell by cell."""
    gap = g - (q @ g)[:, None]
    return np.sum(q * gap**2, axis=1), np.sum(q * gap**3, axis=1)


def variances(column: Column, g: Floats) -> tuple[float, float]:
    """V_D of the difference estimator, and V_M <= V_D of the model's word alone, for the total of g(y)."""
    second, _ = spread(column.m, g)
    design = float(column.w1 @ second)
    return design, min(float(column.left @ second) + column.doubt(g), design)


def translation(column: Column) -> float:
    """lambda: how much of what the labels say beyond the model is believed.

    With z^2 = R^2 / (V_D - V_M) it is (z^2 + 1)/(z^2 + 2), the posterior mean's share when the model's misfit is a
    priori as large as the noise. The total never moves more than 0.354 standard deviations from the difference
    estimator, so its safety stays; where the model fits, half of the noise goes.
    """
    ratios = []
    for y, unit in enumerate(np.eye(len(column.proven))):
        design, model = variances(column, unit)
        if design > 0:
            ratios.append(column.rest[y] ** 2 / max(design - model, 1e-9 * design))
    z2 = float(np.mean(ratios)) if ratios else 0.0
    return (z2 + 1.0) / (z2 + 2.0) if math.isfinite(z2) else 1.0


def total(column: Column, share: float) -> Floats:
    """The column: labels seen, the model's word on the rest, and a share of the labels' correction, as far as possible.

    No entry goes below what is proven, and the column keeps its known sum.
    """
    open_ = float(column.left.sum())
    wanted = np.maximum(column.left @ column.m + share * column.rest, 0.0)
    whole = float(wanted.sum())
    if whole <= 0 or open_ <= 0:
        return column.proven + open_ / len(column.proven)
    return np.asarray(column.proven + wanted * (open_ / whole))


def quantile(tail: float, skew: float) -> float:
    """The upper ``tail`` quantile of a standardised gamma (Pearson III) of this skewness; normal where it is 0."""
    if abs(skew) < 2e-3:
        return -float(ndtri(tail))
    shape = 4.0 / min(abs(skew), 50.0) ** 2
    point = gammaincinv(shape, 1.0 - tail if skew > 0 else tail)
    return float((point - shape) / math.sqrt(shape)) * math.copysign(1.0, skew)


def tilted(column: Column, g: Floats, delta: float) -> Floats:
    """The model shifted along the metric: q proportional to m exp(delta g); for two classes a shift of the log odds."""
    scaled = delta * g
    q = column.m * np.exp(scaled - scaled.max())
    return np.asarray(q / q.sum(axis=1, keepdims=True))


def limits(
    column: Column, g: Floats, at: Floats, ratio: float, skew: float, below: float, above: float, freedom: float
) -> tuple[Floats, Floats]:
    """The column at its lower and upper limit along g: a Wilson interval for an assisted total.

    Solves g . (T^ - T(delta)) = +- quantile sd(delta) where T(delta) is what the tilted model expects and
    sd(delta)^2 = ``ratio`` sum w1 Var_q g; never of zero width before everything is labelled, and inside what the
    labels leave possible. An empty tail gives the far end.
    """
    size = float(np.ptp(g))
    if size == 0 or not column.left.sum() > 0:
        return at, at
    unit, here = g / size, float(g @ at) / size

    def state(delta: float) -> tuple[Floats, float, float]:
        q = tilted(column, unit, delta)
        second, third = spread(q, unit)
        v = max(float(column.w1 @ second), 1e-300)
        return column.proven + column.left @ q, math.sqrt(ratio * v), skew * float(column.w3 @ third) / v**1.5

    def end(tail: float, sign: int) -> Floats:
        if tail <= 0:
            return state(sign * _FAR)[0]
        few = float(stdtrit(freedom, tail) / ndtri(tail))

        def gap(delta: float) -> float:
            table, sd, lean = state(delta)
            return float(unit @ table) - here - sign * few * quantile(tail, -sign * lean) * sd

        return state(increasing_root(gap, -_FAR, _FAR, 1e-9))[0]

    return end(below, -1), end(above, +1)
