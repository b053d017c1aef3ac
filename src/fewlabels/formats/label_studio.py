"""Label Studio: tasks with the model's prediction go out, its JSON (or JSON-MIN) export comes back.

Our id travels in ``data.fewlabels_id``. `config` is the labelling interface that the predictions refer to: paste
it into the project's settings, or keep your own as long as it has one ``Choices`` tag.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from fewlabels.errors import FewlabelsError

from .common import Row, Task, Vocabulary, json_list

KEY = "fewlabels_id"
FROM, TO = "label", "text"


def config(vocabulary: Vocabulary, field: str = "text") -> str:
    """The labelling interface for a Label Studio project.

    >>> print(config(Vocabulary("binary", ("ham", "spam"))))
    <View>
      <Text name="text" value="$text"/>
      <Choices name="label" toName="text" choice="single" showInLine="true">
        <Choice value="ham"/>
        <Choice value="spam"/>
      </Choices>
    </View>
    """
    choice = "multiple" if vocabulary.task == "multilabel" else "single"
    choices = "\n".join(f"    <Choice value={quoteattr(name)}/>" for name in vocabulary.classes)
    return (
        f'<View>\n  <Text name="{TO}" value="${field}"/>\n'
        f'  <Choices name="{FROM}" toName="{TO}" choice="{choice}" showInLine="true">\n{choices}\n  </Choices>\n</View>'
    )


def write(path: Path, tasks: Sequence[Task], vocabulary: Vocabulary, predictions: bool) -> None:
    """Write tasks as Label Studio imports them, votes already given as annotations."""
    out = [_task(task, predictions) for task in tasks]
    path.write_text(json.dumps(out, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _task(task: Task, predictions: bool) -> dict[str, Any]:
    out: dict[str, Any] = {"data": {"text": task.id, **task.data, KEY: task.id}}
    if predictions and task.prediction is not None:
        said = {"model_version": "fewlabels", "result": _result(task.prediction)}
        out["predictions"] = [said if task.score is None else {**said, "score": task.score}]
    if task.votes:
        out["annotations"] = [
            {
                "result": [] if vote.value is None else _result(vote.value),
                "was_cancelled": vote.value is None,
                "completed_by": {"email": vote.labeller},
            }
            for vote in task.votes
        ]
    return out


def _result(value: str | list[str]) -> list[dict[str, Any]]:
    choices = value if isinstance(value, list) else [value]
    return [{"from_name": FROM, "to_name": TO, "type": "choices", "value": {"choices": choices}}]


def read(path: Path, vocabulary: Vocabulary, column: str | None = None) -> Iterator[Row]:
    """The annotations of an export, one row each; a cancelled annotation is a skip."""
    for line, task in json_list(path):
        data = task.get("data")
        if isinstance(data, dict):
            for annotation in task.get("annotations") or []:
                skipped = bool(annotation.get("was_cancelled"))
                who = _who(annotation.get("completed_by"))
                answer = None if skipped else _chosen(annotation.get("result") or [], vocabulary, column)
                yield Row(line, _id(data, path, line), answer, who, skipped)
        else:
            yield _minimal(task, path, line, vocabulary, column)


def _minimal(task: dict[str, Any], path: Path, line: int, vocabulary: Vocabulary, column: str | None) -> Row:
    """JSON-MIN: the data's fields and the choices side by side; several choices in an object, one as text."""
    answer = task.get(column or FROM)
    if isinstance(answer, dict):
        answer = answer.get("choices")
    if answer is None and vocabulary.task == "multilabel" and task.get("annotation_id") is not None:
        answer = []  # JSON-MIN leaves the field out when an annotation chose nothing
    if isinstance(answer, str) and vocabulary.task == "multilabel":
        answer = [answer]
    return Row(line, _id(task, path, line), answer, _who(task.get("annotator")))


def _id(data: dict[str, Any], path: Path, line: int) -> str:
    if KEY not in data:
        raise FewlabelsError(
            f"{path.name}, line {line}: the task has no {KEY}, which `fewlabels export` puts into its data; "
            "label the exported tasks. Nothing was imported."
        )
    return str(data[KEY])


def _who(person: object) -> str | None:
    if isinstance(person, dict):
        person = person.get("email") or person.get("id")
    return None if person is None else f"annotator {person}" if isinstance(person, int) else str(person)


def _chosen(result: list[dict[str, Any]], vocabulary: Vocabulary, column: str | None) -> list[str] | None:
    """The choices of one annotation; an empty multi-label one says "none of the classes"."""
    named = [
        part for part in result if part.get("type") == "choices" and (column or part["from_name"]) == part["from_name"]
    ]
    chosen = [name for part in named for name in part["value"]["choices"]]
    return chosen if chosen or vocabulary.task == "multilabel" else None
