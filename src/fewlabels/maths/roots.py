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
