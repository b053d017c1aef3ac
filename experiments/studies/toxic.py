"""Toxic comments: six labels a comment, micro and macro F1 (paper, section 5.3 and appendix D)."""

from __future__ import annotations

from typing import Any

from experiments import core, plans, problems, repeat
from fewlabels.maths import inclusion

from .mnist import about

METRICS = ("f1_micro", "f1_macro_harmonic")
FRACTIONS = (.02, .03, .05, .075, .1, .125, .15, .2, .25, .3, .35, .4, .45, .5, .6, .7, .8, .9, .95, .99)  # fmt: skip


def measure(setting: repeat.Setting) -> dict[str, Any]:
    """The three samplers drawn for micro F1, and Bernoulli samples drawn for micro and for macro F1.

    Macro F1 twice: with its exact deviation, and with the paper's, which leaves out products of different labels.
    """
    problem = problems.load("toxic6", setting.out)
    labels = plans.counts(problem, FRACTIONS)
    chosen = {sampler: plans.plan(problem, sampler, "f1_micro", labels) for sampler in plans.SAMPLERS}
    drawn_for = {metric: plans.plan(problem, "poisson", metric, labels) for metric in METRICS}
    printed = core.deviations(problem, "f1_macro_harmonic", printed=True)
    drawn_for["printed"] = plans.from_deviations(problem, printed, labels)
    return {
        "about": about(problem, METRICS, setting),
        "curves": repeat.studied(problem, chosen, METRICS, setting, "Toxic comments"),
        "drawn_for": repeat.studied(problem, drawn_for, METRICS, setting, "Toxic comments, micro and macro"),
        "starts": {metric: inclusion.saturation(core.deviations(problem, metric)) / problem.size for metric in METRICS},
    }
