"""The sections of docs/peers.md on time, who took part, and the machine."""

from __future__ import annotations

import numpy as np

from .findings import Findings
from .words import grid, title

METRICS = ("f1", "accuracy", "precision", "recall")


def times(found: Findings) -> str:
    rows = []
    for peer in found.peers:
        cells = [c for c in found.cells.values() if c["peer"] == peer["key"] and c["budget"] == found.budgets[0]]
        mine = [c for c in cells if c["metric"] == "f1"]
        if not mine:
            continue
        row = [title(found, peer["key"]), f"{1000 * np.median([c['prepare_seconds'] for c in mine]):.0f}"]
        row += [f"{1000 * np.median([c['seconds'] for c in mine]) / len(found.budgets):.1f}"]
        row += [f"{sum(c['cell_seconds'] for c in cells):.0f}"]
        rows.append(row)
    return f"""## Time

F1, medians over the pools, processor time on one core: milliseconds for what needs no label, milliseconds for one
sample and estimate, and the seconds that all its cells took. The whole contest took
{found.results["seconds"] / 60:.0f} minutes of one core.

{grid(["", "design (all budgets), ms", "one estimate, ms", "all cells, s"], rows)}"""


def entrants(found: Findings) -> str:
    rows = [[title(found, p["key"]), p["version"] or "", p["settings"], p["source"], p["added"]] for p in found.peers]
    lines = ["| who | version | settings | where they come from | what was added |", "|---|---|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    pools = [
        [
            p["title"],
            f"{p['size']:,}",
            "" if p["positives"] is None else f"{p['positives']:.4f}",
            *(f"{p['values'][m]:.3f}" if m in p["values"] else "" for m in METRICS),
            p["note"],
        ]
        for p in found.results["pools"]
    ]
    head = ["pool", "items", "positives", *METRICS, "scores"]
    return f"""## Who took part

{chr(10).join(lines)}

What could not take part, and why, is in `benchmarks/peers/README.md`.

{grid(head, pools)}"""


def machine(found: Findings) -> str:
    facts = found.results["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in found.results["versions"].items())
    where = f"{facts['processor']}, {facts['cores']} cores, {facts['system']}, Python {facts['python']}"
    return f"## Machine\n\n{where}, {facts['date']}; {versions}."
