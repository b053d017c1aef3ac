"""The page of coverage, written from its numbers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.claims import listed
from experiments.page import small
from experiments.studies.coverage import BANDS, BUDGETS, WAYS

Row = dict[str, Any]

WORST = 8
CLOSED = 1e-6  # a mean width below this is none
HAIR = 1e-3  # widths below this are not worth comparing
KINDS = {
    "cover90": "90% interval",
    "cover95": "95% interval",
    "lower95": '95% bound from below ("at least")',
    "upper95": '95% bound from above ("at most")',
}
METRICS = {
    "f1": "F1", "precision": "precision", "recall": "recall", "accuracy": "accuracy", "specificity": "specificity",
    "f1_micro": "micro F1", "f1_macro": "macro F1",
}  # fmt: skip
WHOSE = {"ours": "fewlabels", "paper": "the paper's Beta"}


def write(found: dict[str, Any], out: Path, docs: Path | None) -> None:
    """``coverage.json`` and ``coverage.md``; with the figure into ``docs`` where that is named."""
    for folder in (out, docs):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "coverage.json").write_text(json.dumps(found, separators=(",", ":")) + "\n")
            (folder / "coverage.md").write_text(text(found))
    if docs is not None:
        (docs / "figures").mkdir(exist_ok=True)
        small(out / "figures" / "coverage.png", docs / "figures" / "coverage.png")


def text(found: dict[str, Any]) -> str:
    """The whole page."""
    rows = found["cells"]
    parts = [
        head(found),
        "![Coverage of 90% intervals by budget and metric](figures/coverage.png)\n",
        "## At a glance\n",
        glance(rows),
        "## By budget\n",
        by(rows, "Labels", lambda row: row["budget"], list(BUDGETS)),
        "## By metric\n",
        by(rows, "Metric", lambda row: METRICS[row["metric"]], list(METRICS.values())),
        "## By pool\n",
        by(rows, "Pool", lambda row: row["title"], list(dict.fromkeys(row["title"] for row in rows))),
        "## The worst cells\n",
        worst(rows),
    ]
    return "\n".join(parts)


def head(found: dict[str, Any]) -> str:
    """What was measured, and how."""
    rows = found["cells"]
    counts = [row["runs"] for row in rows]
    absent = f" Not here, so left out: {listed(found['absent'])}." if found["absent"] else ""
    return (
        "# Do the intervals hold?\n\n"
        "Written by `python -m experiments coverage` from the numbers that it measured (`coverage.json`, beside this "
        f"page): {len(rows)} cells, each one pool, metric and budget; {max(counts)} repetitions with up to 100 labels "
        f"in binary pools, {min(counts)} elsewhere; seed {found['seed']}. In each cell `fl.design(pool, metric, "
        "budget)` and `fl.estimate(sample, labels, metric)`, once with nothing else said and once with "
        '`like="paper"`. '
        "Labels of simulated pools are drawn anew in each repetition; the truth is the metric of the pool with "
        f"everything labelled.{absent}\n\n"
        "An interval is as good as its promise: 90% intervals should hold the truth in 88 to 94% of repetitions, 95% "
        "intervals and one-sided bounds in 93 to 97%. With so few repetitions chance alone puts some cells outside, "
        "so *in band within noise* also counts cells that are no more than two standard errors away. Cells where "
        "every item that matters was labelled (precision, with more labels than predicted positives) have no interval "
        "to judge. Near a census others are *settled*: the estimate of fewlabels, rounded to whole items, is the "
        "truth itself in more than 94% of repetitions, so that all limits around it hold more often than that, "
        "however narrow they "
        f"are. Both are left out of the shares and the means: {closed_count(rows)} cells have nothing open, "
        f"{settled_count(rows)} are settled. Where the paper's Beta does not exist (a value of 0 or 1, no "
        "positive seen), fewlabels puts half an unseen item into every cell of the table, or answers with all "
        "that is possible, and that counts here as the paper's: its column is kinder than the paper.\n"
    )


def noise(row: Row, way: str, kind: str) -> float:
    """Two standard errors of a coverage, at the least those of the promise."""
    promise = 0.9 if kind == "cover90" else 0.95
    p = min(row[way][kind], promise)
    return 2.0 * float(np.sqrt(max(p * (1 - p), promise * (1 - promise)) / row["runs"]))


def shown(value: float, digits: str) -> str:
    """A number, or a dash where there is none."""
    return "-" if np.isnan(value) else format(value, digits)


def settled(row: Row) -> bool:
    """Whether our value, rounded to whole items, is the truth more often than limits should hold it."""
    return bool(row["ours"]["settled"] > BANDS["cover90"][1])


def settled_count(rows: Sequence[Row]) -> int:
    return sum(settled(row) and row["ours"]["width90"] > CLOSED for row in rows)


def closed_count(rows: Sequence[Row]) -> int:
    return sum(row["ours"]["width90"] <= CLOSED for row in rows)


def open_cells(rows: Sequence[Row], way: str) -> list[Row]:
    """The cells with an interval to judge: labels leave something open, and they do not settle the answer."""
    return [row for row in rows if row[way]["width90"] > CLOSED and not settled(row)]


def shares(rows: Sequence[Row], way: str, kind: str) -> dict[str, float]:
    """Of some cells: the mean coverage, and which part is in the band, in it within noise, below, above."""
    low, high = BANDS[kind]
    rows = open_cells(rows, way)
    if not rows:
        return dict.fromkeys(("mean", "in", "nearly", "below", "above"), float("nan"))
    seen = np.array([row[way][kind] for row in rows])
    slack = np.array([noise(row, way, kind) for row in rows])
    return {
        "mean": float(seen.mean()),
        "in": float(np.mean((seen >= low) & (seen <= high))),
        "nearly": float(np.mean((seen >= low - slack) & (seen <= high + slack))),
        "below": float(np.mean(seen < low - slack)),
        "above": float(np.mean(seen > high + slack)),
    }


def glance(rows: Sequence[Row]) -> str:
    """All kinds of limits, both ways."""
    lines = [
        "| Limits | Whose | Mean coverage | In band | In band within noise | Clearly too low | Clearly too high |",
        "|---|---|---|---|---|---|---|",
    ]
    for kind, name in KINDS.items():
        for way in WAYS:
            s = shares(rows, way, kind)
            lines.append(
                f"| {name} | {WHOSE[way]} | {s['mean']:.1%} | {s['in']:.0%} | {s['nearly']:.0%} "
                f"| {s['below']:.0%} | {s['above']:.0%} |"
            )
    held = [row for row in rows if row["paper"]["cover90"] >= BANDS["cover90"][0]]
    return "\n".join([
        *lines, "",
        f"Width of our 90% intervals over the paper's, median over cells: {ratio(rows):.2f}, and "
        f"{ratio(held):.2f} over the cells where the paper's hold at least 88% (elsewhere the paper's are "
        "narrow because they are wrong).\n",
        _settled(rows),
        whole_items(rows),
    ])  # fmt: skip


def too_often(rows: Sequence[Row]) -> list[Row]:
    """The cells where our 90% intervals hold clearly more often than they should."""
    high = BANDS["cover90"][1]
    return [row for row in open_cells(rows, "ours") if row["ours"]["cover90"] > high + noise(row, "ours", "cover90")]


def whole_items(rows: Sequence[Row]) -> str:
    """Of the cells that hold too often, those where nothing between too often and too rarely can be had."""
    often = too_often(rows)
    if not often:
        return ""
    steps = sum(row["ours"]["narrower90"] < BANDS["cover90"][0] for row in often)
    return (
        f"Of the {len(often)} cells where our 90% intervals hold clearly too often, in {steps} of them one item "
        "decides: limits narrower by one item, at whichever end it costs less, would hold less than 88%. Counts are "
        "whole, and nothing lies between. By labels they are "
        f"{counted(often, lambda row: row['budget'], list(BUDGETS))}; by pool most are "
        f"{counted(often, lambda row: row['title'], most=4)}. Whether they could be narrower is asked of "
        "[pools that give the same samples](twins.md).\n"
    )


def counted(rows: Sequence[Row], key: Callable[[Row], str], order: Sequence[str] = (), most: int | None = None) -> str:
    """How many rows have each key, in this order or the commonest first."""
    found = Counter(key(row) for row in rows)
    names = [name for name in order if name in found] or [name for name, _ in found.most_common(most)]
    return listed([f"{name} ({found[name]})" for name in names])


def _settled(rows: Sequence[Row]) -> str:
    """What limits do where the answer is settled."""
    found = [row for row in rows if settled(row) and min(row[way]["width90"] for way in WAYS) > CLOSED]
    if not found:
        return ""
    held = {way: np.mean([row[way]["cover90"] for row in found]) for way in WAYS}
    wide = np.median([row["ours"]["width90"] / row["paper"]["width90"] for row in found])
    return (
        f"In the settled cells our 90% limits hold {held['ours']:.1%}, the paper's {held['paper']:.1%}, and ours are "
        f"{wide:.2f} times as wide (median).\n"
    )


def ratio(rows: Sequence[Row]) -> float:
    """Median over cells of the width of our 90% intervals over the paper's, where both are wider than a hair."""
    pairs = [(row["ours"]["width90"], row["paper"]["width90"]) for row in rows]
    found = [ours / paper for ours, paper in pairs if min(ours, paper) > HAIR]
    return float(np.median(found)) if found else float("nan")


def by(rows: Sequence[Row], name: str, key: Callable[[Row], str], order: Sequence[str]) -> str:
    """The 90% intervals, group by group."""
    lines = [
        f"| {name} | Cells | Mean coverage, ours | the paper's | In band within noise, ours | the paper's "
        "| Lowest, ours | the paper's | Width, ours over the paper's |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for value in order:
        part = [row for row in rows if key(row) == value]
        if part:
            ours, paper = (shares(part, way, "cover90") for way in WAYS)
            low = {way: min((row[way]["cover90"] for row in open_cells(part, way)), default=np.nan) for way in WAYS}
            lines.append(
                f"| {value} | {len(part)} | {shown(ours['mean'], '.1%')} | {shown(paper['mean'], '.1%')} "
                f"| {shown(ours['nearly'], '.0%')} | {shown(paper['nearly'], '.0%')} | {shown(low['ours'], '.1%')} "
                f"| {shown(low['paper'], '.1%')} | {shown(ratio(part), '.2f')} |"
            )
    return "\n".join([*lines, ""])


def worst(rows: Sequence[Row]) -> str:
    """The lowest and highest cells of ours, and the lowest of the paper's, named plainly."""
    lists: dict[str, tuple[str, Callable[[Row], Any]]] = {
        "fewlabels, lowest": ("ours", lambda row: row["ours"]["cover90"]),
        "fewlabels, highest, the widest first": (
            "ours",
            lambda row: (-row["ours"]["cover90"], -row["ours"]["width90"]),
        ),
        "The paper's Beta, lowest": ("paper", lambda row: row["paper"]["cover90"]),
    }
    parts = []
    for title, (way, order) in lists.items():
        parts += [
            f"{title}:\n",
            "| Pool | Metric | Labels | Truth | Coverage of 90% | of 95% | Width of 90% | Ours over the paper's |",
            "|---|---|---|---|---|---|---|---|",
            *(named(row, way) for row in sorted(open_cells(rows, way), key=order)[:WORST]),
            "",
        ]
    return "\n".join(parts)


def named(row: Row, way: str) -> str:
    """One cell as a line of a table."""
    error = 100 * noise(row, way, "cover90") / 2
    seen = row[way]
    return (
        f"| {row['title']} | {METRICS[row['metric']]} | {row['labels']:,} | {row['truth']:.3f} "
        f"| {seen['cover90']:.1%} ± {error:.1f} | {seen['cover95']:.1%} | {seen['width90']:.4f} "
        f"| {shown(ratio([row]), '.2f')} |"
    )
