"""Figures of the cross results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm

from experiments import style

from .common import NAMES, fraction_axis, numbers

METRICS = ("accuracy", "f1", "precision", "recall", "specificity")
TITLES = {"poisson": "Bernoulli sampling", "importance": "Importance sampling"}


def draw(results: dict[str, Any], folder: Path) -> None:
    """The matrix for both samplers, and the error curves behind it."""
    with style.page(folder, "cross_matrix", 1, 2, (10.6, 5.0)) as (figure, axes):
        for ax, sampler in zip(axes[0], TITLES, strict=True):
            matrix(ax, results[sampler]["matrix"], TITLES[sampler])
        axes[0][0].set_ylabel("Sample drawn for")
        style.heading(
            figure, "Does a metric's own design serve it best? Below 1, another design did better",
            "Mean squared error over that of the metric's own design; geometric mean over 2 to 50% labelled, "
            f"{results['about']['runs']:,} repetitions; *: below 1 by two standard errors.",
        )  # fmt: skip
    for sampler in TITLES:
        curves(results, sampler, folder)


def matrix(ax: Axes, ratios: dict[str, Any], title: str) -> None:
    """Rows drawn for, columns estimated; 1 on the diagonal."""
    grid = np.array([numbers([ratios[drawn][metric]["ratio"] for metric in METRICS]) for drawn in METRICS])
    shade = np.clip(np.log10(grid), -0.5, 2)
    ax.imshow(shade, cmap="PuOr_r", norm=TwoSlopeNorm(0, -0.5, 2), aspect="auto")
    for row, column in np.ndindex(grid.shape):
        value = grid[row, column]
        if np.isfinite(value):
            text = f"{value:.2f}" if value < 10 else f"{value:,.0f}"
            strong = shade[row, column] > 1.2 or shade[row, column] < -0.3
            beaten = value < np.exp(-2 * ratios[METRICS[row]][METRICS[column]]["log_se"])
            ax.text(column, row, text + (" *" if beaten and row != column else ""), ha="center", va="center",
                    color="white" if strong else style.INK)  # fmt: skip
    names = [NAMES[metric] for metric in METRICS]
    ax.set_xticks(range(len(names)), names, rotation=20)
    ax.set_yticks(range(len(names)), names)
    ax.set_xlabel("Metric estimated")
    ax.set_title(title)
    ax.grid(visible=False)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def curves(results: dict[str, Any], sampler: str, folder: Path) -> None:
    """One panel a metric estimated, one curve a metric drawn for."""
    with style.page(folder, f"cross_{sampler}", 2, 3, (11, 6.4)) as (figure, axes):
        places = [ax for row in axes for ax in row]
        for ax, metric in zip(places, METRICS, strict=False):
            for drawn in METRICS:
                curve = results[sampler]["curves"][drawn]
                x, y = numbers(curve["fraction"]), numbers(curve[metric]["log"])
                half = 0.5 * numbers(curve[metric]["log_sd"])
                kept = np.concatenate([[True], np.diff(x) > 0.002])  # a design that never draws some items stops early
                style.curve(ax, drawn, x[kept], y[kept], (y[kept] - half[kept], y[kept] + half[kept]))
            ax.set_title(f"{NAMES[metric]} estimated")
            fraction_axis(ax)
        for row in axes:
            row[0].set_ylabel("Mean log (estimate - truth)²")
        places[-1].axis("off")
        handles, names = places[0].get_legend_handles_labels()
        places[-1].legend(
            handles, [f"drawn for {name}" for name in names], loc="center", handlelength=4, labelspacing=1
        )
        style.heading(
            figure, f"{TITLES[sampler]}: the error of each metric by what the sample was drawn for",
            f"MNIST, {results['about']['runs']:,} repetitions; bands: half a standard deviation; squared errors below "
            "1e-12 count as 1e-12.",
        )  # fmt: skip
