"""Designs: which items to label, with which probability. A sampler is data beside one kernel.

>>> from fewlabels import Pool
>>> d = design(Pool([0.1, 0.2, 0.6, 0.9] * 25), "f1", budget=20, like="paper")
>>> round(float(d.inclusion.sum()), 9)
20.0
>>> d.draw(seed=0)
Sample(20 of 100 items, poisson, drawn for f1)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import arrays, belief, metrics
from .belief import Belief
from .errors import FewlabelsError
from .maths import inclusion, permanent, totals
from .metrics import Custom, Metric
from .pool import Pool
from .sample import Sample, take

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Recipe:
    """How deviations are made: what is believed, what is left out, and the floor under the result."""

    trust: float
    towards: str
    floor: float
    model_share: float = 1.0
    printed: bool = False
    uniform: str = "uniform"


RECIPES: dict[str | None, Recipe] = {
    None: Recipe(trust=0.95, towards="mean", floor=0.05, model_share=0.0),
    "paper": Recipe(trust=0.9, towards="even", floor=0.0, uniform="uniform_with_replacement"),
    "printed": Recipe(trust=0.9, towards="even", floor=0.0, printed=True, uniform="uniform_with_replacement"),
}


@dataclass(frozen=True)
class Sampler:
    """A way to draw: from deviations and a budget to inclusion probabilities, draws and a predicted error.

    ``chances`` makes the probability of each single draw, or is None where items are drawn at most once.
    """

    name: str
    inclusion: Callable[[Floats, float], Floats]
    chances: Callable[[Floats], Floats] | None = None


def _even(h: Floats) -> Floats:
    return np.full(len(h), 1.0 / len(h))


def _proportional(h: Floats) -> Floats:
    whole = inclusion.total(h)
    return h / whole if whole > 0 else _even(h)


def _simple(h: Floats, budget: float) -> Floats:
    return np.full(len(h), min(round(budget), len(h)) / len(h))


SAMPLERS = {
    found.name: found
    for found in (
        Sampler("poisson", inclusion.poisson),
        Sampler("importance", lambda h, m: inclusion.drawn(_proportional(h), m), _proportional),
        Sampler("uniform", _simple),
        Sampler("uniform_with_replacement", lambda h, m: inclusion.drawn(_even(h), m), _even),
    )
}


@dataclass(frozen=True, eq=False)
class Design:
    """Inclusion probabilities for a budget, before any label.

    ``expected_value`` and ``expected_stderr`` are what the belief predicts for the (first) metric of the design;
    ``budget`` counts items, or draws where the sampler draws with replacement.
    """

    pool: Pool
    metrics: tuple[Metric, ...]
    sampler: Sampler
    budget: float
    inclusion: Floats
    chances: Floats | None
    expected_value: float
    expected_stderr: float
    saturates_at: float
    belief: Belief

    def __repr__(self) -> str:
        names = ", ".join(metric.name for metric in self.metrics)
        return f"Design({self.sampler.name} for {names}, {self.expected_labels:.0f} of {len(self.pool)} items expected)"

    @property
    def expected_labels(self) -> float:
        """The expected number of distinct items."""
        return inclusion.total(self.inclusion)

    @property
    def certain(self) -> int:
        """How many items are drawn with certainty."""
        return int(np.count_nonzero(self.inclusion >= 1.0))

    @cached_property
    def blind(self) -> tuple[str, ...]:
        """The metrics that a sample of this design cannot serve: items that move them have no chance to be drawn."""
        out = self.inclusion <= 0
        if not out.any():
            return ()
        found = []
        for name in metrics.names(self.pool.task):
            metric = metrics.get(name, self.pool.task, self.pool.classes)
            if np.any(_seen(self.belief, metric).deviations(metric)[out] > 0):
                found.append(name)
        return tuple(found)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know before labelling."""
        if not self.blind:
            return ()
        never = int(np.count_nonzero(self.inclusion <= 0))
        return (f"{never} items can never be drawn, so this sample cannot serve: {', '.join(self.blind)}.",)

    def draw(self, seed: int) -> Sample:
        """A sample. The same seed and ids give the same items in any order; a larger budget gives a superset."""
        if not isinstance(seed, (int, np.integer)):
            raise FewlabelsError(f"the seed must be a whole number; got {seed!r}.")
        keys, chances = self.pool.keys, self.chances
        told: dict[str, Any] = {
            "sampler": self.sampler.name,
            "drawn_for": tuple(metric.name for metric in self.metrics),
            "seed": seed,
            "blind": self.blind,
        }
        if chances is not None:
            draws = round(self.budget)
            index, told["counts"] = np.unique(permanent.draws(keys, seed, chances, draws), return_counts=True)
            weights = totals.draw_weights(chances[index], told["counts"], draws)
        elif self.sampler.name == "uniform":
            index = permanent.smallest(keys, seed, round(self.budget))
            weights = totals.fixed_size_weights(self.inclusion[index])
        else:
            index = permanent.selected(keys, seed, self.inclusion)
            weights = totals.poisson_weights(self.inclusion[index])
        return take(self.pool, index, self.inclusion, weights, **told)


def design(
    pool: Pool,
    metric: str | Custom | Sequence[str | Custom],
    budget: float,
    *,
    sampler: str = "poisson",
    trust: float | None = None,
    belief: Any = None,
    like: str | None = None,
    floor: float | None = None,
    weights: Sequence[float] | None = None,
) -> Design:
    """The best inclusion probabilities for a metric, or a compromise for several (``weights`` says how they count).

    ``floor`` is the part of an even chance that every item keeps at least, so that a sample drawn for one metric serves
    every other. ``like="paper"`` is the paper's way exactly, without a floor; ``like="printed"`` also repeats the
    paper's misprints (its algorithm 3 and its macro deviation).
    """
    recipe = recipe_of(like)
    chosen = _sampler(sampler, recipe)
    if not (isinstance(budget, (int, float, np.number)) and math.isfinite(budget) and budget >= 1):
        raise FewlabelsError(f"the budget must be at least 1 label; got {budget}.")
    wanted = resolve(metric, pool)
    faith = believed(pool, recipe, trust, belief)
    each = [deviations(faith, one, recipe) for one in wanted]
    h = mixed(each, weights)
    lifted = lift(h, recipe.floor if floor is None else floor)
    chances = None if chosen.chances is None else chosen.chances(lifted)
    b = _printed(lifted, budget) if recipe.printed and chosen.name == "poisson" else chosen.inclusion(lifted, budget)
    first = each[0]
    squared = inclusion.error(first, b) if chances is None else inclusion.error_of_draws(first, chances, budget)
    seen = _seen(faith, wanted[0])
    return Design(
        pool=pool,
        metrics=wanted,
        sampler=chosen,
        budget=budget,
        inclusion=b,
        chances=chances,
        expected_value=float(wanted[0].value(seen.tables)),
        expected_stderr=math.sqrt(squared),
        saturates_at=inclusion.saturation(lifted),
        belief=faith,
    )


def recipe_of(like: str | None) -> Recipe:
    if like not in RECIPES:
        known = [name for name in RECIPES if name]
        raise FewlabelsError(f"like={like!r} is not known{arrays.near(like, known)}; it is one of {', '.join(known)}.")
    return RECIPES[like]


def resolve(metric: str | Custom | Sequence[str | Custom], pool: Pool) -> tuple[Metric, ...]:
    """The metrics meant, made ready for the pool."""
    several = [metric] if isinstance(metric, (str, Custom)) else list(metric)
    if not several:
        raise FewlabelsError("name at least one metric.")
    return tuple(metrics.get(one, pool.task, pool.classes) for one in several)


def believed(pool: Pool, recipe: Recipe, trust: float | None, distribution: Any) -> Belief:
    """The belief that a recipe asks for, or the user's own."""
    if distribution is not None:
        return belief.given(pool, distribution)
    return belief.smoothed(pool, recipe.trust if trust is None else trust, recipe.towards)


def deviations(faith: Belief, metric: Metric, recipe: Recipe) -> Floats:
    """h_n of one metric."""
    if not np.all(np.isfinite(_seen(faith, metric).slope(metric))):
        raise FewlabelsError(
            f"{metric.name} has no finite slope at the totals that are expected, so it cannot say which items matter; "
            "design for another metric and estimate this one from its sample."
        )
    return _seen(faith, metric).deviations(metric, recipe.model_share, recipe.printed)


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
    scaled = (share * _proportional(h) ** 2 for share, h in zip(shares, each, strict=True))
    return np.asarray(np.sqrt(sum(scaled)))


def lift(h: Floats, floor: float) -> Floats:
    """h with every item at ``floor`` times the mean or above."""
    if not 0 <= floor <= 1:
        raise FewlabelsError(f"floor must be between 0 and 1; got {floor}.")
    if floor == 0:
        return h
    return np.maximum(h, floor * inclusion.total(h) / len(h))


def _seen(faith: Belief, metric: Metric) -> Belief:
    return faith.matching() if metric.exact else faith


def _printed(h: Floats, budget: float) -> Floats:
    try:
        return inclusion.poisson_printed(h, budget)
    except ValueError as problem:
        raise FewlabelsError(f'{problem}; use like="paper", which has it right.') from problem


def _sampler(name: str, recipe: Recipe) -> Sampler:
    if name == "uniform":
        name = recipe.uniform
    if name not in SAMPLERS:
        raise FewlabelsError(
            f"there is no sampler {name!r}{arrays.near(name, list(SAMPLERS))}; there are {', '.join(SAMPLERS)}."
        )
    return SAMPLERS[name]
