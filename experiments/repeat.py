"""Repeat one sampler on one problem many times and say how far off every metric was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import core, engine, summary
from .draws import Draws, Plan, draw
from .problems import Problem

PROBES = 2


@dataclass(frozen=True)
class Setting:
    """What the command line chose."""

    out: Path
    runs: int
    seed: int
    jobs: int


def estimates(
    plan: Plan, starts: np.ndarray, units: np.ndarray, task: str, classes: int, metrics: Sequence[str], errors: bool,
    runs: int, rng: np.random.Generator,
) -> dict[str, np.ndarray]:  # fmt: skip
    """The work of a cell: value, variance, low and high[run, size, metric], distinct[run, size]."""
    drawn = draw(plan, starts, runs, rng)
    tables = np.tensordot(drawn.weight, units, axes=1)
    found: dict[str, list[np.ndarray]] = {"value": [], "variance": [], "low": [], "high": []}
    for metric in metrics:
        found["value"].append(core.values(metric, task, classes, tables))
        if errors:
            found["variance"].append(core.variances(metric, task, classes, tables, units, drawn.share))
            for name, side in zip(("low", "high"), core.limits(found["value"][-1], found["variance"][-1]), strict=True):
                found[name].append(side)
    return {"distinct": drawn.distinct} | {name: np.stack(part, axis=-1) for name, part in found.items() if part}


def cells(
    problem: Problem, plan: Plan, metrics: Sequence[str], setting: Setting, runs: int, errors: bool = True
) -> list[engine.Cell]:
    """The cells that repeat ``plan`` ``runs`` times.

    A few answers are part of their key, so that kept cells serve only code that still gives these to the last digit.
    """
    _, starts, units = problem.grouping
    arrays = (plan.q, plan.draws) if isinstance(plan, Draws) else (plan.b,)
    given = (plan, starts, units, problem.pool.task, len(problem.pool.classes), tuple(metrics), errors)
    probe = estimates(*given, PROBES, np.random.default_rng(setting.seed))
    key = {
        "plan": engine.hashed(type(plan).__name__, *arrays),
        "problem": engine.hashed(problem.name, starts, units),
        "metrics": list(metrics),
        "errors": errors,
        "seed": setting.seed,
        "answers": engine.hashed(*(probe[name] for name in sorted(probe))),
    }
    return [
        engine.Cell(
            key | {"chunk": chunk, "runs": count},
            (setting.seed, problem.name, chunk),
            estimates,
            (*given, count),
        )
        for chunk, count in engine.chunks(runs)
    ]


def studied(
    problem: Problem, plans: dict[str, Plan], metrics: Sequence[str], setting: Setting, title: str, errors: bool = True,
    runs: int | None = None,
) -> dict[str, Any]:  # fmt: skip
    """For each named plan: distinct labels, and the error and interval curves of each metric."""
    runs = setting.runs if runs is None else runs
    work = {name: cells(problem, plan, metrics, setting, runs, errors) for name, plan in plans.items()}
    done = iter(engine.run([cell for group in work.values() for cell in group], setting.out, setting.jobs, title))
    found = {name: engine.joined([next(done) for _ in group]) for name, group in work.items()}
    return {name: curves(problem, arrays, metrics) for name, arrays in found.items()}


def curves(problem: Problem, arrays: dict[str, np.ndarray], metrics: Sequence[str]) -> dict[str, Any]:
    """One plan's repetitions as curves over its sizes."""
    distinct = arrays["distinct"]
    out: dict[str, Any] = {"labels": distinct.mean(axis=0), "fraction": distinct.mean(axis=0) / problem.size}
    for k, metric in enumerate(metrics):
        truth = core.truth(problem, metric)
        out[metric] = summary.error_curves(arrays["value"][..., k], truth)
        if "variance" in arrays:
            out[metric] |= summary.interval_curves(arrays["low"][..., k], arrays["high"][..., k], truth)
            out[metric]["predicted"] = np.nanmean(arrays["variance"][..., k], axis=0)
    return out
