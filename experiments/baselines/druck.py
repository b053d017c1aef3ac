"""Stratified sampling for F-measures after Druck and McCallum (Toward Interactive Training and Evaluation, CIKM 2011).

From them: strata are made with the model's scores, and the model's expectations stand in for the unknown labels. Only
their abstract and the account of it in the package oasis were at hand, so the rest is our choice and may differ from
theirs: strata by the cumulative square root rule of Dalenius and Hodges within each decision, Neyman allocation with
at least two items a stratum, the combined ratio estimator and its textbook variance (Cochran 1977, 6.11).
"""

from __future__ import annotations

import numpy as np

from .ratio import Floats, Guess, Ints, parts, residual_moments

BINS = 10_000


def cumulative_root(score: Floats, count: int, bins: int = BINS) -> Ints:
    """Stratum of each item: equal steps of the summed square roots of a histogram's counts.

    >>> cumulative_root(np.array([0.0, 0.1, 0.9, 1.0]), 2).tolist()
    [0, 0, 1, 1]
    """
    edges = np.linspace(score.min(), score.max(), bins + 1)
    cell = np.clip(np.searchsorted(edges, score, side="right") - 1, 0, bins - 1)
    root = np.cumsum(np.sqrt(np.bincount(cell, minlength=bins)))
    step = np.minimum((root - 1e-9) / root[-1] * count, count - 1).astype(np.int64)
    return np.unique(step[cell], return_inverse=True)[1].astype(np.int64)


def strata(p: Floats, c: Floats, count: int) -> Ints:
    """Strata of the scores, cut at the decision, which is known for every item."""
    share = {value: max(1, round(count / 2)) for value in np.unique(c)} if len(np.unique(c)) > 1 else {c[0]: count}
    name = np.zeros(len(p), dtype=np.int64)
    for value, n in share.items():
        inside = c == value
        name[inside] = cumulative_root(p[inside], n) + 10 * count * int(value)
    return np.unique(name, return_inverse=True)[1].astype(np.int64)


def allocate(size: Ints, deviation: Floats, budget: int, at_least: int = 2) -> Ints:
    """Items to label in each stratum: proportional to size times deviation, capped at the stratum's size.

    >>> allocate(np.array([100, 100]), np.array([3.0, 1.0]), 40).tolist()
    [30, 10]
    """
    take = np.minimum(size, at_least)
    if take.sum() > budget:
        take = np.minimum(size, 1)
    want = size * np.maximum(deviation, 1e-12)
    while (left := budget - take.sum()) > 0 and np.any(open_ := take < size):
        ideal = np.where(open_, want / want[open_].sum() * (budget - take[~open_].sum()), 0.0)
        gap = np.where(open_, np.maximum(ideal - take, 1e-9), 0.0)
        more = np.floor(gap / gap.sum() * left).astype(np.int64)
        if more.sum() == 0:
            more[np.argsort(-gap)[: min(left, int(open_.sum()))]] = 1
        take = np.minimum(size, take + more)
    return take


def model_deviation(alpha: float, p: Floats, c: Floats, stratum: Ints) -> Floats:
    """The spread of f - F g that the model expects inside each stratum."""
    mean, square = residual_moments(alpha, p, c)
    count = np.bincount(stratum)
    inside = np.bincount(stratum, square) / count - (np.bincount(stratum, mean) / count) ** 2
    return np.sqrt(np.maximum(inside, 0.0))


def draw(stratum: Ints, take: Ints, rng: np.random.Generator) -> Ints:
    """A simple random sample of `take[h]` items in every stratum h."""
    order = np.lexsort((rng.random(len(stratum)), stratum))
    start = np.concatenate([[0], np.cumsum(np.bincount(stratum))[:-1]])
    return np.concatenate([order[s : s + n] for s, n in zip(start, take, strict=True)])


def estimate(alpha: float, c: Floats, y: Floats, stratum: Ints, size: Ints) -> Guess:
    """F_alpha from labelled items; `stratum` is theirs, `size` that of every stratum in the pool."""
    taken = np.bincount(stratum, minlength=len(size))
    scale = np.where(taken > 0, size / np.maximum(taken, 1), 0.0)
    f, g = parts(alpha, c, y)
    below = float((scale[stratum] * g).sum())
    if below <= 0:
        return Guess(np.nan, np.nan)
    value = float((scale[stratum] * f).sum()) / below
    return Guess(value, float(np.sqrt(total_variance(f - value * g, stratum, size)) / below))


def total_variance(z: Floats, stratum: Ints, size: Ints) -> float:
    """Estimated variance of the stratified estimate of the total of z; strata seen once are taken as constant."""
    taken = np.bincount(stratum, minlength=len(size))
    mean = np.bincount(stratum, z, minlength=len(size)) / np.maximum(taken, 1)
    square = np.bincount(stratum, (z - mean[stratum]) ** 2, minlength=len(size)) / np.maximum(taken - 1, 1)
    return float(np.sum(np.where(taken > 1, size * (size - taken) * square / np.maximum(taken, 1), 0.0)))
