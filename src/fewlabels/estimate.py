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
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from . import metrics
from .assist import possible, predict
from .errors import FewlabelsError, FewlabelsWarning, some
from .labels import Labels, read
from .maths import bounds, influence, totals
from .metrics import Custom, Metric
from .recipes import recipe_of
from .sample import Sample, decision_codes

Floats = NDArray[np.float64]
EPSILON = 1e-10  # added to the paper's squared deviations, which are on the scale of single items


@dataclass(frozen=True, eq=False)
class Estimate:
    """A metric's estimated value with all that is needed to answer again, at another level, without new labels."""

    metric: str
    value: float
    variance: float
    labels: int
    size: int
    influences: Floats
    tables: Floats
    method: str
    notes: tuple[str, ...]
    defined: bool
    _metric: Metric
    _sample: Sample
    _shares: Floats
    _decisions: NDArray[np.int64]
    _printed: bool

    @property
    def stderr(self) -> float:
        """The standard error."""
        return math.sqrt(self.variance)

    @cached_property
    def bias(self) -> float:
        """The estimator's leading bias, (1/2) sum a z' H z; for a ratio -(1/G^2) sum a g (f - F g).

        Not taken off the value: it is smaller than the standard error by a factor of its own order. With
        ``like="printed"`` it is the paper's expression, which has another sign and lacks a term.
        """
        return _bias(self)

    def interval(self, level: float = 0.95, method: str | None = None, side: str = "both") -> tuple[float, float]:
        """Limits that hold the metric with the given confidence; one-sided with ``side="lower"`` or ``"upper"``."""
        if not 0 < level < 1:
            raise FewlabelsError(f"the level must be between 0 and 1, such as 0.95; got {level}.")
        if side not in ("both", "lower", "upper"):
            raise FewlabelsError(f'side is "both", "lower" or "upper"; got {side!r}.')
        if self._sample.complete and self.variance == 0:
            return self.value, self.value
        if not self.defined:
            return self._metric.support
        return _beta(self, *bounds.tails(level, side))

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

    def __str__(self) -> str:
        low, high = self.interval(0.95)
        head = (
            f"{self.metric} = {self.value:.4f}, 95% interval {low:.4f} to {high:.4f} (standard error {self.stderr:.4f})"
        )
        tail = f", from {self.labels} labels of {self.size} items"
        return head + tail + "".join(f"\nnote: {note}" for note in self.notes)

    __repr__ = __str__


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
) -> dict[str, Estimate]: ...
def estimate(
    sample: Sample,
    labels: Any,
    metric: str | Custom | Sequence[str | Custom],
    *,
    like: str | None = None,
    kind: str = "labels",
    missing: str = "error",
    zero_division: float | str = "warn",
) -> Estimate | dict[str, Estimate]:
    """Estimate one metric, or several at once (then the answer is a dict by name).

    ``labels`` are aligned with ``sample.index``, or a dict by id. ``kind`` says what they are: one label an item
    ("labels"), several people's "votes", or a "distribution" over the classes. A drawn item without a label is an
    error, unless ``missing="random"``: the labelled items are a random part of the drawn ones.
    """
    recipe_of(like)
    read_labels = read(labels, ids=sample.ids.tolist(), task=sample.task, classes=sample.classes, kind=kind)
    sample, read_labels = _complete(sample, read_labels, missing)
    if like is None and sample.complete:
        sample = sample.certain()
    if isinstance(metric, (str, Custom)):
        return _estimate(sample, read_labels, metrics.get(metric, sample.task, sample.classes, zero_division), like)
    found = [metrics.get(one, sample.task, sample.classes, zero_division) for one in metric]
    return {one.name: _estimate(sample, read_labels, one, like) for one in found}


def from_shares(sample: Sample, shares: Floats, metric: Metric, like: str | None = None) -> Estimate:
    """The estimate from labels that are already distributions (n, labels, classes), one label an item."""
    nothing = np.empty((0, *shares.shape[1:]))
    known = Labels(shares, np.ones(len(shares)), False, nothing, np.empty(0, dtype=np.int64))
    return _estimate(sample, known, metric, like)


def _complete(sample: Sample, labels: Labels, missing: str) -> tuple[Sample, Labels]:
    if missing not in ("error", "random"):
        raise FewlabelsError(f'missing is "error" or "random"; got {missing!r}.')
    known = labels.known
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
    decisions = decision_codes(sample)
    if metric.exact:
        labels, decisions = labels.matching(decisions), np.ones((len(sample), 1), dtype=np.int64)
    shares = labels.shares
    model = None if like is not None else predict(sample, shares, metric.exact)
    residual = shares if model is None else shares - model.items
    tables = totals.tables(residual, decisions, sample.weight)
    if model is not None:
        proven = totals.tables(shares, decisions, np.ones(len(sample)))
        tables = possible(model.tables + tables, proven, model.tables.sum(axis=1))
    slope = metric.slope(tables)
    d = influence.observed(residual, decisions, slope)
    found = _variance(sample, labels, d, slope, decisions, like)
    if like is not None:
        found += _epsilon(sample, metric, tables)
    strict = float(metric.strict(tables))
    value = float(metric.value(tables))
    notes = _notes(sample, metric, strict, value)
    for note in notes:
        warnings.warn(note, FewlabelsWarning, stacklevel=4)
    return Estimate(
        metric=metric.name,
        value=value,
        variance=found,
        labels=len(sample),
        size=sample.size,
        influences=d,
        tables=tables,
        method=f"weighted totals of a {sample.sampler} sample, Beta limits",
        notes=notes,
        defined=strict == strict,
        _metric=metric,
        _sample=sample,
        _shares=shares,
        _decisions=decisions,
        _printed=like == "printed",
    )


def _variance(
    sample: Sample, labels: Labels, d: Floats, slope: Floats, decisions: NDArray[np.int64], like: str | None
) -> float:
    if labels.noisy and like is not None and sample.sampler == "poisson":
        # The paper's stochastic form: the label of an item is one draw from its distribution.
        second = influence.observed_square(labels.shares, decisions, slope)
        return float(np.sum(sample.weight**2 * second - sample.weight * d * d))
    centred = totals.centred(d, sample.inclusion) if sample.fixed_size else d
    found = totals.variance(centred, sample.spread)
    if labels.noisy:
        found += float(np.dot(sample.weight, labels.within(decisions, slope, d)))
    return found


def _epsilon(sample: Sample, metric: Metric, tables: Floats) -> float:
    """What the paper's epsilon adds, on the scale of the metric; nothing where an item is certain."""
    base = sample.size if metric.base is None else float(metric.base(tables))
    if base == 0:
        return 0.0
    parts = sample.spread if sample.replacement else sample.weight * (sample.spread > 0)
    return EPSILON * float(np.sum(parts)) / base**2


def _notes(sample: Sample, metric: Metric, strict: float, value: float) -> tuple[str, ...]:
    notes = []
    name = metrics.ALIASES.get(metric.name, metric.name)
    unlisted = name not in metrics.names(sample.task)
    if sample.blind and (unlisted or name in sample.blind):
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


def _beta(est: Estimate, below: float, above: float) -> tuple[float, float]:
    found = bounds.within(est._metric.support, est.value, est.variance, below, above)
    if not math.isnan(found[0]) and (est.variance > 0 or est._sample.complete):
        return found
    value, variance = _padded(est)
    found = bounds.within(est._metric.support, value, variance, below, above)
    if math.isnan(found[0]):
        return est._metric.support
    return min(found[0], est.value), max(found[1], est.value)


def _padded(est: Estimate) -> tuple[float, float]:
    """Value and variance with half an unseen item of average weight in every cell of the tables.

    Where the labels show no error, or only errors, their variance is zero and says nothing; the half item is Jeffreys'
    prior for a proportion, and it fades as labels come in.
    """
    sample = est._sample
    free = max(int(np.count_nonzero(sample.spread > 0)), 1)
    weight = 1.0 + (sample.size - len(sample)) / free
    padded = est.tables + 0.5 * weight
    slope = est._metric.slope(padded)
    d = influence.observed(est._shares, est._decisions, slope)
    extra = 0.5 * weight * (weight - 1.0) * float(np.sum(slope * slope))
    return float(est._metric.value(padded)), totals.variance(d, sample.spread) + extra


def _bias(est: Estimate) -> float:
    one_hot = np.eye(est.tables.shape[-1])[est._decisions]  # (n, K, C) of decisions
    z = est._shares[:, :, :, None] * one_hot[:, :, None, :]
    kinds, which = np.unique(z.reshape(len(z), -1), axis=0, return_inverse=True)
    share = np.bincount(which.ravel(), est._sample.spread, minlength=len(kinds))
    directions = kinds.reshape(len(kinds), *est.tables.shape)
    if est._printed and est._metric.base is not None:
        # The paper: (1/G^2) sum f g (1/b - 1), as printed in its section 3.
        base = float(est._metric.base(est.tables))
        g = np.array([float(est._metric.base(z)) for z in directions])
        f = np.array([float(np.sum(est._metric.slope(est.tables) * z)) for z in directions]) * base + est.value * g
        return float(np.dot(share, f * g)) / base**2
    return 0.5 * float(np.dot(share, influence.curvature(est._metric.slope, est.tables, directions)))
