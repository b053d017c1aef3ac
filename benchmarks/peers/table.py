"""docs/peers.md from results.json. No number on that page is typed by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from .findings import AGAIN, OUR_WAYS, OURS, Findings
from .score import geometric
from .table_facts import entrants, machine, times
from .table_intervals import intervals, other_coverage
from .words import grid, number, ordered, pool_title, repetitions, title

OTHERS = ("accuracy", "precision", "recall")


def page(results: dict[str, Any]) -> str:
    found = Findings(results)
    parts = [opening(found), labels(found), losing(found), errors(found), intervals(found), distance(found)]
    parts += [others(found), times(found), entrants(found), machine(found)]
    return "\n\n".join(parts) + "\n"


def opening(found: Findings) -> str:
    settings = found.results["settings"]
    budgets = ", ".join(f"{budget:,}" for budget in found.budgets)
    good, cells = found.first("f1")
    return f"""# The contest with peers

Everybody estimates the same metrics of the same pools from {budgets} distinct labels, {settings["repetitions"]}
times each. Made by `benchmarks/peers/run`, which writes
`benchmarks/peers/results.json` and this page from it; change those, not this page.

{against_paper(found)} Over all {cells} cells of F1, real and simulated, nobody is ahead of fewlabels by more than two
standard errors in {good}; the others are listed [below](#where-we-lose)."""


def against_paper(found: Findings) -> str:
    if not {"paper_poisson", "uniform"} <= {peer["key"] for peer in found.peers}:
        return "The paper's own samplers were left out of this run."
    real = found.error_ratio(OURS, "paper_poisson", simulated=False)
    paper, uniform = (found.overall(key, simulated=False)[0] for key in ("paper_poisson", "uniform"))
    return f"""On F1 of the real binary pools the defaults of fewlabels have {geometric(real):.2f} of the squared error
of the paper's Poisson sampler with its ratio estimator (geometric mean of {len(real)} cells; worst {max(real):.2f},
best {min(real):.2f}). For the same error the paper's sampler needs {paper:.2f} times and uniform sampling
{uniform:.2f} times the labels."""


def glance(results: dict[str, Any]) -> str:
    """What docs/results.md shows of the contest: the picture and the table of labels for the same error."""
    found = Findings(results)
    return f"""Made by `benchmarks/peers/run`; error, bias, intervals, time, settings and where we lose are in
[the contest](peers.md).

{against_paper(found)}

![Labels needed for the same error of F1](figures/peers.png)

{labels_table(found)}

Labels that each needs for the error of F1 that fewlabels has, fewlabels = 1; ± is one standard error.

{firsts(found)}

{distance_table(found)}"""


def labels_table(found: Findings) -> str:
    real, made = found.pools(simulated=False), found.pools(simulated=True)
    head = ["labels for our error"] + [p["title"] for p in real] + ["**real**"]
    head += [p["title"] for p in made] + ["**simulated**"]
    rows = []
    for key in ordered(found):
        row = [title(found, key)]
        for pools, simulated in ((real, False), (made, True)):
            row += [number(found.labels(key, pool["name"])) for pool in pools]
            mean, noise = found.overall(key, simulated)
            row.append(f"**{number(mean)}**" + ("" if key == OURS else f" ± {mean * noise:.2f}"))
        rows.append(row)
    return grid(head, rows)


def labels(found: Findings) -> str:
    return f"""## Labels needed for the same error

F1. How many labels each needs for the error that fewlabels has, fewlabels = 1: above 1 they need more, below 1 we
lose. From the squared error at the three budgets, straight lines between their logarithms and error falling as one
over labels outside them; geometric mean over the budgets. The last column of each group is the geometric mean over
its pools with the standard error that the repetitions leave.

![Labels needed for the same error](figures/peers.png)

{labels_table(found)}"""


def losing(found: Findings) -> str:
    rows = []
    for metric in found.results["settings"]["metrics"]:
        for loss in sorted(found.losses(metric), key=lambda loss: loss["theirs"]["mse"] / loss["ours"]["mse"]):
            ours, theirs = loss["ours"], loss["theirs"]
            spread = np.hypot(ours["mse_se"], theirs["mse_se"])
            rows.append(
                [
                    metric,
                    pool_title(found, loss["pool"]),
                    f"{loss['budget']:,}",
                    title(found, loss["peer"]),
                    f"{theirs['mse'] ** 0.5:.3g}",
                    f"{ours['mse'] ** 0.5:.3g}",
                    f"{theirs['mse'] / ours['mse']:.2f}",
                    f"{(ours['mse'] - theirs['mse']) / spread:.1f}",
                    replayed(found.again(metric, loss["pool"], loss["budget"], loss["peer"])),
                ]
            )
    head = ["metric", "pool", "labels", "who", "their error", "our error", "squared, theirs/ours", "standard errors"]
    head.append("again, theirs/ours")
    body = (grid(head, rows) if rows else "Nowhere, in this run.") + without_floor(found)
    return f"""## Where we lose

How many cells each of our ways is first in, or within two standard errors of first. With this many comparisons some
cells are lost, and some won, by luck.

{firsts(found)}

Every cell in which a peer's mean squared error is below that of the defaults by more than two standard errors of the
difference. *Again* is the same cell played {AGAIN} times as often with other seeds, by both: near 1 it was luck. (Cells
that were won are not played again.)

{body}"""


def without_floor(found: Findings) -> str:
    """What the floor costs in the lost cells: it keeps labels for items that cannot move this metric, but others."""
    lost = {(loss["pool"], loss["budget"]) for loss in found.losses("precision")}
    told = [
        f"{pool_title(found, pool)} with {budget:,} labels {cell['mse'] ** 0.5:.3g}"
        for pool, budget in sorted(lost)
        if (cell := found.cells.get(("fewlabels_no_floor", pool, "precision", budget)))
    ]
    if not told:
        return ""
    return f"""

The floor keeps some labels for items that cannot move precision, so that the sample serves other metrics too. Without
it (`floor=0`) our error in the lost cells of precision is: {"; ".join(told)}."""


def replayed(found: tuple[float, float, int] | None) -> str:
    """The ratio of a cell that was played again, with its standard error."""
    return "-" if found is None else f"{found[0]:.2f} ± {found[1]:.2f}"


def firsts(found: Findings) -> str:
    metrics, rows = found.results["settings"]["metrics"], []
    for key in OUR_WAYS:
        counts = [found.first(metric, ours=key) for metric in metrics]
        if any(cells for _, cells in counts):
            rows.append([title(found, key), *(f"{good} of {cells}" if cells else "" for good, cells in counts)])
    return grid(["first, or within noise of first", *metrics], rows)


def errors(found: Findings) -> str:
    pools = found.pools()
    blocks = []
    for budget in found.budgets:
        rows = []
        for key in ordered(found):
            cells = [found.cells[key, pool["name"], "f1", budget] for pool in pools]
            row = [title(found, key), str(cells[0]["repetitions"])]
            row += [f"{1000 * c['mse'] ** 0.5:.1f} ({1000 * c['bias']:+.1f})" for c in cells]
            rows.append(row)
        limits = found.bounds("f1")
        known = [limits.get((pool["name"], budget)) for pool in pools]
        rows.append(["bound", "", *("" if b is None else f"{1000 * b**0.5:.1f}" for b in known)])
        head = [f"{budget:,} labels", "repetitions"] + [p["title"] for p in pools]
        blocks.append(grid(head, rows))
    lost = sorted(
        (c["undefined"], title(found, c["peer"]), pool_title(found, c["pool"]), c["budget"])
        for c in found.cells.values()
        if c["metric"] == "f1" and c["undefined"] >= 0.005
    )
    worst = "; ".join(f"{who} {share:.0%} ({pool}, {budget})" for share, who, pool, budget in lost[::-1][:6])
    note = f" That happened most to {worst}." if lost else ""
    return f"""## Error and bias

F1, a thousand times the root mean squared error and, in brackets, the bias. An estimate that does not exist (no
positive seen and none predicted) counts as 0, and its interval as the whole range.{note} An error that hardly falls
while the labels grow is bias, and may look good at one budget by chance.

![Error against labels](figures/peers-curves.png)

{chr(10).join(block + chr(10) for block in blocks).rstrip()}"""


def distance_table(found: Findings) -> str:
    head = ["squared error over the bound", *(f"{budget:,}" for budget in found.budgets)]
    blocks = []
    for metric in found.results["settings"]["metrics"]:
        limits, rows = found.bounds(metric), []
        for pool in found.pools(simulated=True, metric=metric):
            if found.has(OURS, pool["name"], metric):
                curve = zip(found.budgets, found.curve(OURS, pool["name"], metric), strict=True)
                rows.append([f"{metric}, {pool['title']}", *(number(m / limits[pool["name"], b]) for b, m in curve)])
        blocks += rows
    return grid(head, blocks)


def distance(found: Findings) -> str:
    return f"""## Distance to the bound

On simulated pools the chance of every label is known. A design with that knowledge cannot do better, to first order,
than Godambe and Joshi's bound; fewlabels sees only the scores and has:

{distance_table(found)}"""


def others(found: Findings) -> str:
    metrics = [metric for metric in OTHERS if metric in found.results["settings"]["metrics"]]
    rows = []
    for peer in found.peers:
        row = [title(found, peer["key"])]
        for metric in metrics:
            mean = found.overall(peer["key"], simulated=False, metric=metric)
            if mean is None:
                row += ["", ""]
                continue
            noise = "" if peer["key"] == OURS else f" ± {mean[0] * mean[1]:.2f}"
            row += [number(mean[0]) + noise, repetitions(found, peer["key"], metric)]
        rows.append(row)
    head = ["labels for our error"]
    for metric in metrics:
        head += [metric, "repetitions"]
    return f"""## Other metrics

The same ratio on the real pools, each sampler designing for the metric at hand; geometric means. Accuracy includes
CIFAR-10 with its ten classes. Blank: the peer does not take part. Left out
are cells in which we have no error at all, as when every predicted positive is labelled and precision is asked for.

{grid(head, rows)}

{other_coverage(found, metrics)}"""
