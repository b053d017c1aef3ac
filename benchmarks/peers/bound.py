"""How well anybody could do on a simulated pool (Godambe and Joshi 1965): a design that knows every label's chance.

The expected squared error of a design-unbiased estimate of a linear total is at least sum (1/b - 1) s^2 with s the
deviation of an item's influence under the true law, and b = min(1, kappa s) makes it least. F-measures are taken
to first order at the expected totals, so a biased estimate of a curved metric may sit a little below it.
"""

from __future__ import annotations

import numpy as np

from fewlabels.maths.inclusion import poisson

from .protocol import ALPHA, Case


def bound(case: Case, metric: str, budget: int) -> float:
    """Least mean squared error of `metric` with `budget` expected labels."""
    alpha, view = ALPHA[metric], case.view(metric)
    chance = case.chance
    if metric == "accuracy":
        chance = np.where(case.decisions == 1, case.chance, 1 - case.chance)
    below = float((alpha * view.c + (1 - alpha) * chance).sum())
    value = float((view.c * chance).sum()) / below
    deviation = np.abs(view.c - (1 - alpha) * value) / below * np.sqrt(chance * (1 - chance))
    b = poisson(deviation, budget)
    seen = deviation > 0
    return float(np.sum((1 / b[seen] - 1) * deviation[seen] ** 2))
