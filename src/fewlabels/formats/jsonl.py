"""JSON lines: ``{"id": ..., <what to show>, "label": null, "labeller": null}``; a multi-label label is a list."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from .common import ID, LABEL, LABELLER, SKIPPED, Row, Task, Vocabulary, json_lines, missing_column


def write(path: Path, tasks: Sequence[Task], vocabulary: Vocabulary, predictions: bool) -> None:
    """Write tasks; an item with several votes has several lines."""
    skip = SKIPPED if vocabulary.task != "multilabel" else [SKIPPED]
    with path.open("w", encoding="utf-8") as file:
        for task in tasks:
            row = {**task.data, ID: task.id}
            if predictions:
                row |= {"prediction": task.prediction, "score": task.score}
            for vote in task.votes or (None,):
                answer = None if vote is None else skip if vote.value is None else vote.value
                line = {**row, LABEL: answer, LABELLER: vote.labeller if vote else None}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")


def read(path: Path, vocabulary: Vocabulary, column: str | None = None) -> Iterator[Row]:
    """The lines of a file that was exported and filled in."""
    field = column or LABEL
    for number, row in json_lines(path):
        for name in (ID, field):
            if name not in row:
                raise missing_column(name, row, path.name, number)
        answer = row[field]
        if answer is not None and not isinstance(answer, list):
            answer = str(int(answer) if isinstance(answer, bool | float) and answer == int(answer) else answer)
        skips = answer in (SKIPPED, [SKIPPED]) and SKIPPED not in vocabulary.classes
        who = row.get(LABELLER)
        yield Row(number, _text(row[ID]), None if skips else answer, _text(who), skips)


def _text(value: object) -> str | None:
    return None if value is None else str(value)
