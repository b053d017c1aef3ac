"""Our way: labels correct a recalibrated model instead of replacing it.

T^ = sum_n E_m z_n + sum_s w~_n (z_n - E_m z_n): the model speaks for every item, and the weighted residuals of the
labelled ones take its errors away, whatever they are. Only the residuals add variance. w~ = 1 + lambda (w - 1) believes
a share lambda of the correction (``maths.columns.translation``). Limits are tilted score limits of each decision's
column, put together by MOVER: each column in turn goes to its limit, and the squared moves of the metric add. Towards
errors a limit allows for labels that defy their scores though none was met; away from them it goes by what was seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .labels import Labels
from .maths import columns, influence, tilting
from .metrics import Metric
from .recalibrated import Model, Part, model_of
from .sample import Sample
from .weighted import beta_limits

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SURPRISES = 4.0  # what the model expects of residuals is worth so many of them


class Ratios(NamedTuple):
    """A part's variance, that over the model's V_D, what of it the labels show, and the part of its skewness left.

    ``ratio`` is never below what the model expects of single labels. ``calm`` may be: it is what the observed
    residuals say, held by ``SURPRISES`` that came just as often as the model expects.
    """

    variance: float
    ratio: float
    calm: float
    skew: float


@dataclass(frozen=True, eq=False)
class Assisted:
    """A metric of assisted totals."""

    metric: Metric
    sample: Sample
    labels: Labels
    decisions: Ints
    model: Model

    @property
    def tables(self) -> Floats:
        return self.model.tables

    @property
    def method(self) -> str:
        kept = [part.share for part in self.model.parts]
        return (
            f"assisted totals of a {self.sample.sampler.replace('_', ' ')} sample: the model, recalibrated on the "
            f"labels and corrected by {100 * min(kept):.0f} to {100 * max(kept):.0f}% of their weighted residuals; "
            f"tilted score limits{', wary of errors that were not met' if self._wary else ''}"
        )

    @property
    def _wary(self) -> bool:
        """Whether limits look one way each: columns of two classes that go to their limits by themselves."""
        return self.slope.shape[1] == 2 and all(len(group) == 1 for group in self._together())

    @property
    def residual(self) -> Floats:
        """What each item contributes at random: its label less what the model said."""
        return np.asarray(self.labels.shares - self.model.items)

    @cached_property
    def slope(self) -> Floats:
        return self.metric.slope(self.tables)

    @cached_property
    def influences(self) -> Floats:
        return influence.observed(self.residual, self.decisions, self.slope)

    @property
    def least(self) -> float:
        """The least that observed residuals may make of the variance that the model expects of single labels.

        One label an item varies at least as the model says. The mean of V votes varies less, down to 1/V of it.
        """
        return max(1.0 / float(np.mean(self.labels.votes)), 0.05) if self.labels.noisy else 1.0

    @cached_property
    def ratios(self) -> list[Ratios]:
        """What each part varies, beside what the model expects of it."""
        return [self._ratios(part) for part in self.model.parts]

    def _ratios(self, part: Part) -> Ratios:
        g = self.slope[part.label, :, part.decision]
        design, model = columns.variances(part.column, g)
        if design <= 0:
            return Ratios(0.0, 0.0, 0.0, 0.0)
        moved = (self.residual[part.inside, part.label] @ g) ** 2 @ self.sample.spread[part.inside]
        seen = float(moved) / design
        inflated = design * max(self.least, seen)
        model = min(model * max(self.least, min(1.0, inflated / design)), inflated)
        variance = model + part.share * (inflated - model)
        ratio = variance / design
        expected = self._surprises(part)
        shown = design * (SURPRISES + expected * seen) / (SURPRISES + expected)
        calm = (model + part.share * max(shown - model, 0.0)) / design
        return Ratios(variance, ratio, calm, min(1.0, part.share**3 / max(ratio, 1e-12) ** 1.5))

    def _surprises(self, part: Part) -> float:
        """How many of a part's labels the model expects to be another than the likeliest."""
        said = self.model.items[part.inside, part.label]
        return float(np.sum(1.0 - said.max(axis=1, initial=0.0)))

    @cached_property
    def dependence(self) -> float:
        """How much the labels of an item move together: V of their sum over the sum of their V; at least 1."""
        pieces = self.residual.shape[1]
        if pieces == 1:
            return 1.0
        each = np.stack(
            [
                influence.observed(self.residual[:, k : k + 1], self.decisions[:, k : k + 1], self.slope[k : k + 1])
                for k in range(pieces)
            ]
        )
        apart = float(np.sum(self.sample.spread * each**2))
        together = float(np.sum(self.sample.spread * each.sum(axis=0) ** 2))
        return min(max(together / apart, 1.0), float(pieces)) if apart > 0 else 1.0

    @cached_property
    def parts(self) -> float:
        """The variance of the parts, as if they were independent."""
        return sum(one.variance for one in self.ratios)

    @cached_property
    def disagreement(self) -> float:
        """The variance that the votes' disagreement leaves, even where everything is labelled."""
        if not self.labels.noisy:
            return 0.0
        return float(np.dot(self.sample.weight, self.labels.within(self.decisions, self.slope, self.influences)))

    @cached_property
    def variance(self) -> float:
        return self.dependence * self.parts + self.disagreement

    def limits(self, value: float, below: float, above: float) -> tuple[float, float]:
        """Each part at its limits, the squared moves of the metric added; the votes' disagreement widens them."""
        if self.parts <= 0 < self.variance:
            return beta_limits(self, value, below, above)
        freedom = max(len(self.sample) - 3.0, 2.0)
        groups = self._together()
        ends = [tilting.limits([self._piece(n) for n in group], below, above, freedom) for group in groups]
        moved = [[self._moved(group, end) for end in both] for group, both in zip(groups, ends, strict=True)]
        moves = np.array(moved) - value
        if np.isnan(moves).any():
            return self.metric.support  # undefined within reach: nothing can be ruled out
        low = self._end(value, groups, moves.min(axis=1), -1, below)
        high = self._end(value, groups, moves.max(axis=1), +1, above)
        hair = 1e-12 * abs(value)  # a limit that is the truth itself holds it in spite of rounding
        least, most = self.metric.support
        return max(low - hair, least), min(high + hair, most)

    def _end(self, value: float, groups: list[list[int]], moves: Floats, sign: int, tail: float) -> float:
        """One limit: the root of the summed squares of the groups' moves that way, and the corners in reach of it.

        Where few errors are left the truth is often a corner, nothing left in a column, and the root of squares stops
        short of it. A move to a corner that is likelier than not adds in full, and the corner of all columns is within
        the limit unless it is less likely than the tail.
        """
        sizes = np.maximum(sign * moves, 0.0)
        corners = [self._corner(n, sign) for n in range(len(self.model.parts))]
        sure = np.array([len(group) == 1 and corners[group[0]][1] >= 0.5 for group in groups])
        reach = math.sqrt(self.variance / self.parts) if self.parts > 0 else 1.0
        end = value + sign * (float(sizes[sure].sum()) + reach * float(np.linalg.norm(sizes[~sure])))
        last = self._moved(list(range(len(corners))), [column for column, _ in corners])
        if math.prod(chance for _, chance in corners) >= tail > 0 and math.isfinite(last):
            end = sign * max(sign * end, sign * last)
        return end

    def _corner(self, n: int, sign: int) -> tuple[Floats, float]:
        """A part's column if all that is left of it moves the metric up (+1) or down (-1), and the chance of that."""
        piece = self._piece(n)
        if np.ptp(piece.g) == 0:
            return piece.at, 1.0
        left = piece.at - piece.column.proven
        way = np.eye(len(left))[np.argmax(sign * piece.g)]
        return piece.column.proven + left.sum() * way, math.exp(-float(left @ (1.0 - way)))

    def _together(self) -> list[list[int]]:
        """The parts that go to their limits together: each by itself where there are two, else all of them.

        The squared moves of many parts would not reach a corner where all have few errors left to lose.
        """
        many = range(len(self.model.parts))
        return [[n] for n in many] if len(many) <= 2 else [list(many)]

    def _piece(self, n: int) -> tilting.Piece:
        part, (_, ratio, calm, skew) = self.model.parts[n], self.ratios[n]
        at = (part.label, slice(None), part.decision)
        errors = 1 - part.decision if self.slope.shape[1] == 2 else None
        return tilting.Piece(part.column, self.slope[at], self.tables[at], part.share, ratio, calm, skew, errors)

    def _moved(self, group: list[int], ends: list[Floats]) -> float:
        tables = self.tables.copy()
        for n, column in zip(group, ends, strict=True):
            tables[self.model.parts[n].label, :, self.model.parts[n].decision] = column
        return float(self.metric.value(tables))


def assist(sample: Sample, labels: Labels, decisions: Ints, metric: Metric) -> Assisted | None:
    """The assisted totals, or None where only weighted ones can be had."""
    model = model_of(sample, labels.shares, metric.exact)
    return None if model is None else Assisted(metric, sample, labels, decisions, model)
