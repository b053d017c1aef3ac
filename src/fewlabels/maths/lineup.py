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

from . import cells, permanent
from .chunks import slices

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Lines = NDArray[np.uint64]

TOGETHER = 8  # drawn neighbours that are compared with each other: fewer see less of a trend, more have less noise


def line(keys: permanent.Keys, score: Floats, kind: NDArray[np.integer] | NDArray[np.bool_], kinds: int) -> Lines:
    """Where each item stands: by its kind (0 to ``kinds`` - 1), then its score in [0, 1], at last at random.

    Scores within a 256th part of their odds are alike, so that one number of 64 bits says it all and sorts fast.

    >>> np.argsort(line(np.arange(4, dtype=np.uint64), np.array([0.9, 0.2, 0.6, 0.1]), np.array([1, 0, 1, 0]), 2))
    array([3, 1, 2, 0])
    """
    spare = np.uint64(64 - cells.RISING_BITS - (kinds - 1).bit_length())
    out = np.empty(len(keys), dtype=np.uint64)
    for part in slices(len(keys)):
        place = (kind[part].astype(np.int64) << cells.RISING_BITS) + cells.rising(score[part])
        out[part] = (place.astype(np.uint64) << spare) | (permanent.bits(keys[part], 0) >> (np.uint64(64) - spare))
    return out


def order(stands: Lines, keys: permanent.Keys) -> Ints:
    """The items in the order of the line, the same whatever their order in the pool."""
    found = np.argsort(stands)
    lined = stands[found]
    if np.any(lined[1:] == lined[:-1]):  # seldom: two of some 2^48 random tails, within one step of score
        found = np.lexsort((permanent.bits(keys, 0), stands))
    return np.asarray(found)


def below(limits: Floats, seed: int) -> tuple[Ints, Floats]:
    """The positions in the line whose number is below their limit, and their numbers.

    A tournament gives the binary digits: neighbouring blocks of 2^k meet, item against item of equal digits so far, and
    a coin says which of the two goes on with a 0 and which with a 1. Behind the last digit all are independent. Who
    meets whom can be told for each item by itself, so those whose first digits are beyond their limit drop out at once:
    the work is that of a few passes where few are drawn.

    >>> below(np.array([0.5, 0.5, 0.5, 0.5]), seed=3)[0].tolist()  # one of the first two, one of the others
    [1, 2]
    """
    levels = max(len(limits) - 1, 0).bit_length()
    one, places, numbers = np.uint64(1), [], []
    for part in slices(len(limits)):
        at, top = np.arange(part.start, part.stop, dtype=np.uint64), limits[part]
        digits = np.zeros(len(at), dtype=np.uint64)
        for level in range(levels):
            k = np.uint64(level)
            coins = permanent.bits((at >> (k + one) << k) + digits, seed) >> k
            digits = (digits << one) + ((at >> k ^ coins) & one)
            still = digits < top * 2.0 ** (level + 1)
            at, top, digits = at[still], top[still], digits[still]
        u = (digits + permanent.uniforms(at, ~seed)) / 2.0**levels
        u = np.minimum(u, 1.0 - 2.0**-53)  # the sum may round up to the whole
        places.append(at[u < top])
        numbers.append(u[u < top])
    if not places:
        return np.empty(0, dtype=np.int64), np.empty(0)
    return np.concatenate(places).astype(np.int64), np.concatenate(numbers)


def spread(size: int, seed: int) -> Floats:
    """A number for each position in the line, uniform in [0, 1).

    >>> np.sort(np.floor(8 * spread(16, seed=3)[8:])).tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    """
    return below(np.ones(size), seed)[1]


def groups(stands: NDArray[np.integer], b: Floats, together: int = TOGETHER) -> Ints:
    """Neighbours in the line in groups of ``together`` or a few more; who is certain stands alone.

    >>> groups(np.array([7, 1, 5, 3]), np.array([0.5, 0.5, 1.0, 0.5]), together=2).tolist()
    [0, 0, 1, 0]
    """
    free = np.flatnonzero(b < 1.0)
    many = max(len(free) // together, 1)
    group = many + np.arange(len(b))
    group[free[np.argsort(stands[free])]] = np.arange(len(free)) * many // max(len(free), 1)
    return np.unique(group, return_inverse=True)[1].reshape(-1).astype(np.int64)
