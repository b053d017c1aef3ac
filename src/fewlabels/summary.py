"""What a sample must know of the items that nobody labels: the pool in a few hundred cells for each label."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .maths import cells, influence

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Block = tuple[Floats, NDArray[Any]]


def blocks(prob: Floats, decisions: NDArray[Any], exact: bool = False) -> list[Block]:
    """Probabilities and decisions label by label; ``exact`` reads an item as one label, right or wrong.

    >>> [p.tolist() for p, c in blocks(np.array([[0.9, 0.2]]), np.array([[True, False]]), exact=True)]
    [[0.7200000000000001]]
    """
    if exact:
        right = influence.agreement(prob, decisions)
        return [(right, np.ones(len(right), dtype=np.int64))]
    if prob.ndim == 2 and decisions.ndim == 2:
        return [(np.ascontiguousarray(prob[:, k]), decisions[:, k]) for k in range(prob.shape[1])]
    return [(prob, decisions)]


@dataclass(frozen=True, eq=False)
class Cells:
    """The occupied cells of one label: codes, decisions, sizes, mean class probabilities, and slack.

    ``slack`` has for each cell the sums of 1/b - 1 and (1-b)(1-2b)/b^2, the moments of what sampling leaves open.
    """

    codes: Ints
    decisions: Ints
    sizes: Ints
    prob: Floats
    slack: Floats

    def place(self, prob: Floats, decisions: NDArray[Any]) -> Ints:
        """The cell of each item of a sample."""
        lead = prob if prob.ndim == 1 else prob[np.arange(len(prob)), decisions.astype(np.int64)]
        return np.searchsorted(self.codes, cells.codes(np.ascontiguousarray(lead), decisions))

    def thinned(self, share: float) -> Cells:
        """The cells when every inclusion probability is multiplied by ``share``: o = 1/b - 1 becomes (o + 1 - t)/t."""
        first, square = self.slack[:, 0], self.slack[:, 1] + self.slack[:, 0]  # sums of o and o^2
        gap = 1.0 - share
        new = (first + gap * self.sizes) / share
        squared = (square + 2 * gap * first + gap**2 * self.sizes) / share**2
        return replace(self, slack=np.stack([new, squared - new], axis=1))


@dataclass(frozen=True, eq=False)
class Summary:
    """Cells of every label, and of whole items where a pool has several labels."""

    labels: tuple[Cells, ...]
    items: tuple[Cells, ...]

    @property
    def reachable(self) -> bool:
        """Whether every item had a chance to be drawn."""
        return all(bool(np.isfinite(one.slack).all()) for one in self.labels)

    def thinned(self, share: float) -> Summary:
        """The summary when a random ``share`` of the drawn items is labelled."""
        return Summary(*(tuple(one.thinned(share) for one in part) for part in (self.labels, self.items)))

    def seen(self, exact: bool) -> tuple[Cells, ...]:
        return self.items if exact else self.labels

    def to_state(self) -> dict[str, Any]:
        return {
            name: [{key: value.tolist() for key, value in vars(one).items()} for one in getattr(self, name)]
            for name in ("labels", "items")
        }

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Summary:
        return cls(*(tuple(_cells(one) for one in state[name]) for name in ("labels", "items")))


def _cells(state: dict[str, Any]) -> Cells:
    codes, decisions, sizes = (np.asarray(state[name], dtype=np.int64) for name in ("codes", "decisions", "sizes"))
    prob, slack = (np.asarray(state[name], dtype=np.float64) for name in ("prob", "slack"))
    return Cells(codes, decisions, sizes, prob, slack)


def _summarise(prob: Floats, decisions: NDArray[Any], inclusion: Floats) -> Cells:
    codes, sizes, sums, slack = cells.summarise(prob, decisions, inclusion)
    mean = sums / sizes[:, None]
    if mean.shape[1] == 1:
        mean = np.clip(np.concatenate([1.0 - mean, mean], axis=1), 0.0, 1.0)
    return Cells(codes, cells.decided(codes), sizes, mean, slack)


def summarise(prob: Floats, decisions: NDArray[Any], inclusion: Floats) -> Summary:
    """One pass over a pool for each label."""
    several = prob.ndim == 2
    return Summary(
        tuple(_summarise(*block, inclusion) for block in blocks(prob, decisions)),
        tuple(_summarise(*block, inclusion) for block in blocks(prob, decisions, exact=True)) if several else (),
    )
