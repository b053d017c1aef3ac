"""Tilted score limits: how far a column of a confusion table may go before its sample would be too unlikely.

The recalibrated model is tilted along the metric, q proportional to m exp(delta g), until the estimate lies at the edge
of what a sample of the tilted pool would give: Wilson's interval for a total of many different chances.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv, ndtri, stdtrit

from .columns import Column, moments
from .roots import central_root

Floats = NDArray[np.float64]

ERRORS = 0.4  # of the chance to miss: the part of the limit towards errors
_NONE_LEFT = 0.05  # the tail at which no error may be left, at any level, so that limits of levels nest
_NEAR = 0.25  # of a count: a limit so near to the next whole one answers for it
_EVEN = 0.49  # the most that one tail may have: a limit is on its own side of the value
_FAR = 40.0  # in units of the slope's range: a tilt that leaves nothing of the other classes


def quantile(tail: float, skew: float) -> float:
    """The upper ``tail`` quantile of a standardised gamma (Pearson III) of this skewness; normal where it is 0."""
    if abs(skew) < 2e-3:
        return -float(ndtri(tail))
    shape = 4.0 / min(abs(skew), 50.0) ** 2
    point = gammaincinv(shape, 1.0 - tail if skew > 0 else tail)
    return float((point - shape) / math.sqrt(shape)) * math.copysign(1.0, skew)


def tilted(column: Column, g: Floats, delta: float) -> Floats:
    """The model shifted along the metric: q proportional to m exp(delta g); for two classes a shift of the log odds."""
    scaled = delta * g
    q = column.m * np.exp(scaled - scaled.max())
    return np.asarray(q / q.sum(axis=1, keepdims=True))


def whole(open_: Floats, unit: Floats, seen: float, sign: int) -> Floats:
    """Unlabelled totals ``open_`` moved outwards to a whole count that is near, where a metric sees two kinds of label.

    Counts are whole: with one item left, limits of 0.1 and 0.9 would leave out all that can be. None and all are near
    from a half on, as a continuity correction has it. Between them that would hold too often, whatever the count is,
    and limits move only from ``_NEAR``, so that they hold about as often as they say on the average over counts.
    """
    count = float(open_ @ unit)
    rest = float(open_.sum()) - count
    if not np.all((unit == 0) | (unit == 1)) or count <= 0 or rest <= 0 or abs(seen - round(seen)) > 1e-9:
        return open_
    nearest = float(round(count))
    outwards = sign * (nearest - count)
    corner = nearest in (0.0, round(count + rest))
    wanted = nearest if 0 < outwards <= (0.5 if corner else _NEAR) else count
    return np.asarray(open_ * np.where(unit == 1, wanted / count, (count + rest - wanted) / rest))


class Piece(NamedTuple):
    """A column as a metric looks at it: its slope ``g``, its total ``at``, the share of correction that is believed.

    ``ratio`` is its variance over V_D, ``skew`` the part of its skewness that is left. ``errors`` is the class whose
    labels are errors, where there are two classes, and ``calm`` the ratio that counts away from them.
    """

    column: Column
    g: Floats
    at: Floats
    share: float
    ratio: float
    calm: float
    skew: float
    errors: int | None


def _expected(pieces: Sequence[Piece], delta: float) -> Floats:
    """What the tilted model expects of columns together: total, variance, inflated variance and third moment."""
    found = np.zeros(4)
    for one in pieces:
        mean, second, third = moments(one.column.m, one.g, delta)
        v = one.column.w1 @ second
        found += (one.column.left @ mean, v, one.ratio * v, one.skew * (one.column.w3 @ third))
    return found


def _own(pieces: Sequence[Piece]) -> tuple[float, Floats]:
    """The part of V_D that is the chance of the unlabelled labels themselves, and the moments that belong to it.

    These labels vary about what the model expects, whatever the truth turns out to be: their variance does not change
    with the tilt, and it leans the other way. The rest of V_D is the sampling's, judged at the tilted model as in
    Wilson's interval. Near a census nearly all is the labels' own, and limits are those of a prediction.
    """
    _, v, inflated, _ = _expected(pieces, 0.0)
    second, third = np.sum([one.column.left @ np.stack(moments(one.column.m, one.g)[1:]).T for one in pieces], axis=0)
    return (min(float(second / v), 1.0) if v > 0 else 0.0), np.array([v, inflated, -third])


def _facing(piece: Piece, sign: int, tail: float) -> Piece:
    """A column as the limit that way sees it: defiance of that kind allowed for, and its own variance."""
    to = int(np.argmax(sign * piece.g))
    faced = piece._replace(column=piece.column._replace(m=piece.column.towards(to, tail)))
    return faced if piece.errors in (None, to) else faced._replace(ratio=piece.calm)


def limits(pieces: Sequence[Piece], below: float, above: float, freedom: float) -> tuple[list[Floats], list[Floats]]:
    """Columns at their lower and upper limit along g, all tilted together: a Wilson interval for assisted totals.

    Solves sum g . (T^ - T(delta)) = +- quantile sd(delta), where T(delta) is what the tilted model expects and
    sd(delta)^2 = sum ``ratio`` w1 Var_q g, but for the part that is the unlabelled labels' own, with the squares of
    the corrections that were not believed added to it.
    Never of zero width before everything is labelled, and inside what the labels leave possible. An empty tail gives
    the far end.

    Errors that nobody met are what limits must answer for, so the limit of a single column towards its errors and the
    one away from them differ (``_facing``). The first allows for labels that defy their scores, and so it misses less
    often than its tail says wherever there are none: of both tails together it gets ``ERRORS``, or all where no error
    may be left and the other limit cannot miss. Away from errors the estimate is high where a rare and heavy one was
    drawn, and then the variance is high as well: a ratio like Student's, which leans as far the other way.
    """
    size = max(float(np.ptp(one.g)) for one in pieces)
    if size == 0 or not any(one.column.left.sum() > 0 for one in pieces):
        return [one.at for one in pieces], [one.at for one in pieces]
    pieces = [one._replace(g=(one.g - one.g.min()) / size) for one in pieces]
    open_ = sum(float(one.g @ (one.at - one.column.proven)) for one in pieces)
    slip = sum(((1.0 - one.share) * float(one.g @ one.column.rest)) ** 2 for one in pieces)
    errors = pieces[0].errors if len(pieces) == 1 else None

    def end(tail: float, sign: int) -> list[Floats]:
        facing = [one if len(pieces) > 1 else _facing(one, sign, tail) for one in pieces]
        share, still = _own(facing)
        few = float(stdtrit(freedom, tail) / ndtri(tail)) if tail > 0 else 1.0
        away = errors is not None and int(np.argmax(sign * pieces[0].g)) != errors

        def gap(delta: float) -> float:
            expected, *sampled = _expected(facing, delta)
            plain, inflated, third = (1.0 - share) * np.array(sampled) + share * still
            lean = -sign * third / max(plain, 1e-100) ** 1.5
            reach = few * quantile(tail, -abs(lean) if away else lean) * math.sqrt(inflated + slip)
            return float(expected) - open_ - sign * reach

        delta = central_root(gap, _FAR, 1e-6) if tail > 0 else sign * _FAR
        left = [one.column.left @ tilted(one.column, one.g, delta) for one in facing]
        if len(pieces) == 1:
            left = [whole(left[0], pieces[0].g, float(pieces[0].g @ pieces[0].column.proven), sign)]
        return [one.column.proven + some for one, some in zip(pieces, left, strict=True)]

    if errors is None or below <= 0 or above <= 0:
        return end(below, -1), end(above, +1)
    sign = 1 if pieces[0].g[errors] == 1 else -1
    none_left = (end(_NONE_LEFT, -sign)[0] - pieces[0].column.proven)[errors] < 0.5
    shares = (1.0 - ERRORS, 1.0 if none_left else ERRORS)
    away, to = (min(part * (below + above), _EVEN) for part in shares)
    both = end(away, -sign), end(to, sign)
    return both if sign > 0 else both[::-1]
