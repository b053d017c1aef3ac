"""Cells, recalibration and the columns of assisted totals, against sums over single items."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from fewlabels.maths import calibration, cells, columns, roots

RNG = np.random.default_rng(0)


def test_cells_are_sums_over_their_items():
    p = np.concatenate([RNG.beta(0.3, 0.6, size=3000), [0.0, 1.0, 0.5, 1e-300, 1 - 1e-16]])
    c, b = p > 0.4, RNG.uniform(0.05, 1, size=len(p))
    found, sizes, sums, slack = cells.summarise(p, c, b)
    code = cells.codes(p, c)
    assert sizes.sum() == len(p)
    assert len(found) < 500
    for k, one in enumerate(found):
        inside = code == one
        assert sizes[k] == inside.sum()
        assert sums[k, 0] == pytest.approx(p[inside].sum(), rel=1e-12)
        assert slack[k, 0] == pytest.approx(np.sum(1 / b[inside] - 1), rel=1e-9, abs=1e-9)
        assert slack[k, 1] == pytest.approx(np.sum((1 - b[inside]) * (1 - 2 * b[inside]) / b[inside] ** 2), abs=1e-6)
        assert len(set(c[inside].tolist())) == 1
        odds = np.log(p[inside].clip(1e-12, 1 - 1e-12) / (1 - p[inside].clip(1e-12, 1 - 1e-12)))
        assert np.ptp(odds) < 0.13
    np.testing.assert_array_equal(cells.decided(found), [c[code == one][0] for one in found])


def test_recalibration_is_the_mode_of_the_posterior():
    p = np.array([0.02, 0.1, 0.3, 0.6, 0.8, 0.95])
    c = (p > 0.5).astype(int)
    sizes = np.array([500, 300, 100, 80, 60, 40])
    n, ones = np.array([10.0, 12, 9, 8, 8, 6]), np.array([1.0, 3, 5, 4, 6, 6])
    x = calibration.features(p, c, sizes)
    fit = calibration.two_classes(x, n, ones)

    def loss(theta):
        eta = x @ theta
        likelihood = np.dot(n, np.logaddexp(0, eta)) - np.dot(ones, eta)
        return likelihood + 0.5 * np.sum(((theta - calibration.PRIOR) / calibration.DEVIATION) ** 2)

    best = optimize.minimize(loss, calibration.PRIOR, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12})
    np.testing.assert_allclose(fit.theta, best.x, atol=1e-4)
    np.testing.assert_allclose(fit.m[:, 1], 1 / (1 + np.exp(-x @ best.x)), atol=1e-4)
    np.testing.assert_allclose(fit.m.sum(axis=1), 1)


def test_moments_of_a_tilted_model():
    m, g, delta = RNG.dirichlet(np.ones(4), size=5), np.array([0.0, 1.0, -0.5, 2.0]), 0.7
    mean, second, third = columns.moments(m, g, delta)
    for k in range(5):
        q = m[k] * np.exp(delta * g)
        q /= q.sum()
        centre = np.dot(q, g)
        assert mean[k] == pytest.approx(centre)
        assert second[k] == pytest.approx(np.dot(q, (g - centre) ** 2))
        assert third[k] == pytest.approx(np.dot(q, (g - centre) ** 3), abs=1e-12)


@pytest.mark.parametrize("skew", [-2.0, -0.5, 0.0, 1e-3, 0.3, 1.5])
@pytest.mark.parametrize("tail", [0.005, 0.05, 0.25])
def test_quantiles_of_a_skewed_normal(skew, tail):
    assert columns.quantile(tail, skew) == pytest.approx(stats.pearson3(skew).ppf(1 - tail), rel=2e-3)


def test_roots():
    for root in (-31.0, -2.0, -1e-9, 0.0, 1e-3, 0.7, 39.0):
        found = roots.central_root(lambda x, root=root: math.expm1((x - root) / 9), 40.0, 1e-10)
        assert found == pytest.approx(root, abs=1e-6)
        assert roots.increasing_root(lambda x, root=root: x - root, -40.0, 40.0) == pytest.approx(root, abs=1e-9)
    assert roots.increasing_root(lambda x: x, 1.0, 2.0) == 1.0
    assert roots.increasing_root(lambda x: x, -2.0, -1.0) == -1.0
