"""The numbers of a report, as one dictionary: estimates, how they narrowed, confusion, calibration."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels import labels, metrics
from fewlabels.estimation import Estimate, estimate
from fewlabels.plans import z_of
from fewlabels.rounds import Past, lead
from fewlabels.sample import Sample

Floats = NDArray[np.float64]
Say = Callable[[str, float | None], None]
History = dict[str, list[dict[str, float]]]
STEPS = 16  # points in the history of an estimate
DEFAULT_WIDTH = 0.03
MOST_CELLS = 12  # larger confusion tables are shown by class


def estimates(
    past: Past, names: Sequence[str], level: float | None, half_width: float | None, votes: str
) -> dict[str, Any]:
    """Each metric with its interval, and how many more labels the wanted width needs."""
    level = past.facts["level"] if level is None else level
    wanted = half_width or past.facts["half_width"] or DEFAULT_WIDTH
    z_of(level)  # refuses a level that is none
    sample, given, kind, notes = past.labelled(votes)
    found = estimate(sample, given, list(names), kind=kind)
    rows = [{**one.to_dict(level), "more": more_labels(one, level, wanted)} for one in found.values()]
    return {"level": level, "half_width": wanted, "votes": kind, "estimates": rows, "notes": notes}


def more_labels(est: Estimate, level: float, half_width: float) -> int | None:
    """Labels that are missing to the wanted half-width, if errors shrink as (1/n - 1/N) does; None if unknown."""
    low, high = est.interval(level)
    have = (high - low) / 2
    if have <= half_width:
        return 0
    if not math.isfinite(have) or est.labels >= est.size:
        return None
    scale = (half_width / have) ** 2
    need = 1.0 / (scale * (1 / est.labels - 1 / est.size) + 1 / est.size)
    return math.ceil(need) - est.labels


def full(
    past: Past, names: Sequence[str], level: float | None, half_width: float | None, votes: str, say: Say
) -> dict[str, Any]:
    """Everything that a report shows."""
    say("estimating", None)
    found = estimates(past, names, level, half_width, votes)
    sample, given, kind, _ = past.labelled(votes)
    known = labels.read(given, ids=sample.ids.tolist(), task=sample.task, classes=sample.classes, kind=kind)
    say("going through the history", None)
    history = narrowing(past, names, found["level"], votes, say)
    say("tables and calibration", None)
    return {
        **found,
        "narrowing": history,
        "confusion": confusion(sample, given, kind, found["level"]),
        "by_class": by_class(sample, given, kind, found["level"]),
        "calibration": calibration(sample, known.shares),
        "weights": weights(past),
        "prediction": {
            "metric": past.facts["metrics"][0],
            "value": past.drawn[0].design["expected_value"],
            "stderr": past.drawn[0].design["expected_stderr"],
        },
    }


def narrowing(
    past: Past, names: Sequence[str], level: float, votes: str, say: Say
) -> dict[str, list[dict[str, float]]]:
    """Each metric after the first few labels, after more, ...: the votes in their order of arrival."""
    total = len(past.votes)
    steps = np.unique(np.geomspace(min(20, total), total, STEPS).round().astype(int)).tolist()
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for count in steps:
        say("going through the history", count / total)
        then = past.until(count)
        if all(vote.value is None for vote in then.votes):
            continue
        sample, given, kind, _ = then.labelled(votes)
        for name, one in estimate(sample, given, list(names), kind=kind).items():
            low, high = one.interval(level)
            found[name].append({"labels": one.labels, "value": one.value, "low": low, "high": high})
    return found


def confusion(sample: Sample, given: list[Any], kind: str, level: float) -> dict[str, Any] | None:
    """Estimated counts of each (truth, decision) in the whole pool, with intervals; None for too many classes."""
    if sample.task == "multilabel" or len(sample.classes) > MOST_CELLS:
        return None
    names = [str(name) for name in sample.classes]
    numbers = range(len(names))
    places = [(y, c) for y in numbers for c in numbers]
    if len(names) == 2:
        cells = {place: metrics.ratio(str(place), partial(_is, *place), _one) for place in places}
        found = estimate(sample, given, list(cells.values()), kind=kind)
        made = {place: _cell(found[str(place)], level) for place in places}
    else:  # limits of C x C cells would take long: one fit of the model, and standard errors
        whole = estimate(sample, given, "f1_macro", kind=kind)
        made = {place: _rough(whole, *place, level) for place in places}
    return {"classes": names, "cells": [[made[y, c] for c in numbers] for y in numbers]}


def _cell(one: Estimate, level: float) -> dict[str, float]:
    low, high = (min(max(limit, 0.0), 1.0) * one.size for limit in one.interval(level))
    return {"count": one.value * one.size, "low": low, "high": high}


def _rough(whole: Estimate, y: int, c: int, level: float) -> dict[str, float]:
    """A count and its half-width, from the totals of an estimate that is there already."""
    where = np.zeros_like(whole.tables)
    where[0, y, c] = 1.0

    def count(tables: Any) -> Any:
        return (tables * where).sum(axis=(-3, -2, -1))

    metric = metrics.Metric("count", count, count, lambda tables: where, (0.0, float(whole.size)))
    way = replace(whole.way, metric=metric)
    return {"count": float(count(way.tables)), "half": z_of(level) * math.sqrt(way.variance)}


def _is(y: int, c: int, decision: Any, label: Any) -> Any:
    return (decision == c) * (label == y) * 1.0


def _one(decision: Any, label: Any) -> Any:
    return 1.0 + 0.0 * (decision + label)


def by_class(sample: Sample, given: list[Any], kind: str, level: float) -> list[dict[str, Any]]:
    """Precision, recall and F1 of every class of a pool with several."""
    if sample.task == "binary":
        return []
    rows = []
    for name in sample.classes:
        wanted = [f"{stem}[{name}]" for stem in ("precision", "recall", "f1")]
        found = estimate(sample, given, wanted, kind=kind)
        parts = {key.split("[")[0]: one.to_dict(level) for key, one in found.items()}
        rows.append({"class": str(name), **parts})
    return rows


def calibration(sample: Sample, shares: Floats, bins: int = 10) -> list[dict[str, float]]:
    """What the model said against what people said, weighted to the whole pool; of the decided class if exclusive."""
    if sample.task == "multiclass":
        rows = np.arange(len(sample))
        p, y = lead(sample.prob, sample.decisions), shares[rows, 0, sample.decisions]
        w = sample.weight
    else:
        p, y = sample.prob.ravel(), shares[:, :, 1].ravel()
        w = np.repeat(sample.weight, shares.shape[1])
    place = np.minimum((p * bins).astype(int), bins - 1)
    found = []
    for k in np.unique(place).tolist():
        mine = place == k
        total = w[mine].sum()
        share = float(np.dot(w[mine], y[mine]) / total)
        effective = float(total**2 / np.dot(w[mine], w[mine]))
        low, high = _wilson(share, effective)
        row = {"score": float(np.dot(w[mine], p[mine]) / total), "share": share, "low": low, "high": high}
        found.append({**row, "labels": int(mine.sum())})
    return found


def _wilson(share: float, n: float, z: float = 1.96) -> tuple[float, float]:
    """Wilson's 95% interval of a share seen in n items (an effective number, so for orientation)."""
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, centre - half), min(1.0, centre + half)


def weights(past: Past) -> dict[str, Any]:
    """Which items were chosen, and why: chance by score over the pool, and where the drawn items lie."""
    sample = past.sample
    score = lead(sample.prob, sample.decisions)
    axis = {
        "binary": "probability of the positive class",
        "multiclass": "probability of the decided class",
        "multilabel": "probability of the least certain decision",
    }[sample.task]
    return {
        "axis": axis,
        "curve": past.drawn[-1].design["curve"],
        "items": [[float(s), float(b)] for s, b in zip(score, sample.inclusion, strict=True)],
        "certain": past.drawn[-1].design["certain"],
    }
