"""Cross results: a sample drawn for one metric serves another (paper, appendix F.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from experiments import core, plans, problems, repeat, summary
from fewlabels.maths import inclusion

from .mnist import METRICS, about

FRACTIONS = (.01, .02, .05, .1, .15, .25, .35, .5, .7, .9)  # fmt: skip
MATRIX_AT = (0.02, 0.05, 0.1, 0.25, 0.5)
RUNS = 500


def measure(setting: repeat.Setting) -> dict[str, Any]:
    """For importance and Bernoulli sampling: error curves[drawn for][estimated], and the matrix of ratios."""
    problem = problems.load("mnist8", setting.out)
    setting = replace(setting, runs=min(setting.runs, RUNS))
    labels = plans.counts(problem, FRACTIONS)
    out: dict[str, Any] = {"about": about(problem, METRICS, setting)}
    for sampler in ("poisson", "importance"):
        chosen = {metric: plans.plan(problem, sampler, metric, labels) for metric in METRICS}
        curves = repeat.studied(problem, chosen, METRICS, setting, f"Cross, {sampler}", errors=False)
        out[sampler] = {"curves": curves, "matrix": matrix(curves), "linearised": linearised(problem, sampler)}
    return out


def linearised(problem: problems.Problem, sampler: str) -> dict[str, Any]:
    """The matrix without noise: the leading variance with every label known, and the belief's own view of it.

    By the belief a metric's own design is the best one; where all labels say otherwise, the belief is wrong.
    """
    views = {"labels": core.true_deviations, "belief": core.deviations}
    believed = {metric: core.deviations(problem, metric) for metric in METRICS}
    out: dict[str, Any] = {name: {drawn: {} for drawn in METRICS} for name in views}
    for name, view in views.items():
        for metric in METRICS:
            h = view(problem, metric)
            errors = {drawn: _errors(h, believed[drawn], sampler) for drawn in METRICS}
            for drawn in METRICS:
                use = np.isfinite(errors[drawn] + errors[metric]) & (errors[drawn] > 0) & (errors[metric] > 0)
                ratios = np.log(errors[drawn][use] / errors[metric][use])
                out[name][drawn][metric] = float(np.exp(np.mean(ratios))) if use.any() else float("nan")
    return out


def _errors(h: np.ndarray, design: np.ndarray, sampler: str) -> np.ndarray:
    """The leading squared error of deviations h at the matrix's fractions, drawn by a design's own deviations."""
    budgets = [fraction * len(h) for fraction in MATRIX_AT]
    if sampler == "poisson":
        return np.array([inclusion.error(h, inclusion.poisson(design, budget)) for budget in budgets])
    q = design / inclusion.total(design)
    return np.array([inclusion.error_of_draws(h, q, inclusion.draws_for(q, budget)) for budget in budgets])


def matrix(curves: dict[str, Any]) -> dict[str, Any]:
    """[drawn for][estimated]: mean squared error over that of the metric's own design, at equal distinct labels.

    A geometric mean over the fractions that both designs reach (one that never draws some items stops early), with the
    standard error of its logarithm; samples are nested, so the fractions are taken as fully dependent.
    """
    out: dict[str, Any] = {}
    for drawn in METRICS:
        out[drawn] = {}
        for estimated in METRICS:
            logs, errors = [], []
            for k, fraction in enumerate(FRACTIONS):
                reached = all(curves[m]["fraction"][k] > 0.97 * fraction for m in (drawn, estimated))
                parts = [
                    (curves[m][estimated]["mse"][k], curves[m][estimated]["mse_se"][k]) for m in (drawn, estimated)
                ]
                if fraction in MATRIX_AT and reached and min(mse for mse, _ in parts) > summary.LOG_FLOOR:
                    logs.append(np.log(parts[0][0] / parts[1][0]))
                    errors.append(np.hypot(*(se / mse for mse, se in parts)))
            out[drawn][estimated] = {
                "ratio": float(np.exp(np.mean(logs))) if logs else float("nan"),
                "log_se": float(np.mean(errors)) if logs and drawn != estimated else 0.0,
            }
    return out
