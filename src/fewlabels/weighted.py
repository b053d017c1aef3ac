"""The paper's way: weighted totals of the labelled items, their one variance, Beta limits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .labels import Labels
from .maths import bounds, influence, totals
from .metrics import Metric
from .sample import Sample

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
EPSILON = 1e-10  # added to the paper's squared deviations, which are on the scale of single items


@dataclass(frozen=True, eq=False)
class Weighted:
    """Totals from the labels alone: T^ = sum w z, V^ = sum a d^2."""

    metric: Metric
    sample: Sample
    labels: Labels
    decisions: Ints
    like: str | None
    tables: Floats
    influences: Floats
    variance: float

    @property
    def method(self) -> str:
        return f"weighted totals of a {self.sampler_words}; Beta limits"

    @property
    def sampler_words(self) -> str:
        return f"{self.sample.sampler.replace('_', ' ')} sample"

    @property
    def residual(self) -> Floats:
        """What each item contributes at random: its whole label."""
        return self.labels.shares

    def limits(self, value: float, below: float, above: float) -> tuple[float, float]:
        """Beta limits, and where there is no such Beta, limits that are sound."""
        return beta_limits(self, value, below, above)


def weigh(sample: Sample, labels: Labels, decisions: Ints, metric: Metric, like: str | None) -> Weighted:
    """Totals, influences and variance from the labels alone."""
    tables = totals.tables(labels.shares, decisions, sample.weight)
    slope = metric.slope(tables)
    d = influence.observed(labels.shares, decisions, slope)
    found = _variance(sample, labels, d, slope, decisions, like)
    if like is not None:
        found += _epsilon(sample, metric, tables)
    return Weighted(metric, sample, labels, decisions, like, tables, d, found)


def _variance(sample: Sample, labels: Labels, d: Floats, slope: Floats, decisions: Ints, like: str | None) -> float:
    if labels.noisy and like is not None and sample.sampler == "poisson":
        # The paper's stochastic form: the label of an item is one draw from its distribution. Of a distribution that
        # only one vote tells of, the mean is unknown, and leaving its square out is the safe way.
        second = influence.observed_square(labels.shares, decisions, slope)
        return float(np.sum(sample.weight**2 * second - np.where(labels.votes > 1, sample.weight * d * d, 0.0)))
    found = totals.variance(totals.centred(d, sample.inclusion, sample.group), sample.spread)
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


class Way(Protocol):
    """What limits need to know of an estimate."""

    @property
    def metric(self) -> Metric: ...
    @property
    def sample(self) -> Sample: ...
    @property
    def labels(self) -> Labels: ...
    @property
    def decisions(self) -> Ints: ...
    @property
    def tables(self) -> Floats: ...
    @property
    def variance(self) -> float: ...


def beta_limits(way: Way, value: float, below: float, above: float) -> tuple[float, float]:
    """The Beta of that mean and variance; with half an unseen item in every cell where that cannot be."""
    found = bounds.within(way.metric.support, value, way.variance, below, above)
    if not math.isnan(found[0]) and (way.variance > 0 or way.sample.complete):
        return found
    found = bounds.within(way.metric.support, *_padded(way), below, above)
    if math.isnan(found[0]):
        return way.metric.support
    return min(found[0], value), max(found[1], value)


def _padded(way: Way) -> tuple[float, float]:
    """Value and variance with half an unseen item of average weight in every cell of the tables.

    Where the labels show no error, or only errors, their variance is zero and says nothing; the half item is Jeffreys'
    prior for a proportion, and it fades as labels come in.
    """
    sample = way.sample
    free = max(int(np.count_nonzero(sample.spread > 0)), 1)
    weight = 1.0 + (sample.size - len(sample)) / free
    padded = way.tables + 0.5 * weight
    slope = way.metric.slope(padded)
    d = influence.observed(way.labels.shares, way.decisions, slope)
    extra = 0.5 * weight * (weight - 1.0) * float(np.sum(slope * slope))
    return float(way.metric.value(padded)), totals.variance(d, sample.spread) + extra


def bias(metric: Metric, tables: Floats, residual: Floats, decisions: Ints, spread: Floats, printed: bool) -> float:
    """The leading bias of F(T^), (1/2) sum a z' H z; for a ratio -(1/G^2) sum a g (f - F g).

    ``printed`` is the paper's expression for a ratio, (1/G^2) sum a f g, which has another sign and lacks a term.
    """
    one_hot = np.eye(tables.shape[-1])[decisions]  # (n, K, C) of decisions
    z = residual[:, :, :, None] * one_hot[:, :, None, :]
    kinds, which = np.unique(z.reshape(len(z), -1), axis=0, return_inverse=True)
    share = np.bincount(which.ravel(), spread, minlength=len(kinds))
    directions = kinds.reshape(len(kinds), *tables.shape)
    if printed and metric.base is not None:
        base, slope = float(metric.base(tables)), metric.slope(tables)
        g = np.array([float(metric.base(one)) for one in directions])
        f = np.array([float(np.sum(slope * one)) for one in directions]) * base + float(metric.value(tables)) * g
        return float(np.dot(share, f * g)) / base**2
    return 0.5 * float(np.dot(share, influence.curvature(metric.slope, tables, directions)))
