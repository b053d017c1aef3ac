"""20 Newsgroups with naive Bayes: one group against the rest, and all twenty (paper, section 5.2)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from experiments import core, plans, problems, repeat
from experiments.classifiers import newsgroups_binary
from fewlabels.maths import inclusion

from .mnist import METRICS, about

FINE = tuple(k / 100 for k in range(1, 100))
FINE_RUNS = 500
GROUPS_AT = (0.05, 0.25, 0.5)
MANY = ("accuracy", "f1_macro_harmonic")


def measure(setting: repeat.Setting) -> dict[str, Any]:
    """Error curves of the binary problem (drawn for F1) and of the twenty classes (drawn for each metric itself)."""
    binary = problems.load("newsgroups_binary", setting.out)
    labels = plans.counts(binary)
    chosen = {sampler: plans.plan(binary, sampler, "f1", labels) for sampler in plans.SAMPLERS}
    return {
        "about": about(binary, METRICS, setting),
        "curves": repeat.studied(binary, chosen, METRICS, setting, "20 Newsgroups, one group"),
        "fine": fine(binary, setting),
        "groups": every_group(setting),
        "twenty": twenty(setting),
    }


def every_group(setting: repeat.Setting) -> dict[str, Any]:
    """Each of the twenty groups against the rest in its turn: squared errors of F1 at a few sizes."""
    runs = min(setting.runs, FINE_RUNS)
    out: dict[str, Any] = {"runs": runs, "at": GROUPS_AT, "truth": {}, "mse": {}}
    for group in problems.load("newsgroups20", setting.out).scored.classes:
        problem = problems.load(f"newsgroups_{group}", setting.out, partial(newsgroups_binary, group))
        labels = plans.counts(problem, GROUPS_AT)
        chosen = {sampler: plans.plan(problem, sampler, "f1", labels) for sampler in plans.SAMPLERS}
        found = repeat.studied(problem, chosen, ("f1",), setting, f"20 Newsgroups, {group}", errors=False, runs=runs)
        out["truth"][group] = core.truth(problem, "f1")
        out["mse"][group] = {sampler: found[sampler]["f1"]["mse"] for sampler in found}
    return out


def fine(problem: problems.Problem, setting: repeat.Setting) -> dict[str, Any]:
    """F1 at every per cent labelled: do the curves undulate? And the leading variance with all labels known."""
    labels = plans.counts(problem, FINE)
    plan = plans.plan(problem, "poisson", "f1", labels)
    runs = min(setting.runs, FINE_RUNS)
    curve = repeat.studied(problem, {"f": plan}, ("f1",), setting, "20 Newsgroups, fine", errors=False, runs=runs)["f"]
    h, d = core.deviations(problem, "f1"), core.true_deviations(problem, "f1")
    return {
        "runs": runs,
        "fraction": curve["fraction"],
        "log": curve["f1"]["log"],
        "log_se": curve["f1"]["log_sd"] / np.sqrt(runs),
        "linearised": [inclusion.error(d, inclusion.poisson(h, float(count))) for count in labels],
    }


def twenty(setting: repeat.Setting) -> dict[str, Any]:
    """The twenty classes at once."""
    problem = problems.load("newsgroups20", setting.out)
    labels = plans.counts(problem)
    curves: dict[str, Any] = {sampler: {} for sampler in plans.SAMPLERS}
    for metric in MANY:
        chosen = {sampler: plans.plan(problem, sampler, metric, labels) for sampler in plans.SAMPLERS}
        title = f"20 Newsgroups, {metric}"
        found = repeat.studied(problem, chosen, (metric,), setting, title, errors=False)
        for sampler, curve in found.items():
            curves[sampler][metric] = curve[metric] | {"fraction": curve["fraction"]}
    return {"about": about(problem, MANY, setting), "curves": curves}
