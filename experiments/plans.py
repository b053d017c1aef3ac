"""The paper's samplers on a problem, for a ladder of label counts: ``fewlabels.design`` with ``like="paper"``.

The ladder counts DISTINCT labelled items, as the paper's axes do: importance and uniform sampling draw with
replacement, so their number of draws is the one whose expected distinct items are the count:
M_BS = N - sum (1 - q)^M_IS.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import fewlabels as fl
from fewlabels import planning
from fewlabels.maths import inclusion

from . import core
from .draws import Draws, Inclusion, Plan
from .problems import Problem

Floats = NDArray[np.float64]

SAMPLERS = ("uniform", "importance", "poisson")
FRACTIONS = (.005, .01, .02, .03, .05, .075, .1, .15, .2, .25, .3, .35, .4, .5, .6, .7, .8, .9, .95, .99)  # fmt: skip


def counts(problem: Problem, fractions: Sequence[float] = FRACTIONS) -> NDArray[np.int64]:
    """Label counts for fractions of the pool."""
    return np.unique(np.maximum(1, np.round(np.asarray(fractions) * problem.size).astype(np.int64)))


def plan(problem: Problem, sampler: str, metric: str, labels: Sequence[int], trust: float = core.TRUST) -> Plan:
    """One of the paper's samplers, with the items in the problem's group order."""
    order = problem.grouping[0]

    def paper(budget: float) -> fl.Design:
        return fl.design(problem.pool, metric, budget, sampler=sampler, trust=trust, like="paper")

    if sampler == "poisson":
        return Inclusion(np.stack([paper(int(count)).inclusion[order] for count in labels]))
    drawn = paper(1)
    assert drawn.chances is not None
    q = drawn.chances[order]
    return Draws(q / q.sum(), _draws([planning.equivalent_draws(drawn, float(count)) for count in labels], q))


def from_deviations(problem: Problem, h: Floats, labels: Sequence[int]) -> Plan:
    """Bernoulli sampling for deviations of one's own."""
    return Inclusion(np.stack([inclusion.poisson(h, float(count))[problem.grouping[0]] for count in labels]))


def _draws(wanted: Sequence[float], q: Floats) -> NDArray[np.int64]:
    """Whole draws; counts that q cannot reach (items with q = 0) get the draws of the last one that it can."""
    top = max((draws for draws in wanted if math.isfinite(draws)), default=float(np.count_nonzero(q)))
    return np.array([max(1, round(min(draws, top))) for draws in wanted], dtype=np.int64)
