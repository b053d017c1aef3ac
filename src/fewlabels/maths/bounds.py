"""Intervals from a value, its variance and its support."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import betaincinv, ndtr, ndtri

Interval = tuple[float, float]

_NORMAL_ABOVE = 1e6  # shape parameters from which a Beta is a normal to every digit that matters


def tails(level: float, side: str) -> tuple[float, float]:
    """The probabilities left below and above: half each, or all on the side that has no bound.

    >>> tails(0.9, "lower")
    (0.1, 0.0)
    """
    alpha = round(1 - level, 12)
    return {"both": (alpha / 2, alpha / 2), "lower": (alpha, 0.0), "upper": (0.0, alpha)}[side]


def anytime_tail(level: float, labels: float, tight_at: float) -> float:
    """The tail of an interval that may be looked at after every label: it holds at all looks together.

    The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024): with t labels the
    normal quantile becomes sqrt(2 (t r + 1)/(t r) log(sqrt(t r + 1)/alpha)), with r chosen so that it is smallest at
    ``tight_at`` labels.

    >>> round(float(-ndtri(anytime_tail(0.95, 200, 200))), 2)
    3.04
    """
    alpha = 1.0 - level
    spare = -2.0 * math.log(alpha)
    r = (spare + math.log(spare + 1.0)) / tight_at
    grown = labels * r + 1.0
    return float(ndtr(-math.sqrt(2.0 * grown / (labels * r) * math.log(math.sqrt(grown) / alpha))))


def normal(value: float, variance: float, below: float, above: float) -> Interval:
    """value + z sd; an empty tail has no bound."""
    sd = math.sqrt(variance)
    return value + sd * float(ndtri(below)), value - sd * float(ndtri(above))


def beta(value: float, variance: float, below: float, above: float) -> Interval:
    """Quantiles of the Beta with that mean and variance on [0, 1] (paper, section 2.2); NaN where there is none.

    >>> low, high = beta(0.5, 1 / 12, 0.25, 0.25)  # uniform on [0, 1]
    >>> round(low, 6), round(high, 6)
    (0.25, 0.75)
    """
    if variance <= 0:
        return value, value
    if not 0 < value < 1 or variance >= value * (1 - value):
        return math.nan, math.nan
    strength = value * (1 - value) / variance - 1
    a, b = value * strength, (1 - value) * strength
    if max(a, b) > _NORMAL_ABOVE:
        low, high = normal(value, variance, below, above)
        return max(low, 0.0), min(high, 1.0)
    return float(betaincinv(a, b, below)), float(betaincinv(a, b, 1 - above))


def within(support: Interval, value: float, variance: float, below: float, above: float) -> Interval:
    """Beta limits on a bounded support, normal ones elsewhere."""
    low, high = support
    if not (np.isfinite(low) and np.isfinite(high)):
        return normal(value, variance, below, above)
    span = high - low
    found = beta((value - low) / span, variance / span**2, below, above)
    return low + span * found[0], low + span * found[1]
