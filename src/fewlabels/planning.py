"""Planning: labels against expected error, before any label exists."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import designs
from .errors import FewlabelsError
from .maths import inclusion
from .pool import Pool
from .recipes import Wanted, recipe_of, worth


def labels_needed(
    pool: Pool,
    metric: Wanted,
    *,
    stderr: float,
    sampler: str | None = None,
    trust: float | None = None,
    belief: Any = None,
    like: str | None = None,
    floor: float | None = None,
    focus: float | None = None,
) -> int:
    """How many labels a wanted standard error needs, by what is believed of the pool; at most all of them.

    >>> pool = Pool(np.linspace(0, 1, 2000))
    >>> labels_needed(pool, "f1", stderr=0.02) < labels_needed(pool, "f1", stderr=0.02, sampler="uniform")
    True
    """
    if not (isinstance(stderr, (int, float, np.number)) and math.isfinite(stderr) and stderr > 0):
        raise FewlabelsError(f"the wanted standard error must be above 0; got {stderr}.")
    chosen = designs.sampler_of(sampler, recipe_of(like))
    value = worth(pool, metric, trust=trust, belief=belief, like=like, floor=floor, focus=focus)

    def error(budget: int) -> float:
        return designs.plan(value, chosen, budget).expected_stderr

    size = len(pool)
    if error(size) > stderr:
        return size  # with replacement even N draws may not do; all labels always do
    low, high = 0, size
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if error(middle) <= stderr else (middle, high)
    return math.ceil(designs.plan(value, chosen, high).expected_labels - 1e-6)


def equivalent_draws(design: designs.Design, labels: float) -> float:
    """How many draws with replacement touch ``labels`` distinct items: the inverse of M_BS = N - sum (1 - q)^M_IS."""
    if design.chances is None:
        return labels
    return inclusion.draws_for(np.asarray(design.chances), labels)
