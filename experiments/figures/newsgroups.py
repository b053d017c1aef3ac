"""Figures of the 20 Newsgroups experiment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from experiments import style

from .common import SAMPLERS, blank, log_error

METRICS = ("accuracy", "f1", "precision", "recall", "specificity")
LOOKS = {sampler: sampler for sampler in SAMPLERS}


def draw(results: dict[str, Any], folder: Path) -> None:
    """Log errors of the binary problem and of the twenty classes."""
    with style.page(folder, "newsgroups_log_error", 2, 3, (11, 6.4)) as (figure, axes):
        places = [ax for row in axes for ax in row]
        for ax, metric in zip(places, METRICS, strict=False):
            log_error(ax, results["curves"], metric, LOOKS)
        for row in axes:
            row[0].set_ylabel("Mean log (estimate - truth)²")
        blank(places[-1], places[0])
        style.heading(
            figure, "20 Newsgroups, one group against the rest: Bernoulli sampling pulls away as labels come in",
            f"{results['about']['runs']:,} repetitions, samples drawn for F1; bands: half a standard deviation; "
            "squared errors below 1e-12 count as 1e-12.",
        )  # fmt: skip
    twenty(results["twenty"], folder)


def twenty(results: dict[str, Any], folder: Path) -> None:
    """The twenty classes at once."""
    with style.page(folder, "newsgroups20_log_error", 1, 2, (9.2, 4.2)) as (figure, axes):
        for ax, metric in zip(axes[0], ("accuracy", "f1_macro_harmonic"), strict=True):
            log_error(ax, results["curves"], metric, LOOKS)
        axes[0][0].set_ylabel("Mean log (estimate - truth)²")
        axes[0][0].legend(handlelength=3.4, loc="lower left")
        style.heading(
            figure, "All twenty groups at once: the gain is in never drawing an item twice",
            f"{results['about']['runs']:,} repetitions, samples drawn for the metric itself; bands: half a standard "
            "deviation.",
        )  # fmt: skip
