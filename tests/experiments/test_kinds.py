"""Pools of other kinds, in a quick look."""

import json
import sys

import numpy as np

from experiments import kinds


def test_the_kinds_are_what_they_are_called():
    known = {case.title: case for case in kinds.pools()}
    assert not known["only yes or no"].pool.graded
    assert len(np.unique(known["five levels"].pool.prob)) == 5
    lower = known["decided above .2"].pool
    assert np.array_equal(lower.decisions, lower.prob > 0.2)
    assert 0.001 < known["0.3% positives, N = 20,000"].chance.mean() < 0.006
    assert 0.8 < known["85% positives"].chance.mean() < 0.9
    assert all(len(case.chance) == len(case.pool) for case in known.values())


def test_the_page_is_made_from_what_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(kinds, "BUDGETS", (50, 500))
    small = [case for case in kinds.pools() if len(case.pool) == 300]
    monkeypatch.setattr(kinds, "pools", lambda: small)
    told = ["kinds", "--runs", "20", "--out", str(tmp_path / "numbers.json"), "--publish", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", told)
    kinds.main()
    rows = json.loads((tmp_path / "numbers.json").read_text())
    assert [(row["metric"], row["labels"]) for row in rows] == [("f1", 50), ("accuracy", 50)]  # 500 are not there
    words = (tmp_path / "kinds.md").read_text()
    for row in rows:
        assert f"{(row['ours']['rmse'] / row['paper']['rmse']) ** 2:.2f} | {row['ours']['cover90']:.1%} |" in words


def test_the_page_says_where_the_paper_is_ahead():
    one = {"cover90": 0.9, "cover95": 0.95, "width90": 0.1}
    rows = [
        {"pool": "good", "size": 9, "metric": "f1", "labels": 5, "runs": 2, "ours": one | {"rmse": 1.0}},
        {"pool": "bad", "size": 9, "metric": "accuracy", "labels": 5, "runs": 2, "ours": one | {"rmse": 3.0}},
    ]
    words = kinds.page([row | {"paper": one | {"rmse": 2.0}} for row in rows])
    assert "above 1 in 1 of 2 rows: accuracy of *bad*." in words
    assert "accuracy 2.25 of it (worst 2.25)" in words
