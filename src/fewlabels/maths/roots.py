"""Roots of monotone functions. ``scipy.optimize`` would do, but importing it takes longer than anything done here."""

from __future__ import annotations

from collections.abc import Callable


def increasing_root(function: Callable[[float], float], low: float, high: float, tolerance: float = 1e-12) -> float:
    """Where an increasing function crosses zero between ``low`` and ``high``, by the Illinois method.

    >>> round(increasing_root(lambda x: x * x - 2, 0.0, 2.0), 9)
    1.414213562
    """
    at_low, at_high = function(low), function(high)
    if at_low >= 0:
        return low
    if at_high <= 0:
        return high
    side = 0
    for _ in range(200):
        if high - low <= tolerance * (abs(low) + abs(high)):
            break
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        if not low < middle < high:
            middle = 0.5 * (low + high)
        value = function(middle)
        if value == 0:
            return middle
        if value < 0:
            low, at_low = middle, value
            at_high = at_high / 2 if side < 0 else at_high
            side = -1
        else:
            high, at_high = middle, value
            at_low = at_low / 2 if side > 0 else at_low
            side = 1
    return 0.5 * (low + high)


def central_root(function: Callable[[float], float], far: float, tolerance: float) -> float:
    """The root of an increasing function in [-far, far] that is likely to lie near 0.

    >>> round(central_root(lambda x: x - 0.3, 40.0, 1e-9), 6)
    0.3
    """
    middle = function(0.0)
    if middle == 0:
        return 0.0
    sign, reach, inner = (-1.0, 1.0, 0.0) if middle > 0 else (1.0, 1.0, 0.0)
    while reach < far and sign * function(sign * reach) < 0:
        reach, inner = 3.0 * reach, reach
    ends = sorted((sign * inner, sign * min(reach, far)))
    return increasing_root(function, ends[0], ends[1], tolerance)
