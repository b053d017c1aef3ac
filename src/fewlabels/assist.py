"""Assisted estimates: labels correct a recalibrated model instead of replacing it.

T^ = sum_n E_m z_n + sum_s w_n (z_n - E_m z_n): the model speaks for every item, and the weighted residuals of the
labelled ones take its errors away, whatever they are. Only the residuals add variance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .maths import calibration
from .sample import Sample
from .summary import Cells, blocks

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Prediction:
    """What a recalibrated model says: ``tables`` of the whole pool, ``items`` (n, labels, classes) of the sample."""

    tables: Floats
    items: Floats
    cells: tuple[Cells, ...]
    model: tuple[Floats, ...]


def predict(sample: Sample, shares: Floats, exact: bool = False) -> Prediction | None:
    """Recalibrate on the labels ``shares`` and predict the pool; None where the pool's scores are not at hand."""
    if sample.summary is None:
        return None
    seen = sample.summary.seen(exact)
    items, tables, model = np.empty_like(shares), [], []
    scored = blocks(sample.prob, sample.decisions, exact)
    for k, (cells, (prob, decisions)) in enumerate(zip(seen, scored, strict=True)):
        place = cells.place(prob, decisions)
        m = _recalibrate(cells, place, shares[:, k])
        items[:, k] = m[place]
        tables.append(_table(cells, m))
        model.append(m)
    return Prediction(np.stack(tables), items, seen, tuple(model))


def _recalibrate(cells: Cells, place: Ints, shares: Floats) -> Floats:
    counts = np.zeros(cells.prob.shape)
    np.add.at(counts, place, shares)
    if cells.prob.shape[1] > 2:
        return calibration.exclusive_classes(cells.prob, cells.decisions, cells.sizes, counts)
    m = calibration.two_classes(cells.prob[:, 1], cells.decisions, cells.sizes, counts.sum(axis=1), counts[:, 1])
    return np.stack([1.0 - m, m], axis=1)


def _table(cells: Cells, m: Floats) -> Floats:
    classes = m.shape[1]
    weighted = m * cells.sizes[:, None]
    return np.stack([np.bincount(cells.decisions, weighted[:, y], minlength=classes) for y in range(classes)])


def possible(tables: Floats, proven: Floats, columns: Floats) -> Floats:
    """Tables drawn back to what the labels leave possible.

    Each decision's column has a known total, and no entry is below what labels already prove; what is above that is
    shared out in proportion.
    """
    above = np.maximum(tables - proven, 0.0)
    room = np.maximum(columns - proven.sum(axis=1), 0.0)
    given = above.sum(axis=1)
    scale = np.divide(room, given, out=np.zeros_like(room), where=given > 0)
    even = np.where((given <= 0) & (room > 0), room / tables.shape[1], 0.0)
    return np.asarray(proven + above * scale[:, None, :] + even[:, None, :])
