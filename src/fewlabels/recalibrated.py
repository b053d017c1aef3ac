"""The recalibrated model: what the labels so far make of the scores, for every item, and what they say beyond it.

One fit for each label (``maths.calibration``), applied to the pool's cells; each decision of each label is a column of
the confusion table with its own share of the labels' correction that is believed (``maths.columns.translation``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .maths import calibration, columns
from .maths.calibration import Fit
from .maths.columns import Column
from .sample import Sample
from .summary import Cells, blocks

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Part:
    """One decision of one label: its column, the share of correction believed, and which drawn items are in it."""

    label: int
    decision: int
    column: Column
    share: float
    inside: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Model:
    """A recalibrated model of every label: cells, fits, what it says of the drawn items, and the parts."""

    cells: tuple[Cells, ...]
    fits: tuple[Fit, ...]
    items: Floats
    parts: tuple[Part, ...]
    tables: Floats


def model_of(sample: Sample, shares: Floats, exact: bool = False) -> Model | None:
    """Recalibrate on the labels ``shares``; None where the pool's scores are not at hand or items are out of reach."""
    summary = sample.summary
    if summary is None or not summary.reachable:
        return None
    seen, scored = summary.seen(exact), blocks(sample.prob, sample.decisions, exact)
    places = [cells.place(*block) for cells, block in zip(seen, scored, strict=True)]
    fits = recalibrate(seen, places, shares)
    items = np.stack([fit.plain[place] for fit, place in zip(fits, places, strict=True)], axis=1)
    decided = np.stack([np.asarray(decisions, dtype=np.int64) for _, decisions in scored], axis=1)
    parts, tables = [], np.zeros((len(seen), shares.shape[2], shares.shape[2]))
    for k, (cells, fit, place) in enumerate(zip(seen, fits, places, strict=True)):
        for c in np.unique(cells.decisions).tolist():
            inside = decided[:, k] == c
            column = _column(cells, fit, c, place[inside], shares[inside, k], sample.weight[inside])
            part = Part(k, c, column, columns.translation(column), inside)
            tables[k, :, c] = columns.total(column, part.share)
            parts.append(part)
    return Model(seen, tuple(fits), items, tuple(parts), tables)


def recalibrate(seen: tuple[Cells, ...], places: list[Ints], shares: Floats) -> list[Fit]:
    """A fit for each label; where there are many, each is drawn towards what all of them share."""
    counts = []
    for k, (cells, place) in enumerate(zip(seen, places, strict=True)):
        counts.append(np.zeros(cells.prob.shape))
        np.add.at(counts[k], place, shares[:, k])
    if shares.shape[2] > 2:
        return [
            calibration.exclusive_classes(one.prob, one.decisions, one.sizes, n)
            for one, n in zip(seen, counts, strict=True)
        ]
    known = [calibration.features(one.prob[:, 1], one.decisions, one.sizes) for one in seen]
    means = [float(np.average(one.prob[:, 1], weights=one.sizes)) for one in seen]
    prior, deviation, agreement = calibration.PRIOR, calibration.DEVIATION, 1.0
    if len(seen) > 1:
        shared = calibration.two_classes(np.concatenate(known), np.concatenate(counts), float(np.mean(means)))
        prior, deviation, agreement = shared.theta[: len(prior)], calibration.AMONG, shared.agreement
    fits = [
        calibration.two_classes(x, n, mean, prior, deviation) for x, n, mean in zip(known, counts, means, strict=True)
    ]
    return [fit._replace(agreement=agreement * fit.agreement) for fit in fits]


def _column(cells: Cells, fit: Fit, decision: int, place: Ints, shares: Floats, weight: Floats) -> Column:
    here = cells.decisions == decision
    labelled = np.bincount(place, minlength=len(cells.sizes))
    left = np.where(here, np.maximum(cells.sizes - labelled, 0), 0).astype(np.float64)
    pulled = fit.pull(left)
    return Column(
        m=fit.m[here],
        plain=fit.plain[here],
        left=left[here],
        w1=cells.slack[here, 0],
        w3=cells.slack[here, 1],
        proven=shares.sum(axis=0),
        rest=(weight - 1.0) @ (shares - fit.plain[place]),
        doubt=pulled @ fit.cov @ pulled.T,
        towards=lambda label, tail: fit.towards(label, tail)[here],
    )
