"""A pool in a few hundred cells: items of one decision and nearly one probability are alike to every estimate.

A cell is a decision and a small range of probability: the leading bits of min(p, 1 - p), so that cells are narrow on
the scale that matters (a sixteenth of the odds) and no logarithm is taken of a long array. Everything that an estimate
must know of the items nobody labels is a sum over cells, so a sample can carry it along.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .chunks import slices

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_KEPT = 48  # of a float64's bits these go: sign, exponent and the first four of the mantissa stay
_LEAST = int(np.array(2.0**-40).view(np.int64)) >> _KEPT  # below this all is certainty
_MOST = int(np.array(0.5).view(np.int64)) >> _KEPT
_SIDES = 2 * (_MOST - _LEAST + 1)
_FINER = 4  # more bits of the mantissa where items are lined up by their score
RISING_BITS = 15


def codes(p: Floats, c: NDArray[np.integer] | NDArray[np.bool_]) -> Ints:
    """The cell of each item, from the probability p of its class 1 (or decided class) and its decision c.

    >>> codes(np.array([0.1, 0.101, 0.9]), np.array([0, 0, 1])).tolist()
    [1170, 1170, 2421]
    """
    return np.asarray(c.astype(np.int64) * _SIDES + 2 * _steps(p, 0) + (p > 0.5))


def _steps(p: Floats, finer: int) -> Ints:
    """How far min(p, 1 - p) is above the least that counts, in steps of a sixteenth of the odds over 2^finer."""
    least = _LEAST << finer
    return np.asarray(np.maximum(np.minimum(p, 1.0 - p).view(np.int64) >> (_KEPT - finer), least) - least)


def rising(p: Floats) -> Ints:
    """Steps that rise with p from 0 to below 2^``RISING_BITS``, each a 256th part of the odds.

    >>> rising(np.array([0.0, 0.2, 0.2001, 0.5, 0.8, 1.0])).tolist()
    [0, 9625, 9625, 9984, 10344, 19969]
    """
    steps = _steps(p, _FINER)
    top = 2 * ((_MOST << _FINER) - (_LEAST << _FINER)) + 1
    return np.where(p > 0.5, top - steps, steps)


def summarise(p: Floats, c: NDArray[np.integer] | NDArray[np.bool_], b: Floats) -> tuple[Ints, Ints, Floats, Floats]:
    """Occupied cells of a pool: their codes, sizes, summed probabilities (cells, columns) and, for each, two sums.

    The sums are of 1/b - 1 and (1-b)(1-2b)/b^2, the second and third moments of a Poisson sample's error. ``p`` is (N,)
    for the chance of class 1 or (N, C) for exclusive classes, ordered into cells by the decided one's.
    """
    many = (int(c.max()) + 1) * _SIDES
    columns = 1 if p.ndim == 1 else p.shape[1]
    sizes, slack, sums = np.zeros(many, np.int64), np.zeros((many, 2)), np.zeros((many, columns))
    for part in slices(len(p)):
        lead = p[part] if p.ndim == 1 else p[part][np.arange(len(c[part])), c[part]]
        code = codes(lead, c[part])
        sizes += np.bincount(code, minlength=many)
        with np.errstate(divide="ignore"):  # b = 0: no bound on what is missed
            odds = 1.0 / b[part] - 1.0
        slack[:, 0] += np.bincount(code, odds, minlength=many)
        slack[:, 1] += np.bincount(code, odds * (odds - 1.0), minlength=many)
        for k in range(columns):
            sums[:, k] += np.bincount(code, p[part] if p.ndim == 1 else p[part][:, k], minlength=many)
    found = np.flatnonzero(sizes)
    return found, sizes[found], sums[found], slack[found]


def decided(code: Ints) -> Ints:
    """The decision of each cell."""
    return np.asarray(code // _SIDES)
