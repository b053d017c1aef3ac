"""What rounds and samplers do to the error, pool by pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes

from experiments import style

ROUNDS = {"300": ("300 labels", "#7A0F43", "D", "#7A0F43"), "1000": ("1,000 labels", "#0072B2", "o", "white")}
SAMPLERS = {
    "uniform": ("uniform, our estimate", "#9a9a9a", "s", "#9a9a9a"),
    "weighted": ("our draw, weighted totals", "#E69F00", "^", "white"),
    "paper": ("the paper's way", "#0072B2", "o", "#0072B2"),
}
TICKS = (0.25, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 20, 50, 100)


def draw(found: dict[str, Any], folder: Path) -> None:
    """Left: four rounds over one draw. Right: other ways over the defaults."""
    rounds = {
        pool: {name: _squared(found["rounds"][name][pool], "four", "one") for name in ROUNDS}
        for pool in found["rounds"]["300"]
    }
    samplers = {
        pool: {name: _squared(one, name, "default") for name in SAMPLERS} for pool, one in found["samplers"].items()
    }
    with style.page(folder, "choose", 1, 2, (11.4, 5.4)) as (figure, axes):
        dots(axes[0][0], rounds, found["titles"], ROUNDS)
        axes[0][0].set_title("Four rounds over one draw")
        dots(axes[0][1], samplers, found["titles"], SAMPLERS)
        axes[0][1].set_title("Other ways over the defaults, 300 labels")
        runs = f"{found['runs']} and {found['fewer_runs']} repetitions"
        note = f"Squared error of F1, ratio; left of the line is better. {runs}."
        style.heading(figure, "Where rounds pay, and what the defaults save", note)


def _squared(one: Mapping[str, Any], top: str, bottom: str) -> float:
    return float((one[top]["f1"]["rmse"] / one[bottom]["f1"]["rmse"]) ** 2)


def dots(
    ax: Axes, rows: Mapping[str, Mapping[str, float]], titles: Mapping[str, str], looks: Mapping[str, Sequence[str]]
) -> None:
    """A line a pool, a marker a variant, on a logarithmic axis with its line at 1."""
    ax.axvline(1.0, color=style.INK, linewidth=1)
    for y, one in enumerate(rows.values()):
        ax.plot([min(one.values()), max(one.values())], [y, y], color=style.GRID, linewidth=4, zorder=1)
        for name, (words, colour, marker, face) in looks.items():
            ax.plot(
                one[name], y, marker, color=colour, markerfacecolor=face, markersize=7, linestyle="none",
                label=words if y == 0 else None, zorder=3,
            )  # fmt: skip
    ax.set_xscale("log")
    ax.margins(x=0.1)
    low, high = ax.get_xlim()
    ticks = [tick for tick in TICKS if low < tick < high]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    ax.set_yticks(range(len(rows)), [titles[pool].removeprefix("Simulated, ").split(", N =")[0] for pool in rows])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.grid(visible=False, axis="y")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.09), ncols=len(looks), handletextpad=0, columnspacing=0.8,
              fontsize=8.8)  # fmt: skip
