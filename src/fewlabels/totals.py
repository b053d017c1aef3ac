"""Totals as a metric of one's own sees them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .maths import rates


class Totals:
    """The totals of a pool: ``tp``, ``fp``, ``fn``, ``tn``, ``size`` and ``table``.

    Numbers in a binary pool; an entry for each class otherwise (in a multi-class pool each class against the rest).
    ``table[true, decided]`` is the confusion table (with the label in front in a multi-label pool). A binary or
    multi-label Totals unpacks as ``tp, fp, fn, tn = totals``.

    >>> totals = Totals(np.array([[[50.0, 3.0], [2.0, 10.0]]]), "binary")
    >>> tp, fp, fn, tn = totals
    >>> float(tp / (tp + fp)) == float(totals.tp / (totals.tp + totals.fp)) == 10 / 13
    True
    """

    def __init__(self, tables: NDArray[Any], task: str) -> None:
        self.tables = tables
        self.task = task
        counts = rates.counts_of(tables, exclusive=task == "multiclass")
        self._counts = counts[:, 0] if task == "binary" else counts

    @property
    def tp(self) -> Any:
        return self._counts[0]

    @property
    def fp(self) -> Any:
        return self._counts[1]

    @property
    def fn(self) -> Any:
        return self._counts[2]

    @property
    def tn(self) -> Any:
        return self._counts[3]

    @property
    def size(self) -> Any:
        """How many items the totals stand for."""
        return self.tables[0].sum()

    @property
    def table(self) -> NDArray[Any]:
        return self.tables if self.task == "multilabel" else self.tables[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        values = self.table if self.task == "multiclass" else self._counts
        return np.array(values, dtype=dtype)

    def __iter__(self) -> Iterator[Any]:
        return iter(np.asarray(self))

    def __getitem__(self, key: Any) -> Any:
        return getattr(self, key) if isinstance(key, str) else np.asarray(self)[key]
