"""What a contestant is: data and one function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LEVELS = (0.9, 0.95)
NORMAL = {0.9: 1.6448536269514722, 0.95: 1.959963984540054}
ALPHA = {"f1": 0.5, "recall": 0.0, "precision": 1.0, "accuracy": 1.0}


Oracle = Callable[[NDArray[np.int64]], NDArray[np.int64]]
"""Labels of the items asked for, in the order of the indices."""


@dataclass(frozen=True)
class Answer:
    """An estimate, its intervals by level (none if the peer gives none) and the distinct labels it used."""

    value: float
    intervals: dict[float, tuple[float, float]]
    labels: int


@dataclass(frozen=True)
class View:
    """A metric of a pool as F_alpha of decisions `c` with probabilities `p`; see `experiments.baselines`."""

    alpha: float
    p: Floats
    c: Floats
    right: NDArray[np.int64] | None = None  # where the label that counts is "the decision is right": the decisions

    def read(self, labels: NDArray[np.int64], index: NDArray[np.int64] | slice = slice(None)) -> Floats:
        """Labels of this view from labels of the pool."""
        return (labels if self.right is None else labels == self.right[index]).astype(float)

    def ask(self, oracle: Oracle, index: NDArray[np.int64]) -> Floats:
        return self.read(oracle(index), index)

    def value(self, labels: NDArray[np.int64]) -> float:
        """The truth, from the labels of the whole pool."""
        y = self.read(labels)
        return float((self.c * y).sum() / (self.alpha * self.c + (1 - self.alpha) * y).sum())


@dataclass(frozen=True)
class Case:
    """A pool with its labels. Simulated pools get new labels from `chance` in every repetition."""

    name: str
    title: str
    prob: Floats
    decisions: NDArray[np.int64]
    known: NDArray[np.int64] | None = None
    chance: Floats | None = None
    note: str = ""

    @cached_property
    def multiclass(self) -> bool:
        return self.prob.ndim == 2

    def labels(self, repetition: int) -> NDArray[np.int64]:
        if self.known is not None:
            return self.known
        rng = np.random.default_rng([repetition, len(self.name), sum(map(ord, self.name))])
        return (rng.random(len(self.prob)) < self.chance).astype(np.int64)

    def view(self, metric: str) -> View:
        """Accuracy becomes the precision of "this decision is right"; the others need a binary pool."""
        c = self.decisions
        if metric == "accuracy":
            p = self.prob[np.arange(len(c)), c] if self.multiclass else np.where(c == 1, self.prob, 1 - self.prob)
            return View(1.0, p, np.ones(len(c)), c)
        return View(ALPHA[metric], self.prob, c.astype(float))


Contestant = Callable[[Oracle, int], dict[int, Answer]]
"""One repetition: an oracle and a seed give one answer for each budget."""


@dataclass(frozen=True)
class Peer:
    """An entry of the contest. `prepare` does what needs no label; what it returns is repeated and timed."""

    key: str
    title: str
    prepare: Callable[[Case, str, Sequence[int]], Contestant]
    settings: str
    source: str
    added: str = "nothing"
    distribution: str | None = None
    metrics: tuple[str, ...] = ("f1", "accuracy", "precision", "recall")
    most: tuple[int | None, int | None] = (None, None)  # repetitions for F1 and for other metrics, if it is slow

    def repetitions(self, metric: str, wanted: int) -> int:
        return min(wanted, self.most[metric != "f1"] or wanted)


UNKNOWN: dict[float, tuple[float, float]] = dict.fromkeys(LEVELS, (0.0, 1.0))


def wald(value: float, stderr: float) -> dict[float, tuple[float, float]]:
    """Normal intervals cut at 0 and 1; the whole range where the estimate is unknown."""
    if not (np.isfinite(value) and np.isfinite(stderr)):
        return UNKNOWN
    return {lv: (max(0.0, value - z * stderr), min(1.0, value + z * stderr)) for lv, z in NORMAL.items()}
