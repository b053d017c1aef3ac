"""Pools that give the same samples, in a quick look."""

import dataclasses
import json
import sys

import numpy as np
import pytest
from scipy.special import expit, logit

import fewlabels as fl
from experiments import cases, twins


def told(truth, low, high):
    ones = np.ones(len(truth))
    return twins.Told(np.array(truth), 0.5 * ones, low * ones, high * ones, 0 * ones)


def test_a_limit_is_drawn_in_at_the_end_where_that_costs_least():
    # 95 truths at the value, five at the lower limit: only that end can give way without losing the others
    some = told([0.5] * 95 + [0.1] * 5, 0.1, 0.5)
    assert some.held() == 1.0
    assert twins.narrowed(some) == ("low", pytest.approx(1.0))
    spread = told(np.linspace(0.0, 1.0, 101), 0.0, 1.0)
    end, part = twins.narrowed(spread)
    assert 0.93 <= spread.held(end, part) <= 0.94


def test_a_twin_has_so_many_errors_more_and_the_same_samples_where_none_was_drawn():
    case = cases.load("calibrated/2000")
    design = fl.design(case.pool, "accuracy", 100)
    itself, twin = (twins.repeat(case, design, twins.Twin(added), 20, 3) for added in (0, 3))
    assert np.allclose(itself.truth - twin.truth, 3 / len(case.pool))
    same = twin.met == 0
    assert same.any()
    assert not itself.met.any()
    assert np.array_equal(itself.low[same], twin.low[same])
    assert np.array_equal(itself.high[same], twin.high[same])


def test_a_moved_twin_has_labels_of_other_log_odds():
    case = cases.load("calibrated/10000")
    own, more = (twins.Twin(moved=by).labels(case, [1, 2]) for by in (0.0, 1.0))
    assert np.all(more >= own)  # the same uniform numbers against higher chances
    expected = expit(logit(case.chance) + 1.0)
    spread = np.sqrt(np.sum(expected * (1.0 - expected)))
    assert abs(more.sum() - expected.sum()) < 4.0 * spread


def test_known_labels_have_no_log_odds_to_move():
    drawn = cases.load("calibrated/2000")
    known = dataclasses.replace(drawn, known=drawn.labels(np.random.default_rng(0)), chance=None)
    assert {twin.moved for twin in twins.twins(known)} == {0.0}
    assert {twin.moved for twin in twins.twins(drawn)} == {0.0, *twins.MOVED}


def test_the_page_is_made_from_what_was_measured(tmp_path, monkeypatch):
    row = {"pool": "calibrated/2000", "title": "A pool", "task": "binary", "metric": "f1", "labels": 100, "runs": 200}
    row["ours"] = {"cover90": 1.0, "width90": 0.1, "settled": 0.0}
    (tmp_path / "coverage.json").write_text(json.dumps({"cells": [row, row | {"task": "multilabel"}]}))
    monkeypatch.setattr(twins, "KNOWN", tmp_path / "coverage.json")
    monkeypatch.setattr(twins, "ADDED", (3, 100))
    monkeypatch.setattr(twins, "MOVED", ())
    command = ["twins", "--runs", "10", "--out", str(tmp_path / "numbers.json"), "--publish", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", command)
    twins.main()
    (found,) = json.loads((tmp_path / "numbers.json").read_text())
    assert found["suffers"] == "3 errors added"  # a hundred would be more than one in a hundred
    assert f"| A pool | F1 | 100 | {found['held']:.1%} |" in (tmp_path / "twins.md").read_text()


def test_without_numbers_or_cells_there_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(twins, "KNOWN", tmp_path / "none.json")
    with pytest.raises(SystemExit, match="first, from the root"):
        twins.measure(10, 0)
    assert "No binary cell" in twins.page([])
