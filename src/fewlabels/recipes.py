"""What each item is worth: its deviation h_n under a belief, for one metric or a compromise of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import arrays, metrics
from . import belief as beliefs
from .belief import Belief
from .errors import FewlabelsError
from .maths import inclusion
from .metrics import Custom, Metric
from .pool import Pool

Floats = NDArray[np.float64]
Wanted = str | Custom | Sequence[str | Custom]

NEVER = 1e-11  # a chance below this is none: priority samples keep a trace of one for items that cannot move the metric


@dataclass(frozen=True)
class Recipe:
    """How deviations are made: what is believed, what the estimate itself takes away, and the floor under it all.

    ``model_share`` is the part of an item's squared mean influence that counts: all of it for weighted totals, none
    for assisted ones, where the model has already said it. ``many`` is the trust in pools of several labels, where
    an item has as many chances to surprise; ``ungraded`` that in scores which are all 0 or 1 and do not say how sure
    the model is. ``focus`` is the power that h is raised to. 1 is best for totals that
    believe all that the labels say; assisted ones believe a part of it, the less the fewer labels there are for many
    items, so that more labels should go where the model is in doubt. It pays most where positives are few. ``sampler``
    draws where none is named: the one that won the contest, or the paper's.
    """

    trust: float
    towards: str
    floor: float
    model_share: float = 1.0
    printed: bool = False
    uniform: str = "uniform"
    many: float = 0.9
    ungraded: float = 0.9
    focus: float = 1.0
    sampler: str = "poisson"

    def trust_in(self, pool: Pool) -> float:
        """How far a pool's probabilities are believed where nobody says."""
        if pool.task == "multilabel":
            return self.many
        return self.trust if pool.graded else min(self.trust, self.ungraded)


RECIPES: dict[str | None, Recipe] = {
    None: Recipe(trust=0.97, towards="mean", floor=0.05, model_share=0.0, focus=1.25, sampler="stratified"),
    "paper": Recipe(trust=0.9, towards="even", floor=0.0, uniform="uniform_with_replacement"),
    "printed": Recipe(trust=0.9, towards="even", floor=0.0, printed=True, uniform="uniform_with_replacement"),
}


@dataclass(frozen=True, eq=False)
class Worth:
    """Deviations of a pool's items: ``first`` for the first metric alone, ``h`` with the floor for all of them."""

    pool: Pool
    metrics: tuple[Metric, ...]
    belief: Belief
    recipe: Recipe
    first: Floats
    h: Floats

    @property
    def expected_value(self) -> float:
        """What the belief predicts of the first metric."""
        return float(self.metrics[0].value(seen(self.belief, self.metrics[0]).tables))


def recipe_of(like: str | None) -> Recipe:
    """The recipe of that name; None is ours."""
    if like not in RECIPES:
        known = [name for name in RECIPES if name]
        raise FewlabelsError(f"like={like!r} is not known{arrays.near(like, known)}; it is one of {', '.join(known)}.")
    return RECIPES[like]


def worth(
    pool: Pool,
    metric: Wanted,
    *,
    trust: float | None = None,
    belief: Any = None,
    like: str | None = None,
    floor: float | None = None,
    focus: float | None = None,
    weights: Sequence[float] | None = None,
) -> Worth:
    """Deviations by a recipe, with any part of it replaced.

    >>> worth(Pool([0.1, 0.5, 0.9]), "accuracy", like="paper").h.round(3)
    array([0.122, 0.185, 0.122])
    """
    recipe = _changed(recipe_of(like), floor, focus)
    if belief is not None:
        faith = beliefs.given(pool, belief)
    else:
        faith = beliefs.smoothed(pool, recipe.trust_in(pool) if trust is None else trust, recipe.towards)
    return weigh(pool, resolve(metric, pool), faith, recipe, weights)


def _changed(recipe: Recipe, floor: float | None, focus: float | None) -> Recipe:
    changed = replace(
        recipe, floor=recipe.floor if floor is None else floor, focus=recipe.focus if focus is None else focus
    )
    arrays.check_between(changed.floor, "floor", 0, 1)
    arrays.check_between(changed.focus, "focus", 0, 4)
    return changed


def weigh(
    pool: Pool,
    wanted: tuple[Metric, ...],
    faith: Belief,
    recipe: Recipe,
    weights: Sequence[float] | None = None,
) -> Worth:
    """Deviations under a belief that is already made."""
    each = [deviations(faith, one, recipe) for one in wanted]
    h = lift(inclusion.raised(mixed(each, weights), recipe.focus), recipe.floor)
    return Worth(pool, wanted, faith, recipe, each[0], h)


def resolve(metric: Wanted, pool: Pool) -> tuple[Metric, ...]:
    """The metrics meant, made ready for the pool."""
    several = [metric] if isinstance(metric, (str, Custom)) else list(metric)
    if not several:
        raise FewlabelsError("name at least one metric.")
    return tuple(metrics.get(one, pool.task, pool.classes) for one in several)


def seen(faith: Belief, metric: Metric) -> Belief:
    """The belief as a metric reads it: label by label, or whole items."""
    return faith.matching() if metric.exact else faith


def deviations(faith: Belief, metric: Metric, recipe: Recipe) -> Floats:
    """h_n of one metric."""
    believed = seen(faith, metric)
    if not np.all(np.isfinite(believed.slope(metric))):
        raise FewlabelsError(
            f"{metric.name} has no finite slope at the totals that are expected, so it cannot say which items matter; "
            "design for another metric and estimate this one from its sample."
        )
    return believed.deviations(metric, recipe.model_share, recipe.printed)


def unserved(pool: Pool, faith: Belief, inclusion: Floats) -> tuple[str, ...]:
    """The built-in metrics that items without a chance to be drawn would move."""
    out = inclusion <= NEVER
    if not out.any():
        return ()
    known = [metrics.get(name, pool.task, pool.classes) for name in metrics.names(pool.task)]
    return tuple(metric.name for metric in known if np.any(seen(faith, metric).deviations(metric)[out] > 0))


def proportional(h: Floats) -> Floats:
    """h / sum h; even where all are zero."""
    whole = inclusion.total(h)
    return h / whole if whole > 0 else np.full(len(h), 1.0 / len(h))


def mixed(each: Sequence[Floats], weights: Sequence[float] | None) -> Floats:
    """One h for several metrics: the root of the weighted squares, each metric on its own scale.

    min sum h^2/b is then the least weighted sum of the metrics' variances, each relative to its own best.
    """
    if len(each) == 1:
        return each[0]
    shares = np.full(len(each), 1.0 / len(each)) if weights is None else np.asarray(weights, dtype=np.float64)
    if len(shares) != len(each) or np.any(shares < 0) or shares.sum() <= 0:
        raise FewlabelsError(f"weights must be {len(each)} numbers of at least 0, one a metric; got {weights}.")
    shares = shares / shares.sum()
    scaled = (share * proportional(h) ** 2 for share, h in zip(shares, each, strict=True))
    return np.asarray(np.sqrt(sum(scaled)))


def lift(h: Floats, floor: float) -> Floats:
    """h with every item at ``floor`` times the mean or above; all alike where no item can move the metric."""
    if floor == 0:
        return h
    mean = inclusion.total(h) / len(h)
    return np.maximum(h, floor * mean) if mean > 0 else np.ones(len(h))
