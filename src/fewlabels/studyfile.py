"""How a study lies on disk: SQLite settings, the schema and its migrations, and making a file all at once."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from .errors import FewlabelsError

# MIGRATIONS[v] takes a file from ``PRAGMA user_version`` v to v + 1. Never edit a released one: append.
MIGRATIONS = (
    """
    CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE rounds (
        round INTEGER PRIMARY KEY, kind TEXT NOT NULL, at TEXT NOT NULL,
        design TEXT NOT NULL, sample TEXT NOT NULL);
    CREATE TABLE items (
        id TEXT PRIMARY KEY, round INTEGER NOT NULL REFERENCES rounds (round),
        position REAL NOT NULL, data TEXT NOT NULL);
    CREATE TABLE labels (
        label INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL REFERENCES items (id),
        labeller TEXT NOT NULL, value TEXT NOT NULL, source TEXT NOT NULL, at TEXT NOT NULL,
        replaces INTEGER UNIQUE REFERENCES labels (label));
    CREATE INDEX labels_by_id ON labels (id);
    CREATE TRIGGER labels_stay BEFORE DELETE ON labels
        BEGIN SELECT RAISE(ABORT, 'labels are append-only'); END;
    CREATE TRIGGER labels_never_change BEFORE UPDATE ON labels
        BEGIN SELECT RAISE(ABORT, 'labels are append-only'); END;
    """,
    """
    CREATE VIEW current_labels AS SELECT * FROM labels AS this
        WHERE NOT EXISTS (SELECT 1 FROM labels AS that WHERE that.replaces = this.label);
    """,
)


def connect(path: Path) -> sqlite3.Connection:
    """Open with what keeps an acknowledged label: write-ahead log and a full sync at each commit."""
    db = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
    except BaseException:
        db.close()
        raise
    return db


def recognise(path: Path) -> None:
    """Refuse a file that is not a study, before anything of it is changed: an empty one, or somebody's database."""
    with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=60)) as db:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if version(db) == 0 or not {"facts", "rounds", "items", "labels"} <= tables:
            raise FewlabelsError(f"{path} is not a study; give a file made by `fewlabels draw`.")


def migrate(db: sqlite3.Connection, path: Path) -> None:
    """Bring the schema up to date, one version a transaction; two processes may try at once."""
    if version(db) > len(MIGRATIONS):
        raise FewlabelsError(
            f"{path} has study version {version(db)}, this program knows {len(MIGRATIONS)}; upgrade it."
        )
    while version(db) < len(MIGRATIONS):
        db.execute("BEGIN IMMEDIATE")
        try:
            now = version(db)  # another process may have migrated while this one waited for the lock
            if now < len(MIGRATIONS):
                for statement in statements(MIGRATIONS[now]):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {now + 1}")
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")


def version(db: sqlite3.Connection) -> int:
    """The schema version the file says it has."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one: ``executescript`` would commit the transaction around them.

    >>> [s.strip() for s in statements("SELECT 1;\\nSELECT\\n2;")]
    ['SELECT 1;', 'SELECT\\n2;']
    """
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def place(new: Path, path: Path, overwrite: bool) -> None:
    """Give a finished file its name; without ``overwrite`` the last moment still refuses an existing one."""
    if overwrite:
        for leftover in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
            leftover.unlink(missing_ok=True)
        os.replace(new, path)
    else:
        try:
            os.link(new, path)
        except FileExistsError as error:
            raise exists(path) from error
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def exists(path: Path) -> FewlabelsError:
    """The refusal to write over something."""
    return FewlabelsError(f"{path} already exists; choose another name, or overwrite it on purpose (--overwrite).")
