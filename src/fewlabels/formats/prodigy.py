"""Prodigy: tasks for its ``choice`` view go out, the JSONL of ``prodigy db-out`` comes back.

Read are the ``choice`` view (``accept`` holds the chosen options) and the binary view (``label`` with the answer
"accept" or "reject"). The answer "ignore" is a skip. Our id travels in ``meta.fewlabels_id``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fewlabels.errors import FewlabelsError

from .common import Row, Task, Vocabulary, json_lines

KEY = "fewlabels_id"


def write(path: Path, tasks: Sequence[Task], vocabulary: Vocabulary, predictions: bool) -> None:
    """Write tasks; an item with several votes has several lines, each with its answer."""
    options = [{"id": name, "text": name} for name in vocabulary.classes]
    style = "multiple" if vocabulary.task == "multilabel" else "single"
    with path.open("w", encoding="utf-8") as file:
        for task in tasks:
            meta: dict[str, Any] = {KEY: task.id}
            if predictions and task.prediction is not None:
                meta["prediction"] = task.prediction
            row = {"text": task.id, **task.data, "options": options, "config": {"choice_style": style}, "meta": meta}
            for vote in task.votes or (None,):
                file.write(json.dumps({**row, **_answered(vote)}, ensure_ascii=False) + "\n")


def _answered(vote: Any) -> dict[str, Any]:
    if vote is None:
        return {}
    chosen = [] if vote.value is None else vote.value if isinstance(vote.value, list) else [vote.value]
    answer = "ignore" if vote.value is None else "accept"
    return {"accept": chosen, "answer": answer, "_annotator_id": vote.labeller}


def read(path: Path, vocabulary: Vocabulary, column: str | None = None) -> Iterator[Row]:
    """The answers of a ``db-out`` file; lines without an answer are not labelled yet."""
    for number, row in json_lines(path):
        meta = row.get("meta") or {}
        id = meta.get(KEY, row.get(KEY))
        if id is None:
            raise FewlabelsError(
                f"{path.name}, line {number}: there is no meta.{KEY}, which `fewlabels export` puts into each task; "
                "label the exported tasks. Nothing was imported."
            )
        who = row.get("_annotator_id") or row.get("_session_id")
        answer = row.get("answer")
        value = None if answer in (None, "ignore") else _value(row, answer == "accept", vocabulary)
        yield Row(number, str(id), value, None if who is None else str(who), answer == "ignore")


def _value(row: dict[str, Any], accepted: bool, vocabulary: Vocabulary) -> str | list[str] | None:
    if "accept" in row or "options" in row:
        return list(map(str, row.get("accept", []))) if accepted else None
    if "label" not in row or vocabulary.task != "binary":
        return str(row["label"]) if "label" in row and accepted else None
    said = str(row["label"])
    if accepted or said not in vocabulary.classes:
        return said
    return next(name for name in vocabulary.classes if name != said)
