"""What no interval can know, in a quick look."""

import json
import sys

from experiments import cases, unseen


def test_the_page_is_made_from_what_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(unseen, "LAWS", ("hidden/2000",))
    monkeypatch.setattr(unseen, "RARE", "calibrated/2000")
    monkeypatch.setattr(unseen, "BUDGETS", (150,))
    told = ["unseen", "--runs", "30", "--out", str(tmp_path / "numbers.json"), "--publish", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", told)
    unseen.main()
    rows = json.loads((tmp_path / "numbers.json").read_text())
    assert len(rows) == 3
    for row in rows:
        parts = [(row["met"], row["held_met"]), (1 - row["met"], row["held_unmet"])]
        assert abs(sum(part * (held or 0) for part, held in parts) - row["held_all"]) < 1e-9
    assert f"| {100 * rows[0]['held_all']:.0f}% |" in (tmp_path / "unseen.md").read_text()
    assert cases.load("hidden/2000").title in (tmp_path / "unseen.md").read_text()
