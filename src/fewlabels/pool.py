"""Pool: all the items, what the model said of them, and what was decided. Everything is checked at the door."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import arrays
from .errors import FewlabelsError, some
from .labels import codes, missing
from .maths import lineup, permanent, totals
from .maths.chunks import slices

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
CERTAIN = 1e-6  # probabilities this near to 0 or 1 are as good as these
TASKS = ("binary", "multilabel", "multiclass")


class Pool:
    """Items that a model has scored.

    ``prob`` has one dimension for a binary task (the chance of the positive class) and two otherwise, a column a
    class. Decisions are ``prob > threshold`` (one threshold, or one a class), the likeliest class of a multi-class
    pool, or your own. Ids may be of any type; without them the row numbers serve.

    >>> pool = Pool([0.1, 0.8, 0.6], ids=["a", "b", "c"])
    >>> pool
    Pool(3 items, binary, 2 decided positive)
    >>> pool.decisions
    array([False,  True,  True])
    """

    prob: Floats
    decisions: NDArray[Any]
    task: str
    classes: tuple[object, ...]

    def __init__(
        self,
        prob: Any,
        *,
        task: str | None = None,
        ids: Any = None,
        decisions: Any = None,
        threshold: float | Sequence[float] | None = None,
        classes: Sequence[object] | None = None,
    ) -> None:
        prob = arrays.opened(prob)
        if arrays.is_table(prob) and classes is None and task in ("multilabel", "multiclass"):
            classes = arrays.column_names(prob)
        values = _probabilities(arrays.floats(prob, "probabilities"), task)
        self.task = _task(values, task)
        self.classes = _classes(values, self.task, classes)
        if self.task == "multiclass":
            values = _exclusive(values)
        self.prob = _frozen(values)
        self.decisions = _frozen(self._decide(decisions, threshold))
        self._ids = None if ids is None else _frozen(_identifiers(ids, len(values)))

    @classmethod
    def from_table(
        cls,
        table: Any,
        *,
        prob: str | Sequence[str],
        ids: str | None = None,
        decisions: str | Sequence[str] | None = None,
        **options: Any,
    ) -> Pool:
        """A pool from named columns of a pandas, polars or pyarrow table, or anything that speaks Arrow PyCapsule."""
        table = arrays.opened(table)

        def pick(names: str | Sequence[str]) -> Any:
            if isinstance(names, str):
                return arrays.column(table, names)
            return np.column_stack([arrays.floats(arrays.column(table, name), f"column {name}") for name in names])

        if not isinstance(prob, str) and options.get("classes") is None:
            options["classes"] = list(prob)
        return cls(
            pick(prob),
            ids=None if ids is None else pick(ids),
            decisions=None if decisions is None else pick(decisions),
            **options,
        )

    def __len__(self) -> int:
        return len(self.prob)

    def __repr__(self) -> str:
        if self.task == "binary":
            return f"Pool({len(self)} items, binary, {int(np.count_nonzero(self.decisions))} decided positive)"
        return f"Pool({len(self)} items, {self.task}, {len(self.classes)} classes)"

    @property
    def ids(self) -> NDArray[Any]:
        """The items' ids; row numbers if none were given."""
        return np.arange(len(self)) if self._ids is None else self._ids

    def ids_at(self, index: NDArray[np.int64]) -> NDArray[Any]:
        """The ids of some rows."""
        return np.asarray(index) if self._ids is None else self._ids[index]

    @property
    def width(self) -> int:
        """How many values a label can take: 2, or the number of exclusive classes."""
        return len(self.classes) if self.task == "multiclass" else 2

    @cached_property
    def graded(self) -> bool:
        """Whether probabilities say how sure the model is: not all of them are as good as 0 or 1."""
        pieces = (self.prob[part] for part in slices(len(self)))
        return any(bool(np.any((piece > CERTAIN) & (piece < 1.0 - CERTAIN))) for piece in pieces)

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """The 64-bit key of each id, from which its permanent random numbers come."""
        ids = self.ids
        if ids.dtype.kind in "iu":
            return ids.astype(np.int64, copy=False).view(np.uint64)
        return permanent.hashed(ids.tolist())

    def line(self, index: Ints | slice) -> lineup.Lines:
        """Where items stand: by decision and score, or by how many labels to expect; neighbours are alike."""
        prob, decisions, keys = self.prob[index], self.decisions[index], self.keys[index]
        if decisions.ndim == 2:
            return lineup.line(keys, prob.mean(axis=1), np.zeros(len(keys), dtype=np.bool_), 1)
        score = prob if prob.ndim == 1 else prob[np.arange(len(prob)), decisions]
        return lineup.line(keys, score, decisions, self.width)

    @cached_property
    def order(self) -> Ints:
        """The items lined up, for draws that spread evenly along the line."""
        return lineup.order(self.line(slice(None)), self.keys)

    def below(self, limits: Floats, seed: int) -> tuple[Ints, Floats]:
        """The items whose number, spread evenly along the line, is below their limit, and their numbers."""
        place, u = lineup.below(limits[self.order], seed)
        return self.order[place], u

    @cached_property
    def expected(self) -> Floats:
        """The confusion tables that the model itself expects: T[k, y, c] under ``prob``."""
        return totals.expected_tables(self.prob, self.decisions, self.width)

    @cached_property
    def mean_prob(self) -> Floats:
        """The model's mean probability of each class."""
        return np.atleast_1d(self.prob.mean(axis=0))

    @cached_property
    def fingerprint(self) -> str:
        """Names the pool's ids, probabilities and decisions, whatever the order of its rows.

        >>> Pool([0.1, 0.9], ids=["a", "b"]).fingerprint == Pool([0.9, 0.1], ids=["b", "a"]).fingerprint
        True
        """
        row = permanent.bits(self.keys, 1)
        for values in (self.prob, self.decisions):
            for part in values.reshape(len(self), -1).T:
                bits = np.ascontiguousarray(part, dtype=np.float64).view(np.uint64)
                row = permanent.bits(row ^ bits, 2)
        head = repr((len(self), self.task, tuple(str(name) for name in self.classes), int(row.sum(dtype=np.uint64))))
        return hashlib.blake2b(head.encode(), digest_size=16).hexdigest()

    def _decide(self, given: Any, threshold: float | Sequence[float] | None) -> NDArray[Any]:
        if given is not None and threshold is not None:
            raise FewlabelsError("give either decisions or a threshold, not both.")
        if given is not None:
            return self._given(given)
        if self.task == "multiclass":
            if threshold is not None:
                raise FewlabelsError(
                    "a multi-class pool decides for the likeliest class; give decisions= for another rule."
                )
            return np.asarray(np.argmax(self.prob, axis=1))
        level = np.asarray(0.5 if threshold is None else threshold, dtype=np.float64)
        if level.ndim > 0 and level.shape != self.prob.shape[1:]:
            raise FewlabelsError(
                f"{level.size} thresholds were given for {len(self.classes)} classes; give one, or one a class."
            )
        if np.isnan(level).any():
            raise FewlabelsError("a threshold is missing (NaN); give a number.")
        return np.asarray(self.prob > level)

    def _given(self, given: Any) -> NDArray[Any]:
        given = arrays.opened(given)
        if self.task == "multilabel":
            grid = arrays.floats(given, "decisions")
            if grid.shape != self.prob.shape:
                raise FewlabelsError(
                    f"decisions have shape {grid.shape}, probabilities {self.prob.shape}; they must agree."
                )
            wrong = np.flatnonzero(~((grid == 0) | (grid == 1)).all(axis=1))
            if len(wrong):
                raise FewlabelsError(f"decisions must be 0 or 1; rows {some(wrong.tolist())} are not.")
            return grid > 0
        values = arrays.anything(given)
        if len(values) != len(self.prob):
            raise FewlabelsError(f"{len(values)} decisions were given for {len(self.prob)} items; give one an item.")
        numbers = codes(values, self.classes, "decisions")
        gone = np.flatnonzero(numbers < 0)
        if len(gone):
            raise FewlabelsError(f"decisions are missing at rows {some(gone.tolist())}; every item needs one.")
        return numbers > 0 if self.task == "binary" else numbers


def _frozen(values: NDArray[Any]) -> NDArray[Any]:
    view = values.view()
    view.flags.writeable = False
    return view


def _probabilities(values: Floats, task: str | None) -> Floats:
    if values.ndim == 0:
        raise FewlabelsError("probabilities must have one or two dimensions, a value an item; got a single value.")
    if values.size == 0:
        raise FewlabelsError("the pool is empty; give at least one item.")
    if values.ndim == 2 and values.shape[1] == 1 and task in (None, "binary"):
        values = values[:, 0]
    low, high = float(values.min()), float(values.max())
    if not (low >= 0 and high <= 1):  # also true for NaN
        for wrong, what, do in (
            (np.isnan(values), "missing (NaN)", "drop or score them"),
            (
                ~((values >= 0) & (values <= 1)),
                "outside [0, 1]",
                "give probabilities, not logits or percentages",
            ),
        ):
            rows = np.unique(np.nonzero(wrong)[0])
            if len(rows):
                raise FewlabelsError(f"probabilities are {what} at rows {some(rows.tolist())}; {do}.")
    return values


def _task(values: Floats, task: str | None) -> str:
    if task is not None and task not in TASKS:
        raise FewlabelsError(f"task={task!r} is not known{arrays.near(task, TASKS)}; it is one of {', '.join(TASKS)}.")
    if values.ndim == 1:
        if task in ("multilabel", "multiclass"):
            raise FewlabelsError(f"a {task} pool needs a column of probabilities for each class; got one dimension.")
        return "binary"
    if values.ndim != 2:
        raise FewlabelsError(f"probabilities must have one or two dimensions; got {values.ndim}.")
    if task is None:
        raise FewlabelsError('two-dimensional probabilities need task="multilabel" or task="multiclass".')
    if task == "binary":
        raise FewlabelsError("a binary pool takes one column: the probability of the positive class.")
    if task == "multiclass" and values.shape[1] < 2:
        raise FewlabelsError("a multi-class pool needs at least two classes.")
    return task


def _classes(values: Floats, task: str, classes: Sequence[object] | None) -> tuple[object, ...]:
    count = 2 if task == "binary" else values.shape[1]
    if classes is None:
        return tuple(range(count))
    names = tuple(classes)
    if len(names) != count or len(set(map(str, names))) != count:
        hint = " (negative, positive)" if task == "binary" else ""
        raise FewlabelsError(f"classes must be {count} different names{hint}; got {some(names, 10)}.")
    return names


def _exclusive(values: Floats) -> Floats:
    sums = values.sum(axis=1)
    rows = np.flatnonzero(np.abs(sums - 1) > 1e-2)
    if len(rows):
        raise FewlabelsError(
            f"the probabilities of rows {some(rows.tolist())} do not sum to 1 (row {rows[0]}: {sums[rows[0]]:.4g}); "
            'normalise them, or use task="multilabel" if the classes do not exclude each other.'
        )
    return np.asarray(values / sums[:, None])  # takes away what rounding in a file left


def _identifiers(ids: Any, length: int) -> NDArray[Any]:
    names = arrays.anything(ids)
    if len(names) != length:
        raise FewlabelsError(f"{len(names)} ids were given for {length} items; give one an item.")
    if names.dtype.kind in "iu":
        unique, counts = np.unique(names, return_counts=True)
        repeated = unique[counts > 1].tolist()
    else:
        gone = [row for row, name in enumerate(names.tolist()) if missing(name)]
        if gone:
            raise FewlabelsError(f"ids are missing at rows {some(gone)}; every item needs one.")
        try:
            seen = Counter(names.tolist())
        except TypeError as problem:
            raise FewlabelsError(f"ids must be fixed values such as numbers, text or tuples; {problem}.") from problem
        repeated = [name for name, count in seen.items() if count > 1]
    if repeated:
        rows = [row for row, name in enumerate(names.tolist()) if name == repeated[0]]
        raise FewlabelsError(
            f"ids repeat: {some(repeated)} (rows {some(rows)} are {repeated[0]}); make each id name one item."
        )
    return names
