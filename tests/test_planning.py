"""Labels against error, before any label."""

import math

import numpy as np
import pytest

import fewlabels as fl
from fewlabels import planning

POOL = fl.Pool(np.random.default_rng(0).beta(0.5, 3, size=1000))
WIDE = fl.Pool(np.random.default_rng(1).dirichlet([4, 1, 1], size=400), task="multiclass")


@pytest.mark.parametrize("like", [None, "paper"])
@pytest.mark.parametrize("metric", ["f1", "precision", "accuracy", ["f1", "recall"]])
@pytest.mark.parametrize("stderr", [0.05, 0.02, 0.005])
def test_the_number_of_labels_is_enough_and_one_less_is_not(metric, stderr, like):
    count = fl.labels_needed(POOL, metric, stderr=stderr, like=like)
    assert fl.design(POOL, metric, count, like=like).expected_stderr <= stderr
    if count > 1:
        assert fl.design(POOL, metric, count - 1, like=like).expected_stderr > stderr


def test_better_wants_more():
    wanted = [fl.labels_needed(POOL, "f1", stderr=s) for s in (0.1, 0.05, 0.02, 0.01, 1e-6)]
    assert wanted == sorted(wanted)
    assert wanted[-1] <= 1000
    assert fl.labels_needed(WIDE, "f1_macro", stderr=0.01) > fl.labels_needed(WIDE, "f1_macro", stderr=0.03)


@pytest.mark.parametrize("like", [None, "paper"])
def test_draws_are_counted_as_labels(like):
    count = fl.labels_needed(POOL, "f1", stderr=0.03, sampler="importance", like=like)
    designs = [fl.design(POOL, "f1", draws, sampler="importance", like=like) for draws in range(1, 1001)]
    first = next(d for d in designs if d.expected_stderr <= 0.03)
    assert count == math.ceil(first.expected_labels - 1e-6) < first.budget


def test_uniform_needs_more_than_poisson():
    need = {s: fl.labels_needed(POOL, "f1", stderr=0.03, sampler=s) for s in ("poisson", "uniform")}
    assert need["poisson"] < need["uniform"]


def test_equivalent_draws_of_a_design_without_replacement_are_its_labels():
    assert planning.equivalent_draws(fl.design(POOL, "f1", 40), 33) == 33


@pytest.mark.parametrize("stderr", [0, -1, float("nan"), float("inf"), "small"])
def test_a_wanted_error_is_above_zero(stderr):
    with pytest.raises(fl.FewlabelsError, match="above 0"):
        fl.labels_needed(POOL, "f1", stderr=stderr)
