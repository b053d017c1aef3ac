"""The contest's own arithmetic: scores, curves, the bound, and draws with replacement."""

import numpy as np
import pytest

from benchmarks.peers import bound, contest, findings, ours, pools, score
from benchmarks.peers.protocol import UNKNOWN, Answer, Case, Peer, wald


def test_summary_against_a_hand_made_case():
    truth = np.array([0.5, 0.5, 0.6, 0.5])
    answers = [
        Answer(0.5, {0.9: (0.4, 0.6), 0.95: (0.3, 0.7)}, 10),
        Answer(0.7, {0.9: (0.6, 0.8), 0.95: (0.5, 0.9)}, 12),
        Answer(0.6, {0.9: (0.6, 0.6), 0.95: (0.6, 0.6)}, 11),
        Answer(np.nan, UNKNOWN, 11),
    ]
    found = score.summary(answers, truth)
    assert found["mse"] == pytest.approx((0 + 0.04 + 0 + 0.25) / 4)
    assert found["bias"] == pytest.approx((0.2 - 0.5) / 4)
    assert found["undefined"] == 0.25
    assert found["labels"] == 11
    assert (found["coverage90"], found["coverage95"]) == (0.75, 1.0)
    assert found["width90"] == pytest.approx((0.2 + 0.2 + 0 + 1) / 4)


def test_no_interval_is_not_a_bad_interval():
    found = score.summary([Answer(0.5, {}, 1), Answer(0.4, {}, 1)], np.array([0.5, 0.5]))
    assert found["coverage90"] is None
    assert found["width95"] is None


@pytest.mark.parametrize(("target", "labels"), [(0.04, 100), (0.02, 200), (0.08, 50), (0.01, 400), (0.004, 1000)])
def test_labels_for_an_error_that_falls_as_one_over_labels(target, labels):
    assert score.labels_for(target, [100, 400], [0.04, 0.01]) == pytest.approx(labels)


def test_labels_for_takes_the_first_crossing_of_a_curve_that_rises_again():
    assert score.labels_for(0.02, [100, 200, 400], [0.04, 0.02, 0.03]) == pytest.approx(200)


def small(prob, chance):
    return Case("small", "small", prob, (prob >= 0.5).astype(np.int64), chance=chance)


@pytest.mark.parametrize("metric", ["f1", "precision", "recall", "accuracy"])
def test_no_inclusion_probabilities_beat_the_bound(metric):
    rng = np.random.default_rng(0)
    case = small(rng.random(40), rng.random(40))
    least = bound.bound(case, metric, 10)
    view = case.view(metric)
    chance = view.read(np.ones(40, dtype=np.int64)) * case.chance + view.read(np.zeros(40, dtype=np.int64)) * (
        1 - case.chance
    )
    below = (view.alpha * view.c + (1 - view.alpha) * chance).sum()
    value = (view.c * chance).sum() / below
    square = ((view.c - (1 - view.alpha) * value) / below) ** 2 * chance * (1 - chance)
    for _ in range(300):
        b = np.clip(rng.random(40) ** rng.uniform(0.2, 4), 1e-6, None)
        b = np.minimum(1, b * 10 / b.sum())
        assert np.sum((1 / b - 1) * square) >= least * (1 - 1e-9)


def test_bound_is_the_error_of_the_design_that_knows_the_chances():
    rng = np.random.default_rng(4)
    chance = rng.beta(0.3, 3, 3000)
    case = small(chance, chance)
    view = case.view("accuracy")
    right = np.where(case.decisions == 1, chance, 1 - chance)
    deviation = np.sqrt(right * (1 - right)) / 3000
    b = np.minimum(1, 200 * deviation / deviation.sum())
    assert b.max() < 1
    errors = []
    for repetition in range(3000):
        y = view.read(case.labels(repetition))
        seen = rng.random(3000) < b
        errors.append((right.sum() + ((y - right) / b)[seen].sum()) / 3000 - y.mean())
    squared = np.square(errors)
    expected = bound.bound(case, "accuracy", 200)
    assert abs(squared.mean() - expected) < 4 * squared.std() / np.sqrt(3000)


def test_draws_touch_the_wanted_number_of_distinct_items():
    chances = np.random.default_rng(1).dirichlet(np.full(500, 0.3))
    draws = ours.draws_for(chances, 60)
    rng = np.random.default_rng(2)
    touched = [len(np.unique(rng.choice(500, size=draws, p=chances))) for _ in range(400)]
    assert np.mean(touched) == pytest.approx(60, abs=4 * np.std(touched) / 20 + 0.5)


def test_simulated_pools_have_the_chances_that_they_claim():
    for case in pools.simulated():
        share = np.mean([case.labels(r).mean() for r in range(50)])
        assert share == pytest.approx(case.chance.mean(), abs=4 * np.sqrt(case.chance.mean() / 10_000 / 50))
        assert np.array_equal(case.labels(3), case.labels(3))
        assert not np.array_equal(case.labels(3), case.labels(4))


def test_losses_are_found_only_beyond_noise():
    def cell(peer, mse, noise):
        return {"peer": peer, "pool": "p", "metric": "f1", "budget": 100, "mse": mse, "mse_se": noise}

    def losing(theirs, noise):
        cells = [cell("fewlabels", 2.0, noise), cell("peer", theirs, noise)]
        return list(findings.Findings({"cells": cells, "settings": {"budgets": [100]}}).losses("f1"))

    assert losing(1.0, 0.1)
    assert not losing(1.0, 0.5)
    assert not losing(3.0, 0.1)


def test_wald_of_the_unknown_is_everything():
    assert wald(np.nan, 0.1) == UNKNOWN
    assert wald(0.99, 0.1)[0.9][1] == 1.0


def test_a_lost_cell_played_again_tells_luck_from_loss():
    row = {"metric": "f1", "pool": "a", "budget": 100, "peer": "b"}
    row |= {"ours": {"mse": 2.0, "mse_se": 0.2, "repetitions": 1500}, "theirs": {"mse": 1.0, "mse_se": 0.1}}
    found = findings.Findings({"again": [row]})
    ratio, error, repetitions = found.again("f1", "a", 100, "b")
    assert (ratio, repetitions) == (0.5, 1500)
    assert error == pytest.approx(0.5 * np.hypot(0.1, 0.1))
    assert found.again("f1", "a", 300, "b") is None
    assert findings.Findings({}).again("f1", "a", 100, "b") is None


def test_cells_of_an_earlier_contest_are_not_run_again(tmp_path, monkeypatch):
    """A fresh checkout has results.json and no kept cells; who plays as before is known by the fingerprint."""
    monkeypatch.setattr(contest, "KEPT", tmp_path / "first")
    played = []

    def prepare(case, metric, budgets):
        def repeat(oracle, seed):
            played.append(seed)
            return {budget: Answer(0.5, UNKNOWN, budget) for budget in budgets}

        return repeat

    peer = Peer("guess", "a guess", prepare, "none", "here")
    case = Case("coins", "coins", np.full(20, 0.5), np.ones(20, dtype=np.int64), known=np.arange(20) % 2)
    rows = contest.cell(peer, case, "f1", [5, 10], 4)
    assert len(played) == 4
    monkeypatch.setattr(contest, "KEPT", tmp_path / "second")
    contest.restore({"cells": rows})
    assert contest.cell(peer, case, "f1", [5, 10], 4) == rows
    assert len(played) == 4
    contest.cell(peer, case, "f1", [5, 10], 5)
    assert len(played) == 9
