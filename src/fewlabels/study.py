"""The study file: one SQLite file with the pool's fingerprint, every round drawn, and every label ever given.

Labels are append-only. A correction is a new row that names the row it replaces, so what counts now is "every
row that no other row replaces", and the history stays. A label is acknowledged only after its transaction is
on disk, so a process that dies at any moment loses nothing that was acknowledged.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

from . import studyfile
from .errors import FewlabelsError, some
from .votes import Change, Conflict, StoredVote, Vote, reconcile, same

Which = Literal["all", "todo", "labelled"]


@dataclass(frozen=True)
class Item:
    """An item to label: its id, where it stands in the random order of labelling, and what to show."""

    id: str
    position: float
    data: Mapping[str, Any] = field(default_factory=dict)
    round: int = 0


@dataclass(frozen=True)
class Round:
    """One draw: its kind ("draw", "extend", "next"), the design's facts and the frozen sample's state."""

    kind: str
    design: Mapping[str, Any]
    sample: Mapping[str, Any]
    round: int = 0
    at: str = ""


class Study:
    """An open study file. Make one with `Study.create` or `Study.open`; close it, or use it in a ``with``.

    >>> import tempfile; from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "study.db"
    >>> draw = Round("draw", {"budget": 2}, {})
    >>> with Study.create(path, {"fingerprint": "f00"}, draw, [Item("a", 0.2), Item("b", 0.1)]) as study:
    ...     len(study.record([Vote("a", "yes")]).added), [item.id for item in study.items("todo")]
    (1, ['b'])
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection

    @classmethod
    def create(
        cls,
        path: str | Path,
        facts: Mapping[str, Any],
        draw: Round,
        items: Iterable[Item],
        overwrite: bool = False,
    ) -> Self:
        """Write a new study; the file appears complete or not at all, and never over another unless asked."""
        path = Path(path)
        if not path.parent.is_dir():
            raise FewlabelsError(f"cannot write {path}: there is no folder {path.parent}; make it first.")
        if path.exists() and not overwrite:
            raise studyfile.exists(path)
        new = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.new")
        try:
            with contextlib.closing(studyfile.connect(new)) as db:
                studyfile.migrate(db, path)
                study = cls(new, db)
                with study._transaction():
                    rows = [(key, json.dumps(value)) for key, value in facts.items()]
                    db.executemany("INSERT INTO facts VALUES (?, ?)", rows)
                    study._insert_round(draw, items)
            studyfile.place(new, path, overwrite)
        finally:
            new.unlink(missing_ok=True)
        return cls.open(path)

    @classmethod
    def open(cls, path: str | Path, fingerprint: str | None = None) -> Self:
        """Open a study, bring an older file up to date, refuse a pool that it was not drawn from."""
        path = Path(path)
        if not path.is_file():
            near = difflib.get_close_matches(path.name, [p.name for p in path.parent.glob("*")], 1)
            hint = f"did you mean {near[0]}?" if near else "make one with `fewlabels draw`."
            raise FewlabelsError(f"there is no study file {path}; {hint}")
        with contextlib.ExitStack() as undo:
            try:
                studyfile.recognise(path)
                db = undo.enter_context(contextlib.closing(studyfile.connect(path)))
                studyfile.migrate(db, path)
                study = cls(path, db)
                if fingerprint is not None:
                    study.check(fingerprint)
            except sqlite3.DatabaseError as error:
                raise FewlabelsError(
                    f"{path} cannot be read as a study ({error}); give a file made by `fewlabels draw`."
                ) from error
            undo.pop_all()
        return study

    def check(self, fingerprint: str) -> None:
        """Refuse a pool whose fingerprint differs from the one the sample was drawn from."""
        known = self.facts().get("fingerprint")
        if known != fingerprint:
            raise FewlabelsError(
                f"{self.path} was drawn from a pool with fingerprint {str(known)[:12]}, this pool has "
                f"{fingerprint[:12]}: ids, probabilities or decisions changed, so its sample does not fit; "
                "give the original pool, or draw a new study."
            )

    def facts(self) -> dict[str, Any]:
        """Everything said once about the study: pool, columns, metrics, seed, versions."""
        return {key: json.loads(value) for key, value in self._db.execute("SELECT key, value FROM facts")}

    def rounds(self) -> list[Round]:
        """The rounds in the order they were drawn."""
        rows = self._db.execute("SELECT kind, design, sample, round, at FROM rounds ORDER BY round")
        return [
            Round(kind, json.loads(design), json.loads(sample), number, at) for kind, design, sample, number, at in rows
        ]

    def items(self, which: Which = "all") -> list[Item]:
        """Items in the order of labelling: by round, random inside it, so stopping early does no harm."""
        has = "EXISTS (SELECT 1 FROM current_labels WHERE current_labels.id = items.id)"
        where = {"all": "1", "todo": f"NOT {has}", "labelled": has}[which]
        rows = self._db.execute(
            f"SELECT id, position, data, round FROM items WHERE {where} ORDER BY round, position, id"
        )
        return [Item(id, position, json.loads(data), number) for id, position, data, number in rows]

    def add_round(self, draw: Round, items: Iterable[Item]) -> int:
        """Append a round whose ``items`` are only the new ones; returns its number."""
        with self._transaction():
            return self._insert_round(draw, items)

    def labels(self, history: bool = False, ids: Iterable[str] | None = None) -> list[StoredVote]:
        """The labels that count now, in order of arrival; with ``history`` all that ever were.

        A skip has the value None. With ``ids``, only the labels of those items.
        """
        table = "labels" if history else "current_labels"
        where = "" if ids is None else "WHERE id IN (SELECT value FROM json_each(?))"
        rows = self._db.execute(
            f"SELECT id, value, labeller, label, at, source, replaces FROM {table} {where} ORDER BY label",
            () if ids is None else (json.dumps(list(ids)),),
        )
        return [
            StoredVote(id, json.loads(value), who, None, number, at, source, replaces)
            for id, value, who, number, at, source, replaces in rows
        ]

    def record(self, labels: Sequence[Vote], conflict: Conflict = "votes", source: str = "python") -> Change:
        """Write labels in one transaction, all of them or none; returns only when they are on disk."""
        ids = {row.id for row in labels}
        with self._transaction():
            unknown = ids - {id for (id,) in self._db.execute("SELECT id FROM items")}
            if unknown:
                raise FewlabelsError(f"not in the sample of {self.path}: {some(sorted(unknown))}; no label was stored.")
            change = reconcile(self.labels(ids=ids), labels, conflict)
            if change.conflicts and conflict == "refuse":
                raise FewlabelsError(
                    f"{len(change.conflicts)} label(s) contradict what is known, so nothing was stored: "
                    f"{'; '.join(change.conflicts[:3])}; keep both (votes) or correct the old (replace)."
                )
            now = _now()
            self._db.executemany(
                "INSERT INTO labels (id, labeller, value, source, at, replaces) VALUES (?, ?, ?, ?, ?, ?)",
                [(row.id, row.labeller, same(row.value), source, now, old) for row, old in change.added],
            )
        return change

    def backup(self, target: str | Path) -> None:
        """A consistent copy of the study, also while others write."""
        with contextlib.closing(sqlite3.connect(target)) as copy:
            self._db.backup(copy)

    def close(self) -> None:
        """Close the file; what was recorded is already on disk."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing, with the write lock from the start: what is read inside holds until the commit."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _insert_round(self, draw: Round, items: Iterable[Item]) -> int:
        (number,) = self._db.execute("SELECT COALESCE(MAX(round), 0) + 1 FROM rounds").fetchone()
        facts = (number, draw.kind, _now(), json.dumps(draw.design), json.dumps(draw.sample))
        self._db.execute("INSERT INTO rounds (round, kind, at, design, sample) VALUES (?, ?, ?, ?, ?)", facts)
        rows = [
            (item.id, number, item.position, json.dumps(item.data, ensure_ascii=False, default=str)) for item in items
        ]
        self._db.executemany("INSERT INTO items (id, round, position, data) VALUES (?, ?, ?, ?)", rows)
        return int(number)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
