"""Belief: our distribution over the unknown label of each item, made from the model's probabilities.

It is never the model's own word: p_a = trust p + (1 - trust) base, where base is an even chance (the paper) or the
pool's mean probability, which does not invent positives where they are rare. Mean probabilities say little of a rare
decision, though: a model that calls few items positive may be sure and wrong of most of them, and labelling a few of
them costs little. So each of them is worth at least what an item is that is wrong with chance ``wrong``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import arrays
from .errors import FewlabelsError
from .maths import influence, totals
from .metrics import Metric
from .pool import Pool

Floats = NDArray[np.float64]

RARE = 0.2  # the part of distrust that is kept for the rarer decision, as a part of the whole pool
MOST_WRONG = 0.1  # and the most of it for any one item


@dataclass(frozen=True, eq=False)
class Belief:
    """The belief scale * prob + shift over a pool's labels, and the tables that it expects."""

    prob: Floats
    decisions: NDArray[Any]
    scale: float
    shift: float | Floats
    tables: Floats
    wrong: float = 0.0

    def matching(self) -> Belief:
        """The belief that a whole item is right, for metrics that look at all its labels together."""
        right = influence.agreement(self.chances(), self.decisions)
        return own(right, np.ones(len(right), dtype=bool), 2)

    def chances(self) -> Floats:
        return np.asarray(self.scale * self.prob + self.shift)

    def slope(self, metric: Metric) -> Floats:
        """The metric's gradient at the totals that we expect."""
        return metric.slope(self.tables)

    def deviations(self, metric: Metric, model_share: float = 1.0, printed: bool = False) -> Floats:
        """h_n: how far we expect item n to move the metric."""
        slope = self.slope(metric)
        h = influence.deviations(self.prob, self.decisions, slope, self.scale, self.shift, model_share, printed)
        if self.wrong > 0:
            influence.lift_rarer(h, self.decisions, slope, self.wrong)
        return h


def own(prob: Floats, decisions: NDArray[Any], width: int) -> Belief:
    """A belief as it is given."""
    return Belief(prob, decisions, 1.0, 0.0, totals.expected_tables(prob, decisions, width))


def smoothed(pool: Pool, trust: float = 0.9, towards: str = "even") -> Belief:
    """p_a = trust p + (1 - trust) base.

    >>> smoothed(Pool([0.0, 1.0]), trust=0.9).chances()
    array([0.05, 0.95])
    """
    arrays.check_between(trust, "trust", 0, 1)
    base = np.full(pool.mean_prob.shape, 1.0 / pool.width) if towards == "even" else pool.mean_prob
    shift = (1.0 - trust) * base
    outcomes = shift if pool.task == "multiclass" else np.stack([1.0 - trust - shift, shift])
    counts = pool.expected.sum(axis=1)  # decisions of each class: (labels, c)
    per_label = outcomes[None, :] if pool.task == "multiclass" else outcomes.T
    tables = trust * pool.expected + per_label[:, :, None] * counts[:, None, :]
    if pool.task != "binary":
        return Belief(pool.prob, pool.decisions, trust, shift, tables)
    rarer = float(counts.min()) / len(pool)
    wrong = min(MOST_WRONG, RARE * (1.0 - trust) / rarer) if towards == "mean" and rarer > 0 else 0.0
    return Belief(pool.prob, pool.decisions, trust, float(shift[0]), tables, wrong)


def given(pool: Pool, distribution: Any) -> Belief:
    """The user's own label distribution, of the shape of the pool's probabilities."""
    prob = arrays.floats(distribution, "the belief")
    if prob.shape != pool.prob.shape:
        raise FewlabelsError(
            f"the belief has shape {prob.shape}, the pool's probabilities {pool.prob.shape}; they must agree."
        )
    if not (np.all(prob >= 0) and np.all(prob <= 1)):
        raise FewlabelsError("the belief must be probabilities between 0 and 1.")
    if pool.task == "multiclass" and np.any(np.abs(prob.sum(axis=1) - 1) > 1e-6):
        raise FewlabelsError("the belief in exclusive classes must sum to 1 in every row.")
    return own(prob, pool.decisions, pool.width)
