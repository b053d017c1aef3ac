"""Do intervals hold? Coverage and width over pools x budgets x metrics, our defaults beside the paper's Beta.

A cell is one pool, metric and budget: a design for that metric, and in each repetition a draw, an estimate, its 90% and
95% limits and its one-sided 95% bounds, both ways with the same seed and the same labels. ``whole`` is the metric of
the estimated tables rounded to whole items: where it is the truth, the labels settle it. ``step`` is the least that one
item more or less would move the metric.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import fewlabels as fl
from experiments import cases, engine, summary
from experiments.repeat import Setting

CHUNK = 100  # repetitions in a kept cell; more runs only add chunks
TRIALS = 2  # repetitions by whose answers a kept cell knows that fewlabels still does the same
WAYS: dict[str, str | None] = {"ours": None, "paper": "paper"}
LAWS = ("calibrated", "over", "under", "hidden", "flipped", "near_one", "near_zero")
SIZES = (2_000, 10_000)
BINARY = ("f1", "precision", "recall", "accuracy", "specificity")
SEVERAL = {
    "toxic6_nb_600": ("f1_micro", "f1_macro", "accuracy"),
    "mulan_yeast_lr": ("f1_micro", "f1_macro", "accuracy"),
    "cifar10_vgg16": ("accuracy", "f1_macro"),
}
BUDGETS = ("20", "50", "100", "300", "1000", "N/2", "0.95 N")
FEW = ("50", "100", "300")
FULL = ("20", "50", "100")  # budgets with all the runs; half of them elsewhere, where cells are alike or slow
BANDS = {"cover90": (0.88, 0.94), "cover95": (0.93, 0.97), "lower95": (0.93, 0.97), "upper95": (0.93, 0.97)}
COLUMNS = (
    "labels", "value", "low90", "high90", "low95", "high95", "at_least", "at_most", "defined", "whole", "step",
)  # fmt: skip


@dataclass(frozen=True)
class Place:
    """One place of the grid; ``budget`` is its name, ``labels`` the number that it means in this pool."""

    pool: str
    metric: str
    budget: str
    labels: int
    runs: int


def grid(runs: int, pools: Sequence[str]) -> list[Place]:
    """Every place, for the pools that are at hand."""
    places = []
    for name in pools:
        size = len(cases.load(name).pool)
        several = name in SEVERAL
        known = set[int]()
        for budget in FEW if several else BUDGETS:
            labels = {"N/2": size // 2, "0.95 N": round(0.95 * size)}.get(budget) or int(budget)
            if labels in known or labels > size:
                continue
            known.add(labels)
            count = runs if budget in FULL and not several else (runs + 1) // 2
            metrics = SEVERAL[name] if several else BINARY
            places += [Place(name, metric, budget, labels, count) for metric in metrics]
    return places


def measure(setting: Setting) -> dict[str, Any]:
    """All places: coverage, width and error of both ways, ready for JSON."""
    simulated = [f"{law}/{size}" for law in LAWS for size in SIZES]
    here, absent = cases.present((*cases.BINARY, *SEVERAL))
    places = grid(setting.runs, [*here, *simulated])
    work = [cells(place, setting.seed) for place in places]
    done = iter(engine.run([cell for group in work for cell in group], setting.out, setting.jobs, "Coverage"))
    found = [engine.joined([next(done) for _ in group]) for group in work]
    rows = [row(place, arrays) for place, arrays in zip(places, found, strict=True)]
    return summary.digits({"runs": setting.runs, "seed": setting.seed, "absent": absent, "cells": rows}, keep=5)


def cells(place: Place, seed: int) -> list[engine.Cell]:
    """The pieces of work of a place, named by all that their numbers depend on."""
    about = {name: value for name, value in asdict(place).items() if name != "runs"}
    key = {"experiment": "coverage", **about, "seed": seed, "case": cases.load(place.pool).digest}
    key["answers"] = known_by(place, seed)
    starts = range(0, place.runs, CHUNK)
    return [
        engine.Cell(
            key | {"chunk": chunk, "runs": min(CHUNK, place.runs - start)},
            (seed, json.dumps(about), chunk),
            repeat,
            (place, min(CHUNK, place.runs - start)),
        )
        for chunk, start in enumerate(starts)
    ]


def known_by(place: Place, seed: int) -> str:
    """The package grows in places that do not matter here, so it is known by its first answers."""
    arrays = repeat(place, TRIALS, np.random.default_rng(seed))
    return engine.hashed(*(np.round(arrays[name], 10) for name in sorted(arrays)))


def repeat(place: Place, runs: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """The work of a cell."""
    return repeated(cases.load(place.pool), place.metric, place.labels, runs, rng)


def repeated(case: cases.Case, metric: str, budget: int, runs: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Both ways on the same draws and labels: truth[run], and each of ``COLUMNS`` as [run, way]."""
    answer = {way: answers(case, metric, budget, like) for way, like in WAYS.items()}
    truth, rows = np.empty(runs), np.empty((runs, len(WAYS), len(COLUMNS)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fl.FewlabelsWarning)  # undefined values are counted below
        for run, seed in enumerate(rng.integers(2**62, size=runs).tolist()):
            labels = case.labels(rng)
            truth[run] = case.truth(labels, metric)
            rows[run] = [one(seed, labels) for one in answer.values()]
    return {"truth": truth} | {name: rows[:, :, k] for k, name in enumerate(COLUMNS)}


def answers(case: cases.Case, metric: str, labels: int, like: str | None) -> Callable[[int, Any], tuple[float, ...]]:
    """One way on one pool: from a seed and all labels to the numbers of ``COLUMNS``."""
    design = fl.design(case.pool, metric, labels, like=like)

    def answer(seed: int, known: Any) -> tuple[float, ...]:
        sample = design.draw(seed)
        found = fl.estimate(sample, known[sample.index], metric, like=like)
        limits = (*found.interval(0.9), *found.interval(0.95))
        bounds = found.interval(0.95, side="lower")[0], found.interval(0.95, side="upper")[1]
        whole = float(found.way.metric.value(np.round(found.tables)))
        return len(sample), found.value, *limits, *bounds, found.defined, whole, step(found)

    return answer


def step(found: fl.Estimate) -> float:
    """The least that another label of one item would move the metric, of those that move it."""
    moves = np.ptp(found.way.metric.slope(found.tables), axis=1)
    return float(np.min(moves[moves > 0], initial=1.0))


def row(place: Place, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """A place in numbers."""
    case = cases.load(place.pool)
    about = {"pool": place.pool, "title": case.title, "task": case.pool.task, "size": len(case.pool)}
    about |= {"metric": place.metric, "budget": place.budget, "labels": place.labels, "runs": place.runs}
    about["truth"] = arrays["truth"].mean()
    for k, way in enumerate(WAYS):
        about[way] = judged(arrays["truth"], {name: arrays[name][:, k] for name in COLUMNS})
    return about


def judged(truth: np.ndarray, seen: dict[str, np.ndarray]) -> dict[str, Any]:
    """One way at one place: how often limits held the truth, how far apart they were, how far off the value was."""
    above = {level: truth + summary.SAME >= seen[f"low{level}"] for level in (90, 95)}
    below = {level: truth - summary.SAME <= seen[f"high{level}"] for level in (90, 95)}
    narrower = (
        above[90] & (truth - summary.SAME <= seen["high90"] - seen["step"]),
        below[90] & (truth + summary.SAME >= seen["low90"] + seen["step"]),
    )
    return {
        "cover90": (above[90] & below[90]).mean(),
        "cover95": (above[95] & below[95]).mean(),
        "lower95": (truth + summary.SAME >= seen["at_least"]).mean(),
        "upper95": (truth - summary.SAME <= seen["at_most"]).mean(),
        "narrower90": max(held.mean() for held in narrower),
        "width90": (seen["high90"] - seen["low90"]).mean(),
        "width95": (seen["high95"] - seen["low95"]).mean(),
        "rmse": np.sqrt(np.mean((seen["value"] - truth) ** 2)),
        "bias": (seen["value"] - truth).mean(),
        "labels": seen["labels"].mean(),
        "undefined": 1.0 - seen["defined"].mean(),
        "settled": (np.abs(seen["whole"] - truth) <= summary.SAME).mean(),
    }
