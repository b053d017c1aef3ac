"""Pools that chose nothing, in a quick look."""

import json
import sys

import numpy as np
import pytest

from experiments import data, held_out


def easy():
    rng = np.random.default_rng(0)
    prob = rng.beta(0.2, 3, 4000)
    yield "easy", (prob, (rng.random(4000) < prob).astype(np.int64))


def test_the_page_is_made_from_what_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(held_out, "SOURCES", (easy,))
    monkeypatch.setattr(held_out, "BUDGETS", (100,))
    told = ["held_out", "--runs", "40", "--out", str(tmp_path / "numbers.json"), "--publish", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", told)
    held_out.main()
    (row,) = json.loads((tmp_path / "numbers.json").read_text())
    assert row["ours"]["mse"] < row["paper"]["mse"] < row["uniform"]["mse"]
    page = (tmp_path / "held-out.md").read_text()
    assert f"| {row['ours']['mse'] / row['paper']['mse']:.2f} |" in page
    assert f"| {100 * row['ours']['held']:.0f}% |" in page


@pytest.mark.skipif(data.local("raw", "mnist.npz") is None, reason="needs MNIST in FEWLABELS_DATA")
def test_scores_and_labels_belong_together():
    title, (prob, labels) = next(held_out.digits())
    assert title == "MNIST, is it a 0, nearest neighbours"
    assert np.mean((prob > 0.5) == labels) > 0.95
