"""Exchange with the places where people label: a module a format, each with ``write`` and ``read``.

``write(path, tasks, vocabulary, predictions)`` puts tasks into a file in the order given; ``read(path, vocabulary,
column)`` yields unchecked rows. Checking, with line numbers and near matches, is done once, in `common`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from fewlabels.errors import FewlabelsError
from fewlabels.votes import Vote

from . import common, csv, jsonl, label_studio, prodigy
from .common import Row, Task, Vocabulary

__all__ = ["FORMATS", "Format", "Row", "Task", "Vocabulary", "choose", "export", "label_studio", "read"]


class Format(Protocol):
    """What a format's module offers."""

    def write(self, path: Path, tasks: Sequence[Task], vocabulary: Vocabulary, predictions: bool) -> None: ...
    def read(self, path: Path, vocabulary: Vocabulary, column: str | None = None) -> Iterator[Row]: ...


FORMATS: dict[str, Format] = {"csv": csv, "jsonl": jsonl, "label-studio": label_studio, "prodigy": prodigy}
ENDINGS = {".csv": "csv", ".tsv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "label-studio"}


def choose(path: Path, name: str | None = None) -> str:
    """The format's name, from the wish or from the file's ending.

    >>> choose(Path("tasks.json")), choose(Path("out.jsonl"), "prodigy")
    ('label-studio', 'prodigy')
    """
    if name is not None and name not in FORMATS:
        raise FewlabelsError(f"there is no format {name!r}; choose one of {', '.join(FORMATS)}.")
    found = name or ENDINGS.get(path.suffix.lower())
    if found is None:
        raise FewlabelsError(f"cannot tell the format of {path} from its ending; say it with --format.")
    return found


def export(
    path: str | Path, tasks: Sequence[Task], vocabulary: Vocabulary, format: str | None = None, predictions: bool = True
) -> str:
    """Write tasks to a file; returns the format's name."""
    path = Path(path)
    name = choose(path, format)
    if not path.parent.is_dir():
        raise FewlabelsError(f"cannot write {path}: there is no folder {path.parent}; make it first.")
    FORMATS[name].write(path, tasks, vocabulary, predictions)
    return name


def read(
    path: str | Path,
    vocabulary: Vocabulary,
    format: str | None = None,
    labeller: str = "import",
    column: str | None = None,
) -> list[Vote]:
    """The votes in a file; one bad row raises an error that names its line, and nothing is returned."""
    path = Path(path)
    name = choose(path, format)
    if format is None and name == "jsonl" and _looks_like_prodigy(path):
        name = "prodigy"
    return common.votes(FORMATS[name].read(path, vocabulary, column), vocabulary, path.name, labeller)


def _looks_like_prodigy(path: Path) -> bool:
    first = next((line for line in common.text_of(path).splitlines() if line.strip()), "{}")
    try:
        row = json.loads(first)
    except json.JSONDecodeError:
        return False  # the jsonl reader will say on which line and why
    return isinstance(row, dict) and ("answer" in row or "options" in row)
