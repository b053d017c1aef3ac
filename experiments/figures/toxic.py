"""Figures of the toxic comments experiment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from experiments import style

from .common import NAMES, SAMPLERS, abs_error

METRICS = ("f1_micro", "f1_macro_harmonic")
LOOKS = {sampler: sampler for sampler in SAMPLERS}


def draw(results: dict[str, Any], folder: Path) -> None:
    """Micro F1 by three samplers; micro and macro F1 from samples drawn for either."""
    runs = results["about"]["runs"]
    with style.page(folder, "toxic_micro_f1", 1, 1, (6.6, 4.4)) as (figure, axes):
        ax = axes[0][0]
        abs_error(ax, results["curves"], "f1_micro", LOOKS, 0.25)
        ax.set_title("")
        ax.set_ylabel("Mean |estimate - truth| of micro F1")
        ax.axvline(results["starts"]["f1_micro"], color=style.INK, linewidth=0.9, linestyle=(0, (4, 3)))
        ax.annotate("first item certain", (results["starts"]["f1_micro"], ax.get_ylim()[1] * 0.95), xytext=(5, 0),
                    textcoords="offset points", fontsize=8.5)  # fmt: skip
        ax.legend(handlelength=3.4)
        style.heading(
            figure, "Toxic comments: Bernoulli sampling leads from the start",
            f"{runs:,} repetitions, samples drawn for micro F1; bands: a quarter of a standard deviation.",
        )  # fmt: skip
    drawn_for(results, folder)


def drawn_for(results: dict[str, Any], folder: Path) -> None:
    """Columns: the metric estimated; curves: the metric that the samples were drawn for."""
    with style.page(folder, "toxic_micro_macro", 1, 2, (9.6, 4.4)) as (figure, axes):
        for ax, metric in zip(axes[0], METRICS, strict=True):
            looks = {"f1_micro": "micro_f1", "f1_macro_harmonic": "macro_f1", "printed": "macro_printed"}
            abs_error(ax, results["drawn_for"], metric, looks, 0.25)
            ax.set_title(f"{NAMES[metric]} estimated")
        axes[0][0].set_ylabel("Mean |estimate - truth|")
        axes[0][1].legend(handlelength=3.4)
        style.heading(
            figure, "Toxic comments, Bernoulli samples: each F1 is best served by its own design",
            f"{results['about']['runs']:,} repetitions; bands: a quarter of a standard deviation.",
        )  # fmt: skip
