"""Permanent random numbers: uniform, independent between seeds and items, the same in any order, nested."""

import datetime
import subprocess
import sys
import uuid

import numpy as np
import pytest
from scipy.stats import chi2, kstest

from fewlabels.maths import permanent

KEYS = np.arange(20_000, dtype=np.uint64)


@pytest.mark.parametrize("seed", [0, 1, -1, 2**63, 10**30])
@pytest.mark.parametrize("keys", [KEYS, KEYS * np.uint64(2**40), permanent.hashed(f"item-{n}" for n in range(20_000))])
def test_uniform(keys, seed):
    u = permanent.uniforms(keys, seed)
    assert u.min() >= 0
    assert u.max() < 1
    assert kstest(u, "uniform").pvalue > 1e-4


@pytest.mark.parametrize("other", [1, 2, 3, 256, -1, ~0, 2**32, 2**63])
def test_seeds_are_independent(other):
    first, second = permanent.uniforms(KEYS, 0), permanent.uniforms(KEYS, other)
    grid = np.histogram2d(first, second, bins=10, range=[(0, 1), (0, 1)])[0]
    statistic = np.sum((grid - 200) ** 2 / 200)
    assert statistic < chi2.ppf(1 - 1e-5, 99)


def test_neighbouring_seeds_are_no_shifted_copies():
    first = permanent.uniforms(KEYS, 0)
    assert not any(np.isin(permanent.uniforms(KEYS, seed), first).any() for seed in range(1, 20))


def test_neighbouring_keys_are_independent():
    u = permanent.uniforms(KEYS, 7)
    for lag in (1, 2, 3, 10):
        assert abs(np.corrcoef(u[:-lag], u[lag:])[0, 1]) < 4.5 / np.sqrt(len(u))


def test_same_in_any_order_and_batch():
    keys = np.random.default_rng(0).integers(0, 2**63, size=100_000).astype(np.uint64)
    order = np.random.default_rng(1).permutation(len(keys))
    u = permanent.uniforms(keys, 5)
    np.testing.assert_array_equal(permanent.uniforms(keys[order], 5), u[order])
    np.testing.assert_array_equal(np.concatenate([permanent.uniforms(part, 5) for part in np.split(keys, 4)]), u)
    assert permanent.uniforms(keys[:1], np.int64(5))[0] == u[0]


def test_another_process_gives_the_same_keys():
    values = ["a", "é", b"a", (1, "x"), 3.5, None, uuid.UUID(int=7), datetime.date(2020, 2, 29), 12, -12, 2**70]
    code = (
        "import datetime, uuid; from fewlabels.maths import permanent; "
        f"print(permanent.hashed({values!r}.copy()).tolist())".replace("UUID(", "uuid.UUID(")
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == str(permanent.hashed(values).tolist())


def test_an_integer_has_one_key_whatever_holds_it():
    assert permanent.hashed([5, np.int32(5), np.uint64(5)]).tolist() == [5, 5, 5]
    assert permanent.hashed([-1])[0] == 2**64 - 1
    assert permanent.hashed(["5", True])[0] not in (1, 5)


def test_distinct_values_have_distinct_keys():
    keys = permanent.hashed([*range(1000), *map(str, range(1000)), *((n, n) for n in range(1000))])
    assert len(np.unique(keys)) == 3000


def test_selected_is_where_u_is_below_b():
    keys = np.arange(100_000, dtype=np.uint64)
    b = np.random.default_rng(0).random(len(keys))
    np.testing.assert_array_equal(permanent.selected(keys, 3, b), np.flatnonzero(permanent.uniforms(keys, 3) < b))
    assert len(permanent.selected(keys[:0], 3, b[:0])) == 0
    assert len(permanent.selected(keys, 3, np.ones(len(keys)))) == len(keys)
    assert len(permanent.selected(keys, 3, np.zeros(len(keys)))) == 0


def test_smallest_is_a_simple_random_sample():
    counts = np.zeros(10)
    for seed in range(4000):
        index = permanent.smallest(np.arange(10, dtype=np.uint64), seed, 3)
        assert len(index) == 3
        counts[index] += 1
    assert np.sum((counts - 1200) ** 2 / (1200 * 0.7)) < chi2.ppf(1 - 1e-5, 10)


def test_draws_have_their_probabilities():
    q = np.array([0.5, 0.3, 0.2, 0.0])
    counts = np.bincount(permanent.draws(np.arange(4, dtype=np.uint64), 11, q, 50_000), minlength=4)
    assert counts[3] == 0
    assert np.sum((counts[:3] - 50_000 * q[:3]) ** 2 / (50_000 * q[:3])) < chi2.ppf(1 - 1e-5, 2)


def test_more_draws_begin_with_the_fewer():
    q = np.random.default_rng(0).dirichlet(np.ones(50))
    keys = np.arange(50, dtype=np.uint64)
    np.testing.assert_array_equal(permanent.draws(keys, 2, q, 300)[:100], permanent.draws(keys, 2, q, 100))


def test_the_first_draws_of_many_seeds_have_their_probabilities():
    q = np.array([0.7, 0.2, 0.1])
    counts = np.bincount(
        [permanent.draws(np.arange(3, dtype=np.uint64), seed, q, 1)[0] for seed in range(5000)], minlength=3
    )
    assert np.sum((counts - 5000 * q) ** 2 / (5000 * q)) < chi2.ppf(1 - 1e-5, 2)
