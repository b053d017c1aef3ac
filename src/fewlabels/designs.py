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

from . import arrays
from .errors import FewlabelsError
from .maths import inclusion, lineup, permanent, totals
from .metrics import Metric
from .pool import Pool
from .recipes import Recipe, Wanted, Worth, proportional, recipe_of, unserved, worth
from .sample import Sample, take
from .summary import Summary, summarise

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Drawn = tuple[Ints, Floats]


def _independent(design: Design, seed: int) -> Drawn:
    return permanent.selected(design.pool.keys, seed, design.inclusion), design.inclusion


def _all_at_once(design: Design, seed: int) -> Drawn:
    assert design.sampler.more is not None
    return design.sampler.more(design.pool, design.worth.h, seed, design.count, None)


def _alone(design: Design, index: Ints, b: Floats) -> Ints:
    return np.arange(len(index))


def _priority(pool: Pool, h: Floats, seed: int, count: int, before: Floats | None) -> Drawn:
    return inclusion.priority(h, permanent.uniforms(pool.keys, seed), count, before)


def _stratified(pool: Pool, h: Floats, seed: int, count: int, before: Floats | None) -> Drawn:
    return inclusion.exactly(h, lambda limits: pool.below(limits, seed), count, before)


@dataclass(frozen=True)
class Sampler:
    """A way to draw: from deviations and a budget to inclusion probabilities, items and a predicted error.

    ``draw`` gives the items of a seed, each once, and the whole pool's inclusion probabilities that count: the
    design's, but where exactly the budget is drawn by chances of different size, then those that belong to where the
    line fell. ``group`` says which of them were drawn with a settled count. ``chances`` makes the probability of each
    single draw where items may come up again, and is None elsewhere. ``more`` takes exactly so many more items by the
    same numbers, after those that inclusion probabilities so far have taken, and is None where rounds cannot follow.
    """

    name: str
    inclusion: Callable[[Floats, float], Floats]
    chances: Callable[[Floats], Floats] | None = None
    draw: Callable[[Design, int], Drawn] = _independent
    group: Callable[[Design, Ints, Floats], Ints] = _alone
    more: Callable[[Pool, Floats, int, int, Floats | None], Drawn] | None = None


def _even(h: Floats) -> Floats:
    return np.full(len(h), 1.0 / len(h))


def _exact(h: Floats, budget: float) -> Floats:
    return inclusion.poisson(h, round(budget))


SAMPLERS = {
    found.name: found
    for found in (
        Sampler("poisson", inclusion.poisson, more=_priority),
        Sampler("priority", _exact, draw=_all_at_once, more=_priority),
        Sampler(
            "stratified",
            _exact,
            draw=_all_at_once,
            group=lambda d, index, b: lineup.groups(d.pool.line(index), b[index]),
            more=_stratified,
        ),
        Sampler("importance", lambda h, m: inclusion.drawn(proportional(h), m), proportional),
        Sampler(
            "uniform",
            lambda h, m: np.full(len(h), min(round(m), len(h)) / len(h)),
            draw=lambda d, seed: (permanent.smallest(d.pool.keys, seed, d.count), d.inclusion),
            group=lambda d, index, b: np.zeros(len(index), dtype=np.int64),
        ),
        Sampler("uniform_with_replacement", lambda h, m: inclusion.drawn(_even(h), m), _even),
    )
}


@dataclass(frozen=True, eq=False)
class Design:
    """Inclusion probabilities for a budget, before any label.

    ``expected_value`` and ``expected_stderr`` are what the belief predicts for the (first) metric of the design;
    ``budget`` counts items, or draws where the sampler draws with replacement.
    """

    worth: Worth
    sampler: Sampler
    budget: float
    inclusion: Floats
    chances: Floats | None
    expected_stderr: float

    @property
    def pool(self) -> Pool:
        return self.worth.pool

    @property
    def metrics(self) -> tuple[Metric, ...]:
        return self.worth.metrics

    @property
    def expected_value(self) -> float:
        """What is believed of the metric before any label."""
        return self.worth.expected_value

    @property
    def saturates_at(self) -> float:
        """The budget at which the first item becomes certain."""
        return inclusion.saturation(self.worth.h)

    def __repr__(self) -> str:
        names = ", ".join(metric.name for metric in self.metrics)
        return f"Design({self.sampler.name} for {names}, {self.expected_labels:.0f} of {len(self.pool)} items expected)"

    @property
    def count(self) -> int:
        """The budget as a whole number of items or draws."""
        return round(self.budget)

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
        return unserved(self.pool, self.worth.belief, self.inclusion)

    @cached_property
    def summary(self) -> Summary:
        """The pool in cells, which every sample of this design shares."""
        return summarise(self.pool.prob, self.pool.decisions, self.inclusion)

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
        told: dict[str, Any] = {
            "sampler": self.sampler.name,
            "drawn_for": tuple(metric.name for metric in self.metrics),
            "seed": seed,
            "blind": self.blind,
        }
        if self.chances is not None:
            touched = permanent.draws(self.pool.keys, seed, self.chances, self.count)
            index, told["counts"] = np.unique(touched, return_counts=True)
            weights = totals.draw_weights(self.chances[index], told["counts"], self.count)
            return take(self.pool, index, self.inclusion, weights, source=lambda: self.summary, **told)
        index, b = self.drawn(seed)
        if b is self.inclusion:
            told["source"] = lambda: self.summary
        told["group"] = self.sampler.group(self, index, b)
        return take(self.pool, index, b, totals.poisson_weights(b[index]), **told)

    def drawn(self, seed: int) -> Drawn:
        """The items that a seed draws, each once, and the whole pool's inclusion probabilities that count."""
        return self.sampler.draw(self, seed)


def design(
    pool: Pool,
    metric: Wanted,
    budget: float,
    *,
    sampler: str | None = None,
    trust: float | None = None,
    belief: Any = None,
    like: str | None = None,
    floor: float | None = None,
    focus: float | None = None,
    weights: Sequence[float] | None = None,
) -> Design:
    """The best inclusion probabilities for a metric, or a compromise for several (``weights`` says how they count).

    ``sampler`` is "stratified" unless it is named: exactly the budget, drawn evenly over the scores. "poisson" draws
    each item on its own, as the paper does and ``like="paper"`` means, and is the fastest by far on many millions.
    ``floor`` is the part of an even chance that every item keeps at least, so that a sample drawn for one metric serves
    every other. ``focus`` above 1 gives more of the labels to items of which the model is in doubt, and relies more on
    the model elsewhere. ``like="paper"`` is the paper's way exactly, without floor or focus; ``like="printed"`` also
    repeats the paper's misprints (its algorithm 3 and its macro deviation).
    """
    check_budget(budget)
    chosen = sampler_of(sampler, recipe_of(like))
    return plan(
        worth(pool, metric, trust=trust, belief=belief, like=like, floor=floor, focus=focus, weights=weights),
        chosen,
        budget,
    )


def plan(value: Worth, sampler: Sampler, budget: float) -> Design:
    """The design of a budget for items whose worth is known."""
    chances = None if sampler.chances is None else sampler.chances(value.h)
    printed = value.recipe.printed and sampler.name == "poisson"
    b = _printed(value.h, budget) if printed else sampler.inclusion(value.h, budget)
    squared = (
        inclusion.error(value.first, b) if chances is None else inclusion.error_of_draws(value.first, chances, budget)
    )
    return Design(value, sampler, budget, b, chances, math.sqrt(squared))


def check_budget(budget: float) -> None:
    if not (isinstance(budget, (int, float, np.number)) and math.isfinite(budget) and budget >= 1):
        raise FewlabelsError(f"the budget must be at least 1 label; got {budget}.")


def sampler_of(name: str | None, recipe: Recipe) -> Sampler:
    """The sampler of that name, or the recipe's own; what uniform means depends on whose way it is."""
    if name is None:
        name = recipe.sampler
    if name == "uniform":
        name = recipe.uniform
    if name not in SAMPLERS:
        raise FewlabelsError(
            f"there is no sampler {name!r}{arrays.near(name, list(SAMPLERS))}; there are {', '.join(SAMPLERS)}."
        )
    return SAMPLERS[name]


def _printed(h: Floats, budget: float) -> Floats:
    try:
        return inclusion.poisson_printed(h, budget)
    except ValueError as problem:
        raise FewlabelsError(f'{problem}; use like="paper", which has it right.') from problem
