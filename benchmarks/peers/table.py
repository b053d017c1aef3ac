"""docs/peers.md from results.json. No number on that page is typed by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .findings import GOOD, OURS, Findings
from .score import geometric

OTHERS = ("accuracy", "precision", "recall")


def page(results: dict[str, Any]) -> str:
    found = Findings(results)
    parts = [opening(found), labels(found), losing(found), errors(found), intervals(found), distance(found)]
    parts += [others(found), times(found), entrants(found), machine(found)]
    return "\n\n".join(parts) + "\n"


def grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


def title(found: Findings, key: str) -> str:
    name = next(peer["title"] for peer in found.peers if peer["key"] == key)
    return f"**{name}**" if key == OURS else name


def pool_title(found: Findings, name: str) -> str:
    return next(pool["title"] for pool in found.results["pools"] if pool["name"] == name)


def ordered(found: Findings, metric: str = "f1") -> list[str]:
    """Peers with the metric, best first by the labels they need over all pools."""
    overall = {peer["key"]: found.overall(peer["key"], metric=metric) for peer in found.peers}
    return sorted((key for key, value in overall.items() if value), key=lambda key: overall[key][0])


def number(x: float) -> str:
    return f"{x:.2f}" if x < 9.95 else f"{x:.0f}"


def opening(found: Findings) -> str:
    settings = found.results["settings"]
    budgets = ", ".join(f"{budget:,}" for budget in found.budgets)
    good, cells = found.first("f1")
    return f"""# The contest with peers

Everybody estimates the same metrics of the same pools from {budgets} distinct labels, {settings["repetitions"]}
times each (fewer where the tables say so). Made by `benchmarks/peers/run`, which writes
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


def labels(found: Findings) -> str:
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
    return f"""## Labels needed for the same error

F1. How many labels each needs for the error that fewlabels has, fewlabels = 1: above 1 they need more, below 1 we
lose. From the squared error at the three budgets, straight lines between their logarithms and error falling as one
over labels outside them; geometric mean over the budgets. The last column of each group is the geometric mean over
its pools with the standard error that the repetitions leave.

![Labels needed for the same error](figures/peers.png)

{grid(head, rows)}"""


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
                    f"{theirs['mse'] ** 0.5:.4f}",
                    f"{ours['mse'] ** 0.5:.4f}",
                    f"{theirs['mse'] / ours['mse']:.2f}",
                    f"{(ours['mse'] - theirs['mse']) / spread:.1f}",
                ]
            )
    head = ["metric", "pool", "labels", "who", "their error", "our error", "squared, theirs/ours", "standard errors"]
    counts = []
    for metric in found.results["settings"]["metrics"]:
        good, cells = found.first(metric)
        counts.append(f"{metric}: {good} of {cells}")
    body = grid(head, rows) if rows else "Nowhere, in this run."
    return f"""## Where we lose

Every cell in which a peer's mean squared error is below ours by more than two standard errors of the difference. First,
or within that noise of first: {"; ".join(counts)} cells. With this many comparisons some are luck.

{body}"""


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


def distance(found: Findings) -> str:
    head = ["squared error over the bound", *(f"{budget:,}" for budget in found.budgets)]
    blocks = []
    for metric in found.results["settings"]["metrics"]:
        limits, rows = found.bounds(metric), []
        for pool in found.pools(simulated=True, metric=metric):
            if found.has(OURS, pool["name"], metric):
                curve = zip(found.budgets, found.curve(OURS, pool["name"], metric), strict=True)
                rows.append([f"{metric}, {pool['title']}", *(number(m / limits[pool["name"], b]) for b, m in curve)])
        blocks += rows
    return f"""## Distance to the bound

On simulated pools the chance of every label is known. A design with that knowledge cannot do better, to first order,
than Godambe and Joshi's bound; fewlabels sees only the scores and has:

{grid(head, blocks)}"""


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
CIFAR-10 with its ten classes. Slow packages have fewer repetitions here. Blank: the peer does not take part.

{grid(head, rows)}

{other_coverage(found, metrics)}"""


def other_coverage(found: Findings, metrics: Sequence[str]) -> str:
    """Coverage of our intervals for the other metrics, beside the paper's."""
    rows = []
    for metric in metrics:
        for key in (OURS, "paper_poisson"):
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


def repetitions(found: Findings, peer: str, metric: str) -> str:
    counts = {c["repetitions"] for c in found.cells.values() if c["peer"] == peer and c["metric"] == metric}
    return ", ".join(str(count) for count in sorted(counts))


def times(found: Findings) -> str:
    rows = []
    for peer in found.peers:
        cells = [c for c in found.cells.values() if c["peer"] == peer["key"] and c["budget"] == found.budgets[0]]
        mine = [c for c in cells if c["metric"] == "f1"]
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
            *(f"{p['values'][m]:.3f}" if m in p["values"] else "" for m in ("f1", *OTHERS)),
            p["note"],
        ]
        for p in found.results["pools"]
    ]
    head = ["pool", "items", "positives", "F1", *OTHERS, "scores"]
    return f"""## Who took part

{chr(10).join(lines)}

What could not take part, and why, is in `benchmarks/peers/README.md`.

{grid(head, pools)}"""


def machine(found: Findings) -> str:
    facts = found.results["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in found.results["versions"].items())
    where = f"{facts['processor']}, {facts['cores']} cores, {facts['system']}, Python {facts['python']}"
    return f"## Machine\n\n{where}, {facts['date']}; {versions}."
