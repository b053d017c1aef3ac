"""Repetitions to curves: errors, their logarithms, coverage, width. Plain numbers, ready for JSON."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LOG_FLOOR = 1e-12  # squared errors below this are rounding; log 0 would make the mean of the logarithms infinite
SAME = 1e-9  # a limit this near the truth holds it


def digits(value: Any, keep: int = 7) -> Any:
    """The same structure with plain floats of ``keep`` digits; NaN becomes None.

    >>> digits({"a": np.array([1 / 3, np.nan])}, keep=3)
    {'a': [0.333, None]}
    """
    if isinstance(value, Mapping):
        return {str(key): digits(item, keep) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [digits(item, keep) for item in value]
    if isinstance(value, np.ndarray):
        return digits(value.tolist(), keep)
    if isinstance(value, float | np.floating):
        return float(f"{float(value):.{keep}g}") if np.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def error_curves(value: Floats, truth: float) -> dict[str, Floats]:
    """Over repetitions (first axis): mean absolute, log squared and squared error, their deviations, and the bias."""
    error = value - truth
    logs = np.log(np.maximum(error**2, LOG_FLOOR))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Mean of empty slice|Degrees of freedom", RuntimeWarning)
        return {
            "abs": np.nanmean(np.abs(error), axis=0),
            "abs_sd": np.nanstd(np.abs(error), axis=0),
            "log": np.nanmean(logs, axis=0),
            "log_sd": np.nanstd(logs, axis=0),
            "mse": np.nanmean(error**2, axis=0),
            "mse_se": np.nanstd(error**2, axis=0) / np.sqrt(len(error)),
            "bias": np.nanmean(error, axis=0),
            "undefined": np.mean(np.isnan(value), axis=0),
        }


def interval_curves(low: Floats, high: Floats, truth: float) -> dict[str, Floats]:
    """Over repetitions: how often the limits hold the truth, and how far apart they are; no limits hold nothing."""
    held = (low <= truth + SAME) & (high >= truth - SAME)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Mean of empty slice", RuntimeWarning)
        return {
            "coverage": held.mean(axis=0),
            "width": np.nanmean(high - low, axis=0),
            "no_limits": np.isnan(low).mean(axis=0),
        }


def at(x: Sequence[float], y: Sequence[float], where: float) -> float:
    """A curve's height at ``where``, between its points on logarithmic axes."""
    return float(np.exp(np.interp(np.log(where), np.log(x), np.log(y))))


def labels_for(x: Sequence[float], error: Sequence[float], target: float) -> float:
    """The first x at which a falling error curve reaches ``target``, between points on logarithmic axes; NaN if never.

    >>> labels_for([100, 400], [0.2, 0.1], 0.1)
    400.0
    """
    xs, es = np.log(np.asarray(x, dtype=float)), np.log(np.maximum(np.asarray(error, dtype=float), 1e-300))
    goal = np.log(target)
    below = np.flatnonzero(es <= goal + 1e-12)
    if len(below) == 0:
        return float("nan")
    k = int(below[0])
    if k == 0:
        return float("nan") if es[0] < goal - 1e-12 else float(x[0])
    share = (goal - es[k - 1]) / (es[k] - es[k - 1])
    return float(np.round(np.exp(xs[k - 1] + share * (xs[k] - xs[k - 1])), 9))


def ratio(top: Sequence[float], bottom: Sequence[float]) -> list[float]:
    """Pointwise top / bottom, NaN where both vanish."""
    a, b = np.asarray(top, dtype=float), np.asarray(bottom, dtype=float)
    return list(np.divide(a, b, out=np.full(len(a), np.nan), where=b > 0))
