"""Recalibration: a few labels correct the model's probabilities, cell by cell.

Two classes: s = expit(a + t (c - 1/2) + beta logit p~), with p~ = .999 p + .001 mean p so that certainty is finite;
a, t and beta - 1 are Student's t with ``FREEDOM`` degrees, scaled by ``DEVIATION``: most models are nearly right, and
some are shifted as a whole, as by balanced classes in training, or far too sure of themselves. Where a few labels agree
with the scores, the narrow middle leaves little to chance, and where they do not, the heavy tails give way. Exclusive
classes: s proportional to p~^beta exp(a_y + t [y = c]).

Some labels defy every score: hidden positives, flipped labels. So m = (s + sum_j r_j D_j) / (1 + sum_j r_j), where D_j
is what such a label is (for two classes: a positive, at odds r_0, or a negative, at r_1; for more: any class, as common
as it is), and r_j ~ Gamma(``SHAPE``) with mean ``HIDDEN`` times how common that is, or ``COMMON`` where it is more
common than that. Totals presume s of the labels that are left, since where nothing defied its score the truth is that
nothing does; variances allow for m, because one defiant label that was drawn with a small chance outweighs all the
others. Limits look one way each: a limit towards a class that is to miss with chance t allows for as many labels that
defy their scores for that class as there are with chance 1 - t, and takes the other kind at its median, which is next
to none where none was seen. A sample that met none cannot tell a clean pool from one with a few, so only the one limit
can answer for them.

Labels are not weighted: a prior of one label's worth is enough, and weights would only add noise.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_softmax, logit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Posterior = tuple[Floats, Floats]

TRUST = 0.999
PRIOR, DEVIATION = np.array([0.0, 0.0, 1.0]), np.array([1.0, 1.0, 0.35])
FREEDOM = 3.0  # of these priors: the least whole number with a variance
AMONG = np.array([1.0, 1.0, 0.5])  # how far one label of many may stray from what all of them share
CLASS_BIAS = 0.5  # how far the log odds of one exclusive class may stray from the others'
HIDDEN = 0.0075  # the part of labels that is expected to defy the scores; a quarter of what the design insures against
COMMON = 0.05  # how common the defiant kind counts at the most: slips do not grow with the class they end up in
SHAPE = 0.1  # of the Gamma prior of defiance: small, so that a single defiant label is believed
_STEPS = 50
_TINY = 1e-12


class Fit(NamedTuple):
    """A recalibrated model: m[cell, y], its parameters with their covariance, and ``pull``.

    ``plain`` is s[cell, y], what it says where no label defies its score.
    ``pull(left)`` is the gradient of sum_cells left * m[cell, y] in the parameters, [y, parameter].
    ``agreement`` is exp(-x^2/2), x the distance from the prior's middle in its own units: 1 where the scores are right.
    ``towards(y, tail)`` is m for the limit towards class y; for more than two classes it is m itself.
    """

    m: Floats
    plain: Floats
    theta: Floats
    cov: Floats
    pull: Callable[[Floats], Floats]
    agreement: float
    towards: Callable[[int, float], Floats]


class Scores(NamedTuple):
    """A model of scored cells: ``chances(theta)`` is s[cell, y]; ``jacobian(s)`` is ds/dtheta[cell, y, parameter].

    ``pull(s, left)`` is sum_cells left * jacobian, without the room that the jacobian takes in pools of many classes.
    """

    chances: Callable[[Floats], Floats]
    jacobian: Callable[[Floats], Floats]
    pull: Callable[[Floats, Floats], Floats]


def softened(p: Floats, sizes: NDArray[np.int64]) -> Floats:
    """p~ = .999 p + .001 mean p, away from 0 and 1."""
    mean = np.average(p, axis=0, weights=sizes)
    return np.clip(TRUST * p + (1.0 - TRUST) * mean, 1e-12, 1.0 - 1e-12)


def defied(s: Floats, r: Floats, kinds: Floats) -> Floats:
    """m = (s + r . D) / (1 + sum r), away from 0 and 1; for several r at once, m[..., cell, y]."""
    whole = 1.0 + r.sum(axis=-1)
    return np.asarray(np.clip((s + (r @ kinds)[..., None, :]) / whole[..., None, None], _TINY, 1.0))


def _slopes(m: Floats, ds: Floats, r: Floats, kinds: Floats) -> Floats:
    """dm/d(theta, log r)[(cell, y), parameter]."""
    odds = r * (kinds.T[None, :, :] - m[:, :, None])
    return np.asarray(np.concatenate([ds, odds], axis=2).reshape(m.size, -1) / (1.0 + r.sum()))


def scored(
    theta: Floats, loss: Callable[[Floats], float], derivatives: Callable[[Floats], tuple[Floats, Floats]], wide: int
) -> Floats:
    """The least loss by Fisher scoring with halved steps; behind the first ``wide`` parameters steps are held to 2."""
    now = loss(theta)
    for _ in range(_STEPS):
        step = np.linalg.solve(*derivatives(theta)[::-1])
        step[wide:] = np.clip(step[wide:], -2.0, 2.0)
        while (then := loss(theta + step)) > now + 1e-12 * abs(now):
            step = step / 2
        theta, gain, now = theta + step, now - then, then
        if gain <= 1e-9 * (1.0 + abs(now)):
            break
    return theta


def fitted(
    counts: Floats,
    of: Callable[[NDArray[np.bool_]], Scores],
    prior: Floats,
    deviation: Floats,
    kinds: Floats,
    common: Floats,
) -> Fit:
    """The mode of the posterior given ``counts[cell, y]`` labels.

    ``of(cells)`` is the model of the chosen cells; ``kinds`` and ``common`` say what defiant labels are and how
    common. The prior of log r is that of a Gamma's logarithm, so that r may fade but not vanish.
    """
    seen = counts.sum(axis=1) > 0
    here, y = of(seen), counts[seen]
    n, wide = y.sum(axis=1), len(prior)
    rate = SHAPE / (HIDDEN * np.maximum(common, 1e-9))

    def loss(at: Floats) -> float:
        r = np.exp(at[wide:])
        m = defied(here.chances(at[:wide]), r, kinds)
        strayed = np.log1p(((at[:wide] - prior) / deviation) ** 2 / FREEDOM)
        prior_loss = 0.5 * (FREEDOM + 1.0) * float(strayed.sum()) + float(rate @ r - SHAPE * at[wide:].sum())
        return prior_loss - float(np.sum(y * np.log(m)))

    def derivatives(at: Floats) -> tuple[Floats, Floats]:
        r, s = np.exp(at[wide:]), here.chances(at[:wide])
        m = defied(s, r, kinds)
        dm = _slopes(m, here.jacobian(s), r, kinds)
        downhill = (y / m).ravel() @ dm
        hold = (FREEDOM + 1.0) / (FREEDOM * deviation**2 + (at[:wide] - prior) ** 2)
        downhill[:wide] -= hold * (at[:wide] - prior)
        downhill[wide:] += SHAPE - rate * r
        curve = dm.T @ (dm * (n[:, None] / m).reshape(-1, 1))
        return downhill, curve + np.diag(np.concatenate([hold, np.maximum(rate * r, SHAPE)]))

    theta = scored(np.concatenate([prior, np.log(SHAPE / rate)]), loss, derivatives, wide)
    everywhere, r = of(np.ones(len(counts), dtype=bool)), np.exp(theta[wide:])
    s = everywhere.chances(theta[:wide])
    m = defied(s, r, kinds)

    def pull(left: Floats) -> Floats:
        odds = r * (left.sum() * kinds.T - (left @ m)[:, None])
        return np.asarray(np.concatenate([everywhere.pull(s, left), odds], axis=1) / (1.0 + r.sum()))

    agreement = float(np.exp(-0.5 * np.sum(((theta[:wide] - prior) / deviation) ** 2)))
    cov = np.asarray(np.linalg.inv(derivatives(theta)[1]), dtype=np.float64)

    @cache  # not every limit asks for it
    def posterior() -> list[Posterior]:
        return defiance(here.chances(theta[:wide]), y, r, kinds, rate)

    def towards(label: int, tail: float) -> Floats:
        if len(kinds) < m.shape[1]:
            return m
        levels = np.where(kinds[:, label] == 1, 1.0 - tail, 0.5)
        odds = [np.exp(np.interp(level, *one)) for level, one in zip(levels, posterior(), strict=True)]
        return defied(s, np.array(odds), kinds)

    return Fit(m, s, theta, cov, pull, agreement, towards)


def defiance(s: Floats, y: Floats, r: Floats, kinds: Floats, rate: Floats) -> list[Posterior]:
    """The posterior of each kind's odds, the rest being as it was fitted: chances, and log r that has them below it.

    ``s`` and ``y`` are chances and labels of the cells that have labels. Below the first step only the prior speaks,
    whose mass there is r^SHAPE / SHAPE.
    """
    found = []
    for j, most in enumerate(rate):
        steps = np.linspace(np.log(SHAPE / most) - 14.0, np.log(max(0.5, 4.0 / most)), 100)
        odds = np.repeat(r[None, :], len(steps), axis=0)
        odds[:, j] = np.exp(steps)
        density = np.einsum("cy,scy->s", y, np.log(defied(s, odds, kinds))) + SHAPE * steps - most * odds[:, j]
        density = np.exp(density - density.max())
        between = 0.5 * (density[1:] + density[:-1]) * (steps[1] - steps[0])
        reached = np.cumsum(np.concatenate([density[:1] / SHAPE, between]))
        found.append((reached / reached[-1], steps))
    return found


def features(p: Floats, c: Ints, sizes: Ints) -> Floats:
    """What the logistic model of two classes sees of a cell: one, its decision (-1/2 or 1/2) and its log odds."""
    return np.column_stack([np.ones(len(c)), (c == 1) - 0.5, logit(softened(p, sizes))])


def two_classes(
    known: Floats, counts: Floats, mean: float, prior: Floats = PRIOR, deviation: Floats = DEVIATION
) -> Fit:
    """m for cells with ``features`` known, from ``counts[cell, y]`` labels; ``mean`` is how common positives are."""

    def of(cells: NDArray[np.bool_]) -> Scores:
        x = known[cells]

        def chances(theta: Floats) -> Floats:
            eta = x @ theta
            return np.stack([expit(-eta), expit(eta)], axis=1)

        def jacobian(s: Floats) -> Floats:
            one = x * (s[:, :1] * s[:, 1:])
            return np.stack([-one, one], axis=1)

        def pull(s: Floats, left: Floats) -> Floats:
            one = (s[:, 0] * s[:, 1] * left) @ x
            return np.stack([-one, one])

        return Scores(chances, jacobian, pull)

    common = np.minimum([mean, 1.0 - mean], COMMON)
    return fitted(counts, of, prior, deviation, np.array([[0.0, 1.0], [1.0, 0.0]]), common)


def exclusive_classes(p: Floats, c: Ints, sizes: Ints, counts: Floats) -> Fit:
    """m[cell, y] for exclusive classes, from ``counts[cell, y]`` labels; theta = (beta, t, a_1, ..., a_C, log r)."""
    classes = p.shape[1]
    known = np.stack([np.log(softened(p, sizes)), c[:, None] == np.arange(classes)]).astype(np.float64)

    def of(cells: NDArray[np.bool_]) -> Scores:
        z = known[:, cells]

        def chances(theta: Floats) -> Floats:
            return np.asarray(np.exp(log_softmax(theta[0] * z[0] + theta[1] * z[1] + theta[2:], axis=1)))

        def jacobian(s: Floats) -> Floats:
            shared = [s * (one - np.sum(s * one, axis=1, keepdims=True)) for one in z]
            own = s[:, :, None] * (np.eye(classes) - s[:, None, :])
            return np.concatenate([np.stack(shared, axis=2), own], axis=2)

        def pull(s: Floats, left: Floats) -> Floats:
            open_ = left > 0
            chance, heavy = s[open_], left[open_, None] * s[open_]
            shared = [
                np.sum(heavy * (one - np.sum(chance * one, axis=1, keepdims=True)), axis=0) for one in z[:, open_]
            ]
            return np.column_stack([*shared, np.diag(heavy.sum(axis=0)) - heavy.T @ chance])

        return Scores(chances, jacobian, pull)

    prior = np.concatenate([[1.0, 0.0], np.zeros(classes)])
    deviation = np.concatenate([[1.0, 2.0], np.full(classes, CLASS_BIAS)])
    mean = np.average(p, axis=0, weights=sizes)
    return fitted(counts, of, prior, deviation, mean[None, :], np.ones(1))
