"""Recalibration: a few labels correct the model's probabilities, cell by cell.

Two classes: m = expit(a_c + beta logit p~), an intercept for each decision, with p~ = .999 p + .001 mean p so that
certainty is finite; a ~ N(0, 2^2), beta ~ N(1, 1). Exclusive classes: m proportional to p~^beta exp(a_y + t [y = c]).
Labels are not weighted: a prior of one label's worth is enough, and weights would only add noise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_softmax, logit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TRUST = 0.999
PRIOR, DEVIATION = np.array([0.0, 0.0, 1.0]), np.array([2.0, 2.0, 1.0])
AMONG = np.array([1.0, 1.0, 0.5])  # how far one label of many may stray from what all of them share
CLASS_BIAS = 0.5  # how far the log odds of one exclusive class may stray from the others'
_STEPS = 50


class Fit(NamedTuple):
    """A recalibrated model: m[cell, y], its parameters with their covariance, and ``pull``.

    ``pull(weights)`` is the gradient of sum weights * m in the parameters.
    """

    m: Floats
    theta: Floats
    cov: Floats
    pull: Callable[[Floats], Floats]


def softened(p: Floats, sizes: NDArray[np.int64]) -> Floats:
    """p~ = .999 p + .001 mean p, away from 0 and 1."""
    mean = np.average(p, axis=0, weights=sizes)
    return np.clip(TRUST * p + (1.0 - TRUST) * mean, 1e-12, 1.0 - 1e-12)


def _mode(
    prior: Floats,
    precision: Floats,
    fit: Callable[[Floats], float],
    derivatives: Callable[[Floats], tuple[Floats, Floats]],
) -> tuple[Floats, Floats]:
    """The mode of exp(-fit) times independent normal priors, by Newton's method with halved steps, and its covariance.

    ``derivatives`` gives minus the gradient of ``fit``, and its Hessian.
    """
    theta = prior.copy()

    def loss(at: Floats) -> float:
        return fit(at) + 0.5 * float(np.dot(precision, (at - prior) ** 2))

    now = loss(theta)
    for _ in range(_STEPS):
        downhill, curve = derivatives(theta)
        step = np.linalg.solve(curve + np.diag(precision), downhill - precision * (theta - prior))
        while (then := loss(theta + step)) > now + 1e-12 * abs(now):
            step = step / 2
        theta, gain, now = theta + step, now - then, then
        if gain <= 1e-9 * (1.0 + abs(now)):
            break
    return theta, np.asarray(np.linalg.inv(derivatives(theta)[1] + np.diag(precision)), dtype=np.float64)


def features(p: Floats, c: Ints, sizes: Ints) -> Floats:
    """What the logistic model of two classes sees of a cell: its decision's intercept and its log odds."""
    return np.column_stack([c == 0, c == 1, logit(softened(p, sizes))]).astype(np.float64)


def two_classes(
    known: Floats, count: Floats, positive: Floats, prior: Floats = PRIOR, deviation: Floats = DEVIATION
) -> Fit:
    """m for cells with ``features`` known, from ``positive`` of ``count`` labels in each."""
    seen = count > 0
    x, n, ones = known[seen], count[seen], positive[seen]

    def fit(theta: Floats) -> float:
        eta = x @ theta
        return float(np.dot(n, np.logaddexp(0.0, eta)) - np.dot(ones, eta))

    def derivatives(theta: Floats) -> tuple[Floats, Floats]:
        m = expit(x @ theta)
        return x.T @ (ones - n * m), x.T @ (x * (n * m * (1 - m))[:, None])

    theta, cov = _mode(prior, deviation**-2.0, fit, derivatives)
    m = np.clip(expit(known @ theta), 1e-12, 1.0 - 1e-12)

    def pull(weights: Floats) -> Floats:
        return np.asarray(known.T @ (m * (1 - m) * (weights[:, 1] - weights[:, 0])))

    return Fit(np.stack([1.0 - m, m], axis=1), theta, cov, pull)


def exclusive_classes(p: Floats, c: Ints, sizes: Ints, counts: Floats) -> Fit:
    """m[cell, y] for exclusive classes, from ``counts[cell, y]`` labels; theta = (beta, t, a_1, ..., a_C)."""
    classes = p.shape[1]
    known = np.stack([np.log(softened(p, sizes)), c[:, None] == np.arange(classes)]).astype(np.float64)
    seen = counts.sum(axis=1) > 0
    z, y, n = known[:, seen], counts[seen], counts[seen].sum(axis=1)

    def logits(at: Floats, of: Floats) -> Floats:
        return np.asarray(log_softmax(at[0] * of[0] + at[1] * of[1] + at[2:], axis=1))

    def fit(theta: Floats) -> float:
        return -float(np.sum(y * logits(theta, z)))

    def derivatives(theta: Floats) -> tuple[Floats, Floats]:
        m = np.exp(logits(theta, z))
        left, heavy = y - n[:, None] * m, n[:, None] * m
        around = z - np.sum(m * z, axis=2)[:, :, None]
        curve = np.empty((2 + classes, 2 + classes))
        curve[:2, :2] = np.einsum("sy,isy,jsy->ij", heavy, around, z)
        curve[:2, 2:] = np.einsum("sy,isy->iy", heavy, around)
        curve[2:, :2] = curve[:2, 2:].T
        curve[2:, 2:] = np.diag(heavy.sum(axis=0)) - heavy.T @ m
        return np.concatenate([np.einsum("sy,isy->i", left, z), left.sum(axis=0)]), curve

    prior = np.concatenate([[1.0, 0.0], np.zeros(classes)])
    precision = np.concatenate([[1.0, 0.25], np.full(classes, CLASS_BIAS**-2.0)])
    theta, cov = _mode(prior, precision, fit, derivatives)
    m = np.exp(logits(theta, known))

    def pull(weights: Floats) -> Floats:
        around = m * (weights - np.sum(m * weights, axis=1, keepdims=True))
        return np.concatenate([np.einsum("sy,isy->i", around, known), around.sum(axis=0)])

    return Fit(m, theta, cov, pull)
