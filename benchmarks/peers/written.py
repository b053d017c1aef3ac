"""Adapters for the baselines that were written from their papers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from experiments.baselines import druck, lure

from .protocol import Answer, Case, Contestant, Oracle, wald


def kossen(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    """LURE; one sequence serves all budgets."""
    view = case.view(metric)
    score = lure.expected_loss(view.p) if metric == "accuracy" else lure.expected_deviation(view.alpha, view.p, view.c)
    q = lure.clipped(score)

    def repeat(oracle: Oracle, seed: int) -> dict[int, Answer]:
        index, _ = lure.draw(q, max(budgets), np.random.default_rng(seed))
        y = view.ask(oracle, index)
        answers = {}
        for budget in budgets:
            first = index[:budget]
            guess = lure.estimate(view.alpha, view.c[first], y[:budget], lure.at_step(q, first), len(q))
            answers[budget] = Answer(guess.value, wald(*guess), budget)
        return answers

    return repeat


def stratified(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    """Druck and McCallum; strata of about ten labels each, at most thirty."""
    view = case.view(metric)
    plans = {}
    for budget in budgets:
        stratum = druck.strata(view.p, view.c, min(30, budget // 10))
        size = np.bincount(stratum)
        take = druck.allocate(size, druck.model_deviation(view.alpha, view.p, view.c, stratum), budget)
        plans[budget] = stratum, size, take

    def repeat(oracle: Oracle, seed: int) -> dict[int, Answer]:
        rng = np.random.default_rng(seed)
        answers = {}
        for budget, (stratum, size, take) in plans.items():
            index = druck.draw(stratum, take, rng)
            guess = druck.estimate(view.alpha, view.c[index], view.ask(oracle, index), stratum[index], size)
            answers[budget] = Answer(guess.value, wald(*guess), len(index))
        return answers

    return repeat
