"""The defaults of fewlabels beside the paper's samplers: error against labels, and labels for the same error."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import fewlabels as fl
from experiments import core, engine, plans, problems, repeat, summary
from experiments.data import DataAbsentError

PAPER = {"mnist8": "f1", "newsgroups_binary": "f1", "toxic6": "f1_micro"}
READY = {
    "er_abt_buy_svm": "f1",
    "tweets100k_svm": "f1",
    "ppi_galaxies": "f1",
    "mulan_yeast_lr": "f1_micro",
    "cifar10_vgg16": "accuracy",
}
LABELS = (12, 25, 50, 100, 200, 400, 800, 1600, 3200)
RUNS = 500
PROBES = 3
HALVES_RUNS = 250
LARGEST = 0.6  # of the pool
TARGET = 1000  # the error to be reached is that of the paper's Bernoulli sampler with so many labels ...
TARGET_SHARE = 0.15  # ... or with this share of a small pool


def measure(setting: repeat.Setting) -> dict[str, Any]:
    """Curves for every pool that is here; ready-made pools that are absent are named, not passed over in silence."""
    setting = replace(setting, runs=min(setting.runs, RUNS))
    out: dict[str, Any] = {"runs": setting.runs, "seed": setting.seed, "pools": {}, "absent": []}
    for name, metric in (PAPER | READY).items():
        try:
            problem = problems.load(name, setting.out)
        except DataAbsentError:
            if name in PAPER:
                raise
            out["absent"].append(name)
            continue
        out["pools"][name] = one_pool(problem, metric, setting)
    return out


def one_pool(problem: problems.Problem, metric: str, setting: repeat.Setting) -> dict[str, Any]:
    """The paper's three samplers on a dense ladder of label counts, ours on a coarser one."""
    dense = np.unique(np.geomspace(20, 0.9 * problem.size, 20).round().astype(np.int64))
    chosen = {sampler: plans.plan(problem, sampler, metric, dense) for sampler in plans.SAMPLERS}
    few = problem.pool.task != "multiclass"  # the error bars of a hundred cells and more cost minutes
    curves = repeat.studied(problem, chosen, (metric,), setting, f"The paper's way, {problem.name}", errors=few)
    curves["ours"] = ours(problem, metric, setting)
    target = min(TARGET, round(TARGET_SHARE * problem.size))
    error = summary.at(curves["poisson"]["labels"], rmse(curves["poisson"][metric]), target)
    return {
        "metric": metric,
        "note": problem.scored.note,
        "size": problem.size,
        "truth": core.truth(problem, metric),
        "curves": curves,
        "target": {"labels": target, "rmse": error},
        "halves": halves(problem, metric, target, setting),
        "needed": {
            name: summary.labels_for(curve["labels"], rmse(curve[metric]), error) for name, curve in curves.items()
        },
    }


def rmse(curve: dict[str, Any]) -> np.ndarray:
    """Root mean squared error along a curve."""
    return np.sqrt(np.asarray(curve["mse"]))


def ours(problem: problems.Problem, metric: str, setting: repeat.Setting) -> dict[str, Any]:
    """``fl.design(...).draw(...)`` and ``fl.estimate(...)`` with nothing said but metric and budget."""
    ladder = [count for count in LABELS if count <= LARGEST * problem.size]
    key = {
        "problem": engine.hashed(problem.name, problem.scored.prob, problem.scored.labels),
        "metric": metric,
        "seed": setting.seed,
    }
    answers = {count: probe(problem, metric, count, setting) for count in ladder}
    cells = [
        engine.Cell(
            key | {"labels": count, "chunk": chunk, "runs": runs, "answers": answers[count]},
            (setting.seed, problem.name, "ours", count, chunk),
            by_default,
            (problem.name, setting.out, metric, count, runs),
        )
        for count in ladder
        for chunk, runs in engine.chunks(setting.runs)
    ]
    found = iter(engine.run(cells, setting.out, setting.jobs, f"fewlabels, {problem.name}"))
    parts = [engine.joined([next(found) for _ in engine.chunks(setting.runs)]) for _ in ladder]
    arrays = {name: np.stack([part[name] for part in parts], axis=1) for name in parts[0]}
    return repeat.curves(problem, arrays, (metric,))


def probe(problem: problems.Problem, metric: str, labels: int, setting: repeat.Setting) -> str:
    """A hash of a few answers: a kept cell is used again as long as fewlabels answers these with the same digits."""
    found = by_default(problem.name, setting.out, metric, labels, PROBES, np.random.default_rng(setting.seed))
    return engine.hashed(*(found[name] for name in sorted(found)))


def halves(problem: problems.Problem, metric: str, labels: int, setting: repeat.Setting) -> dict[str, Any]:
    """Root mean squared error with either design and either estimate: which half of the defaults does what."""
    given = (problem.name, setting.out, metric, labels)
    seen = mixed(*given, PROBES, np.random.default_rng(setting.seed))["value"]
    key = {"halves": problem.name, "metric": metric, "labels": labels, "seed": setting.seed}
    runs = min(setting.runs, HALVES_RUNS)
    cells = [
        engine.Cell(
            key | {"chunk": chunk, "runs": count, "answers": engine.hashed(seen)},
            (setting.seed, problem.name, "halves", chunk),
            mixed,
            (*given, count),
        )
        for chunk, count in engine.chunks(runs)
    ]
    found = engine.joined(engine.run(cells, setting.out, setting.jobs, f"Halves, {problem.name}"))["value"]
    errors = np.sqrt(np.mean((found - core.truth(problem, metric)) ** 2, axis=0))
    return {
        "runs": runs,
        "rmse": dict(zip(("ours_ours", "ours_paper", "paper_ours", "paper_paper"), errors, strict=True)),
    }


def mixed(name: str, out: Path, metric: str, labels: int, runs: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """value[run, design x estimate]: our design with our estimate and the paper's, then the paper's with both."""
    problem = problems.load(name, out)
    designs = [fl.design(problem.pool, metric, budget=labels, like=like) for like in (None, "paper")]
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fl.FewlabelsWarning)
        for seed in rng.integers(2**62, size=runs).tolist():
            samples = [design.draw(seed) for design in designs]
            rows.append([
                fl.estimate(sample, problem.scored.labels[sample.index], metric, like=like).value
                for sample in samples
                for like in (None, "paper")
            ])  # fmt: skip
    return {"value": np.array(rows)}


def by_default(
    name: str, out: Path, metric: str, labels: int, runs: int, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """The work of a cell, in the shape of the paper's: [run, metric]."""
    problem = problems.load(name, out)
    design = fl.design(problem.pool, metric, budget=labels)
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fl.FewlabelsWarning)
        for seed in rng.integers(2**62, size=runs).tolist():
            sample = design.draw(seed)
            found = fl.estimate(sample, problem.scored.labels[sample.index], metric)
            rows.append((len(sample), found.value, found.variance, *found.interval(core.LEVEL)))
    columns = np.array(rows, dtype=float).T
    names = ("distinct", "value", "variance", "low", "high")
    return {key: column if key == "distinct" else column[:, None] for key, column in zip(names, columns, strict=True)}
