"""The pictures of a report, each made from the dictionary of results. Only this module knows matplotlib."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewlabels.errors import FewlabelsError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, MUTED, GRID = "#1f2933", "#7b8794", "#e4e7eb"
WIDE = 7.6  # inches, of a picture as wide as the page
BLUE, PALE, ORANGE, PALE_ORANGE = "#2563a8", "#c9dcf0", "#d1661c", "#f6dcc7"
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "figure.dpi": 100,
    "svg.fonttype": "none",
}


def library() -> Any:
    """matplotlib, or the sentence that says which extra brings it."""
    try:
        import matplotlib
    except ImportError as error:
        raise FewlabelsError("pictures need matplotlib: pip install 'fewlabels[report]'.") from error
    return matplotlib


def _figure(width: float, height: float, rows: int = 1, columns: int = 1, **options: Any) -> tuple[Figure, Any]:
    library()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns, **options)


def drawn(make: Callable[[Mapping[str, Any]], Figure | None], found: Mapping[str, Any]) -> Figure | None:
    """A picture in the house style; None where the results have nothing for it."""
    with library().rc_context(STYLE):
        return make(found)


def save(figure: Figure, path: Path) -> None:
    """Into a file whose ending says how: png, svg or pdf."""
    if path.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise FewlabelsError(f"a picture ends in .png, .svg or .pdf; got {path}.")
    with library().rc_context(STYLE):
        figure.savefig(path, dpi=160, facecolor="white")


def svg(figure: Figure, name: str) -> str:
    """A picture as text for a page: the same bytes every time, in the page's own font."""
    with library().rc_context({**STYLE, "svg.hashsalt": name}):
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    text = text.replace("'DejaVu Sans'", "system-ui, sans-serif")
    width, height = figure.get_size_inches() * 72
    return re.sub(r"<svg [^>]*>", f'<svg viewBox="0 0 {width:g} {height:g}" role="img" {XML}>', text, count=1)


XML = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def planned(found: Mapping[str, Any]) -> Figure:
    """Half-width against labels, ours and uniform sampling's."""
    figure = drawn(_planned, found)
    assert figure is not None
    return figure


def _planned(found: Mapping[str, Any]) -> Figure:
    figure, axes = _figure(6.4, 3.9)
    curve = [row for row in found["curve"] if row["half_width"] > 0.002 and row["labels"] < found["size"]]
    labels = [row["labels"] for row in curve]
    ours = [row["half_width"] for row in curve]
    axes.plot(labels, [row["uniform"] for row in curve], color=ORANGE, lw=1.8, label="uniform sampling")
    axes.plot(labels, ours, color=BLUE, lw=2.4, label="fewlabels")
    axes.set(xscale="log", yscale="log", xlabel="labels", ylabel=f"expected half-width at level {found['level']:g}")
    axes.set_title(f"{found['metrics'][0]}: what labels buy", loc="left", fontweight="bold", fontsize=10.5)
    wanted = [row for row in found["widths"] if row["labels"] < found["size"]]
    axes.plot([row["labels"] for row in wanted], [row["half_width"] for row in wanted], "o", color=BLUE, ms=5)
    for row in wanted:
        place = {"xytext": (-6, -5), "textcoords": "offset points", "ha": "right", "va": "top", "fontsize": 8}
        axes.annotate(f"±{row['half_width']:g}: {row['labels']:,}", (row["labels"], row["half_width"]), **place)
    axes.legend(loc="upper right")
    _plain_ticks(axes)
    return figure


def _log_ticks(axes: Axes, say: Callable[[float], str]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: say(y)))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _plain_ticks(axes: Axes) -> None:
    from matplotlib.ticker import FuncFormatter

    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    _log_ticks(axes, lambda y: f"{y:g}")


def intervals(found: Mapping[str, Any]) -> Figure:
    """Each metric with its interval on one scale."""
    rows = found["estimates"]
    figure, axes = _figure(WIDE, 0.55 + 0.42 * len(rows))
    for place, row in enumerate(reversed(rows)):
        axes.plot([row["low"], row["high"]], [place, place], color=PALE, lw=9, solid_capstyle="butt")
        axes.plot(row["value"], place, "o", color=BLUE, ms=7)
        axes.annotate(
            f"{row['value']:.3f}", (row["value"], place), (0, 7), textcoords="offset points", ha="center", fontsize=8
        )
    axes.set_yticks(range(len(rows)), [row["metric"] for row in reversed(rows)])
    axes.set_ylim(-0.6, len(rows) - 0.35)
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    low = min(row["low"] for row in rows)
    if low > 0 and max(row["high"] for row in rows) <= 1:
        axes.set_xlim(max(0.0, low - 0.06), 1.0)
    return figure


def narrowing(found: Mapping[str, Any]) -> Figure | None:
    """How each interval narrowed as labels came in."""
    history = {name: rows for name, rows in found["narrowing"].items() if len(rows) > 1}
    if not history:
        return None
    names = list(history)[:4]
    columns = min(2, len(names))
    rows = -(-len(names) // columns)
    figure, grid = _figure(WIDE, 2.6 * rows if columns > 1 else 2.9, rows, columns, squeeze=False, sharex=True)
    for axes, name in zip(grid.flat, names, strict=False):
        steps = history[name]
        labels = [row["labels"] for row in steps]
        axes.fill_between(labels, [r["low"] for r in steps], [r["high"] for r in steps], color=PALE, lw=0)
        axes.plot(labels, [row["value"] for row in steps], color=BLUE, lw=2)
        axes.axhline(steps[-1]["value"], color=MUTED, lw=0.8, ls=(0, (4, 3)))
        axes.set_title(name, loc="left", fontweight="bold", fontsize=9.5)
    shown = list(grid.flat)[: len(names)]
    for axes in shown[-columns:]:  # the lowest of each column; of three panels one stands above nothing
        axes.set_xlabel("labels")
        axes.tick_params(labelbottom=True)
    for axes in list(grid.flat)[len(names) :]:
        axes.set_visible(False)
    return figure


def confusion(found: Mapping[str, Any]) -> Figure | None:
    """The confusion table of the whole pool, each row shaded by its share."""
    table = found["confusion"]
    if table is None:
        return None
    names, cells = table["classes"], table["cells"]
    size = len(names)
    figure, axes = _figure(*((3.6, 2.9) if size < 5 else (WIDE, 0.5 * size + 1.0)))
    share = [[cell["count"] / max(sum(c["count"] for c in row), 1e-12) for cell in row] for row in cells]
    axes.imshow(share, cmap=_ramp(), vmin=0, vmax=1, aspect="auto")
    for y, row in enumerate(cells):
        for x, cell in enumerate(row):
            text = f"{cell['count']:,.0f}"
            text += f"\n{cell['low']:,.0f} to {cell['high']:,.0f}" if "low" in cell else f"\n±{cell['half']:,.0f}"
            colour = "white" if share[y][x] > 0.6 else INK
            axes.text(x, y, text, ha="center", va="center", color=colour, fontsize=8.5 if size < 5 else 7)
    tilt = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if max(map(len, names)) > 5 else {}
    axes.set_xticks(range(size), names, **tilt)
    axes.set_yticks(range(size), names)
    axes.set(xlabel="decided", ylabel="true")
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure


def _ramp() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("blues", ["#f5f9fd", PALE, BLUE])


def calibration(found: Mapping[str, Any]) -> Figure:
    """What the model said against what people said."""
    rows = found["calibration"]
    figure, axes = _figure(4.2, 3.7)
    axes.plot([0, 1], [0, 1], color=MUTED, lw=1, ls=(0, (4, 3)))
    for row in rows:
        axes.plot([row["score"]] * 2, [row["low"], row["high"]], color=PALE, lw=5, solid_capstyle="butt")
    axes.plot([row["score"] for row in rows], [row["share"] for row in rows], "-", color=BLUE, lw=1.2)
    sizes = [min(14 + 2.2 * row["labels"] ** 0.75, 130) for row in rows]
    axes.scatter([row["score"] for row in rows], [row["share"] for row in rows], s=sizes, color=BLUE, zorder=3)
    axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), xlabel="probability the model gave", ylabel="share that is so")
    axes.set_aspect("equal")
    return figure


def weights(found: Mapping[str, Any]) -> Figure:
    """Which items were chosen: the chance to be drawn by score, over how many items have that score."""
    data = found["weights"]
    figure, (top, bottom) = _figure(WIDE, 4.2, 2, 1, sharex=True, height_ratios=[3, 1.2])
    edges = [row["from"] for row in data["curve"]]
    width = [row["to"] - row["from"] for row in data["curve"]]
    top.bar(edges, [row["chance"] for row in data["curve"]], width, align="edge", color=PALE, lw=0)
    chances = [item[1] for item in data["items"]]
    top.scatter([item[0] for item in data["items"]], chances, s=9, color=BLUE, alpha=0.55, lw=0)
    top.set(yscale="log", ylabel="chance to be drawn")
    top.set_ylim(min([*chances, *(r["chance"] for r in data["curve"])]) * 0.6, 1.35)
    _log_ticks(top, lambda y: f"{y:.2g}" if y < 0.001 else f"{100 * y:g}%")
    bottom.bar(edges, [row["items"] for row in data["curve"]], width, align="edge", color=PALE_ORANGE, lw=0)
    bottom.set(yscale="log", xlabel=data["axis"], ylabel="items", xlim=(-0.01, 1.01))
    return figure


PLOTS: dict[str, Callable[[Mapping[str, Any]], Figure | None]] = {
    "intervals": intervals,
    "narrowing": narrowing,
    "confusion": confusion,
    "calibration": calibration,
    "weights": weights,
}
