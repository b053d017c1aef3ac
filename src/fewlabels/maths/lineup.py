"""Items in a line, and random numbers that are spread evenly along it: a stratified draw without strata.

An item is in where u_n < b_n, as in Poisson sampling, but neighbours in the line have numbers that avoid each other.
Each number alone is uniform; of 2^k neighbours that begin at a multiple of 2^k, one falls in each of 2^k equal parts of
[0, 1), and which one is tossed for anew in every such block. So every stretch of the line is drawn close to its
expected count at every scale, whatever b is, and since u does not depend on the budget, samples nest.

A scrambled van der Corput sequence has the first of these properties, but tosses once for the whole line: its items
with u < 2^-k are every 2^k-th one, a systematic sample, which a pattern of labels along the line can lead astray.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import permanent

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TOGETHER = 8  # drawn neighbours that are compared with each other: fewer see less of a trend, more have less noise


def spread(size: int, seed: int) -> Floats:
    """A number for each position in the line, uniform in [0, 1).

    A tournament gives the binary digits: neighbouring blocks of 2^k meet, item against item of equal digits so far, and
    a coin says which of the two goes on with a 0 and which with a 1. Behind the last digit all are independent.

    >>> np.sort(np.floor(8 * spread(16, seed=3)[8:])).tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    """
    levels = max(size - 1, 0).bit_length()
    ranked = np.arange(2**levels).reshape(-1, 1)  # a row for each block, its items by their digits so far
    words = permanent.bits(np.arange(2**levels // 2, dtype=np.uint64), seed)  # a coin for each level and meeting
    for level in range(levels):
        coins = (words >> np.uint64(level) & np.uint64(1)).astype(np.bool_).reshape(len(ranked) // 2, -1)
        left, right = ranked[0::2], ranked[1::2]
        pairs = np.stack([np.where(coins, right, left), np.where(coins, left, right)], axis=-1)
        ranked = pairs.reshape(len(left), -1)
    u = np.empty(2**levels)
    u[ranked[0]] = np.arange(2**levels)
    u += permanent.uniforms(np.arange(2**levels, dtype=np.uint64), ~seed)
    return np.asarray(np.minimum(u[:size] / 2**levels, 1.0 - 2.0**-53))  # the sum may round up to the whole


def places(keys: permanent.Keys, *by: NDArray[np.generic]) -> Ints:
    """Where each item stands when they are lined up by the first of ``by``, then the next, and at last at random.

    >>> places(np.arange(4, dtype=np.uint64), np.array([1, 0, 1, 0]), np.array([0.9, 0.2, 0.6, 0.1])).tolist()
    [3, 1, 2, 0]
    """
    order = np.lexsort((permanent.bits(keys, 0), *by[::-1]))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place


def groups(place: Ints, b: Floats, together: int = TOGETHER) -> Ints:
    """Neighbours in the line in groups of ``together`` or a few more; who is certain stands alone.

    >>> groups(np.array([7, 1, 5, 3]), np.array([0.5, 0.5, 1.0, 0.5]), together=2).tolist()
    [0, 0, 1, 0]
    """
    free = np.flatnonzero(b < 1.0)
    many = max(len(free) // together, 1)
    group = many + np.arange(len(b))
    group[free[np.argsort(place[free])]] = np.arange(len(free)) * many // max(len(free), 1)
    return np.unique(group, return_inverse=True)[1].reshape(-1).astype(np.int64)
