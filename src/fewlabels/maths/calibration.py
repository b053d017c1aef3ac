"""Recalibration: a few labels correct the model's probabilities, cell by cell.

Two classes: m = expit(a_c + beta logit p~), an intercept for each decision, with p~ = .95 p + .05 mean p so that
certainty is finite; a ~ N(0, 2^2), beta ~ N(1, 1). Exclusive classes: m proportional to p~^beta exp(a_y + t [y = c]).
Labels are not weighted: a prior of one label's worth is enough, and weights would only add noise.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_softmax, logit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TRUST = 0.95
_STEPS = 50


def softened(p: Floats, sizes: NDArray[np.int64]) -> Floats:
    """p~ = .95 p + .05 mean p, away from 0 and 1."""
    mean = np.average(p, axis=0, weights=sizes)
    return np.clip(TRUST * p + (1.0 - TRUST) * mean, 1e-12, 1.0 - 1e-12)


def _mode(
    prior: Floats,
    precision: Floats,
    fit: Callable[[Floats], float],
    derivatives: Callable[[Floats], tuple[Floats, Floats]],
) -> Floats:
    """The mode of exp(-fit) times independent normal priors, by Newton's method with halved steps.

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
    return theta


def two_classes(p: Floats, c: Ints, sizes: Ints, count: Floats, positive: Floats) -> Floats:
    """m for each cell with probability p and decision c, from ``positive`` of ``count`` labels in it."""
    features = np.column_stack([c == 0, c == 1, logit(softened(p, sizes))]).astype(np.float64)
    seen = count > 0
    x, n, ones = features[seen], count[seen], positive[seen]

    def fit(theta: Floats) -> float:
        eta = x @ theta
        return float(np.dot(n, np.logaddexp(0.0, eta)) - np.dot(ones, eta))

    def derivatives(theta: Floats) -> tuple[Floats, Floats]:
        m = expit(x @ theta)
        return x.T @ (ones - n * m), x.T @ (x * (n * m * (1 - m))[:, None])

    theta = _mode(np.array([0.0, 0.0, 1.0]), np.array([0.25, 0.25, 1.0]), fit, derivatives)
    return np.asarray(expit(features @ theta))


def exclusive_classes(p: Floats, c: Ints, sizes: Ints, counts: Floats) -> Floats:
    """m[cell, y] for exclusive classes, from ``counts[cell, y]`` labels; theta = (beta, t, a_1, ..., a_C)."""
    classes = p.shape[1]
    features = np.stack([np.log(softened(p, sizes)), c[:, None] == np.arange(classes)]).astype(np.float64)
    seen = counts.sum(axis=1) > 0
    z, y, n = features[:, seen], counts[seen], counts[seen].sum(axis=1)

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

    prior, precision = np.zeros(2 + classes), np.full(2 + classes, 0.25)
    prior[0], precision[0] = 1.0, 1.0
    return np.asarray(np.exp(logits(_mode(prior, precision, fit, derivatives), features)))
