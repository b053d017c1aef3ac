"""20 Newsgroups with naive Bayes: one group against the rest, and all twenty (paper, section 5.2)."""

from __future__ import annotations

from typing import Any

from experiments import plans, problems, repeat

from .mnist import METRICS, about

MANY = ("accuracy", "f1_macro_harmonic")


def measure(setting: repeat.Setting) -> dict[str, Any]:
    """Error curves of the binary problem (drawn for F1) and of the twenty classes (drawn for each metric itself)."""
    binary = problems.load("newsgroups_binary", setting.out)
    labels = plans.counts(binary)
    chosen = {sampler: plans.plan(binary, sampler, "f1", labels) for sampler in plans.SAMPLERS}
    return {
        "about": about(binary, METRICS, setting),
        "curves": repeat.studied(binary, chosen, METRICS, setting, "20 Newsgroups, one group"),
        "twenty": twenty(setting),
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
