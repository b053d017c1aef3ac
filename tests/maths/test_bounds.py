"""Intervals against scipy's own distributions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fewlabels.maths import bounds


@given(st.floats(0.01, 0.99), st.floats(0.001, 0.99), st.floats(0.001, 0.3), st.floats(0.001, 0.3))
def test_beta_has_the_quantiles_of_the_beta_with_that_mean_and_variance(mean, part, below, above):
    variance = part * mean * (1 - mean)
    strength = mean * (1 - mean) / variance - 1
    law = stats.beta(mean * strength, (1 - mean) * strength)
    assert law.mean() == pytest.approx(mean)
    assert law.var() == pytest.approx(variance)
    low, high = bounds.beta(mean, variance, below, above)
    assert low == pytest.approx(law.ppf(below), rel=1e-6, abs=1e-12)
    assert high == pytest.approx(law.ppf(1 - above), rel=1e-6, abs=1e-12)


def test_large_shapes_go_over_to_the_normal_without_a_step():
    value, edge = 0.3, 0.3 * 0.7 / (1e6 / 0.7)
    before, after = (bounds.beta(value, edge * factor, 0.05, 0.05) for factor in (1.0001, 0.9999))
    np.testing.assert_allclose(before, after, rtol=1e-5)
    law = stats.beta(0.3 * 1e7, 0.7 * 1e7)
    np.testing.assert_allclose(bounds.beta(0.3, law.var(), 0.05, 0.05), [law.ppf(0.05), law.ppf(0.95)], rtol=1e-6)


def test_there_is_no_beta_at_the_ends_or_with_too_much_variance():
    assert bounds.beta(0.4, 0.0, 0.05, 0.05) == (0.4, 0.4)
    for value, variance in ((0.0, 0.01), (1.0, 0.01), (0.5, 0.25), (0.5, 0.3), (-0.1, 0.01)):
        assert all(math.isnan(limit) for limit in bounds.beta(value, variance, 0.05, 0.05))


def test_support_is_scaled():
    low, high = bounds.within((-1, 1), 0.2, 0.04, 0.05, 0.05)
    unit = bounds.beta(0.6, 0.01, 0.05, 0.05)
    assert (low, high) == pytest.approx((2 * unit[0] - 1, 2 * unit[1] - 1))
    assert bounds.within((-np.inf, np.inf), 3.0, 4.0, 0.025, 0.025) == pytest.approx(
        stats.norm(3, 2).interval(0.95), rel=1e-12
    )


def test_one_side_means_one_side():
    assert bounds.tails(0.95, "both") == pytest.approx((0.025, 0.025))
    assert bounds.tails(0.95, "lower") == (0.05, 0.0)
    assert bounds.tails(0.95, "upper") == (0.0, 0.05)
    low, high = bounds.beta(0.5, 0.01, *bounds.tails(0.95, "lower"))
    assert high == 1.0
    assert low == pytest.approx(bounds.beta(0.5, 0.01, *bounds.tails(0.9, "both"))[0])
    assert bounds.normal(0.0, 1.0, *bounds.tails(0.95, "upper")) == pytest.approx((-math.inf, 1.6448536269514722))
