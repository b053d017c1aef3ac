"""Comma-separated values: a row an item (or a vote), a ``label`` column to fill in, other columns to look at.

A multi-label item has a column ``label:<class>`` for each class, with 1 or 0 to fill in: all of them or none.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from fewlabels.errors import FewlabelsError

from .common import ID, LABEL, LABELLER, SKIPPED, YES_NO, Row, Task, Vocabulary, missing_column, text_of

Cells = dict[str, str]


def label_columns(vocabulary: Vocabulary) -> list[str]:
    """The columns that hold a label.

    >>> label_columns(Vocabulary("multilabel", ("toxic", "insult")))
    ['label:toxic', 'label:insult']
    """
    if vocabulary.task == "multilabel":
        return [f"{LABEL}:{name}" for name in vocabulary.classes]
    return [LABEL]


def write(path: Path, tasks: Sequence[Task], vocabulary: Vocabulary, predictions: bool) -> None:
    """Write tasks; an item with several votes has several rows."""
    labels = label_columns(vocabulary)
    guess = ["prediction"] if predictions else []
    own = [ID, *guess, *labels, LABELLER]
    shown = list(dict.fromkeys(key for task in tasks for key in task.data if key not in own))
    with path.open("w", encoding="utf-8", newline="") as file:
        columns = [ID, *shown, *guess, *labels, LABELLER]
        out = csv.DictWriter(file, columns, lineterminator="\n")
        out.writeheader()
        for task in tasks:
            row = {ID: task.id, **{key: _cell(task.data.get(key)) for key in shown}}
            if predictions:
                row["prediction"] = _cell(task.prediction)
            for vote in task.votes or (None,):
                cells = {} if vote is None else {**_filled(vote.value, vocabulary), LABELLER: vote.labeller}
                out.writerow({**row, **cells})


def _cell(value: object) -> str:
    if isinstance(value, list):
        return "|".join(map(str, value))
    return "" if value is None else str(value)


def _filled(value: object, vocabulary: Vocabulary) -> Cells:
    if value is None:
        return dict.fromkeys(label_columns(vocabulary), SKIPPED)
    if isinstance(value, list):
        return {f"{LABEL}:{name}": str(int(name in value)) for name in vocabulary.classes}
    return {LABEL: str(value)}


def read(path: Path, vocabulary: Vocabulary, column: str | None = None) -> Iterator[Row]:
    """The rows of a file that was exported and filled in; separated by commas, semicolons or tabs."""
    text = text_of(path)
    header = text.split("\n", 1)[0]
    mark = max(",;\t", key=header.count) if header else ","
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    try:
        columns = [name.strip() for name in next(lines, [])]
        labels = [column] if column else label_columns(vocabulary)
        for name in (ID, *labels):
            if name not in columns:
                raise missing_column(name, columns, path.name)
        before = lines.line_num
        for values in lines:
            line, before = before + 1, lines.line_num
            if any(values):
                yield _row(line, dict(zip(columns, values, strict=False)), labels, vocabulary)
    except csv.Error as error:
        raise FewlabelsError(f"{path.name}, line {lines.line_num}: {error}. Nothing was imported.") from error


def _row(line: int, cells: Cells, labels: list[str], vocabulary: Vocabulary) -> Row:
    answers = [cells.get(name, "").strip() for name in labels]
    who = cells.get(LABELLER)
    id = cells.get(ID)
    skips = SKIPPED in answers and SKIPPED not in vocabulary.classes
    if skips or not any(answers):
        return Row(line, id, None, who, skips)
    if vocabulary.task != "multilabel":
        return Row(line, id, answers[0], who)
    chosen: list[str] = []
    for name, answer in zip(vocabulary.classes, answers, strict=True):
        plain = answer.casefold().removesuffix(".0")
        if plain in YES_NO[1]:
            chosen.append(name)
        elif plain not in YES_NO[0]:
            return Row(line, id, f"{LABEL}:{name} = {answer or 'empty'}", who)
    return Row(line, id, chosen, who)
