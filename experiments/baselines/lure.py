"""LURE: the levelled unbiased risk estimator with active testing (Kossen, Farquhar, Gal, Rainforth, ICML 2021).

Items are drawn one by one without replacement with probabilities q(i_m | i_1..m-1) proportional to an acquisition
score; the mean of a loss is estimated by (1/M) sum_m v_m L_m with (theirs, from Farquhar, Gal and Rainforth 2021)
v_m = 1 + (N - M)/(N - m) (1/((N - m + 1) q(i_m)) - 1). It is unbiased and exact when all are drawn.

The paper treats means of losses. Ratios were added here: numerator and denominator are two LURE means over one
sample. So was a standard error, from the spread of v (f - F g); the paper has none.
"""

from __future__ import annotations

import numpy as np

from .ratio import Floats, Guess, Ints, parts, residual_moments

CLIP = 0.1  # no item below a tenth of the uniform probability: `uniform_clip` of the authors' code


def expected_loss(confidence: Floats) -> Floats:
    """Their acquisition for accuracy: the probability that the decision is wrong."""
    return 1 - confidence


def expected_deviation(alpha: float, p: Floats, c: Floats) -> Floats:
    """Acquisition for F_alpha, in their spirit: the expected size of an item's residual."""
    return np.sqrt(residual_moments(alpha, p, c)[1])


def clipped(score: Floats, clip: float = CLIP) -> Floats:
    """Acquisition probabilities: scores normalised, none below `clip` times uniform.

    >>> clipped(np.array([0.0, 1.0])).round(3).tolist()
    [0.048, 0.952]
    """
    size = len(score)
    q = score / score.sum() if score.sum() > 0 else np.full(size, 1 / size)
    q = np.maximum(q, clip / size)
    return q / q.sum()


def draw(q: Floats, budget: int, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """The first `budget` items of the sequential draw and q(i_m) among those still left at step m.

    Sorting exponential times with rates q gives the same law as drawing one by one, in one pass.
    """
    times = rng.exponential(size=len(q)) / q
    first = np.argpartition(times, budget - 1)[:budget] if budget < len(q) else np.arange(len(q))
    index = first[np.argsort(times[first])]
    return index, at_step(q, index)


def at_step(q: Floats, index: Ints) -> Floats:
    """q of each drawn item among the items that were left when it was drawn."""
    chosen = q[index]
    left = q.sum() - np.concatenate([[0.0], np.cumsum(chosen)[:-1]])
    return chosen / np.maximum(left, chosen)


def weights(q_step: Floats, size: int) -> Floats:
    """v_m of LURE for a sample of len(q_step) among `size` items."""
    budget = len(q_step)
    if budget == size:
        return np.ones(budget)
    m = np.arange(1, budget + 1)
    return 1 + (size - budget) / (size - m) * (1 / ((size - m + 1) * q_step) - 1)


def estimate(alpha: float, c: Floats, y: Floats, q_step: Floats, size: int) -> Guess:
    """F_alpha from the drawn items in their order, with a linearised standard error."""
    v = weights(q_step, size)
    f, g = parts(alpha, c, y)
    below = float(np.mean(v * g))
    if below <= 0:
        return Guess(np.nan, np.nan)
    value = float(np.mean(v * f)) / below
    spread = v * (f - value * g) / below
    finite = np.sqrt(1 - len(v) / size)
    return Guess(value, float(np.std(spread, ddof=1) / np.sqrt(len(v)) * finite))
