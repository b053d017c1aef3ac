"""Figures of the toxic comments experiment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from experiments import style

from .common import NAMES, SAMPLERS, abs_error, numbers

METRICS = ("f1_micro", "f1_macro_harmonic")
LOOKS = {sampler: sampler for sampler in SAMPLERS}


def draw(results: dict[str, Any], folder: Path) -> None:
    """Micro F1 by three samplers; micro and macro F1 from samples drawn for either."""
    runs = results["about"]["runs"]
    with style.page(folder, "toxic_micro_f1", 1, 1, (6.6, 4.4)) as (figure, axes):
        ax = axes[0][0]
        abs_error(ax, results["curves"], "f1_micro", LOOKS, 0.25)
        ax.set_title("")
        _log_height(ax)
        ax.set_ylabel("Mean |estimate - truth| of micro F1")
        ax.axvline(results["starts"]["f1_micro"], color=style.INK, linewidth=0.9, linestyle=(0, (4, 3)))
        ax.annotate("first item certain", (results["starts"]["f1_micro"], 0.36), xytext=(5, 0),
                    textcoords="offset points", fontsize=8.5)  # fmt: skip
        ax.legend(handlelength=3.4)
        style.heading(
            figure, f"Toxic comments: Bernoulli sampling leads from {leads(results):.1%} labelled on",
            f"{runs:,} repetitions, samples drawn for micro F1; bands: a quarter of a standard deviation.",
        )  # fmt: skip
    drawn_for(results, folder)


def leads(results: dict[str, Any]) -> float:
    """The share labelled from which Bernoulli's error is below importance sampling's for good."""
    bernoulli, importance = (numbers(results["curves"][name]["f1_micro"]["abs"]) for name in ("poisson", "importance"))
    behind = np.flatnonzero(bernoulli >= importance)
    first = behind[-1] + 1 if len(behind) else 0
    return float(results["curves"]["poisson"]["fraction"][first]) if first < len(bernoulli) else 1.0


def _log_height(ax: Axes) -> None:
    ax.set_yscale("log")
    ax.set_ylim(0.0008, 0.6)
    ticks = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()


def drawn_for(results: dict[str, Any], folder: Path) -> None:
    """Columns: the metric estimated; curves: the metric that the samples were drawn for."""
    with style.page(folder, "toxic_micro_macro", 1, 2, (9.6, 4.4)) as (figure, axes):
        for ax, metric in zip(axes[0], METRICS, strict=True):
            looks = {"f1_micro": "micro_f1", "f1_macro_harmonic": "macro_f1", "printed": "macro_printed"}
            abs_error(ax, results["drawn_for"], metric, looks, 0.25)
            ax.set_title(f"{NAMES[metric]} estimated")
            _log_height(ax)
        axes[0][0].set_ylabel("Mean |estimate - truth|")
        axes[0][1].legend(handlelength=3.4)
        style.heading(
            figure, "Toxic comments: what a sample is drawn for matters while labels are few",
            f"{results['about']['runs']:,} repetitions; bands: a quarter of a standard deviation.",
        )  # fmt: skip
