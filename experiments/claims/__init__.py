"""What the paper says, what was measured, whether it holds: words around numbers that come from the JSON alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

HOLDS, PARTLY, FAILS = "holds", "holds in part", "does not hold"


@dataclass(frozen=True)
class Claim:
    """One row of the page."""

    says: str
    measured: str
    verdict: str


def verdict(right: bool, partly: bool = False) -> str:
    """The word for it."""
    return HOLDS if right else PARTLY if partly else FAILS


def place(curve: dict[str, Any], fraction: float) -> int:
    """The position of the size nearest to a fraction of the pool."""
    return int(np.argmin(np.abs(np.asarray(curve["fraction"], dtype=float) - fraction)))


def mse_ratio(curves: dict[str, Any], metric: str, above: str, below: str, fraction: float) -> tuple[float, float]:
    """Mean squared error of one sampler over another's near a fraction labelled, and its standard error."""
    parts = []
    for name in (above, below):
        k = place(curves[name], fraction)
        parts.append((curves[name][metric]["mse"][k], curves[name][metric]["mse_se"][k]))
    (top, top_se), (bottom, bottom_se) = parts
    ratio = top / bottom
    return ratio, ratio * float(np.hypot(top_se / max(top, 1e-300), bottom_se / bottom))


def said(ratio: tuple[float, float]) -> str:
    """``0.83 ± 0.02``."""
    if ratio[0] < 0.001:
        return "below 0.001"
    return f"{ratio[0]:.2f} ± {ratio[1]:.2f}" if ratio[0] >= 0.1 else f"{ratio[0]:.3f} ± {ratio[1]:.3f}"


def listed(parts: list[str]) -> str:
    """``a, b and c``.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
