"""The figure of coverage: a dot for each pool, by budget and metric, ours and the paper's side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from experiments import style
from experiments.figures.common import NAMES
from experiments.pages.coverage import open_cells, shares
from experiments.studies.coverage import BANDS, BINARY, BUDGETS

TICKS = (0.0, 0.6, 0.7, 0.8, 0.88, 0.94, 1.0)
POWER = 4  # room where nominal 90% is; what covers half the time is far enough down anyhow
LOOKS = {
    "ours": ("fewlabels, defaults", "#7A0F43", "D", "#7A0F43", -0.19),
    "paper": ("the paper's Beta", "#0072B2", "o", "white", 0.19),
}
NOTE = "A dot is a pool. Bars: mean of the pools. Grey: 88 to 94%. Too rarely: below 88% by over two standard errors."
SHORT = {"N/2": "N/2", "0.95 N": ".95 N"}


def draw(found: dict[str, Any], folder: Path) -> None:
    """Six panels: five binary metrics, and the metrics of several labels or classes."""
    rows = found["cells"]
    panels = {NAMES[metric]: [r for r in rows if r["metric"] == metric and r["task"] == "binary"] for metric in BINARY}
    panels["Several labels or classes, all metrics"] = [r for r in rows if r["task"] != "binary"]
    with style.page(folder, "coverage", 2, 3, (11, 7.4), sharey=True) as (figure, axes):
        places = [ax for line in axes for ax in line]
        for ax, (title, chosen) in zip(places, panels.items(), strict=True):
            panel(ax, chosen)
            ax.set_title(title)
        for line in axes:
            line[0].set_ylabel("Truth within 90% limits")
        for ax in axes[1]:
            ax.set_xlabel("Labels")
        style.legend(figure, places[0], 3)
        style.heading(figure, headline(rows), NOTE)


def headline(rows: Sequence[dict[str, Any]]) -> str:
    """What is to be seen, in one sentence."""
    ours, paper = (shares(rows, way, "cover90") for way in LOOKS)
    return (
        f"90% intervals that hold too rarely: {ours['below']:.0%} of the cells of fewlabels, "
        f"{paper['below']:.0%} of the paper's Beta"
    )


def panel(ax: Axes, rows: Sequence[dict[str, Any]]) -> None:
    """Dots of every pool at each budget, and the mean of each way."""
    ax.axhspan(*BANDS["cover90"], color="#d9d9d9", zorder=0, linewidth=0)
    budgets = [budget for budget in BUDGETS if any(row["budget"] == budget for row in rows)]
    for way, (name, colour, marker, face, shift) in LOOKS.items():
        for x, budget in enumerate(budgets):
            y = np.sort([row[way]["cover90"] for row in open_cells(rows, way) if row["budget"] == budget])
            if not len(y):
                continue
            spread = np.linspace(-0.13, 0.13, len(y)) if len(y) > 1 else np.zeros(1)
            first = x == 0
            ax.plot(
                x + shift + spread, y, marker, color=colour, markerfacecolor=face, markersize=3.6, linestyle="none",
                markeredgewidth=0.9, label=name if first else None, zorder=3,
            )  # fmt: skip
            ax.plot([x + shift - 0.17, x + shift + 0.17], [y.mean()] * 2, color=style.INK, linewidth=2.2, zorder=4)
    ax.set_yscale(
        "function", functions=(lambda y: np.maximum(y, 0) ** POWER, lambda y: np.maximum(y, 0) ** (1 / POWER))
    )
    ax.set_ylim(0, 1.015)
    ax.set_yticks(TICKS)
    style.percent(ax.yaxis)
    ax.set_xlim(-0.6, len(budgets) - 0.4)  # also where the last budgets leave nothing open
    ax.set_xticks(range(len(budgets)), [SHORT.get(budget, budget) for budget in budgets])
    ax.grid(visible=False, axis="x")
