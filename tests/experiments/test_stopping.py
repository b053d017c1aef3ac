"""What looking and stopping cost, in a quick look."""

import json
import sys

import pytest

from experiments import stopping


def test_the_page_is_made_from_what_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(stopping, "POOLS", ("under",))
    monkeypatch.setattr(stopping, "MOST", 120)
    monkeypatch.setattr(stopping, "WANTED", 0.2)
    told = ["stopping", "--runs", "6", "--out", str(tmp_path / "numbers.json"), "--publish", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", told)
    stopping.main()
    (row,) = json.loads((tmp_path / "numbers.json").read_text())
    assert row["labels_at_stop"] < 120  # some studies stop before the end
    assert row["missed_once_sequence"] <= row["missed_once"] <= 1
    assert f"| {row['labels_at_stop']:.0f} |" in (tmp_path / "stopping.md").read_text()


def test_a_study_that_is_never_narrow_enough_is_judged_at_its_end(monkeypatch):
    monkeypatch.setattr(stopping, "MOST", 40)
    monkeypatch.setattr(stopping, "WANTED", 1e-6)
    (pool, truth) = next(iter(stopping.pools(0).values()))
    told = stopping.study(pool, truth, 0.5, seed=1)
    assert told["labels"] == 40
    assert told["held"] in (True, False)


@pytest.mark.parametrize("name", stopping.POOLS)
def test_every_pool_has_a_law(name):
    assert name in stopping.simulated.LAWS
