import json
import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from fewlabels import studyfile
from fewlabels.errors import FewlabelsError
from fewlabels.study import Item, Round, Study
from fewlabels.votes import Vote, reconcile

DRAW = Round("draw", {"budget": 3}, {"index": [1, 2, 3]})
ITEMS = [Item("a", 0.5, {"text": "ä"}), Item("b", 0.1), Item("c", 0.9)]


@pytest.fixture
def study(tmp_path):
    with Study.create(tmp_path / "study.db", {"fingerprint": "f" * 64}, DRAW, ITEMS) as study:
        yield study


def test_stores_what_was_drawn(study):
    with Study.open(study.path) as again:
        assert again.facts() == {"fingerprint": "f" * 64}
        (only,) = again.rounds()
        assert (only.kind, only.design, only.sample, only.round) == (
            "draw",
            {"budget": 3},
            {"index": [1, 2, 3]},
            1,
        )
        assert [(item.id, item.data) for item in again.items()] == [
            ("b", {}),
            ("a", {"text": "ä"}),
            ("c", {}),
        ]


def test_settings_that_keep_labels(study):
    def get(name):
        return study._db.execute(f"PRAGMA {name}").fetchone()[0]

    assert (get("journal_mode"), get("synchronous"), get("foreign_keys")) == ("wal", 2, 1)
    assert get("user_version") == len(studyfile.MIGRATIONS)


def test_labels_are_append_only_and_corrections_keep_history(study):
    study.record([Vote("a", "yes", "ann")])
    study.record([Vote("a", "no", "ann")], "replace")
    assert [row.value for row in study.labels()] == ["no"]
    assert [(row.value, row.replaces) for row in study.labels(history=True)] == [("yes", None), ("no", 1)]
    for statement in ("UPDATE labels SET value = 'x'", "DELETE FROM labels"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            study._db.execute(statement)
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        study._db.execute("INSERT INTO labels (id, labeller, value, source, at) VALUES ('z', 'l', '1', 's', 't')")


def test_a_correction_corrects_only_the_same_labeller(study):
    study.record([Vote("a", "yes", "ann"), Vote("a", "yes", "bob")])
    change = study.record([Vote("a", "no", "bob")], "replace")
    assert len(change.conflicts) == 1
    assert [(row.labeller, row.value) for row in study.labels()] == [("ann", "yes"), ("bob", "no")]


def test_refuses_unknown_ids_and_stores_nothing(study):
    with pytest.raises(FewlabelsError, match=r"not in the sample.*: zz; no label was stored"):
        study.record([Vote("a", "yes"), Vote("zz", "no")])
    assert study.labels() == []


def test_refused_contradictions_name_both_sides(study):
    study.record([Vote("a", "yes", "ann")])
    with pytest.raises(FewlabelsError, match=r'line 7: item a is "no" \(bob\) but was "yes" \(ann\)'):
        study.record([Vote("b", "yes", "bob", 6), Vote("a", "no", "bob", 7)], "refuse")
    assert len(study.labels()) == 1


@pytest.mark.parametrize("conflict", ["refuse", "votes", "replace"])
def test_recording_twice_changes_nothing(study, conflict):
    rows = [Vote("a", "yes", "ann"), Vote("a", "yes", "bob"), Vote("b", None, "ann")]
    assert len(study.record(rows, conflict).added) == 3
    before = study.labels(history=True)
    again = study.record(rows, conflict)
    assert (again.added, again.unchanged, study.labels(history=True)) == ((), 3, before)


def test_votes_of_nobody_in_particular_are_counted():
    rows = [Vote("a", "yes"), Vote("a", "no"), Vote("a", "yes")]
    change = reconcile([], rows, "votes")
    assert (len(change.added), len(change.conflicts)) == (3, 2)
    assert len(reconcile([], rows, "refuse").added) == 2


def test_todo_and_labelled(study):
    study.record([Vote("a", "yes"), Vote("c", None)])
    assert [item.id for item in study.items("todo")] == ["b"]
    assert [item.id for item in study.items("labelled")] == ["a", "c"]


def test_rounds_come_in_order_and_old_items_stay_first(study):
    assert study.add_round(Round("extend", {"budget": 5}, {}), [Item("d", 0.0), Item("e", 0.7)]) == 2
    assert [item.id for item in study.items()] == ["b", "a", "c", "d", "e"]
    with pytest.raises(sqlite3.IntegrityError):
        study.add_round(Round("extend", {"budget": 6}, {}), [Item("f", 0.3), Item("a", 0.4)])
    assert len(study.rounds()) == 2
    assert len(study.items()) == 5


def test_another_pool_is_refused(study):
    Study.open(study.path, fingerprint="f" * 64).close()
    with pytest.raises(FewlabelsError, match=r"drawn from a pool with fingerprint ffffffffffff, this pool has 0000"):
        Study.open(study.path, fingerprint="0" * 64)


def test_never_writes_over_a_study_unless_asked(study):
    with pytest.raises(FewlabelsError, match="already exists"):
        Study.create(study.path, {}, DRAW, ITEMS)
    study.record([Vote("a", "yes")])
    study.close()
    with Study.create(study.path, {}, DRAW, ITEMS, overwrite=True) as new:
        assert new.labels() == []
    assert [p.name for p in study.path.parent.iterdir() if p.suffix == ".new"] == []


def test_files_that_are_no_study(tmp_path):
    (tmp_path / "study.db").write_text("id,label\n1,2\n" * 100)
    with pytest.raises(FewlabelsError, match="cannot be read as a study"):
        Study.open(tmp_path / "study.db")
    with pytest.raises(FewlabelsError, match=r"no study file .*studi.db; did you mean study.db\?"):
        Study.open(tmp_path / "studi.db")
    with pytest.raises(FewlabelsError, match="there is no folder"):
        Study.create(tmp_path / "no" / "study.db", {}, DRAW, ITEMS)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE t (x)")
    db.close()
    with pytest.raises(FewlabelsError, match="not a study"):
        Study.open(other)


def test_old_files_are_migrated_and_newer_ones_refused(study, monkeypatch):
    path = study.path
    study.record([Vote("a", "yes")])
    study._db.execute("DROP VIEW current_labels")
    study._db.execute("PRAGMA user_version = 1")
    study.close()
    with Study.open(path) as migrated:
        assert [row.value for row in migrated.labels()] == ["yes"]
        assert studyfile.version(migrated._db) == 2
    monkeypatch.setattr(studyfile, "MIGRATIONS", studyfile.MIGRATIONS[:1])
    with pytest.raises(FewlabelsError, match=r"study version 2, this program knows 1; upgrade"):
        Study.open(path)


def test_a_failed_migration_leaves_the_old_file(study, monkeypatch):
    path = study.path
    study.close()
    monkeypatch.setattr(studyfile, "MIGRATIONS", (*studyfile.MIGRATIONS, "CREATE TABLE x (y);\nnonsense;\n"))
    with pytest.raises(FewlabelsError, match="cannot be read"):
        Study.open(path)
    monkeypatch.undo()
    with Study.open(path) as study:
        assert studyfile.version(study._db) == 2


def test_two_writers_at_once(study):
    def write(who):
        with Study.open(study.path) as mine:
            for n in range(100):
                mine.record([Vote("abc"[n % 3], f"{n}", who)])

    threads = [threading.Thread(target=write, args=(who,)) for who in ("ann", "bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = [row.labeller for row in study.labels()]
    assert (counts.count("ann"), counts.count("bob")) == (100, 100)


def test_a_backup_is_a_study(study, tmp_path):
    study.record([Vote("a", "yes")])
    study.backup(tmp_path / "copy.db")
    with Study.open(tmp_path / "copy.db") as copy:
        assert copy.labels() == study.labels()


def test_killed_at_any_moment_nothing_acknowledged_is_lost(tmp_path):
    script = Path(__file__).with_name("crash_writers.py")
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(script), str(tmp_path), "300", "1"]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert run.returncode == 0, run.stderr
    counts = json.loads(run.stdout)
    assert counts["kills"] >= 300
    assert counts["created"] > 5
    assert counts["acknowledged"] > 100
    assert (counts["lost"], counts["partial"]) == (0, 0)


@pytest.mark.parametrize("version", [None, 0, 7])
def test_what_is_not_a_study_is_refused_and_left_as_it_was(tmp_path, version):
    path = tmp_path / "other.db"
    path.touch()
    if version is not None:
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE theirs (x)")
            db.execute(f"PRAGMA user_version = {version}")
        db.close()
    before = path.read_bytes()
    with pytest.raises(FewlabelsError, match="not a study; give a file made by"):
        Study.open(path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["other.db"]
