"""What every exchange format shares: tasks that go out, rows that come back, and the one place that checks them."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fewlabels.errors import FewlabelsError
from fewlabels.votes import Value, Vote

ID, LABEL, LABELLER = "id", "label", "labeller"
SKIPPED = "skip"
YES_NO = ({"0", "false", "no", "n", "negative"}, {"1", "true", "yes", "y", "positive"})


@dataclass(frozen=True)
class Task:
    """One item on its way to a labeller: what to show, what the model says, and votes already given."""

    id: str
    data: Mapping[str, Any] = field(default_factory=dict)
    votes: tuple[Vote, ...] = ()
    prediction: Value = None
    score: float | None = None


@dataclass(frozen=True)
class Row:
    """One answer as a file has it, not yet checked: value None is "not labelled", ``skipped`` an answer."""

    line: int
    id: str | None
    value: str | list[str] | None
    labeller: str | None = None
    skipped: bool = False


@dataclass(frozen=True)
class Vocabulary:
    """What a file of labels may say: the kind of task, the classes' names and the ids of the sample."""

    task: str
    classes: tuple[str, ...]
    ids: Sequence[str] = ()

    def name(self, raw: object) -> str:
        """The class that ``raw`` means, or a ValueError with a near match.

        >>> Vocabulary("binary", ("ham", "spam")).name("Spam ")
        'spam'
        """
        text = str(raw).strip()
        if text in self.classes:
            return text
        plain = text.casefold().removesuffix(".0")
        by_plain = {name.casefold(): name for name in self.classes}
        if plain in by_plain:
            return by_plain[plain]
        if self.task == "binary":
            for meanings, name in zip(YES_NO, self.classes, strict=True):
                if plain in meanings:
                    return name
        near = difflib.get_close_matches(plain, by_plain, 1, 0.5)
        hint = f"did you mean {by_plain[near[0]]!r}?" if near else f"the classes are {', '.join(self.classes)}"
        raise ValueError(f"unknown class {text!r}; {hint}")


def votes(rows: Iterable[Row], vocabulary: Vocabulary, file: str, labeller: str) -> list[Vote]:
    """The votes that rows mean. One bad row and nothing is returned: the first problem is told, with its line."""
    good: list[Vote] = []
    problems: list[str] = []
    known = set(vocabulary.ids)
    for row in rows:
        try:
            vote = _vote(row, vocabulary, known, labeller)
        except ValueError as problem:
            problems.append(f"{file}, line {row.line}: {str(problem).rstrip('.?')}")
            continue
        if vote is not None:
            good.append(vote)
    if problems:
        more = f" ({len(problems) - 1} more such rows)" if len(problems) > 1 else ""
        question = "?" if "did you mean" in problems[0] else "."
        raise FewlabelsError(f"{problems[0]}{question}{more} Nothing was imported.")
    return good


def _vote(row: Row, vocabulary: Vocabulary, known: set[str], labeller: str) -> Vote | None:
    if row.id is None or row.id == "":
        raise ValueError("the id is missing; every row needs the id that was exported")
    if row.id not in known:
        near = difflib.get_close_matches(row.id, vocabulary.ids, 1, 0.5)
        hint = f"did you mean {near[0]!r}?" if near else "it is not in this study's sample"
        raise ValueError(f"unknown id {row.id!r}; {hint}")
    who = (row.labeller or "").strip() or labeller
    if row.skipped:
        return Vote(row.id, None, who, row.line)
    if row.value is None:
        return None
    if vocabulary.task == "multilabel":
        if isinstance(row.value, str):
            raise ValueError(f"a multi-label item needs a list of classes, found {row.value!r}")
        return Vote(row.id, sorted({vocabulary.name(raw) for raw in row.value}), who, row.line)
    single = row.value if isinstance(row.value, list) else [row.value]
    if len(single) != 1:
        raise ValueError(f"one class is wanted, found {len(single)} ({', '.join(map(str, single))})")
    return Vote(row.id, vocabulary.name(single[0]), who, row.line)


def missing_column(name: str, columns: Iterable[str], file: str, line: int = 1) -> FewlabelsError:
    """The refusal when a needed column or field is absent, with a near match."""
    columns = list(columns)
    near = difflib.get_close_matches(name, columns, 1, 0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(columns) or 'nothing'}."
    return FewlabelsError(f"{file}, line {line}: there is no {name!r} column; {hint} Nothing was imported.")


def text_of(path: Path) -> str:
    """The file's text; bytes that are not UTF-8 are an error that says so, not a guess."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FewlabelsError(f"cannot read {path}: {error.strerror}; check the name.") from error
    except UnicodeDecodeError as error:
        raise FewlabelsError(f"{path} is not UTF-8 text (byte {error.start}); save it as UTF-8.") from error


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSONL file with their line numbers."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        if line.strip():
            yield number, _object(line, path.name, number)


def json_list(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON list with the line on which each begins, for errors that can be found again."""
    text = text_of(path)
    decoder = json.JSONDecoder()
    place = _after_space(text, 0)
    if text[place : place + 1] != "[":
        raise FewlabelsError(f"{path.name}, line 1: a list of tasks is expected; export as JSON. Nothing was imported.")
    place = _after_space(text, place + 1)
    line, counted = 1, 0
    while text[place : place + 1] not in ("]", ""):
        line, counted = line + text.count("\n", counted, place), place
        try:
            value, end = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            raise _not_json(path.name, error.lineno, error) from error
        if not isinstance(value, dict):
            raise FewlabelsError(f"{path.name}, line {line}: an object is expected. Nothing was imported.")
        yield line, value
        place = _after_space(text, end)
        if text[place : place + 1] == ",":
            place = _after_space(text, place + 1)
    if text[place : place + 1] != "]":
        raise FewlabelsError(f"{path.name}: the list has no end, the file is cut off. Nothing was imported.")


def _after_space(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n":
        place += 1
    return place


def _object(line: str, file: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise _not_json(file, number, error) from error
    if not isinstance(value, dict):
        raise FewlabelsError(f"{file}, line {number}: an object is expected. Nothing was imported.")
    return value


def _not_json(file: str, line: int, error: json.JSONDecodeError) -> FewlabelsError:
    return FewlabelsError(f"{file}, line {line}: this is not JSON ({error.msg}). Nothing was imported.")
