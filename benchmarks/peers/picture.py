"""The pictures of docs/peers.md from results.json; shapes and lines carry what colours say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter
from PIL import Image

from .findings import GOOD, OURS, Findings
from .words import number, ordered

INK, SOFT, BLUE, ORANGE = "#111111", "#8a8a8a", "#0072b2", "#d55e00"
SHAPES = "osD^vPX<>"
STYLES: dict[str, dict[str, Any]] = {
    "fewlabels": {"color": INK, "linestyle": "-", "marker": "o", "linewidth": 2.4, "zorder": 5},
    "fewlabels_rounds": {
        "color": INK,
        "linestyle": (0, (1, 1)),
        "marker": "o",
        "markerfacecolor": "white",
        "zorder": 4,
    },
    "paper_poisson": {"color": BLUE, "linestyle": "--", "marker": "s"},
    "uniform": {"color": SOFT, "linestyle": "-.", "marker": "v"},
    "druck": {"color": ORANGE, "linestyle": "-", "marker": "^"},
    "lure": {"color": "#009e73", "linestyle": (0, (5, 1, 1, 1)), "marker": "D"},
    "oasis": {"color": "#cc79a7", "linestyle": (0, (3, 1)), "marker": "P"},
    "ssepy_assisted": {"color": "#56b4e9", "linestyle": ":", "marker": "X"},
    "ppi": {"color": "#a07800", "linestyle": (0, (1, 1)), "marker": "<"},
}
BASE = {
    "font.size": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#555555",
    "xtick.color": "#333333",
    "ytick.color": "#333333",
    "savefig.dpi": 140,
    "figure.constrained_layout.use": True,
}


def titles(found: Findings) -> dict[str, str]:
    return {peer["key"]: peer["title"] for peer in found.peers}


def plain(x: float, _: Any = None) -> str:
    return f"{x:g}"


def labels(results: dict[str, Any], path: Path) -> None:
    """One row a peer: labels for our error on every pool, and the geometric means."""
    found = Findings(results)
    keys = [key for key in ordered(found) if key != OURS][::-1]
    with plt.rc_context(BASE):
        figure, axes = plt.subplots(1, 2, figsize=(11, 1.6 + 0.42 * len(keys)), sharey=True)
        for axis, simulated in zip(axes, (False, True), strict=True):
            rows_of_dots(axis, found, keys, simulated)
            axis.set_title("simulated pools" if simulated else "real pools", loc="left", fontweight="bold")
        axes[0].set_yticks(range(len(keys)), [titles(found)[key] for key in keys])
        figure.suptitle("Labels needed for the same error of F1 as fewlabels (= 1)", x=0.01, ha="left", fontsize=12)
        save(figure, path)


def save(figure: Figure, path: Path) -> None:
    """A few colours are enough and make the file four times smaller."""
    figure.savefig(path)
    plt.close(figure)
    with Image.open(path) as image:
        image.convert("RGB").quantize(96, dither=Image.Dither.NONE).save(path, optimize=True)


def rows_of_dots(axis: Axes, found: Findings, keys: list[str], simulated: bool) -> None:
    low, high = 0.5, 90.0
    axis.set_xscale("log")
    axis.set_xlim(low, high * 2.1)
    axis.axvspan(low, 1, color="#f3e3d7", zorder=0, linewidth=0)
    axis.axvline(1, color=INK, linewidth=1.2)
    axis.text(0.97, len(keys) - 0.45, "we lose", ha="right", va="bottom", fontsize=8.5, color="#8a4a1f")
    for row, key in enumerate(keys):
        axis.axhline(row, color="#e4e4e4", linewidth=0.8, zorder=0)
        pools = found.pools(simulated)
        for place, (shape, pool) in enumerate(zip(SHAPES, pools, strict=False)):
            x = found.labels(key, pool["name"])
            beyond = not low < x < high
            axis.plot(
                min(max(x, low * 1.03), high),
                row + 0.3 * (0.5 - place / (len(pools) - 1)) if len(pools) > 1 else row,
                marker=("<" if x < 1 else ">") if beyond else shape,
                color=BLUE,
                markerfacecolor=BLUE if beyond else "white",
                markersize=6,
                linestyle="none",
                zorder=3,
            )
        mean, _ = found.overall(key, simulated)
        axis.plot([min(mean, high)] * 2, [row - 0.36, row + 0.36], color=ORANGE, linewidth=3.2, solid_capstyle="butt")
        axis.text(high * 2.0, row, number(mean), ha="right", va="center", fontweight="bold")
    ticks = [0.5, 1, 2, 5, 10, 20, 50]
    axis.xaxis.set_major_locator(FixedLocator(ticks))
    axis.xaxis.set_major_formatter(FuncFormatter(plain))
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.minorticks_off()
    axis.tick_params(axis="y", length=0)
    axis.set_ylim(-0.6, len(keys) + 0.1)
    axis.set_xlabel("times the labels (logarithmic); right: geometric mean")
    handles = [
        Line2D([], [], marker=shape, color=BLUE, markerfacecolor="white", linestyle="none", label=pool["title"])
        for shape, pool in zip(SHAPES, found.pools(simulated), strict=False)
    ]
    handles.append(Line2D([], [], color=ORANGE, linewidth=3.2, label="geometric mean"))
    axis.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncol=3, frameon=False, fontsize=8.5)


def curves(results: dict[str, Any], path: Path) -> None:
    """Root mean squared error against labels, one panel a pool, with the bound where it is known."""
    found = Findings(results)
    pools = found.pools()
    names = titles(found)
    with plt.rc_context(BASE):
        figure, grid = plt.subplots(3, 3, figsize=(11, 9.6), sharex=True)
        for axis, pool in zip(grid.flat, pools, strict=False):
            for key, style in STYLES.items():
                if found.has(key, pool["name"]):
                    error = [mse**0.5 for mse in found.curve(key, pool["name"])]
                    axis.plot(found.budgets, error, **({"linewidth": 1.5, "markersize": 5} | style))
            shade_bound(axis, found, pool["name"])
            axis.set_xscale("log")
            axis.set_yscale("log")
            axis.xaxis.set_major_locator(FixedLocator(found.budgets))
            axis.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
            axis.xaxis.set_minor_formatter(NullFormatter())
            axis.yaxis.set_major_locator(
                FixedLocator([0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5])
            )
            axis.yaxis.set_major_formatter(FuncFormatter(plain))
            axis.minorticks_off()
            axis.grid(axis="y", color="#e8e8e8", linewidth=0.8)
            axis.set_title(pool["title"], loc="left", fontweight="bold")
        for axis in grid.flat[len(pools) :]:
            axis.set_visible(False)
        for axis in grid[-1]:
            axis.set_xlabel("distinct labels")
        for axis in grid[:, 0]:
            axis.set_ylabel("root mean squared error")
        handles = [Line2D([], [], label=names[key], **style) for key, style in STYLES.items() if key in names]
        handles.append(plt.Rectangle((0, 0), 1, 1, color="#dddddd", label="below the bound"))
        figure.suptitle("Error of F1 against distinct labels", x=0.01, ha="left", fontsize=12)
        figure.legend(handles=handles, loc="outside lower center", ncol=5, frameon=False)
        save(figure, path)


def shade_bound(axis: Axes, found: Findings, pool: str) -> None:
    limits = found.bounds("f1")
    known = [limits[pool, budget] ** 0.5 for budget in found.budgets if (pool, budget) in limits]
    if known:
        bottom = min(min(known), *(m**0.5 for m in found.curve(OURS, pool))) * 0.6
        axis.fill_between(found.budgets, bottom, known, color="#dddddd", linewidth=0, zorder=0)
        axis.set_ylim(bottom=bottom)


def intervals(results: dict[str, Any], path: Path) -> None:
    """Coverage of 90% and 95% intervals in every cell of F1, and their width over ours."""
    found = Findings(results)
    keys = [key for key in ordered(found) if found.coverage(key, "90")][::-1]
    with plt.rc_context(BASE):
        figure, axes = plt.subplots(1, 3, figsize=(11, 1.5 + 0.42 * len(keys)), sharey=True, width_ratios=[4, 4, 2])
        for axis, level in zip(axes, GOOD, strict=False):
            axis.axvspan(*GOOD[level], color="#d9e6d3", zorder=0, linewidth=0)
            axis.axvline(int(level) / 100, color=INK, linewidth=1)
            for row, key in enumerate(keys):
                shares = found.coverage(key, level)
                axis.plot(shares, [row] * len(shares), "|", color=BLUE, alpha=0.75, markersize=12, markeredgewidth=1.2)
            axis.set_xlim(-0.02, 1.02)
            axis.set_title(f"coverage, nominal {level}%", loc="left", fontweight="bold")
            axis.set_xlabel(f"share of repetitions; shaded: {GOOD[level][0]:.0%} to {GOOD[level][1]:.0%}")
        for row, key in enumerate(keys):
            for axis in axes:
                axis.axhline(row, color="#ececec", linewidth=0.8, zorder=0)
            width = found.width(key, "90")
            axes[2].barh(row, width, height=0.5, color=INK if key == OURS else SOFT)
            axes[2].text(width, row, f" {width:.2f}", va="center")
        axes[2].set_title("mean width, 90%", loc="left", fontweight="bold")
        axes[2].set_xlabel("fewlabels = 1")
        axes[2].set_xlim(0, 1.25 * max(found.width(key, "90") for key in keys))
        axes[0].set_yticks(range(len(keys)), [titles(found)[key] for key in keys])
        axes[0].tick_params(axis="y", length=0)
        figure.suptitle("Intervals for F1: one tick a pool and budget", x=0.01, ha="left", fontsize=12)
        save(figure, path)
