"""What people said, one row a vote, and what happens when new rows meet those already known. Pure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Value = str | list[str] | None
"""A class, the list of classes of a multi-label item, or None for "skipped"."""

Conflict = Literal["refuse", "votes", "replace"]


@dataclass(frozen=True)
class Vote:
    """What one labeller said of one item; ``value`` is None for a skip, ``line`` says where it was read."""

    id: str
    value: Value
    labeller: str = "labeller"
    line: int | None = None


@dataclass(frozen=True)
class StoredVote(Vote):
    """A vote as the study holds it: with its number, time, source and the number of the vote it replaces."""

    number: int = 0
    at: str = ""
    source: str = ""
    replaces: int | None = None


@dataclass(frozen=True)
class Change:
    """What recording does: new rows (and the row each replaces), how many were known, who contradicts."""

    added: tuple[tuple[Vote, int | None], ...]
    unchanged: int
    conflicts: tuple[str, ...]


def same(value: Value) -> str:
    """The stored form of a value: equal values, and only those, have equal forms.

    >>> same(["toxic", "insult"]) == same(["insult", "toxic"])
    True
    """
    return json.dumps(sorted(value) if isinstance(value, list) else value, ensure_ascii=False)


def reconcile(current: Sequence[StoredVote], incoming: Sequence[Vote], conflict: Conflict) -> Change:
    """Which of the incoming votes are new, and which contradict.

    A vote is known when the same labeller already said the same of the item. With ``votes`` a repeated row
    is a further vote (the k-th equal row is known when k are stored); otherwise a repeated row is a copy.

    >>> reconcile([], [Vote("a", "yes"), Vote("a", "yes"), Vote("b", "no")], "refuse").unchanged
    1
    """
    stored = Counter((row.id, row.labeller, same(row.value)) for row in current)
    newest = {(row.id, row.labeller): row.number for row in current}
    said: dict[str, dict[str, str]] = {}  # id -> value -> who said it first
    for known in current:
        _say(said, known)
    seen: Counter[tuple[str, str, str]] = Counter()
    added: list[tuple[Vote, int | None]] = []
    conflicts: list[str] = []
    for row in incoming:
        key = (row.id, row.labeller, same(row.value))
        seen[key] += 1
        if seen[key] <= stored[key] or (conflict != "votes" and seen[key] > 1):
            continue
        others = {value: who for value, who in said.get(row.id, {}).items() if value != key[2]}
        if others and row.value is not None:
            conflicts.append(_contradiction(row, others))
        _say(said, row)
        added.append((row, newest.pop(key[:2], None) if conflict == "replace" else None))
    return Change(tuple(added), len(incoming) - len(added), tuple(conflicts))


def _say(said: dict[str, dict[str, str]], row: Vote) -> None:
    if row.value is not None:
        said.setdefault(row.id, {}).setdefault(same(row.value), row.labeller)


def _contradiction(row: Vote, others: Mapping[str, str]) -> str:
    where = f"line {row.line}: " if row.line is not None else ""
    before = ", ".join(f"{value} ({who})" for value, who in others.items())
    return f"{where}item {row.id} is {same(row.value)} ({row.labeller}) but was {before}"
