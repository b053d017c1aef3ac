"""From repetitions to the numbers of a cell. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .protocol import LEVELS, Answer, Floats


def summary(answers: Sequence[Answer], truth: Floats) -> dict[str, Any]:
    """Error, bias, coverage and width. An undefined estimate counts as 0, as scikit-learn would print it."""
    raw = np.array([answer.value for answer in answers])
    undefined = ~np.isfinite(raw)
    error = np.where(undefined, 0.0, raw) - truth
    squared = error**2
    return {
        "repetitions": len(raw),
        "truth": float(truth.mean()),
        "mse": float(squared.mean()),
        "mse_se": float(squared.std(ddof=1) / np.sqrt(len(raw))),
        "bias": float(error.mean()),
        "undefined": float(undefined.mean()),
        "labels": float(np.mean([answer.labels for answer in answers])),
        **coverage(answers, truth),
    }


def coverage(answers: Sequence[Answer], truth: Floats) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for level in LEVELS:
        name = f"{level * 100:.0f}"
        if not all(level in answer.intervals for answer in answers):
            found |= {f"coverage{name}": None, f"width{name}": None}
            continue
        low, high = np.array([answer.intervals[level] for answer in answers]).T
        # One part in 1e9 forgives the last digit of a limit that meets the truth exactly.
        inside = (low <= truth + 1e-9) & (truth <= high + 1e-9)
        found |= {f"coverage{name}": float(inside.mean()), f"width{name}": float((high - low).mean())}
    return found


def labels_for(target: float, budgets: Sequence[int], mse: Sequence[float]) -> float:
    """Labels at which an error curve first meets `target`: straight lines in logarithms, slope -1 outside.

    >>> round(labels_for(0.01, [100, 400], [0.04, 0.01]), 6), round(labels_for(0.005, [100, 400], [0.04, 0.01]), 6)
    (400.0, 800.0)
    """
    x, y, goal = np.log(budgets), np.log(np.maximum(mse, 1e-300)), np.log(max(target, 1e-300))
    if y[0] <= goal:
        return float(np.exp(x[0] + y[0] - goal))
    for i in range(1, len(x)):
        if y[i] <= goal:
            return float(np.exp(np.interp(goal, [y[i], y[i - 1]], [x[i], x[i - 1]])))
    return float(np.exp(x[-1] + y[-1] - goal))


def geometric(values: Sequence[float]) -> float:
    return float(np.exp(np.mean(np.log(values))))
