"""Names, numbers and tables in Markdown, for every section of docs/peers.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .findings import OURS, Findings


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


def repetitions(found: Findings, peer: str, metric: str) -> str:
    counts = {c["repetitions"] for c in found.cells.values() if c["peer"] == peer and c["metric"] == metric}
    return ", ".join(str(count) for count in sorted(counts))
