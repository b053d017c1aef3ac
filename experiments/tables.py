"""Tables of this project's defaults beside the paper's samplers, for the page of results."""

from __future__ import annotations

from typing import Any

from .claims import listed
from .figures.common import NAMES
from .figures.ours import NAME


def needed(found: dict[str, Any]) -> str:
    """Labels needed for the same error, pool by pool, and the geometric mean of the savings."""
    head = [
        "| Pool | Metric | Error | Uniform | Importance | Bernoulli, the paper's | fewlabels |",
        "|---|---|---|---|---|---|---|",
    ]
    rows = []
    for name, pool in found["pools"].items():
        needed = [pool["needed"][key] for key in ("uniform", "importance", "poisson", "ours")]
        cells = " | ".join("-" if value is None else f"{value:,.0f}" for value in needed)
        rows.append(f"| {NAME[name]} | {NAMES[pool['metric']]} | {pool['target']['rmse']:.4f} | {cells} |")
    return "\n".join([*head, *rows, "", savings(found), ""])


def halves(found: dict[str, Any]) -> str:
    """Which half of the defaults does what: either design with either estimate."""
    runs = max(pool["halves"]["runs"] for pool in found["pools"].values())
    lines = [
        f"What the design does, and what the estimate ({runs:,} repetitions): root mean squared error over that of the "
        "paper's design with the paper's estimate, at the same number of labels.\n",
        "| Pool | Labels | our design, our estimate | our design, paper's estimate | paper's design, our estimate |",
        "|---|---|---|---|---|",
    ]
    for name, pool in found["pools"].items():
        rmse = pool["halves"]["rmse"]
        cells = " | ".join(f"{rmse[k] / rmse['paper_paper']:.2f}" for k in ("ours_ours", "ours_paper", "paper_ours"))
        lines.append(f"| {NAME[name]} | {pool['target']['labels']:,} | {cells} |")
    return "\n".join([*lines, ""])


def savings(found: dict[str, Any]) -> str:
    """How many times fewer labels, as a geometric mean over the pools where all reach the error."""
    words = []
    for other, name in (("uniform", "uniform sampling"), ("poisson", "the paper's Bernoulli sampler")):
        pairs = [(p["needed"][other], p["needed"]["ours"]) for p in found["pools"].values()]
        ratios = [a / b for a, b in pairs if a is not None and b is not None]
        mean = 1.0
        for ratio in ratios:
            mean *= ratio ** (1 / len(ratios))
        words.append(
            f"{mean:.2f} times fewer than {name} (from {min(ratios):.2f} to {max(ratios):.2f}, {len(ratios)} pools)"
        )
    more = [
        f"{NAME[name]} ({p['needed']['ours']:,.0f} instead of {p['needed']['poisson']:,.0f})"
        for name, p in found["pools"].items()
        if p["needed"]["ours"] is not None and p["needed"]["ours"] > p["needed"]["poisson"]
    ]
    tail = f" It needs more than the paper's Bernoulli sampler on {listed(more)}." if more else ""
    return f"For the same error fewlabels needs, in the geometric mean, {words[0]} and {words[1]}.{tail}"
