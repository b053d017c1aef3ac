"""One look for all figures: colour, line style and marker each tell the samplers apart on their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

INK, PALE, GRID = "#222222", "#8a8a8a", "#e4e4e4"


@dataclass(frozen=True)
class Look:
    """How one curve is drawn. Colours are Okabe and Ito's, of clearly different lightness."""

    name: str
    colour: str
    line: str | tuple[int, tuple[int, ...]]
    marker: str


LOOKS = {
    "uniform": Look("Uniform", "#9a9a9a", (0, (1, 1.2)), "s"),
    "importance": Look("Importance", "#E69F00", (0, (5, 1.6)), "^"),
    "poisson": Look("Bernoulli (Poisson)", "#0072B2", "-", "o"),
    "ours": Look("fewlabels, defaults", "#7A0F43", (0, (7, 1.5, 1.5, 1.5)), "D"),
    "accuracy": Look("Accuracy", "#0072B2", "-", "o"),
    "f1": Look("F1", "#7A0F43", (0, (7, 1.5, 1.5, 1.5)), "D"),
    "precision": Look("Precision", "#009E73", (0, (5, 1.6)), "^"),
    "recall": Look("Recall", "#E69F00", (0, (3, 1.2)), "v"),
    "specificity": Look("Specificity", "#6b6b6b", (0, (1, 1.2)), "s"),
    "micro_f1": Look("Drawn for micro F1", "#0072B2", "-", "o"),
    "macro_f1": Look("Drawn for macro F1", "#7A0F43", (0, (5, 1.6)), "^"),
    "macro_printed": Look("Drawn for macro F1, as printed", "#E69F00", (0, (1, 1.2)), "s"),
}

RC = {
    "figure.dpi": 110,
    "savefig.dpi": 110,
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": PALE,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "lines.linewidth": 1.7,
    "lines.markersize": 4.2,
    "svg.hashsalt": "fewlabels",
    "svg.fonttype": "none",
}


@contextmanager
def page(
    folder: Path, name: str, rows: int, columns: int, size: tuple[float, float], **kw
) -> Iterator[tuple[Figure, list[list[Axes]]]]:  # type: ignore[no-untyped-def]
    """A figure with a grid of axes, saved as PNG and SVG when the block ends."""
    with mpl.rc_context(RC):
        figure, axes = plt.subplots(rows, columns, figsize=size, squeeze=False, **kw)
        yield figure, [list(row) for row in axes]
        folder.mkdir(parents=True, exist_ok=True)
        for ending in ("png", "svg"):
            # No date inside: the same numbers give the same file.
            stamp = {"Date": None} if ending == "svg" else {"Software": None}
            figure.savefig(folder / f"{name}.{ending}", metadata=stamp)
        plt.close(figure)


def heading(figure: Figure, title: str, note: str = "") -> None:
    """What is to be seen, in one sentence, and below it how it was measured."""
    figure.suptitle(title, x=0.01, ha="left", fontsize=12.5, fontweight="bold")
    if note:
        figure.supxlabel(note, x=0.01, ha="left", fontsize=8.4, color="#555555")


def percent(axis) -> None:  # type: ignore[no-untyped-def]
    """Fractions as per cent."""
    axis.set_major_formatter(PercentFormatter(1.0, decimals=None))


def curve(ax: Axes, key: str, x, y, band=None, label: str | None = None, every: int = 1, **kw) -> None:  # type: ignore[no-untyped-def]
    """A line with its marker, and the band between two arrays where there is one."""
    look = LOOKS[key]
    if band is not None:
        ax.fill_between(x, band[0], band[1], color=look.colour, alpha=0.13, linewidth=0)
    ax.plot(
        x, y, color=look.colour, linestyle=look.line, marker=look.marker, markevery=every,
        markerfacecolor="white", markeredgewidth=1.1, label=look.name if label is None else label, **kw,
    )  # fmt: skip


def legend(figure: Figure, ax: Axes, columns: int) -> None:
    """One legend for the whole figure, below the axes."""
    handles, names = ax.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower right", ncols=columns, handlelength=3.4)
