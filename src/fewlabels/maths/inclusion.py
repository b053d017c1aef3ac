"""Optimal inclusion probabilities: minimise sum h^2 / b with sum b = M and 0 <= b <= 1.

The solution is b_n = min(1, kappa h_n) (paper, appendix B.1), with kappa such that the sum is M. Algorithm 3 of the
paper, which is to find it, is off by one; it is kept here as ``poisson_printed`` for comparison.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .chunks import slices
from .roots import increasing_root

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_HAIR = 1e-12  # who is in stands before the line and who is not behind it, whatever rounding does to u < kappa h
_REACH = 1.25  # how far beyond the design's own line candidates for exactly M items are looked for at first


def total(x: Floats) -> float:
    """sum x, added pairwise within cache-sized pieces and exactly between them."""
    return math.fsum(float(np.sum(x[part])) for part in slices(len(x)))


def _below(h: Floats, level: float) -> tuple[int, float]:
    """How many h are below ``level``, and their sum."""
    count, sums = 0, []
    for part in slices(len(h)):
        piece = h[part]
        low = piece < level
        count += int(np.count_nonzero(low))
        sums.append(float(np.dot(piece, low)))
    return count, math.fsum(sums)


def water_level(h: Floats, budget: float) -> float:
    """kappa with sum min(1, kappa h) = M, for more than M positive h.

    sum min(1, kappa h) is concave and piecewise linear in kappa, so Newton's method from the left is monotone and stops
    at the exact active set after finitely many passes; no sort. Each pass is a count and a sum: it folds over batches.

    >>> water_level(np.array([5.0, 1, 1, 1, 1]), 2)
    0.25
    """
    free, tail = len(h), total(h)
    kappa = budget / tail
    while True:
        still_free, tail = _below(h, 1.0 / kappa)
        left = budget - (len(h) - still_free)
        if still_free >= free or left <= 0:  # nothing left: the rest is too small to show beside the certain items
            return kappa
        free, kappa = still_free, left / tail


def poisson(h: Floats, budget: float, out: Floats | None = None) -> Floats:
    """b = min(1, kappa h) with sum b = M, the exact optimum.

    With M >= N everything is certain. Where no more than M items have h > 0 these are certain and what is left of
    the budget is spread evenly over the others, whose labels cannot move the metric but may move another one.

    >>> poisson(np.array([5.0, 1, 1, 1, 1]), 2)
    array([1.  , 0.25, 0.25, 0.25, 0.25])
    >>> poisson(np.array([5.0, 1, 0, 0]), 3)
    array([1. , 1. , 0.5, 0.5])
    """
    size = len(h)
    b = np.empty(size) if out is None else out
    if budget >= size:
        b.fill(1.0)
        return b
    positive = int(np.count_nonzero(h))
    if positive <= budget:
        rest = (budget - positive) / (size - positive)
        np.copyto(b, np.where(h > 0, 1.0, rest))
        return b
    scale = float(np.max(h))  # keeps kappa finite for subnormal h
    if not math.isfinite(1.0 / scale):
        h = h / scale
    return _capped(h, water_level(h, budget), b)


def poisson_printed(h: Floats, budget: float) -> Floats:
    """Algorithm 3 of the paper as it is printed, off by one; for comparison only.

    >>> poisson_printed(np.array([5.0, 1, 1, 1, 1]), 2)
    array([1., 0., 0., 0., 0.])
    """
    order = np.argsort(-h, kind="stable")
    ranked, everything = h[order], float(np.sum(h))
    if budget * ranked[0] <= everything:
        return np.asarray(budget * h / everything)
    seen = 0.0
    for j in range(1, len(h) + 1):
        seen += float(ranked[j - 1])
        left = everything - seen
        if left > 0 and ranked[j - 1] * (budget - j) / left <= 1:
            b = np.ones(len(h))
            b[order[j - 1 :]] = ranked[j - 1 :] * (budget - j) / left
            return b
    raise ValueError("the printed algorithm returns no solution for these deviations and this budget")


def raised(h: Floats, power: float) -> Floats:
    """h^power, on the scale of the largest h; a quarter more is two roots, which cost far less than any other power.

    >>> raised(np.array([16.0, 1.0]), 1.25)
    array([16. ,  0.5])
    """
    top = float(np.max(h))
    if power == 1.0 or not top > 0:
        return h
    out = np.empty(len(h))
    for part in slices(len(h)):
        piece = np.divide(h[part], top, out=out[part])
        if power == 1.25:
            np.sqrt(piece, out=piece)
            np.sqrt(piece, out=piece)
            piece *= h[part]
        else:
            np.power(piece, power, out=piece)
            piece *= top
    return out


def drawn(q: Floats, draws: float) -> Floats:
    """pi_n = 1 - (1 - q_n)^M: the chance to be among M draws with replacement."""
    with np.errstate(divide="ignore"):  # q = 1 is certain to be drawn
        return np.asarray(-np.expm1(draws * np.log1p(-q)))


def distinct(q: Floats, draws: float) -> float:
    """M_BS = N - sum (1 - q_n)^M_IS: the distinct items that M draws with replacement are expected to touch.

    >>> distinct(np.array([0.5, 0.5]), 2)
    1.5
    """
    return total(drawn(q, draws))


def draws_for(q: Floats, labels: float) -> float:
    """The number of draws whose expected distinct items are ``labels``: the inverse of ``distinct``."""
    reachable = int(np.count_nonzero(q))
    if labels >= reachable:
        return math.inf
    high = max(labels, 1.0)
    while distinct(q, high) < labels:
        high *= 2
    return increasing_root(lambda draws: distinct(q, draws) - labels, 0.0, high)


def saturation(h: Floats) -> float:
    """The budget at which the first b reaches one: M = sum h / max h (paper, appendix C: h* >= (N / M) mean h)."""
    top = float(np.max(h))
    return total(h) / top if top > 0 else float(len(h))


def error(h: Floats, b: Floats) -> float:
    """sum (1/b - 1) h^2: the predicted squared error of Poisson sampling; infinite where b = 0 leaves out an h > 0."""
    parts = []
    for part in slices(len(h)):
        piece, chance = h[part], b[part]
        if not chance.min() > 0:
            seen = chance > 0
            if np.any(piece[~seen]):
                return math.inf
            piece, chance = piece[seen], chance[seen]
        parts.append(float(np.dot(piece * piece, 1.0 / chance - 1.0)))
    return math.fsum(parts)


def error_of_draws(h: Floats, q: Floats, draws: float) -> float:
    """(1/M) sum h^2 / q: the predicted squared error of M draws with replacement."""
    seen = q > 0
    if np.any(h[~seen]):
        return math.inf
    return float(np.sum(h[seen] ** 2 / q[seen])) / draws


def _raised(h: Floats) -> Floats:
    """The h that counts where exactly M items are drawn: h = 0 comes last, in order of u."""
    return np.asarray(np.maximum(h, 1e-12 * float(np.max(h)) or 1.0))


def _capped(h: Floats, kappa: float, out: Floats | None = None) -> Floats:
    """min(1, kappa h)."""
    b = np.empty(len(h)) if out is None else out
    with np.errstate(over="ignore"):  # what is beyond every number is certain too
        for part in slices(len(h)):
            np.multiply(h[part], kappa, out=b[part])
            np.minimum(b[part], 1.0, out=b[part])
    return b


def _grown(h: Floats, kappa: float, start: Floats | None) -> Floats:
    """max(start, min(1, kappa h))."""
    b = _capped(h, kappa)
    return b if start is None else np.maximum(b, start, out=b)


def priority(h: Floats, u: Floats, budget: int, before: Floats | None = None) -> tuple[Ints, Floats]:
    """Exactly M items, and the inclusion probabilities that make their weighted totals unbiased.

    Priority sampling (Duffield, Lund and Thorup, 2007): line the items up by u/h, take the first M, and let tau be
    where the next one stands; b = min(1, tau h). Given where the others stand, an item is taken with just that chance,
    so totals are unbiased, the errors of different items are uncorrelated, and Poisson sampling's variance is exact.
    The order does not depend on M, so samples nest.

    ``before`` are inclusion probabilities of earlier rounds, whose items (u < before) are in already: M more are
    taken and the probabilities only grow.
    """
    start = np.zeros(len(h)) if before is None else before
    open_ = u >= start
    if budget >= np.count_nonzero(open_):
        return np.flatnonzero(open_), np.ones(len(h))
    raised = _raised(h)
    rank = np.where(open_, u / raised, np.inf)
    order = np.argpartition(rank, budget)
    tau = float(rank[order[budget]]) * (1.0 - _HAIR)
    return np.sort(order[:budget]), _grown(raised, tau, start)


def exactly(
    h: Floats, below: Callable[[Floats], tuple[Ints, Floats]], budget: int, before: Floats | None = None
) -> tuple[Ints, Floats]:
    """Exactly M items by numbers u that are spread evenly, and their inclusion probabilities.

    ``below(limits)`` finds the items whose u is below their limit, and these u; nothing else of them is needed. The M
    smallest u/h again, so samples nest. Evenly spread numbers put the line close to where the design has it, so
    the design's own kappa counts, as far as it lies between the last item that is in and the first that is not; then
    what is certain (kappa h >= 1 > u) is in. ``priority``'s tau, the first that is not, would be half an item too far.

    ``before`` are inclusion probabilities of earlier rounds, as for ``priority``.
    """
    start = None if before is None or not before.any() else before
    if start is not None:
        taken = below(start)[0]
        if budget >= len(h) - len(taken):
            return np.setdiff1d(np.arange(len(h)), taken), np.ones(len(h))
    elif budget >= len(h):
        return np.arange(len(h)), np.ones(len(h))
    raised = _raised(h)
    spent = 0.0 if start is None else total(start)
    guess, reach = water_level(raised, min(budget + spent, len(h) - 1.0)), _REACH
    while True:
        index, u = below(_grown(raised, reach * guess, start))
        if start is not None:
            index, u = index[u >= start[index]], u[u >= start[index]]
        if len(index) > budget:
            break
        reach *= 2.0
    rank = u / raised[index]
    order = np.argpartition(rank, (budget - 1, budget))
    last, following = float(rank[order[budget - 1]]) * (1.0 + _HAIR), float(rank[order[budget]]) * (1.0 - _HAIR)
    if start is None:
        kappa = min(max(guess, last), following)
    else:
        kappa = increasing_root(lambda at: total(_grown(raised, at, start)) - spent - budget, last, following)
    return np.sort(index[order[:budget]]), _grown(raised, kappa, start)
