"""LURE against the enumeration of every sequence that can be drawn."""

from itertools import permutations

import numpy as np
import pytest

from experiments.baselines import lure

Q = np.array([0.5, 0.2, 0.2, 0.07, 0.03])
LOSS = np.array([1.0, 0.0, 2.0, 5.0, 0.5])


def sequences(q, budget):
    """Every ordered draw without replacement with its probability."""
    for order in permutations(range(len(q)), budget):
        index = np.array(order)
        yield index, float(np.prod(lure.at_step(q, index)))


@pytest.mark.parametrize("budget", [1, 2, 3, 4, 5])
def test_mean_is_unbiased_over_all_sequences(budget):
    total = expected = 0.0
    for index, probability in sequences(Q, budget):
        v = lure.weights(lure.at_step(Q, index), len(Q))
        total += probability
        expected += probability * np.mean(v * LOSS[index])
    assert total == pytest.approx(1.0)
    assert expected == pytest.approx(LOSS.mean())


def test_exponential_times_draw_with_the_sequential_probabilities():
    rng = np.random.default_rng(1)
    repetitions = 20_000
    seen = {}
    for _ in range(repetitions):
        index, step = lure.draw(Q, 2, rng)
        assert step == pytest.approx(lure.at_step(Q, index))
        seen[tuple(index)] = seen.get(tuple(index), 0) + 1
    for index, probability in sequences(Q, 2):
        noise = np.sqrt(probability * (1 - probability) / repetitions)
        assert abs(seen.get(tuple(index), 0) / repetitions - probability) < 4.5 * noise


def test_everything_labelled_is_the_census():
    c, y = np.array([1.0, 1.0, 0.0, 0.0, 1.0]), np.array([1.0, 0.0, 1.0, 0.0, 1.0])
    index, step = lure.draw(Q, 5, np.random.default_rng(0))
    guess = lure.estimate(0.5, c[index], y[index], step, 5)
    assert guess.value == pytest.approx(2 * 2 / (3 + 3))
    assert guess.stderr == 0.0


def test_standard_error_agrees_with_the_spread_of_estimates():
    rng = np.random.default_rng(5)
    p = rng.beta(0.5, 1.5, 3000)
    y = (rng.random(3000) < p).astype(float)
    c = (p >= 0.5).astype(float)
    q = lure.clipped(lure.expected_deviation(0.5, p, c))
    guesses = []
    for _ in range(400):
        index, step = lure.draw(q, 200, rng)
        guesses.append(lure.estimate(0.5, c[index], y[index], step, 3000))
    values = np.array([g.value for g in guesses])
    truth = (c * y).sum() / (0.5 * (c + y)).sum()
    assert abs(values.mean() - truth) < 4 * values.std() / np.sqrt(400) + 0.003
    assert np.mean([g.stderr for g in guesses]) == pytest.approx(values.std(), rel=0.15)


def test_nothing_in_the_denominator_is_unknown_not_zero():
    guess = lure.estimate(0.0, np.zeros(3), np.zeros(3), np.full(3, 0.2), 10)
    assert np.isnan(guess.value)
    assert np.isnan(guess.stderr)


def test_acquisition_for_accuracy_is_the_chance_of_an_error():
    assert lure.expected_loss(np.array([0.9, 0.6])) == pytest.approx([0.1, 0.4])
