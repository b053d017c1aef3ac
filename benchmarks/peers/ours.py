"""Adapters for fewlabels itself: its defaults, and the paper's samplers with the paper's estimator."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np

import fewlabels as fl

from .protocol import LEVELS, UNKNOWN, Answer, Case, Contestant, Floats, Oracle

SHARES = (0.2, 0.2, 0.3, 0.3)  # of the budget in each round
MANY = 100  # draws a label; a design for precision gives most items no chance, and no draws reach them


def defaults(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    return contestant(case, metric, budgets)


def poisson(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    return contestant(case, metric, budgets, sampler="poisson")


def no_floor(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    return contestant(case, metric, budgets, floor=0.0)


def paper_poisson(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    return contestant(case, metric, budgets, sampler="poisson", like="paper")


def paper_importance(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    return contestant(case, metric, budgets, sampler="importance", like="paper")


def uniform(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    return contestant(case, metric, budgets, sampler="uniform", like="paper")


def contestant(
    case: Case, metric: str, budgets: Sequence[int], like: str | None = None, **options: str | float
) -> Contestant:
    task = "multiclass" if case.multiclass else "binary"
    pool = fl.Pool(case.prob, task=task, decisions=case.decisions)
    designs: dict[int, fl.Design] = {}
    for budget in budgets:
        first = fl.design(pool, metric, budget=budget, like=like, **options)
        draws = budget if first.chances is None else draws_for(first.chances, budget)
        designs[budget] = first if draws == budget else fl.design(pool, metric, budget=draws, like=like, **options)

    def one(oracle: Oracle, seed: int, budget: int) -> fl.Estimate:
        sample = designs[budget].draw(seed=seed)
        return fl.estimate(sample, oracle(sample.index), metric, like=like)

    return repeated(one, budgets)


def rounds(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    """Each budget is a study of its own: the labels so far say what to ask next."""
    pool = fl.Pool(case.prob, task="multiclass" if case.multiclass else "binary", decisions=case.decisions)

    def one(oracle: Oracle, seed: int, budget: int) -> fl.Estimate:
        study = fl.Adaptive(pool, metric, seed=seed)
        for share in SHARES:
            study.add(oracle(study.next(round(share * budget)).index))
        return study.estimate()

    return repeated(one, budgets)


def repeated(one: Callable[[Oracle, int, int], fl.Estimate], budgets: Sequence[int]) -> Contestant:
    """One answer for each budget from what makes one estimate."""

    def repeat(oracle: Oracle, seed: int) -> dict[int, Answer]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the warning says that the metric is undefined, which is read below
            return {budget: answer(one(oracle, seed, budget)) for budget in budgets}

    return repeat


def answer(found: fl.Estimate) -> Answer:
    if not found.defined:
        return Answer(np.nan, UNKNOWN, found.labels)
    return Answer(found.value, {level: found.interval(level) for level in LEVELS}, found.labels)


def draws_for(chances: Floats, distinct: int) -> int:
    """Draws with replacement that are expected to touch `distinct` items, or very many where no number can."""
    low, high = distinct, MANY * distinct
    stay = np.log1p(-np.minimum(chances, 1 - 1e-12))

    def touched(draws: int) -> float:
        return float(-np.expm1(draws * stay).sum())

    if touched(high) < distinct:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if touched(middle) < distinct else (low, middle)
    return min((low, high), key=lambda draws: abs(touched(draws) - distinct))
