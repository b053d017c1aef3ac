"""Axes that several experiments share."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from experiments import style

SAMPLERS = ("uniform", "importance", "poisson")
NAMES = {
    "accuracy": "Accuracy", "f1": "F1", "precision": "Precision", "recall": "Recall", "specificity": "Specificity",
    "f1_micro": "Micro F1", "f1_macro_harmonic": "Macro F1",
}  # fmt: skip
LABELLED = "Share of the pool labelled (distinct)"


def numbers(values: list[float | None]) -> np.ndarray:
    """JSON's None back to NaN."""
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def fraction_axis(ax: Axes, label: bool = True) -> None:
    """0 to 100% of the pool."""
    style.percent(ax.xaxis)
    ax.set_xlim(0, 1)
    if label:
        ax.set_xlabel(LABELLED)


def share_axis(ax: Axes, label: bool = True) -> None:
    """The same on a logarithmic axis, where few labels have their room."""
    ticks = (0.005, 0.02, 0.1, 0.3, 1.0)
    ax.set_xscale("log")
    ax.set_xlim(0.0045, 1.05)
    ax.set_xticks(ticks, [f"{tick:.1%}" if tick < 0.01 else f"{tick:.0%}" for tick in ticks])
    ax.minorticks_off()
    if label:
        ax.set_xlabel(LABELLED)


def log_error(ax: Axes, curves: dict[str, Any], metric: str, looks: dict[str, str], fraction: str = "fraction") -> None:
    """Mean log squared error of each curve with half a standard deviation."""
    for key, look in looks.items():
        curve = curves[key][metric]
        x = numbers(curve.get(fraction) or curves[key][fraction])
        y, half = numbers(curve["log"]), 0.5 * numbers(curve["log_sd"])
        style.curve(ax, look, x, y, (y - half, y + half))
    ax.set_title(NAMES[metric])
    fraction_axis(ax)


def abs_error(ax: Axes, curves: dict[str, Any], metric: str, looks: dict[str, str], deviations: float) -> None:
    """Mean absolute error of each curve with some standard deviations."""
    for key, look in looks.items():
        curve = curves[key][metric]
        y, part = numbers(curve["abs"]), deviations * numbers(curve["abs_sd"])
        style.curve(ax, look, numbers(curves[key]["fraction"]), y, (np.maximum(y - part, 0), y + part))
    ax.set_title(NAMES[metric])
    ax.set_ylim(bottom=0)
    fraction_axis(ax)


def blank(ax: Axes, ax_with_handles: Axes) -> None:
    """An unused place in the grid holds the legend."""
    ax.axis("off")
    handles, labels = ax_with_handles.get_legend_handles_labels()
    ax.legend(handles, labels, loc="center", handlelength=4, fontsize=10.5, labelspacing=1.0)
