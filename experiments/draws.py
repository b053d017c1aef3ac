"""Many samples at once, each reduced to what the metrics need.

A plan says, for a ladder of sizes, how items are drawn: ``Inclusion`` draws each item on its own with chance b,
``Draws`` draws M items with replacement with chances q. Within a repetition the samples are nested: the uniform of an
item stays, draws are only added. Each size on its own has exactly the distribution that it would have alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fewlabels.maths import totals

Floats = NDArray[np.float64]

BLOCK = 32  # repetitions at a time: the working arrays stay near the cache


@dataclass(frozen=True)
class Inclusion:
    """Poisson sampling: b[size, n]."""

    b: Floats


@dataclass(frozen=True)
class Draws:
    """Sampling with replacement: q[n], and the number of draws for each size, which must not fall."""

    q: Floats
    draws: NDArray[np.int64]


Plan = Inclusion | Draws


@dataclass(frozen=True)
class Drawn:
    """weight[run, size, group], share[run, size, group] and the number of distinct items[run, size]."""

    weight: Floats
    share: Floats
    distinct: NDArray[np.int64]


def draw(plan: Plan, starts: NDArray[np.int64], runs: int, rng: np.random.Generator) -> Drawn:
    """``runs`` repetitions of a plan whose items stand in group order."""
    reduce = _poisson if isinstance(plan, Inclusion) else _replaced
    blocks = [reduce(plan, starts, min(BLOCK, runs - done), rng) for done in range(0, runs, BLOCK)]  # type: ignore[arg-type]
    return Drawn(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))


def _poisson(plan: Inclusion, starts: NDArray[np.int64], runs: int, rng: np.random.Generator) -> tuple[NDArray, ...]:
    u = rng.random((runs, plan.b.shape[1]))
    parts = []
    for b in plan.b:
        taken = u < b
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):  # chances near 0 are never taken
            w, a = totals.poisson_weights(b)
        parts.append((*(_by_group(np.where(taken, x, 0.0), starts) for x in (w, a)), taken.sum(axis=1)))
    return tuple(np.stack(column, axis=1) for column in zip(*parts, strict=True))


def _replaced(plan: Draws, starts: NDArray[np.int64], runs: int, rng: np.random.Generator) -> tuple[NDArray, ...]:
    counts = np.zeros((runs, len(plan.q)), dtype=np.int64)
    parts, done = [], 0
    q = np.where(plan.q > 0, plan.q, 1.0)  # never drawn: any number may stand there
    for draws in plan.draws:
        counts += rng.multinomial(draws - done, plan.q, size=runs)
        done = draws
        w, a = totals.draw_weights(q, counts, int(draws))
        parts.append((_by_group(w, starts), _by_group(a, starts), (counts > 0).sum(axis=1)))
    return tuple(np.stack(column, axis=1) for column in zip(*parts, strict=True))


def _by_group(values: Floats, starts: NDArray[np.int64]) -> Floats:
    """Sums over each run of a group; plain additions in a fixed order, so the last digit does not depend on threads."""
    return np.add.reduceat(values, starts, axis=1)
