"""Labels as people give them, turned into distributions over the classes: L[item, label, class].

A label is a class; several votes are their shares; a distribution is itself. Missing is NaN in every place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import arrays
from .errors import FewlabelsError, some
from .maths import influence

KINDS = ("labels", "votes", "distribution")


def missing(value: Any) -> bool:
    """None, NaN and pandas' and polars' own kinds of nothing.

    >>> [missing(v) for v in (None, float("nan"), 0, "no")]
    [True, True, False, False]
    """
    if value is None:
        return True
    return (isinstance(value, float) and value != value) or type(value).__name__ in ("NAType", "NaTType")


def codes(
    values: Any, classes: Sequence[object], what: str, where: Sequence[object] | None = None
) -> NDArray[np.int64]:
    """The number of each value's class, -1 where it is missing.

    >>> codes(["yes", None, "no"], ("no", "yes"), "labels").tolist()
    [1, -1, 0]
    """
    given = values if isinstance(values, np.ndarray) else arrays.anything(values)
    if given.ndim != 1:
        raise FewlabelsError(f"{what} have shape {given.shape}, but one value an item is wanted; flatten them.")
    if given.dtype.kind in "iub" and tuple(classes) == tuple(range(len(classes))):
        numbers = given.astype(np.int64)
        wrong = np.flatnonzero((numbers < 0) | (numbers >= len(classes)))
    else:
        table = {name: number for number, name in enumerate(classes)}
        table.update({str(name): number for number, name in enumerate(classes)})
        found = (-1 if missing(v) else table.get(_plain(v), table.get(str(_plain(v)), -2)) for v in given.tolist())
        numbers = np.fromiter(found, dtype=np.int64, count=len(given))
        wrong = np.flatnonzero(numbers == -2)
    if len(wrong):
        first = given[wrong[:1]].tolist()[0]
        place = f"item {where[wrong[0]]}" if where is not None else f"row {wrong[0]}"
        raise FewlabelsError(
            f"{what}: {first!r} at {place} is not one of the classes {some(classes, 10)}"
            f"{arrays.near(first, classes)}; correct it, or name the classes with classes=."
        )
    return numbers


def _plain(value: Any) -> Any:
    """1.0 and True are the class 1."""
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, (int, str)) else str(value)


@dataclass(frozen=True)
class Labels:
    """Labels of a sample's items.

    ``shares`` is (n, K, C) with NaN where nothing is known; ``votes`` how many votes stand behind each item (infinite
    for a distribution, 1 for a label); ``noisy`` whether another vote on the same item might differ; ``ballots`` the
    single votes and ``owner`` the item that each of them is about.
    """

    shares: NDArray[np.float64]
    votes: NDArray[np.float64]
    noisy: bool
    ballots: NDArray[np.float64]
    owner: NDArray[np.int64]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which items have a label (for several labels: all of them)."""
        return np.asarray(~np.isnan(self.shares).any(axis=(1, 2)))

    def only(self, kept: NDArray[np.bool_]) -> Labels:
        """The labels of some of the items."""
        place = np.cumsum(kept) - 1
        mine = kept[self.owner]
        return Labels(self.shares[kept], self.votes[kept], self.noisy, self.ballots[mine], place[self.owner[mine]])

    def matching(self, decisions: NDArray[np.int64]) -> Labels:
        """Each item as one label: whether all of its labels are as decided, vote by vote where there are votes.

        A distribution says nothing of how its labels go together; they are taken to be independent.
        """

        def right(shares: NDArray[np.float64], decided: NDArray[np.int64]) -> NDArray[np.float64]:
            return np.asarray(np.take_along_axis(shares, decided[:, :, None], axis=2)[:, :, 0].prod(axis=1))

        whole, each = right(self.shares, decisions), right(self.ballots, decisions[self.owner])
        if len(each):
            whole = np.bincount(self.owner, each, minlength=len(whole)) / self.votes
        pair = [np.stack([1.0 - chance, chance], axis=1)[:, None, :] for chance in (whole, each)]
        return replace(self, shares=pair[0], ballots=pair[1])

    def within(
        self, decisions: NDArray[np.int64], slope: NDArray[np.float64], d: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """An unbiased guess at the variance that the votes' disagreement leaves in each item's mean influence.

        With a single vote it cannot be had; d^2 in its place makes the whole conservative.
        """
        each = influence.observed(self.ballots, decisions[self.owner], slope)
        mean = np.bincount(self.owner, each, minlength=len(d)) / self.votes  # not d, which may be less a model's word
        squares = np.bincount(self.owner, (each - mean[self.owner]) ** 2, minlength=len(d))
        many = np.maximum(self.votes, 2.0)
        inside = np.where(np.isinf(self.votes), 0.0, squares / (many * (many - 1.0)))
        return np.asarray(np.where(self.votes == 1, d * d, inside))


def read(labels: Any, *, ids: Sequence[Any], task: str, classes: tuple[object, ...], kind: str = "labels") -> Labels:
    """Labels aligned with ``ids``, or a mapping from id to label.

    >>> read({"a": 1, "b": 0}, ids=["b", "a"], task="binary", classes=(0, 1)).shares[:, 0, 1]
    array([0., 1.])
    """
    if kind not in KINDS:
        raise FewlabelsError(f"kind={kind!r} is not known{arrays.near(kind, KINDS)}; it is one of {', '.join(KINDS)}.")
    rows = _aligned(labels, ids)
    blocks, width = (len(classes), 2) if task == "multilabel" else (1, len(classes))
    votes, ballots, owner = np.ones(len(rows)), [np.empty((0, blocks, width))], []
    if kind == "labels":
        shares = _shares(rows, ids, task, classes)
    elif kind == "votes":
        shares = np.full((len(rows), blocks, width), np.nan)
        for i, row in enumerate(rows):
            cast = [] if missing(row) else [vote for vote in row if not missing(vote)]
            if cast:
                each = _shares(cast, [ids[i]] * len(cast), task, classes)
                shares[i] = each.mean(axis=0)
                votes[i] = len(cast)
                ballots.append(each)
                owner += [i] * len(cast)
    else:
        shares = _distributions(rows, ids, task, classes)
        votes[:] = np.inf
    return Labels(shares, votes, kind != "labels", np.concatenate(ballots), np.array(owner, dtype=np.int64))


def _aligned(labels: Any, ids: Sequence[Any]) -> Any:
    if isinstance(labels, Mapping):
        known = set(ids)
        strange = [key for key in labels if key not in known]
        if strange:
            raise FewlabelsError(
                f"labels are given for ids that were not drawn: {some(strange)}{arrays.near(strange[0], list(known))}; "
                "give labels for the sample's ids only."
            )
        return [labels.get(key) for key in ids]
    labels = arrays.opened(labels)
    labels = np.column_stack(_columns(labels)) if arrays.is_table(labels) else arrays.numpy_of(labels)
    if not hasattr(labels, "__len__") or isinstance(labels, str):
        raise FewlabelsError(f"labels must be one for each drawn item, or a dict by id; got {labels!r}.")
    if len(labels) != len(ids):
        raise FewlabelsError(
            f"{len(labels)} labels were given for {len(ids)} drawn items; give one for each item of sample.index, in "
            "its order, or a dict by id."
        )
    return labels


def _columns(table: Any) -> list[Any]:
    return [arrays.numpy_of(arrays.column(table, name)) for name in arrays.column_names(table)]


def _shares(rows: Any, ids: Sequence[Any], task: str, classes: tuple[object, ...]) -> NDArray[np.float64]:
    if task != "multilabel":
        numbers = codes(rows, classes, "labels", ids)
        shares = np.zeros((len(numbers), 1, len(classes)))
        shares[np.arange(len(numbers)), 0, numbers] = 1.0
        shares[numbers < 0] = np.nan
        return shares
    grid = _grid(rows, ids, len(classes))
    strange = np.flatnonzero(~(np.isnan(grid) | (grid == 0) | (grid == 1)).all(axis=1))
    if len(strange):
        raise FewlabelsError(f"the labels of item {ids[strange[0]]} are not all 0 or 1: {grid[strange[0]].tolist()}.")
    return np.stack([1.0 - grid, grid], axis=2)


def _distributions(rows: Any, ids: Sequence[Any], task: str, classes: tuple[object, ...]) -> NDArray[np.float64]:
    grid = _chances(rows, ids) if task == "binary" else _grid(rows, ids, len(classes))
    bad = np.flatnonzero(((grid < 0) | (grid > 1)).any(axis=1))
    if len(bad):
        raise FewlabelsError(f"the label distribution of item {ids[bad[0]]} leaves [0, 1]: {grid[bad[0]].tolist()}.")
    if task == "multiclass":
        off = np.flatnonzero(np.abs(grid.sum(axis=1) - 1) > 1e-6)
        if len(off):
            raise FewlabelsError(f"the label distribution of item {ids[off[0]]} does not sum to 1.")
        return grid[:, None, :]
    return np.stack([1.0 - grid, grid], axis=2)


def _chances(rows: Any, ids: Sequence[Any]) -> NDArray[np.float64]:
    """The chance of the positive class, given alone or as the second of a pair that sums to 1."""
    out = np.full((len(rows), 1), np.nan)
    for i, row in enumerate(rows):
        if missing(row):
            continue
        values = _numbers(row, ids[i])
        if len(values) > 2 or (len(values) == 2 and not abs(sum(values) - 1) <= 1e-6):
            raise FewlabelsError(
                f"the label distribution of item {ids[i]} is {values}; give the chance of the positive class, or two "
                "chances that sum to 1."
            )
        out[i] = values[-1]
    return out


def _numbers(row: Any, name: object) -> list[float]:
    try:
        return [np.nan if missing(value) else float(value) for value in np.ravel(row).tolist()]
    except (TypeError, ValueError) as problem:
        raise FewlabelsError(f"the labels of item {name} must be numbers; {problem}.") from problem


def _grid(rows: Any, ids: Sequence[Any], width: int) -> NDArray[np.float64]:
    out = np.full((len(rows), width), np.nan)
    for i, row in enumerate(rows):
        if missing(row):
            continue
        values = _numbers(row, ids[i])
        if len(values) != width:
            raise FewlabelsError(f"item {ids[i]} has {len(values)} values, but the pool has {width} classes.")
        out[i] = values
    return out
