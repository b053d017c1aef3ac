"""Planning: labels against expected error, before any label exists."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import designs
from .errors import FewlabelsError
from .maths import inclusion
from .metrics import Custom
from .pool import Pool


def labels_needed(
    pool: Pool,
    metric: str | Custom | Sequence[str | Custom],
    *,
    stderr: float,
    sampler: str = "poisson",
    trust: float | None = None,
    belief: Any = None,
    like: str | None = None,
    floor: float | None = None,
) -> int:
    """How many labels a wanted standard error needs, by what is believed of the pool; at most all of them.

    >>> pool = Pool(np.linspace(0, 1, 2000))
    >>> labels_needed(pool, "f1", stderr=0.02) < labels_needed(pool, "f1", stderr=0.02, sampler="uniform")
    True
    """
    if not (math.isfinite(stderr) and stderr > 0):
        raise FewlabelsError(f"the wanted standard error must be above 0; got {stderr}.")
    options: dict[str, Any] = {
        "sampler": sampler,
        "trust": trust,
        "belief": belief,
        "like": like,
        "floor": floor,
    }

    def error(budget: float) -> float:
        return designs.design(pool, metric, budget, **options).expected_stderr

    size = len(pool)
    if error(size) > stderr:
        return size  # with replacement even N draws may not do; all labels always do
    low, high = 0, size
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if error(middle) <= stderr else (middle, high)
    found = designs.design(pool, metric, high, **options)
    return high if found.chances is None else math.ceil(found.expected_labels)  # draws may repeat an item


def equivalent_draws(design: designs.Design, labels: float) -> float:
    """How many draws with replacement touch ``labels`` distinct items: the inverse of M_BS = N - sum (1 - q)^M_IS."""
    if design.chances is None:
        return labels
    return inclusion.draws_for(np.asarray(design.chances), labels)
