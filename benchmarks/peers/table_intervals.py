"""The sections of docs/peers.md on intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .findings import GOOD, OURS, Findings
from .words import grid, number, ordered, pool_title, title


def intervals(found: Findings) -> str:
    rows = []
    for key in ordered(found):
        row = [title(found, key)]
        for level in GOOD:
            shares = found.coverage(key, level)
            if not shares:
                row += ["none", "", ""]
                continue
            low, high = GOOD[level]
            inside = sum(low <= share <= high for share in shares)
            row += [f"{min(shares):.3f} / {np.median(shares):.3f} / {max(shares):.3f}", f"{inside} of {len(shares)}"]
            row.append(number(found.width(key, level)))
        rows.append(row)
    chance = np.sqrt(0.9 * 0.1 / found.results["settings"]["repetitions"])
    head = ["F1", "90%: least / median / most", "in 88-94%", "width"]
    head += ["95%: least / median / most", "in 93-97%", "width"]
    return f"""## Intervals

Share of repetitions whose interval holds the truth, over all pools and budgets, and mean width over ours (geometric
mean). A narrow interval that misses is no merit: read both columns. {found.results["settings"]["repetitions"]}
repetitions leave a standard error of {chance:.1%} in each share at 90%. Ours outside the two bands: {outside(found)}.

![Coverage of intervals](figures/peers-intervals.png)

{grid(head, rows)}"""


def outside(found: Findings) -> str:
    """Our cells of F1 whose coverage leaves the band, in words."""
    words = []
    for (peer, pool, metric, budget), cell in found.cells.items():
        if peer != OURS or metric != "f1":
            continue
        for level, (low, high) in GOOD.items():
            if not low <= cell[f"coverage{level}"] <= high:
                share = cell[f"coverage{level}"]
                words.append(f"{pool_title(found, pool)} with {budget:,} labels {share:.1%} at {level}%")
    return "; ".join(words) or "none"


def other_coverage(found: Findings, metrics: Sequence[str]) -> str:
    """Coverage of our intervals for the other metrics, beside the paper's."""
    rows = []
    present = {peer["key"] for peer in found.peers}
    for metric in metrics:
        for key in (key for key in (OURS, "paper_poisson") if key in present):
            row = [f"{metric}, {title(found, key)}"]
            for level, (low, high) in GOOD.items():
                shares = found.coverage(key, level, metric)
                if shares:
                    inside = sum(low <= share <= high for share in shares)
                    row.append(f"{min(shares):.3f} / {np.median(shares):.3f} / {max(shares):.3f}")
                    row.append(f"{inside} of {len(shares)}")
            if len(row) > 1:
                rows.append(row)
    head = ["coverage", "90%: least / median / most", "in 88-94%", "95%: least / median / most", "in 93-97%"]
    return grid(head, rows)
