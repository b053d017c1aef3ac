"""Sample: the drawn items with everything that an estimate needs; it does not look at the pool again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .pool import Pool
from .summary import Summary, summarise

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sample:
    """Drawn items, each once, in pool order.

    ``weight`` is an item's weight in the totals and ``spread`` its share in the variance (see ``maths.totals``);
    ``counts`` how often it was drawn (with replacement), ``blind`` the metrics that this sample cannot serve. Items of
    one ``group`` were drawn with a settled count; who was drawn without regard to others is alone in its group.
    """

    index: NDArray[np.int64]
    ids: NDArray[Any]
    inclusion: Floats
    weight: Floats
    spread: Floats
    prob: Floats
    decisions: NDArray[Any]
    counts: NDArray[np.int64]
    group: NDArray[np.int64]
    task: str
    classes: tuple[object, ...]
    size: int
    sampler: str
    drawn_for: tuple[str, ...]
    seed: int | None = None
    blind: tuple[str, ...] = ()
    source: Callable[[], Summary] | Summary | None = None

    def __len__(self) -> int:
        return len(self.index)

    def __repr__(self) -> str:
        return f"Sample({len(self)} of {self.size} items, {self.sampler}, drawn for {', '.join(self.drawn_for)})"

    @cached_property
    def summary(self) -> Summary | None:
        """The pool in cells; made when it is first asked for, since a draw alone does not need it."""
        return self.source() if callable(self.source) else self.source

    @property
    def replacement(self) -> bool:
        """Whether an item could be drawn more than once."""
        return self.sampler in ("importance", "uniform_with_replacement")

    @property
    def complete(self) -> bool:
        """Whether every item of the pool is in the sample: a census."""
        return len(self) == self.size

    def certain(self) -> Sample:
        """The sample with every weight one, for a census: whatever the design, chance has no say in it any more."""
        ones = np.ones(len(self))
        return replace(self, inclusion=ones, weight=ones, spread=np.zeros(len(self)))

    def thinned(self, kept: NDArray[np.bool_]) -> Sample:
        """The sample if a random part of it was kept, such as what is labelled so far of items in random order.

        Each weight grows by the inverse share t, and the variance by what the second lottery adds:
        a/t + (1/t)(1/t - 1) w^2. Of groups the second lottery settles only the sum of their counts: they become one.
        """
        share = float(np.count_nonzero(kept)) / max(len(self), 1)
        part = self._only(kept)
        weight = part.weight / share
        spread = part.spread / share + (1 / share) * (1 / share - 1) * part.weight**2
        group = np.zeros_like(part.group) if self.grouped else part.group
        source = None if self.summary is None else self.summary.thinned(share)
        return replace(part, inclusion=part.inclusion * share, weight=weight, spread=spread, group=group, source=source)

    @property
    def grouped(self) -> bool:
        """Whether counts were settled beforehand, so that influences are centred in the variance."""
        return len(np.unique(self.group)) < len(self)

    def _only(self, kept: NDArray[np.bool_]) -> Sample:
        names = ("index", "ids", "inclusion", "weight", "spread", "prob", "decisions", "counts", "group")
        return replace(self, **{name: getattr(self, name)[kept] for name in names})

    def to_state(self) -> dict[str, Any]:
        """Plain values, for a file; ``from_state`` gives the same sample back."""
        state = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "source"}
        plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in state.items()}
        return {**plain, "source": None if self.summary is None else self.summary.to_state()}

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Sample:
        """The sample that ``to_state`` told of."""
        found = dict(state)
        for name in ("inclusion", "weight", "spread", "prob"):
            found[name] = np.asarray(state[name], dtype=np.float64)
        if "group" not in state:  # written before groups were
            found["group"] = [0 if state["sampler"] == "uniform" else n for n in range(len(state["index"]))]
        for name in ("index", "counts", "group"):
            found[name] = np.asarray(found[name], dtype=np.int64)
        binary = state["task"] != "multiclass"
        found["decisions"] = np.asarray(state["decisions"], dtype=bool if binary else np.int64)
        ids = np.empty(len(state["ids"]), dtype=object)
        ids[:] = [tuple(name) if isinstance(name, list) else name for name in state["ids"]]  # JSON has no tuples
        found["ids"] = ids if any(type(name) is not int for name in state["ids"]) else ids.astype(np.int64)
        for name in ("classes", "drawn_for", "blind"):
            found[name] = tuple(state[name])
        found["source"] = None if state["source"] is None else Summary.from_state(state["source"])
        return cls(**found)


def decision_codes(sample: Sample) -> NDArray[np.int64]:
    """Decisions as class numbers (n, labels)."""
    return np.asarray(sample.decisions.astype(np.int64).reshape(len(sample), -1))


def take(
    pool: Pool, index: NDArray[np.int64], inclusion: Floats, weights: tuple[Floats, Floats], **told: Any
) -> Sample:
    """The items ``index`` of a pool, with their weights and variance shares; ``inclusion`` is the whole pool's."""
    weight, spread = weights
    told.setdefault("counts", np.ones(len(index), dtype=np.int64))
    told.setdefault("group", np.arange(len(index)))
    told.setdefault("source", lambda: summarise(pool.prob, pool.decisions, inclusion))
    return Sample(
        index=index,
        ids=pool.ids_at(index),
        inclusion=inclusion[index],
        weight=weight,
        spread=spread,
        prob=pool.prob[index],
        decisions=pool.decisions[index],
        task=pool.task,
        classes=pool.classes,
        size=len(pool),
        **told,
    )
