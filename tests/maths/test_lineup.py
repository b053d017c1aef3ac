"""Numbers spread evenly along a line: each uniform, each stretch drawn close to its count, no pattern to fear."""

import itertools

import numpy as np
import pytest
from scipy.stats import chi2, kstest

from fewlabels.maths import inclusion, lineup, permanent

MANY = 4000


def below(u):
    """Items of the numbers ``u`` under their limits, found by looking at all."""
    return lambda limits: (np.flatnonzero(u < limits), u[u < limits])


@pytest.mark.parametrize("size", [1, 2, 3, 7, 16, 21])
def test_each_number_alone_is_uniform(size):
    drawn = np.array([lineup.spread(size, seed) for seed in range(MANY)])
    assert drawn.shape == (MANY, size)
    assert drawn.min() >= 0
    assert drawn.max() < 1
    for column in drawn.T:
        assert kstest(column, "uniform").pvalue > 1e-5


@pytest.mark.parametrize("power", [1, 2, 5, 9])
def test_one_of_a_block_falls_in_each_part(power):
    width = 2**power
    blocks = lineup.spread(1000, seed=4)[: 1000 // width * width].reshape(-1, width)
    parts = np.sort(np.floor(blocks * width), axis=1)
    np.testing.assert_array_equal(parts, np.broadcast_to(np.arange(width), parts.shape))


def test_blocks_toss_for_themselves():
    """Which of four neighbours is the lowest, in two blocks side by side: all 16 pairs alike."""
    counts = np.zeros((4, 4))
    for seed in range(MANY):
        first, second = lineup.spread(16, seed).reshape(4, 4)[1:3].argmin(axis=1)
        counts[first, second] += 1
    assert np.sum((counts - MANY / 16) ** 2 / (MANY / 16)) < chi2.ppf(1 - 1e-5, 15)


def test_seeds_are_independent():
    first, second = lineup.spread(20_000, 0), lineup.spread(20_000, 1)
    grid = np.histogram2d(first, second, bins=10, range=[(0, 1), (0, 1)])[0]
    assert np.sum((grid - 200) ** 2 / 200) < chi2.ppf(1 - 1e-5, 99)


@pytest.mark.parametrize("chance", [0.5, 0.07, 0.013])
def test_every_stretch_is_drawn_close_to_its_count(chance):
    """Within two boundaries of a few items each, where independent numbers would be off by many."""
    u = lineup.spread(50_000, seed=8)
    seen = np.concatenate([[0], np.cumsum(u < chance)])
    rng = np.random.default_rng(0)
    ends = np.sort(rng.integers(0, 50_001, size=(2000, 2)), axis=1)
    off = seen[ends[:, 1]] - seen[ends[:, 0]] - chance * (ends[:, 1] - ends[:, 0])
    assert np.abs(off).max() < 6


@pytest.mark.parametrize("kinds", [1, 3, 1000])
def test_the_line_is_by_kind_and_score_whatever_the_order(kinds):
    rng = np.random.default_rng(1)
    keys, kind = permanent.hashed(map(str, range(500))), rng.integers(kinds, size=500)
    score = rng.choice([0.0, 1e-9, 0.1, 0.100001, 0.3, 0.5, 0.9, 0.9999, 1.0], size=500)
    stands = lineup.line(keys, score, kind, kinds)
    lined = lineup.order(stands, keys)
    assert sorted(lined.tolist()) == list(range(500))
    assert np.all(np.diff(kind[lined] * 2 + np.round(score[lined], 4)) >= 0)
    other = rng.permutation(500)
    found = lineup.order(lineup.line(keys[other], score[other], kind[other], kinds), keys[other])
    np.testing.assert_array_equal(other[found], lined)


def test_items_that_nothing_tells_apart_are_in_the_order_of_their_keys():
    """Lines that agree in every bit still have one order, whatever the order of the pool."""
    keys, stands = permanent.hashed(map(str, range(200))), np.zeros(200, dtype=np.uint64)
    other = np.random.default_rng(0).permutation(200)
    np.testing.assert_array_equal(other[lineup.order(stands, keys[other])], lineup.order(stands, keys))


@pytest.mark.parametrize("size", [1, 2, 7, 100, 70_000])
def test_numbers_below_a_limit_are_those_of_the_whole_line(size):
    u, limits = lineup.spread(size, seed=5), np.random.default_rng(size).random(size) ** 4
    places, found = lineup.below(limits, seed=5)
    np.testing.assert_array_equal(places, np.flatnonzero(u < limits))
    np.testing.assert_array_equal(found, u[places])


def test_the_tournament_as_it_is_played():
    """Block against block, as the words have it, for every item at once: the same digits."""
    for size, seed in itertools.product((1, 2, 5, 16, 100), range(5)):
        levels = max(size - 1, 0).bit_length()
        ranked = [[n] for n in range(2**levels)]
        for level in range(levels):
            met = []
            for block in range(len(ranked) // 2):
                both = []
                for rank, pair in enumerate(zip(ranked[2 * block], ranked[2 * block + 1], strict=True)):
                    word = permanent.bits(np.array([block * 2**level + rank], dtype=np.uint64), seed)[0]
                    both += pair[::-1] if int(word) >> level & 1 else pair
                met.append(both)
            ranked = met
        places = np.empty(2**levels)
        places[ranked[0]] = np.arange(2**levels)
        np.testing.assert_array_equal(np.floor(lineup.spread(size, seed) * 2**levels), places[:size])


def test_groups_are_neighbours_of_nearly_equal_number():
    rng = np.random.default_rng(2)
    place, b = rng.permutation(1000)[:103], np.where(rng.random(103) < 0.1, 1.0, 0.3)
    group = lineup.groups(place, b, together=4)
    free = b < 1
    assert set(np.bincount(group[free]).tolist()) <= {0, 4, 5}
    assert np.all(np.bincount(group)[group[~free]] == 1)
    assert np.all(np.diff(group[free][np.argsort(place[free])]) >= 0)
    assert lineup.groups(place[:3], b[:3] * 0.5).tolist() == [0, 0, 0]
    assert lineup.groups(place[:2], np.ones(2)).tolist() == [0, 1]
    assert lineup.groups(place[:0], b[:0]).tolist() == []


H = np.array([5.0, 3.0, 2.0, 1.0, 0.8, 0.5, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1])


def test_exactly_the_budget_nested_and_the_certain_are_in():
    for seed in range(300):
        u, before = lineup.spread(12, seed), set()
        for budget in range(1, 13):
            index, b = inclusion.exactly(H, below(u), budget)
            assert len(index) == budget
            assert before < set(index.tolist())
            assert set(np.flatnonzero(b >= 1).tolist()) <= set(index.tolist())
            assert np.all(b[index] > 0)
            before = set(index.tolist())


@pytest.mark.parametrize("parts", [(3, 4), (1, 1, 1, 5), (5, 7), (2, 9, 4)])
def test_the_same_items_in_one_piece_or_in_several(parts):
    """With h as it was, rounds are the one-shot sample."""
    for seed in range(50):
        u, reached, taken = lineup.spread(12, seed), None, []
        for count in parts:
            index, reached = inclusion.exactly(H, below(u), count, reached)
            assert not set(taken) & set(index.tolist())
            taken += index.tolist()
            assert set(taken) == set(np.flatnonzero(u < reached).tolist())
        assert sorted(taken) == inclusion.exactly(H, below(u), min(sum(parts), 12))[0].tolist()


def test_inclusion_only_grows_when_worth_changes():
    rng = np.random.default_rng(3)
    for seed in range(50):
        u, reached, many = lineup.spread(40, seed), np.zeros(40), 0
        for count in (5, 8, 10):
            index, after = inclusion.exactly(rng.random(40), below(u), count, reached)
            assert len(index) == count
            assert np.all(after >= reached)
            reached, many = after, many + count
            assert np.count_nonzero(u < reached) == many


def test_inclusion_is_close_to_the_designs_own():
    """4,000 samples of 100 items: within 0.04 of min(1, kappa h), which is five standard errors, and the bias of two
    totals below 0.08 of their standard deviation, which is as many. With a dozen items of very different h, where
    moving the line by one item is much: within 0.1 and 0.2.
    """
    p = np.sort(np.random.default_rng(0).beta(0.3, 3, 100))
    for h, budget, near, close in ((np.sqrt(p * (1 - p)) + 0.01, 20, 0.04, 0.08), (H, 5, 0.1, 0.2)):
        counts, found = np.zeros(len(h)), []
        for seed in range(4000):
            index, b = inclusion.exactly(h, below(lineup.spread(len(h), seed)), budget)
            counts[index] += 1
            found.append([np.sum(1 / b[index]), np.sum(h[index] / b[index])])
        assert np.abs(counts / 4000 - inclusion.poisson(h, budget)).max() < near
        bias = np.mean(found, axis=0) - [len(h), h.sum()]
        assert np.all(np.abs(bias) < close * np.std(found, axis=0))


@pytest.mark.parametrize("h", [np.zeros(6), np.array([0, 0, 1.0, 0, 2.0, 0]), np.full(6, 5e-324), np.full(6, 1e300)])
def test_deviations_of_any_size(h):
    for seed, budget in itertools.product(range(20), range(1, 7)):
        index, b = inclusion.exactly(h, below(lineup.spread(6, seed)), budget)
        assert len(index) == budget
        assert np.all((b[index] > 0) & (b[index] <= 1))
        assert set(np.flatnonzero(h).tolist()) <= set(index.tolist()) or budget < np.count_nonzero(h)
