"""MNIST, "is it an 8": samples drawn for F1, five metrics estimated (paper, section 5.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments import core, engine, plans, problems, repeat
from experiments.draws import Draws
from fewlabels.maths import inclusion

METRICS = ("accuracy", "f1", "precision", "recall", "specificity")
SINGLE = tuple(np.round(np.geomspace(0.01, 0.99, 45), 4))
TRUSTS = (0.99, 0.95, 0.9, 0.8, 0.5)
SHOWN = (0.05, 0.15, 0.3, 0.5, 0.7, 0.9)


def measure(setting: repeat.Setting) -> dict[str, Any]:
    """All numbers of the MNIST experiment."""
    problem = problems.load("mnist8", setting.out)
    labels = plans.counts(problem)
    chosen = {sampler: plans.plan(problem, sampler, "f1", labels) for sampler in plans.SAMPLERS}
    return {
        "about": about(problem, METRICS, setting),
        "draws": {name: plan.draws for name, plan in chosen.items() if isinstance(plan, Draws)},
        "curves": repeat.studied(problem, chosen, METRICS, setting, "MNIST"),
        "single": single(problem, setting),
        "certain": certain(problem),
        "weights": weights(problem),
        "everything": everything(problem, setting),
    }


def about(problem: problems.Problem, metrics: tuple[str, ...], setting: repeat.Setting) -> dict[str, Any]:
    """What was measured, on what, how often."""
    return {
        "note": problem.scored.note,
        "size": problem.size,
        "positives": int(problem.labels.sum()) if problem.pool.task != "multiclass" else None,
        "truth": {metric: core.truth(problem, metric) for metric in metrics},
        "runs": setting.runs,
        "seed": setting.seed,
    }


def single(problem: problems.Problem, setting: repeat.Setting) -> dict[str, Any]:
    """One repetition that grows label by label, with its 90% limits."""
    labels = plans.counts(problem, SINGLE)
    out = {}
    for sampler in plans.SAMPLERS:
        plan = plans.plan(problem, sampler, "f1", labels)
        arrays = engine.run(repeat.cells(problem, plan, METRICS, setting, 1), setting.out, 1, f"single {sampler}")[0]
        out[sampler] = {"fraction": arrays["distinct"][0] / problem.size}
        for k, metric in enumerate(METRICS):
            out[sampler][metric] = {name: arrays[name][0, :, k] for name in ("value", "low", "high")}
    return out


def certain(problem: problems.Problem) -> dict[str, Any]:
    """The share of the pool with b = 1 against the fraction labelled, and where it starts."""
    h = core.deviations(problem, "f1")
    fractions = np.arange(1, 101) / 100
    shares = [np.mean(inclusion.poisson(h, fraction * problem.size) >= 1) for fraction in fractions]
    first = int(np.flatnonzero(np.asarray(shares) >= 0.05)[0])
    return {
        "fraction": fractions,
        "share": shares,
        "starts": inclusion.saturation(h) / problem.size,
        "twentieth": fractions[first],
        "by_trust": {str(t): inclusion.saturation(core.deviations(problem, "f1", t)) / problem.size for t in TRUSTS},
    }


def everything(problem: problems.Problem, setting: repeat.Setting) -> dict[str, Any]:
    """The largest error of each metric when the budget is the whole pool."""
    plan = plans.plan(problem, "poisson", "f1", [problem.size])
    arrays = engine.run(repeat.cells(problem, plan, METRICS, setting, 5), setting.out, 1, "everything")[0]
    return {m: np.abs(arrays["value"][..., k] - core.truth(problem, m)).max() for k, m in enumerate(METRICS)}


def weights(problem: problems.Problem) -> dict[str, Any]:
    """Sorted inclusion probabilities at some fractions: b of Bernoulli, pi of importance sampling; every 40th item."""
    h = np.sort(core.deviations(problem, "f1"))[::-1]
    q = h / h.sum()
    places = np.unique(np.concatenate([np.arange(0, len(h), 40), [len(h) - 1]]))
    out: dict[str, Any] = {"rank": (places + 1) / len(h), "poisson": {}, "importance": {}, "largest": {}}
    for fraction in SHOWN:
        pi = inclusion.drawn(q, inclusion.draws_for(q, fraction * len(h)))
        out["poisson"][str(fraction)] = inclusion.poisson(h, fraction * len(h))[places]
        out["importance"][str(fraction)] = pi[places]
        out["largest"][str(fraction)] = float(pi.max())
    return out
