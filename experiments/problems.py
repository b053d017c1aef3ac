"""A problem is a pool with all its labels known, so that every estimate can be compared with the truth.

Items with the same decisions and the same labels move every metric alike. A repetition is therefore described by two
numbers for each such group of items: the weight that fell on it, and its share in the variance.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

import fewlabels as fl
from fewlabels.maths import totals

from .classifiers import MAKERS, Scored


@dataclass(frozen=True)
class Problem:
    """A scored pool with its labels; ``name`` is the key of the cells on disk."""

    name: str
    scored: Scored

    @cached_property
    def pool(self) -> fl.Pool:
        """The pool as a user would make it; its labels are class numbers."""
        return fl.Pool(self.scored.prob, task=self.scored.task)

    @cached_property
    def size(self) -> int:
        """N."""
        return len(self.scored.prob)

    @cached_property
    def decisions(self) -> NDArray[np.int64]:
        """c[n, k]."""
        return np.asarray(self.pool.decisions, dtype=np.int64).reshape(self.size, -1)

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """y[n, k]."""
        return self.scored.labels.reshape(self.size, -1)

    @cached_property
    def grouping(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """An order that brings items of one group together, where each group starts, and each group's unit tables."""
        rows = np.concatenate([self.decisions, self.labels], axis=1)
        kinds, group = np.unique(rows, axis=0, return_inverse=True)
        order = np.argsort(group.ravel(), kind="stable")
        starts = np.searchsorted(group.ravel()[order], np.arange(len(kinds)))
        count = self.decisions.shape[1]
        units = np.stack([self._tables(kind[None, :count], kind[None, count:], np.ones(1)) for kind in kinds])
        return order, starts, units

    def _tables(
        self, decisions: NDArray[np.int64], labels: NDArray[np.int64], weights: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        return totals.tables(np.eye(self.pool.width)[labels], decisions, weights)

    @cached_property
    def census(self) -> NDArray[np.float64]:
        """The tables of the whole pool: what labelling everything would give."""
        return self._tables(self.decisions, self.labels, np.ones(self.size))


def load(name: str, out: Path, maker: Callable[[], Scored] | None = None) -> Problem:
    """The problem ``name``, its classifier trained on the first call and its scores kept below ``out`` from then on.

    ``maker`` is for problems that have no name of their own among the classifiers.
    """
    path = out / "pools" / f"{name}.npz"
    if not path.is_file():
        with threadpool_limits(1):  # sums in another order would give another network
            _keep((maker or MAKERS[name])(), path)
    with np.load(path) as file:
        about = json.loads(str(file["about"]))
        decided = file["decisions"] if "decisions" in file.files else None
        scored = Scored(about["task"], file["prob"], file["labels"], tuple(about["classes"]), about["note"], decided)
    return Problem(name, scored)


def _keep(scored: Scored, path: Path) -> None:
    """Write to a file beside and rename, so that a killed run leaves no half pool."""
    path.parent.mkdir(parents=True, exist_ok=True)
    about = json.dumps({"task": scored.task, "classes": scored.classes, "note": scored.note})
    partial = path.with_suffix(f".{os.getpid()}.npz")
    decided = {} if scored.decisions is None else {"decisions": scored.decisions}
    np.savez_compressed(partial, prob=scored.prob.astype(np.float64), labels=scored.labels, about=about, **decided)
    partial.replace(path)
