"""Estimate: sample + labels + metric -> value, standard error, interval. Any metric from any sample.

>>> from fewlabels import Pool, design
>>> truth = [0, 0, 1, 1] * 25
>>> drawn = design(Pool([0.1, 0.2, 0.6, 0.9] * 25), "f1", budget=40, like="paper").draw(seed=1)
>>> found = estimate(drawn, [truth[i] for i in drawn.index], "f1", like="paper")
>>> found.value
1.0
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from . import arrays, metrics
from .assist import Assisted, assist
from .errors import FewlabelsError, FewlabelsWarning, some
from .labels import Labels, read
from .maths import bounds
from .metrics import Custom, Metric
from .recipes import recipe_of
from .sample import Sample, decision_codes
from .weighted import Weighted, beta_limits, bias, weigh

Floats = NDArray[np.float64]
_ROUNDING = 1e-14


@dataclass(frozen=True, eq=False)
class Estimate:
    """A metric's estimated value with all that is needed to answer again, at another level, without new labels."""

    metric: str
    value: float
    labels: int
    size: int
    notes: tuple[str, ...]
    defined: bool
    way: Weighted | Assisted
    like: str | None

    @property
    def variance(self) -> float:
        """The squared standard error."""
        return self.way.variance

    @property
    def stderr(self) -> float:
        """The standard error."""
        return math.sqrt(self.variance)

    @property
    def influences(self) -> Floats:
        """How far each labelled item moves the value, in the order of the sample."""
        return self.way.influences

    @property
    def tables(self) -> Floats:
        """The estimated confusion tables [label, true, decided] of the whole pool."""
        return self.way.tables

    @property
    def method(self) -> str:
        """What was done, in words."""
        return self.way.method

    @cached_property
    def bias(self) -> float:
        """The estimator's leading bias, (1/2) sum a z' H z; for a ratio -(1/G^2) sum a g (f - F g).

        Not taken off the value: it is smaller than the standard error by a factor of its own order. With
        ``like="printed"`` it is the paper's expression, which has another sign and lacks a term.
        """
        way = self.way
        printed = self.like == "printed"
        return bias(way.metric, way.tables, way.residual, way.decisions, way.sample.spread, printed)

    def interval(self, level: float = 0.95, method: str | None = None, side: str = "both") -> tuple[float, float]:
        """Limits that hold the metric with the given confidence; one-sided with ``side="lower"`` or ``"upper"``.

        Two-sided limits of our own are not the bounds of half the risk each: errors that nobody met can only be more
        than was seen, so the limit towards them is the more careful one (``maths.tilting.limits``).
        ``method="beta"`` gives the paper's limits, a Beta with the value and variance of this estimate. Where the
        metric is undefined, or moved by items that could not be drawn, the interval is all that is possible.
        """
        if not 0 < level < 1:
            raise FewlabelsError(f"the level must be between 0 and 1, such as 0.95; got {level}.")
        if side not in ("both", "lower", "upper"):
            raise FewlabelsError(f'side is "both", "lower" or "upper"; got {side!r}.')
        if method not in (None, "beta"):
            raise FewlabelsError(f'method is "beta" or None, the estimate\'s own; got {method!r}.')
        if self.way.sample.complete and self.variance == 0:
            return self.value, self.value
        if not self.defined or (self.like is None and _blind(self.way.sample, self.metric)):
            return self.way.metric.support  # nothing can be ruled out
        tails = bounds.tails(level, side)
        limits = beta_limits(self.way, self.value, *tails) if method else self.way.limits(self.value, *tails)
        open_low, open_high = self.way.metric.support
        return (open_low if side == "upper" else limits[0]), (open_high if side == "lower" else limits[1])

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """Plain values for JSON, a data frame or a tracker."""
        low, high = self.interval(level)
        return {
            "metric": self.metric,
            "value": self.value,
            "stderr": self.stderr,
            "low": low,
            "high": high,
            "level": level,
            "labels": self.labels,
            "size": self.size,
            "method": self.method,
            "notes": list(self.notes),
        }

    def to_frame(self, level: float = 0.95) -> Any:
        """One row, as a pandas data frame (polars where pandas is not installed)."""
        return arrays.frame([self.to_dict(level)])

    def _repr_html_(self) -> str:
        return _html([self])

    def __str__(self) -> str:
        low, high = self.interval(0.95)
        head = (
            f"{self.metric} = {self.value:.4f}, 95% interval {low:.4f} to {high:.4f} (standard error {self.stderr:.4f})"
        )
        tail = f", from {self.labels} labels of {self.size} items"
        return head + tail + "".join(f"\nnote: {note}" for note in self.notes)

    __repr__ = __str__


class Estimates(dict[str, Estimate]):
    """Several estimates by name: a dict that shows itself as a table."""

    def to_frame(self, level: float = 0.95) -> Any:
        """A row for each metric, as a pandas data frame (polars where pandas is not installed)."""
        return arrays.frame([one.to_dict(level) for one in self.values()])

    def _repr_html_(self) -> str:
        return _html(list(self.values()))

    def __str__(self) -> str:
        return "\n".join(str(one) for one in self.values())


def _html(found: list[Estimate]) -> str:
    """Estimates as a table for a notebook."""
    rows, notes = [], []
    for one in found:
        low, high = one.interval(0.95)
        numbers = (
            f"{one.value:.4f}",
            f"{low:.4f} to {high:.4f}",
            f"{one.stderr:.4f}",
            f"{one.labels:,} of {one.size:,}",
        )
        rows.append(f"<tr><th>{escape(one.metric)}</th>" + "".join(f"<td>{cell}</td>" for cell in numbers) + "</tr>")
        notes += [f"<p><small>{escape(note)}</small></p>" for note in one.notes]
    heads = "".join(f"<th>{name}</th>" for name in ("metric", "value", "95% interval", "standard error", "labels"))
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>{''.join(notes)}"


@overload
def estimate(
    sample: Sample,
    labels: Any,
    metric: str | Custom,
    *,
    like: str | None = ...,
    kind: str = ...,
    missing: str = ...,
    zero_division: float | str = ...,
) -> Estimate: ...
@overload
def estimate(
    sample: Sample,
    labels: Any,
    metric: Sequence[str | Custom],
    *,
    like: str | None = ...,
    kind: str = ...,
    missing: str = ...,
    zero_division: float | str = ...,
) -> Estimates: ...
def estimate(
    sample: Sample,
    labels: Any,
    metric: str | Custom | Sequence[str | Custom],
    *,
    like: str | None = None,
    kind: str = "labels",
    missing: str = "error",
    zero_division: float | str = "warn",
) -> Estimate | Estimates:
    """Estimate one metric, or several at once (then the answer is a dict by name).

    ``labels`` are aligned with ``sample.index``, or a dict by id. ``kind`` says what they are: one label an item
    ("labels"), several people's "votes", or a "distribution" over the classes. A drawn item without a label is an
    error, unless ``missing="random"``: the labelled items are a random part of the drawn ones.
    """
    recipe_of(like)
    read_labels = read(labels, ids=sample.ids.tolist(), task=sample.task, classes=sample.classes, kind=kind)
    sample, read_labels = _complete(sample, read_labels, missing)
    if isinstance(metric, (str, Custom)):
        return _estimate(sample, read_labels, metrics.get(metric, sample.task, sample.classes, zero_division), like)
    found = [metrics.get(one, sample.task, sample.classes, zero_division) for one in metric]
    return Estimates((one.name, _estimate(sample, read_labels, one, like)) for one in found)


def from_shares(sample: Sample, shares: Floats, metric: Metric, like: str | None = None) -> Estimate:
    """The estimate from labels that are already distributions (n, labels, classes), one label an item."""
    nothing = np.empty((0, *shares.shape[1:]))
    known = Labels(shares, np.ones(len(shares)), False, nothing, np.empty(0, dtype=np.int64))
    return _estimate(sample, known, metric, like)


def _complete(sample: Sample, labels: Labels, missing: str) -> tuple[Sample, Labels]:
    if missing not in ("error", "random"):
        raise FewlabelsError(f'missing is "error" or "random"; got {missing!r}.')
    known = labels.known
    if not len(sample):
        raise FewlabelsError("the sample is empty, no item was drawn; take a larger budget or another seed.")
    if not known.any():
        raise FewlabelsError("none of the drawn items has a label; label some of sample.ids first.")
    if known.all():
        return sample, labels
    if missing == "error":
        gone = sample.ids[~known].tolist()
        raise FewlabelsError(
            f'{len(gone)} drawn items have no label: {some(gone)}; label them, or say missing="random" if the labelled '
            "ones are a random part of the drawn."
        )
    return sample.thinned(known), labels.only(known)


def _estimate(sample: Sample, labels: Labels, metric: Metric, like: str | None) -> Estimate:
    if like is None and sample.complete:
        sample = sample.certain()
    decisions = decision_codes(sample)
    if metric.exact:
        labels, decisions = labels.matching(decisions), np.ones((len(sample), 1), dtype=np.int64)
    way: Weighted | Assisted | None = assist(sample, labels, decisions, metric) if like is None else None
    if way is None:
        way = weigh(sample, labels, decisions, metric, like)
    strict, value = float(metric.strict(way.tables)), _snapped(float(metric.value(way.tables)), metric)
    notes = _notes(sample, metric, strict, value)
    for note in notes:
        warnings.warn(note, FewlabelsWarning, stacklevel=4)
    return Estimate(
        metric=metric.name,
        value=value,
        labels=len(sample),
        size=sample.size,
        notes=notes,
        defined=strict == strict,
        way=way,
        like=like,
    )


def _snapped(value: float, metric: Metric) -> float:
    """A value that rounding put a hair outside of what is possible, put back: counts made by subtraction may be -1e-16.

    What is outside by more is left as it is, since it would be a mistake.
    """
    for end in metric.support:
        if abs(value - end) <= _ROUNDING:
            return end
    return value


def _blind(sample: Sample, metric: str) -> bool:
    """Whether items that move a built-in metric had no chance to be drawn."""
    return metrics.ALIASES.get(metric, metric) in sample.blind


def _notes(sample: Sample, metric: Metric, strict: float, value: float) -> tuple[str, ...]:
    notes = []
    unlisted = metrics.ALIASES.get(metric.name, metric.name) not in metrics.names(sample.task)
    if sample.blind and (unlisted or _blind(sample, metric.name)):
        notes.append(
            f"{metric.name} {'may not' if unlisted else 'cannot'} be served by this sample: items that move it had no "
            "chance to be drawn, so the value is biased; draw with a floor, or for this metric."
        )
    if strict != strict:
        notes.append(
            f"{metric.name} is undefined (0/0) in a part of what was labelled, and {value:.3g} stands for it; label "
            "more, or choose zero_division."
        )
    return tuple(notes)
