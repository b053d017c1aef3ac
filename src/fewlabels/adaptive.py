"""Rounds: labels so far say which items are worth most next. State, labels -> state, next items; pure underneath.

Three ways to put rounds together (``combine``):

- "growing", ours: one inclusion probability for each item that only grows, pi' = max(pi, min(1, tau h)), drawn in
  exactly the size that was asked for. Each item keeps its permanent random number, so it is in as soon as u < pi', and
  the final pi weighs it. With h fixed this is the one-shot sample, taken in pieces, and the first round is what
  ``design(...).draw(seed)`` draws: the numbers are the sampler's.
- "paper": every round is a Poisson sample of what is left, and gives an unbiased estimate of its own: what is labelled
  plus the weighted rest; the rounds are averaged with equal weights (paper, appendix E).
- "precision": the same with weights by the precision predicted before each round, which stays unbiased.

>>> from fewlabels import Pool
>>> truth = np.arange(400) % 4 == 0
>>> study = Adaptive(Pool(np.where(truth, 0.7, 0.2)), "f1", seed=1)
>>> for _ in range(2):
...     items = study.next(40)
...     study.add(truth[items.index])
>>> round(study.estimate().value, 1)
1.0
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from . import belief, labels
from .designs import check_budget, sampler_of
from .errors import FewlabelsError, some
from .estimation import Estimate, Estimates, from_shares
from .maths import bounds, calibration, inclusion, permanent, totals
from .metrics import Custom, Metric
from .pool import Pool
from .recalibrated import Model, model_of
from .recipes import Recipe, Wanted, Worth, mixed, recipe_of, resolve, unserved, weigh
from .sample import Sample, take
from .summary import blocks

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
COMBINE = ("growing", "paper", "precision")
KEPT = 0.2  # of what items were worth before any label


@dataclass(frozen=True, eq=False)
class State:
    """All that rounds have settled so far.

    ``index``, ``rounds`` and ``chances`` tell of each drawn item, in the order of drawing, which round drew it and with
    which chance given the rounds before; ``shares`` holds the labels (NaN while they are out); ``errors`` the squared
    error that each round promised before it was drawn; ``reached`` the pool's inclusion probabilities by now.
    """

    pool: Pool
    metrics: tuple[Metric, ...]
    recipe: Recipe
    combine: str
    sampler: str
    seed: int
    index: Ints
    rounds: Ints
    chances: Floats
    shares: Floats
    errors: tuple[float, ...]
    reached: Floats

    @property
    def waiting(self) -> Ints:
        """Positions of drawn items whose labels are still out."""
        return np.flatnonzero(np.isnan(self.shares).any(axis=(1, 2)))


def begin(
    pool: Pool,
    metric: Wanted,
    *,
    seed: int = 0,
    like: str | None = None,
    combine: str = "growing",
    sampler: str | None = None,
) -> State:
    """Nothing drawn, nothing labelled."""
    if combine not in COMBINE:
        raise FewlabelsError(f"combine={combine!r} is not known; it is one of {', '.join(COMBINE)}.")
    chosen = sampler_of(sampler, recipe_of(like))
    if chosen.more is None:
        raise FewlabelsError(f"rounds draw stratified, priority or poisson samples; {chosen.name} ones cannot grow.")
    wide = len(pool.classes) if pool.task == "multilabel" else 1
    nothing = np.empty(0, dtype=np.int64)
    return State(
        pool=pool,
        metrics=resolve(metric, pool),
        recipe=recipe_of(like),
        combine=combine,
        sampler=chosen.name,
        seed=seed,
        index=nothing,
        rounds=nothing,
        chances=np.empty(0),
        shares=np.empty((0, wide, pool.width)),
        errors=(),
        reached=np.zeros(len(pool)),
    )


def step(state: State, count: int) -> State:
    """Draw the next round: ``count`` items (in expectation, if rounds are Poisson samples)."""
    check_budget(count)
    if len(state.waiting):
        gone = state.pool.ids_at(state.index[state.waiting]).tolist()
        raise FewlabelsError(f"{len(gone)} items of the last round have no label yet: {some(gone)}; add them first.")
    h = informed(state).h
    number = len(state.errors)
    if state.combine == "growing":
        more = sampler_of(state.sampler, state.recipe).more
        assert more is not None
        index, reached = more(state.pool, h, state.seed, count, state.reached)
        chances = reached[index]
        squared = 0.0
    else:
        left = np.ones(len(state.pool), dtype=bool)
        left[state.index] = False
        b = np.zeros(len(state.pool))
        b[left] = inclusion.poisson(h[left], count)
        index = permanent.selected(state.pool.keys, permanent.derived(state.seed, number), b)
        chances, squared = b[index], inclusion.error(h[left], b[left])
        reached = 1.0 - (1.0 - state.reached) * (1.0 - b)
    unknown = np.full((len(index), *state.shares.shape[1:]), np.nan)
    return replace(
        state,
        index=np.concatenate([state.index, index]),
        rounds=np.concatenate([state.rounds, np.full(len(index), number)]),
        chances=np.concatenate([state.chances, chances]),
        shares=np.concatenate([state.shares, unknown]),
        errors=(*state.errors, squared),
        reached=reached,
    )


def record(state: State, given: Any) -> State:
    """The state with labels for items that wait for them: aligned with them, or a dict by id."""
    waiting = state.waiting
    ids = state.pool.ids_at(state.index[waiting]).tolist()
    read = labels.read(given, ids=ids, task=state.pool.task, classes=state.pool.classes)
    shares = state.shares.copy()
    shares[waiting[read.known]] = read.shares[read.known]
    return replace(state, shares=shares)


def drawn(state: State) -> tuple[Sample, Floats]:
    """The labelled items as one sample, and their labels."""
    done = np.setdiff1d(np.arange(len(state.index)), state.waiting)
    order = done[np.argsort(state.index[done], kind="stable")]
    index = state.index[order]
    if state.combine == "growing":
        weights = totals.poisson_weights(state.reached[index])
    else:
        precision = (
            1.0 / np.maximum(state.errors, 1e-300) if state.combine == "precision" else np.ones(len(state.errors))
        )
        weights = totals.round_weights(state.chances[order], state.rounds[order], precision / precision.sum())
    return take(state.pool, index, state.reached, weights, **_told(state)), state.shares[order]


def _told(state: State) -> dict[str, Any]:
    return {
        "sampler": "rounds",
        "drawn_for": tuple(one.name for one in state.metrics),
        "seed": state.seed,
        "blind": unserved(state.pool, _first(state), state.reached),
    }


def _first(state: State) -> belief.Belief:
    """What was believed before any label."""
    return belief.smoothed(state.pool, state.recipe.trust_in(state.pool), state.recipe.towards)


def informed(state: State) -> Worth:
    """What items are worth by now: the model recalibrated on the labels so far, at the metric's present totals.

    A part of it stays what it was before any label. Few labels may say that some items cannot matter, and where nobody
    looks again nothing ever says otherwise: with ``KEPT`` of the first worth, no round is much worse than the first.
    Where the labels agree with the scores nearly all of it stays, since rounds would only chase noise.
    """
    pool, recipe = state.pool, state.recipe
    first = weigh(pool, state.metrics, _first(state), recipe)
    model = model_of(*drawn(state)) if len(state.index) else None
    if model is None:  # nothing is labelled, or without a floor some items are out of reach and labels say nothing
        return first
    now = weigh(pool, state.metrics, replace(_recalibrated(state, model), wrong=first.belief.wrong), recipe)
    kept = KEPT + (1.0 - KEPT) * min(fit.agreement for fit in model.fits)
    return replace(now, h=mixed([now.h, first.h], [1.0 - kept, kept]))


def _recalibrated(state: State, model: Model) -> belief.Belief:
    """The belief that the labels so far leave; ``m`` allows for a part of the distrust already."""
    pool, columns = state.pool, []
    distrust = max(1.0 - state.recipe.trust_in(pool) - calibration.HIDDEN, 0.0)
    for cells, fit, (prob, decisions) in zip(model.cells, model.fits, blocks(pool.prob, pool.decisions), strict=True):
        mean = np.average(fit.m, axis=0, weights=cells.sizes)
        smooth = (1.0 - distrust) * fit.m + distrust * mean
        columns.append(smooth[cells.place(prob, decisions)])
    chance = columns[0] if pool.task == "multiclass" else np.stack([column[:, 1] for column in columns], axis=1)
    return belief.own(chance[:, 0] if pool.task == "binary" else chance, pool.decisions, pool.width)


class Adaptive:
    """A study in rounds: ``items = study.next(50)``, label them, ``study.add(labels)``, ``study.estimate()``."""

    def __init__(
        self,
        pool: Pool,
        metric: Wanted,
        *,
        seed: int = 0,
        like: str | None = None,
        combine: str = "growing",
        sampler: str | None = None,
    ) -> None:
        self.state = begin(pool, metric, seed=seed, like=like, combine=combine, sampler=sampler)
        self._like = like

    def __len__(self) -> int:
        """How many items are labelled."""
        return len(self.state.index) - len(self.state.waiting)

    def next(self, count: int) -> Sample:
        """Draw the next round; its items (``index``, ``ids``) are to be labelled."""
        before = len(self.state.index)
        self.state = step(self.state, count)
        new = self.state.index[before:]
        weights = totals.poisson_weights(self.state.reached[new])
        return take(self.state.pool, new, self.state.reached, weights, **_told(self.state))

    def add(self, labels: Any) -> None:
        """Labels of the items that wait for them: aligned with the last round, or a dict by id."""
        self.state = record(self.state, labels)

    @overload
    def estimate(self, metric: str | Custom | None = ...) -> Estimate: ...
    @overload
    def estimate(self, metric: list[str] | tuple[str, ...] | list[Custom]) -> Estimates: ...
    def estimate(self, metric: Wanted | None = None) -> Estimate | Estimates:
        """The estimate from all rounds so far, of the study's (first) metric or any other."""
        sample, shares = drawn(self.state)
        if not len(sample):
            raise FewlabelsError("nothing is labelled yet; draw items with next(), label them, and add() the labels.")
        if metric is None:
            return from_shares(sample, shares, self.state.metrics[0], self._like)
        wanted = resolve(metric, self.state.pool)
        found = Estimates((one.name, from_shares(sample, shares, one, self._like)) for one in wanted)
        return next(iter(found.values())) if isinstance(metric, (str, Custom)) else found

    def enough(self, half_width: float, level: float = 0.95) -> bool:
        """Whether the interval is as narrow as wanted: half its width is at most ``half_width``.

        Stopping by it costs little coverage, because limits are never narrow for want of errors seen; how little is
        measured by ``python -m experiments.stopping``. For a promise over all looks use ``sequence``.
        """
        if not half_width > 0:
            raise FewlabelsError(f"the wanted half width must be above 0; got {half_width}.")
        if not len(self):
            return False
        low, high = self.estimate().interval(level)
        return high - low <= 2.0 * half_width

    def sequence(self, level: float = 0.95, tight_at: int = 300) -> tuple[float, float]:
        """An interval for those who look after each label: all of them hold together with the given confidence.

        It is the estimate's own interval at a stricter level, chosen so that it is tightest at ``tight_at`` labels; at
        small numbers of labels the promise is approximate, as every interval here is.
        """
        tail = bounds.anytime_tail(level, max(len(self), 1), tight_at)
        return self.estimate().interval(1.0 - 2.0 * tail)
