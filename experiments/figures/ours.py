"""Figures of this project's defaults beside the paper's samplers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from experiments import style
from experiments.figures.common import NAMES, numbers

PAPER = ("mnist8", "newsgroups_binary", "toxic6")
NAME = {
    "mnist8": "MNIST, is it an 8",
    "newsgroups_binary": "20 Newsgroups, one group",
    "toxic6": "Toxic comments, 6 labels",
    "er_abt_buy_svm": "Products, 50 pairs match",
    "tweets100k_svm": "Tweets",
    "ppi_galaxies": "Galaxies",
    "mulan_yeast_lr": "Yeast genes, 14 labels",
    "cifar10_vgg16": "CIFAR-10",
}
ORDER = {
    "uniform": "Uniform",
    "importance": "Importance",
    "poisson": "Bernoulli, the paper's",
    "ours": "fewlabels, defaults",
}
TICKS = (50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000)
SPARSE = (50, 200, 1000, 5000, 20000)


def draw(results: dict[str, Any], folder: Path) -> None:
    """Error against labels, labels for the same error, coverage."""
    pools = results["pools"]
    note = f"{results['runs']:,} repetitions. Labels: mean distinct items."
    title = "The same labels, a smaller error: the paper's samplers and the defaults of fewlabels"
    errors({name: pools[name] for name in PAPER}, folder, "error_vs_labels", title, note)
    more = {name: found for name, found in pools.items() if name not in PAPER}
    if more:
        errors(more, folder, "error_vs_labels_more", "Other pools: the same comparison", note)
    saved(pools, folder)
    coverage(pools, folder, results["runs"])


def errors(pools: dict[str, Any], folder: Path, file: str, title: str, note: str) -> None:
    """Root mean squared error against labels, both logarithmic; a panel a pool."""
    columns = min(3, len(pools))
    rows = -(-len(pools) // columns)
    with style.page(folder, file, rows, columns, (11, 3.9 * rows + 0.3)) as (figure, axes):
        places = [ax for row in axes for ax in row]
        for ax, (name, found) in zip(places, pools.items(), strict=False):
            metric = found["metric"]
            for key in ORDER:
                curve = found["curves"][key]
                style.curve(ax, key, numbers(curve["labels"]), np.sqrt(numbers(curve[metric]["mse"])), label=ORDER[key])
            ax.set_title(f"{NAME[name]} (N = {found['size']:,})")
            _log_axes(ax, found, metric)
        for row in axes:
            row[0].set_ylabel("Root mean squared error")
        for ax in places[len(pools) :]:
            ax.axis("off")
        style.legend(figure, places[0], 4)
        style.heading(figure, title, note)


def _log_axes(ax: Axes, found: dict[str, Any], metric: str) -> None:
    """From 40 labels to 60% of the pool, and what happens there."""
    ax.set_xscale("log")
    ax.set_yscale("log")
    low, high = 40, 0.65 * found["size"]
    seen = []
    for key in ORDER:
        x, y = numbers(found["curves"][key]["labels"]), np.sqrt(numbers(found["curves"][key][metric]["mse"]))
        seen += list(y[(x >= low) & (x <= high)])
    ax.set_xlim(low, high)
    ax.set_ylim(0.8 * min(seen), 1.25 * max(seen))
    ticks = [tick for tick in TICKS if low <= tick <= high]
    ax.set_xticks(ticks, [f"{tick}" if tick < 1000 else f"{tick // 1000}k" for tick in ticks])
    heights = [
        tick
        for tick in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
        if ax.get_ylim()[0] < tick < ax.get_ylim()[1]
    ]
    ax.set_yticks(heights, [f"{tick:g}" for tick in heights])
    ax.minorticks_off()
    ax.set_xlabel(f"Labels, for {NAMES[metric]}")


def saved(pools: dict[str, Any], folder: Path) -> None:
    """Labels for the same error, one row a pool; at the right, how many times fewer ours needs."""
    with style.page(folder, "labels_saved", 1, 1, (10.5, 0.6 * len(pools) + 1.8)) as (figure, axes):
        ax = axes[0][0]
        for row, found in enumerate(pools.values()):
            _row(ax, row, {key: found["needed"][key] for key in ORDER if found["needed"][key] is not None})
        names = [
            f"{NAME[name]}\n{NAMES[found['metric']]} to ±{found['target']['rmse']:.3f}" for name, found in pools.items()
        ]
        ax.set_yticks(range(len(pools)), names, fontsize=9)
        ax.set_ylim(len(pools) - 0.5, -0.9)
        for place, words in ((1.055, "uniform"), (1.175, "Bernoulli")):
            ax.text(
                place, -0.75, f"vs {words}", transform=ax.get_yaxis_transform(), ha="center", va="center", fontsize=8.5
            )
        ax.set_xscale("log")
        ax.margins(x=0.12)
        low, high = ax.get_xlim()
        shown = [tick for tick in (50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000) if low < tick < high]
        ax.set_xticks(shown, [f"{tick:,}" for tick in shown])
        ax.minorticks_off()
        ax.set_xlabel("Labels needed for the same root mean squared error")
        ax.grid(visible=False, axis="y")
        style.legend(figure, ax, 4)
        style.heading(
            figure, "Labels saved: how many each way needs for the same error",
            "Right: how many times fewer fewlabels needs.",
        )  # fmt: skip


def _row(ax: Axes, row: int, needed: dict[str, float]) -> None:
    """The markers of one pool, and the two savings."""
    few, many = min(needed.values()), max(needed.values())
    ax.plot([few, many], [row, row], color=style.GRID, linewidth=5, zorder=1)
    for key, value in needed.items():
        look = style.LOOKS[key]
        ax.plot(value, row, look.marker, color=look.colour, markersize=8.5, zorder=3, linestyle="none",
                label=ORDER[key] if row == 0 else None)  # fmt: skip
    for value, place, side in ((few, -9, "right"), (many, 9, "left")):
        ax.annotate(f"{value:,.0f}", (value, row), xytext=(place, 0), va="center", textcoords="offset points",
                    ha=side, fontsize=9)  # fmt: skip
    for place, other in ((1.055, "uniform"), (1.175, "poisson")):
        if "ours" in needed and other in needed:
            ax.text(place, row, f"{needed[other] / needed['ours']:.1f}×", transform=ax.get_yaxis_transform(),
                    ha="center", va="center", fontweight="bold", fontsize=10.5)  # fmt: skip


def coverage(pools: dict[str, Any], folder: Path, runs: int) -> None:
    """How often 90% intervals hold the truth: the paper's Bernoulli sampler and ours."""
    shown = {name: found for name, found in pools.items() if "coverage" in found["curves"]["poisson"][found["metric"]]}
    columns = 4
    rows = -(-len(shown) // columns)
    with style.page(folder, "ours_coverage", rows, columns, (11, 2.9 * rows + 0.8), sharey=True) as (figure, axes):
        places = [ax for row in axes for ax in row]
        for ax, (name, found) in zip(places, shown.items(), strict=False):
            for key in ("poisson", "ours"):
                curve = found["curves"][key]
                style.curve(
                    ax, key, numbers(curve["labels"]), numbers(curve[found["metric"]]["coverage"]), label=ORDER[key]
                )
            ax.axhline(0.9, color=style.INK, linewidth=0.9, linestyle=(0, (4, 3)))
            ax.set_xscale("log")
            ticks = [tick for tick in SPARSE if tick < 0.65 * found["size"]]
            ax.set_xlim(40, 0.65 * found["size"])
            ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
            ax.minorticks_off()
            ax.set_ylim(0.3, 1.01)
            style.percent(ax.yaxis)
            ax.set_title(NAME[name])
            ax.set_xlabel("Labels")
        for row in axes:
            row[0].set_ylabel("Truth within 90% limits")
        for ax in places[len(shown) :]:
            ax.axis("off")
        style.legend(figure, places[0], 2)
        style.heading(figure, "Do 90% intervals hold the truth nine times in ten?", f"{runs:,} repetitions.")
