"""Weighted totals and the one variance, over every possible sample of tiny pools."""

import itertools

import numpy as np
import pytest
from oracles import mean_and_variance, sequences, subsets, table

from fewlabels.maths import totals

D = np.array([0.8, -1.3, 0.4, 2.1, -0.2])  # influences
B = np.array([0.9, 0.35, 0.5, 1.0, 0.15])
Q = np.array([0.4, 0.25, 0.2, 0.1, 0.05])


def one_hot(y, classes=2):
    return np.eye(classes)[np.asarray(y).reshape(len(y), -1)]


def test_tables_count_weight_by_cell():
    rng = np.random.default_rng(0)
    for blocks, classes in ((1, 2), (4, 2), (1, 5)):
        y, c = (rng.integers(0, classes, size=(30, blocks)) for _ in range(2))
        w = rng.random(30)
        np.testing.assert_allclose(totals.tables(one_hot(y, classes), c, w), table(y, c, w, classes), rtol=1e-12)


def test_expected_tables_are_the_mean_over_labels():
    rng = np.random.default_rng(1)
    p, c = rng.random((40_000, 2)), rng.random((40_000, 2)) < 0.5
    found = totals.expected_tables(p, c, 2)
    for k, y, decided in itertools.product(range(2), repeat=3):
        chance = p[:, k] if y else 1 - p[:, k]
        assert found[k, y, decided] == pytest.approx(chance[c[:, k] == decided].sum(), rel=1e-10)
    q, d = rng.dirichlet(np.ones(4), size=9000), rng.integers(0, 4, 9000)
    exclusive = totals.expected_tables(q, d, 4)
    for y, decided in itertools.product(range(4), repeat=2):
        assert exclusive[0, y, decided] == pytest.approx(q[d == decided, y].sum(), rel=1e-10)
    np.testing.assert_allclose(totals.expected_tables(p[:, 0], c[:, 0], 2), found[:1])


def test_poisson_totals_are_unbiased_and_their_variance_is_known_exactly():
    w, a = totals.poisson_weights(B)
    mean, variance = mean_and_variance((chance, np.dot(w[s], D[s])) for chance, s in subsets(B))
    assert mean == pytest.approx(D.sum(), rel=1e-12)
    assert variance == pytest.approx(np.sum((1 / B - 1) * D**2), rel=1e-12)
    estimated, _ = mean_and_variance((chance, totals.variance(D[s], a[s])) for chance, s in subsets(B))
    assert estimated == pytest.approx(variance, rel=1e-12)


def test_variance_is_a_number_whatever_the_shape_of_a_column():
    # A weight (n,) times an influence (n, 1) makes n x n terms in a peer's code; here it cannot be said.
    with pytest.raises((ValueError, TypeError)):
        totals.variance(D[:, None], totals.poisson_weights(B)[1])


def test_draws_with_replacement_are_unbiased_and_so_is_their_variance_times_m_over_m_minus_1():
    draws = 4
    outcomes = []
    for chance, order in sequences(Q, draws):
        index, counts = np.unique(order, return_counts=True)
        w, a = totals.draw_weights(Q[index], counts, draws)
        outcomes.append((chance, np.dot(w, D[index]), totals.variance(D[index], a), index, counts))
    mean, variance = mean_and_variance((c, t) for c, t, *_ in outcomes)
    assert mean == pytest.approx(D.sum(), rel=1e-12)
    assert variance == pytest.approx((np.sum(D**2 / Q) - D.sum() ** 2) / draws, rel=1e-12)
    # sum a d^2 leaves out the square of the total, which is zero for influences of scale-free metrics.
    estimated, _ = mean_and_variance((c, v) for c, _, v, *_ in outcomes)
    assert estimated == pytest.approx(np.sum(D**2 / Q) / draws, rel=1e-12)
    # Centred at the estimate itself and times M/(M-1), it is exactly unbiased.
    centred = 0.0
    for chance, total, _, index, counts in outcomes:
        spread = np.sum(counts * (D[index] / Q[index] - total) ** 2) / draws**2
        centred += chance * draws / (draws - 1) * spread
    assert centred == pytest.approx(variance, rel=1e-12)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_simple_random_samples_are_unbiased_and_so_is_their_variance(size):
    pi = np.full(len(D), size / len(D))
    samples = [np.array(s) for s in itertools.combinations(range(len(D)), size)]
    w, a = totals.poisson_weights(pi[:size])
    together = np.zeros(size, dtype=int)
    mean, variance = mean_and_variance((1 / len(samples), np.dot(w, D[s])) for s in samples)
    assert mean == pytest.approx(D.sum(), rel=1e-12)
    estimated, _ = mean_and_variance(
        (1 / len(samples), totals.variance(totals.centred(D[s], pi[s], together), a)) for s in samples
    )
    assert estimated == pytest.approx(variance, rel=1e-12)


def test_a_census_of_fixed_size_has_no_variance():
    ones = np.ones(len(D))
    np.testing.assert_array_equal(totals.centred(D, ones, np.zeros(len(D), dtype=int)), D)
    assert totals.variance(D, totals.poisson_weights(ones)[1]) == 0


def test_strata_are_unbiased_and_so_is_their_variance():
    """Every sample of two from each of two strata: groups in one call are the textbook's strata."""
    strata, z = np.array([0, 1, 0, 1, 0, 1, 1]), np.array([3.0, -1.0, 0.5, 2.0, 2.0, 0.0, 5.0])
    pi = 2.0 / np.bincount(strata)[strata]
    pairs = [itertools.combinations(np.flatnonzero(strata == k), 2) for k in (0, 1)]
    samples = [np.array(one + other) for one, other in itertools.product(*map(list, pairs))]
    found = []
    for s in samples:
        w, a = totals.poisson_weights(pi[s])
        found.append((np.dot(w, z[s]), totals.variance(totals.centred(z[s], pi[s], strata[s]), a)))
    mean, variance = mean_and_variance((1 / len(found), total) for total, _ in found)
    assert mean == pytest.approx(z.sum(), rel=1e-12)
    assert np.mean([told for _, told in found]) == pytest.approx(variance, rel=1e-12)


def test_an_item_alone_in_its_group_is_not_centred_and_a_certain_one_has_no_say():
    pi = np.array([0.5, 0.2, 0.4, 1.0, 0.3])
    d = np.array([1.0, 2.0, 3.0, 100.0, -1.0])
    np.testing.assert_array_equal(totals.centred(d, pi, np.arange(5)), d)
    mixed = totals.centred(d, pi, np.array([0, 1, 1, 1, 0]))
    keep = np.array([0, 1, 2, 4])
    np.testing.assert_allclose(mixed[keep], totals.centred(d[keep], pi[keep], np.array([0, 1, 1, 0])))
    np.testing.assert_array_equal(totals.centred(d, pi, np.array([0, 1, 2, 0, 3])), d)


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.2, 0.8), (1.0, 0.0), (0.0, 1.0)])
def test_two_rounds_are_unbiased_and_so_is_their_variance(shares):
    shares = np.array(shares)
    outcomes = []
    for first_chance, first in subsets(B[:4]):
        rest = np.setdiff1d(np.arange(4), first)
        b2 = 0.3 + 0.1 * rest + 0.05 * len(first)  # the second round may look at what the first one drew
        for second_chance, second in subsets(b2):
            index = np.concatenate([first, rest[second]])
            b = np.concatenate([B[first], b2[second]])
            rounds = np.concatenate([np.zeros(len(first), dtype=int), np.ones(len(second), dtype=int)])
            w, a = totals.round_weights(b, rounds, shares)
            outcomes.append((first_chance * second_chance, np.dot(w, D[index]), totals.variance(D[index], a)))
    mean, variance = mean_and_variance((c, t) for c, t, _ in outcomes)
    assert mean == pytest.approx(D[:4].sum(), rel=1e-12)
    if shares[1] > 0 or shares[0] == 1:
        estimated, _ = mean_and_variance((c, v) for c, _, v in outcomes)
        assert estimated == pytest.approx(variance, rel=1e-12)


def test_one_noisy_label_an_item_is_never_said_to_be_better_than_it_is():
    p = np.array([0.3, 0.9, 0.5])
    b = np.array([0.4, 0.7, 0.2])
    d0, d1 = np.array([-0.5, 0.2, -0.1]), np.array([1.0, -0.4, 0.8])
    w, a = 1 / b, 1 / b**2
    outcomes = []
    for chance, s in subsets(b):
        for bits in itertools.product((0, 1), repeat=len(s)):
            y = np.array(bits, dtype=int)
            likely = chance * np.prod(np.where(y == 1, p[s], 1 - p[s]))
            d = np.where(y == 1, d1[s], d0[s])
            outcomes.append((likely, np.dot(w[s], d), totals.variance(d, a[s])))
    mean, variance = mean_and_variance((c, t) for c, t, _ in outcomes)
    expected = p * d1 + (1 - p) * d0
    assert mean == pytest.approx(expected.sum(), rel=1e-12)
    estimated, _ = mean_and_variance((c, v) for c, _, v in outcomes)
    assert estimated == pytest.approx(variance + np.sum(expected**2), rel=1e-12)
