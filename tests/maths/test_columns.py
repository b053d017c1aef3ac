"""Cells, recalibration and the columns of assisted totals, against sums over single items."""

import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats

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


P = np.array([0.02, 0.1, 0.3, 0.6, 0.8, 0.95])
SIZES = np.array([500, 300, 100, 80, 60, 40])
FEATURES = calibration.features(P, (P > 0.5).astype(int), SIZES)
MEAN = float(np.average(P, weights=SIZES))
LABELS = np.array([[9.0, 1], [9, 3], [4, 5], [4, 4], [2, 6], [0, 6]])


def defiant(x, theta):
    r0, r1 = np.exp(theta[3:])
    return (1 / (1 + np.exp(-x @ theta[:3])) + r0) / (1 + r0 + r1)


def test_recalibration_is_the_mode_of_the_posterior():
    fit = calibration.two_classes(FEATURES, LABELS, MEAN)
    expected = calibration.HIDDEN * np.minimum([MEAN, 1 - MEAN], calibration.COMMON)

    def loss(theta):
        m = defiant(FEATURES, theta)
        likelihood = LABELS[:, 1] @ np.log(m) + LABELS[:, 0] @ np.log(1 - m)
        gamma = stats.gamma(calibration.SHAPE, scale=expected / calibration.SHAPE)  # its logarithm has density r f(r)
        rates = np.sum(gamma.logpdf(np.exp(theta[3:])) + theta[3:])
        prior = stats.t(calibration.FREEDOM, calibration.PRIOR, calibration.DEVIATION)
        return -np.sum(prior.logpdf(theta[:3])) - likelihood - rates

    start = np.concatenate([calibration.PRIOR, np.log(expected)])
    best = optimize.minimize(
        loss, start, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 20_000, "maxfev": 20_000}
    )
    np.testing.assert_allclose(fit.theta, best.x, atol=1e-3)
    np.testing.assert_allclose(fit.m[:, 1], defiant(FEATURES, best.x), atol=1e-4)
    np.testing.assert_allclose(fit.m.sum(axis=1), 1)


@pytest.mark.parametrize("classes", [2, 3])
def test_pull_is_the_gradient_of_the_model(classes):
    if classes == 2:
        fit = calibration.two_classes(FEATURES, LABELS, MEAN)
        model = lambda theta: np.stack([1 - defiant(FEATURES, theta), defiant(FEATURES, theta)], axis=1)  # noqa: E731
    else:
        p, c, sizes = RNG.dirichlet(np.ones(3), size=8), np.arange(8) % 3, np.full(8, 50)
        fit = calibration.exclusive_classes(p, c, sizes, RNG.integers(0, 4, size=(8, 3)).astype(float))
        soft, mean = calibration.softened(p, sizes), np.average(p, axis=0, weights=sizes)

        def model(theta):
            s = soft ** theta[0] * np.exp(theta[1] * (c[:, None] == np.arange(3)) + theta[2:5])
            r = np.exp(theta[5])
            return (s / s.sum(axis=1, keepdims=True) + r * mean) / (1 + r)

    np.testing.assert_allclose(model(fit.theta), fit.m, atol=1e-12)
    left = RNG.integers(0, 5, size=len(fit.m)).astype(float)
    numeric = optimize.approx_fprime(fit.theta, lambda theta: left @ model(theta), 1e-7)
    np.testing.assert_allclose(fit.pull(left), numeric, atol=1e-4)


def test_one_label_that_defies_its_score_is_believed():
    p, sizes = np.array([1e-6, 0.3, 0.9]), np.array([9000, 600, 400])
    x, mean = calibration.features(p, (p > 0.5).astype(int), sizes), float(np.average(p, weights=sizes))
    none, one = ([[100.0 - k, k], [14, 6], [2, 18]] for k in (0, 1))
    quiet, warned = (calibration.two_classes(x, np.array(n), mean).m[0, 1] for n in (none, one))
    assert quiet == pytest.approx(calibration.HIDDEN * min(mean, calibration.COMMON), rel=0.5)
    assert 0.002 < warned < 0.02  # one in a hundred was seen
    assert warned > 5 * quiet


@pytest.mark.parametrize("seen", [0, 1])
@pytest.mark.parametrize("kind", [0, 1])
def test_quantiles_of_defiance_are_those_of_its_posterior(seen, kind):
    """Against adaptive quadrature of the posterior of log r, the other kind as it was fitted."""
    s = np.stack([1 - P, P], axis=1)
    y = np.array([[40.0 - seen, seen], [9, 1], [4, 2], [2, 4], [1, 5], [0, 6]])
    kinds, r, rate = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([1e-4, 2e-4]), np.array([300.0, 150.0])

    def log_density(log_r):
        odds = r.copy()
        odds[kind] = math.exp(log_r)
        m = (s + odds @ kinds) / (1 + odds.sum())
        return np.sum(y * np.log(m)) + calibration.SHAPE * log_r - rate[kind] * odds[kind]

    base = max(log_density(x) for x in np.linspace(-25, 0, 200))

    def below(log_r):
        density = lambda x: math.exp(log_density(x) - base)  # noqa: E731
        return integrate.quad(density, -400, log_r, points=(-40, -15, -8), limit=400)[0]

    chances, steps = calibration.defiance(s, y, r, kinds, rate)[kind]
    for level in (0.5, 0.9, 0.96, 0.99):
        assert below(np.interp(level, chances, steps)) / below(1.0) == pytest.approx(level, abs=0.005)


def test_limits_towards_a_class_allow_for_labels_that_defy_their_scores_for_it():
    fit = calibration.two_classes(FEATURES, LABELS, MEAN)
    np.testing.assert_allclose(fit.towards(0, 0.05).sum(axis=1), 1)
    assert np.all(fit.towards(1, 0.05)[:, 1] > fit.plain[:, 1])
    assert np.all(fit.towards(1, 0.05)[:, 1] > fit.towards(0, 0.05)[:, 1])
    assert np.all(fit.towards(1, 0.01)[:, 1] > fit.towards(1, 0.05)[:, 1])


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


def test_roots():
    for root in (-31.0, -2.0, -1e-9, 0.0, 1e-3, 0.7, 39.0):
        found = roots.central_root(lambda x, root=root: math.expm1((x - root) / 9), 40.0, 1e-10)
        assert found == pytest.approx(root, abs=1e-6)
        assert roots.increasing_root(lambda x, root=root: x - root, -40.0, 40.0) == pytest.approx(root, abs=1e-9)
    assert roots.increasing_root(lambda x: x, 1.0, 2.0) == 1.0
    assert roots.increasing_root(lambda x: x, -2.0, -1.0) == -1.0
