"""Permanent random numbers: one uniform for each (seed, id), the same in any order, batch or engine.

With s_n = [u_n < b_n] a larger budget, which only raises b, draws a superset of the items.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .chunks import slices

Keys = NDArray[np.uint64]

_WEYL = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_TO_UNIT = 2.0**-53


def hashed(values: Iterable[object]) -> Keys:
    """A stable 64-bit key for each value: text, bytes, dates, anything with a stable str().

    Python's own ``hash`` differs from process to process, so it cannot serve here.

    >>> hashed(["a", "b"])
    array([3405396810240292928, 8453121595177857668], dtype=uint64)
    """
    return np.frombuffer(b"".join(map(_digest, values)), dtype="<u8").astype(np.uint64)


def _digest(value: object) -> bytes:
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and -(2**63) <= value < 2**64:
        # An integer among text has the key that it has among integers.
        return (int(value) % 2**64).to_bytes(8, "little")
    return hashlib.blake2b(value if isinstance(value, bytes) else str(value).encode(), digest_size=8).digest()


def _mix(x: Keys, spare: Keys) -> None:
    """splitmix64's finaliser, in place."""
    for shift, factor in ((30, _MIX1), (27, _MIX2)):
        np.right_shift(x, np.uint64(shift), out=spare)
        np.bitwise_xor(x, spare, out=x)
        np.multiply(x, factor, out=x)
    np.right_shift(x, np.uint64(31), out=spare)
    np.bitwise_xor(x, spare, out=x)


def bits(keys: Keys, seed: int) -> Keys:
    """64 random bits for each key."""
    start = np.array([int(seed) % 2**64], dtype=np.uint64)
    start += _WEYL
    _mix(start, np.empty_like(start))
    x = keys * _WEYL
    np.bitwise_xor(x, start[0], out=x)
    _mix(x, np.empty_like(x))
    return np.asarray(x)


def uniforms(keys: Keys, seed: int) -> NDArray[np.float64]:
    """u_n in [0, 1) for each key.

    The seed is mixed before it meets the key: with seed + key, neighbouring seeds would give shifted copies.

    >>> uniforms(np.arange(3, dtype=np.uint64), seed=0).round(4)
    array([0.2818, 0.014 , 0.7518])
    """
    u = np.empty(len(keys))
    for part in slices(len(keys)):
        x = bits(keys[part], seed)
        np.right_shift(x, np.uint64(11), out=x)
        np.multiply(x, _TO_UNIT, out=u[part])
    return u


def derived(seed: int, number: int) -> int:
    """A seed of its own for the ``number``-th of several draws; neighbouring seeds do not share them."""
    return int(bits(np.array([number], dtype=np.uint64), seed)[0]) if number else seed


def selected(keys: Keys, seed: int, b: NDArray[np.float64]) -> NDArray[np.int64]:
    """Where u_n < b_n: the Poisson sample."""
    found = [part.start + np.flatnonzero(uniforms(keys[part], seed) < b[part]) for part in slices(len(keys))]
    return np.concatenate(found) if found else np.empty(0, dtype=np.int64)


def smallest(keys: Keys, seed: int, count: int) -> NDArray[np.int64]:
    """The ``count`` items with the smallest u_n, in pool order: a simple random sample without replacement."""
    if count >= len(keys):
        return np.arange(len(keys))
    return np.sort(np.argpartition(uniforms(keys, seed), count)[:count])


def draws(keys: Keys, seed: int, q: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """``count`` draws with replacement, item n with probability q_n.

    The items are lined up by their own u_n, so the draw does not depend on the order of the pool; the i-th draw does
    not depend on ``count``, so more draws touch a superset.
    """
    order = np.argsort(uniforms(keys, seed), kind="stable")
    edges = np.cumsum(q[order])
    points = uniforms(np.arange(count, dtype=np.uint64), ~seed) * edges[-1]
    place = np.searchsorted(edges, points, side="right")
    return np.asarray(order[np.minimum(place, len(q) - 1)])
