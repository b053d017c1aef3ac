"""Adapters for packages from PyPI. Each is imported only when it runs: none is a dependency of fewlabels."""

from __future__ import annotations

import contextlib
import io
import random
import warnings
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from .protocol import LEVELS, UNKNOWN, Answer, Case, Contestant, Floats, Oracle, View, wald

SIMPLE_STRATA = 30  # our choice: two labels in each fit the smallest budget, which automatic strata need not
MOST_DRAWS = 100_000


@contextlib.contextmanager
def quiet(seed: int) -> Iterator[None]:
    """These packages print, warn, and draw from the global generators, which is the only way to seed them."""
    np.random.seed(seed)  # noqa: NPY002
    random.seed(seed)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def freedman_diaconis(x: Floats) -> int:
    """The number of bins that oasis calls 'auto'; it asks scipy for `percentile`, which scipy no longer has."""
    quarter = np.subtract(*np.percentile(x, [75, 25]))
    return int(np.ceil(np.ptp(x) / (2 * quarter * len(x) ** (-1 / 3)))) if quarter > 0 else 1


def oasis_strata(p: Floats) -> dict[str, int]:
    """What 'auto' means for OASIS: bins of the scores, then strata of the summed root counts, by the same rule."""
    bins = max(freedman_diaconis(p), SIMPLE_STRATA)
    counts = np.histogram(p, bins=bins)[0]
    return {
        "stratification_n_bins": bins,
        "stratification_n_strata": freedman_diaconis(np.cumsum(np.sqrt(counts))),
    }


def oasis_adaptive(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    import oasis

    view = case.view(metric)
    with quiet(0):
        sampler = oasis.OASISSampler(
            view.alpha, view.c, view.p, None, proba=True, max_iter=MOST_DRAWS, **oasis_strata(view.p)
        )
    return oasis_runner(sampler, view, budgets)


def oasis_druck(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    import oasis

    view = case.view(metric)
    strata = {"stratification_n_bins": 1000, "stratification_n_strata": SIMPLE_STRATA}

    def repeat(oracle: Oracle, seed: int) -> dict[int, Answer]:
        with quiet(seed):
            sampler = oasis.DruckSampler(
                view.alpha, view.c, view.p, one(view, oracle), proba=True, replace=False, **strata
            )
            return oasis_answers(sampler, budgets)

    return repeat


def one(view: View, oracle: Oracle) -> Callable[[int], int]:
    return lambda item: int(view.ask(oracle, np.array([item]))[0])


def oasis_runner(sampler, view: View, budgets: Sequence[int]) -> Contestant:
    def repeat(oracle: Oracle, seed: int) -> dict[int, Answer]:
        with quiet(seed):
            sampler.reset()
            sampler.oracle = one(view, oracle)
            return oasis_answers(sampler, budgets)

    return repeat


def oasis_answers(sampler, budgets: Sequence[int]) -> dict[int, Answer]:
    """One run to the largest budget; the history holds the estimate at every smaller number of distinct labels."""
    already = int(sampler.queried_oracle_.sum()) if sampler.t_ else 0
    sampler.sample_distinct(max(budgets) - already)
    distinct = np.cumsum(sampler.queried_oracle_)
    history = sampler.estimate_
    # The last estimate before label budget + 1 is asked for: repeated draws of known items are free.
    last = np.searchsorted(distinct, np.array(budgets), side="right") - 1
    return {budget: Answer(float(history[at]), {}, budget) for budget, at in zip(budgets, last, strict=True)}


def ssepy_plain(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    return ssepy(case, metric, budgets, "proportional", "ht")


def ssepy_assisted(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    return ssepy(case, metric, budgets, "neyman", "df")


def ssepy(case: Case, metric: str, budgets: Sequence[int], allocation: str, estimator: str) -> Contestant:
    from sklearn.cluster import KMeans
    from ssepy import ModelPerformanceEvaluator

    view = case.view(metric)
    expected = columns(view, view.p, slice(None))
    evaluators = {}
    for budget in budgets:
        evaluators[budget] = ModelPerformanceEvaluator(Yh=expected, budget=budget)
        with quiet(0):
            evaluators[budget].stratify_data(KMeans(n_clusters=5, random_state=0, n_init="auto"), X=view.p)

    def repeat(oracle: Oracle, seed: int) -> dict[int, Answer]:
        answers = {}
        with quiet(seed):
            for budget, evaluator in evaluators.items():
                evaluator.allocate_budget(allocation_type=allocation)
                index = evaluator.sample(sampling_method="ssrs")
                answers[budget] = ssepy_ratio(evaluator, view, view.ask(oracle, index), index, expected, estimator)
        return answers

    return repeat


def ssepy_ratio(evaluator, view: View, y: Floats, index: NDArray[np.int64], expected: Floats, estimator: str) -> Answer:
    """A ratio of two means, and its variance as ssepy's own variance of the linearised residual."""
    above, below = evaluator.compute_estimate(columns(view, y, index), estimator=estimator)[0]
    if not below > 0:
        return Answer(np.nan, UNKNOWN, len(index))
    value = unit(above / below)
    line = np.array([1.0, -value]) / below
    evaluator.sampler.Yh, kept = expected @ line[:, None], evaluator.sampler.Yh
    variance = evaluator.compute_estimate(columns(view, y, index) @ line, estimator=estimator)[1]
    evaluator.sampler.Yh = kept
    return Answer(value, wald(value, float(np.sqrt(variance[0]))), len(index))


def unit(x: float) -> float:
    """No metric here lies outside 0 and 1, though a ratio of two corrected means may."""
    return min(1.0, max(0.0, float(x)))


def columns(view: View, y: Floats, index: NDArray[np.int64] | slice) -> Floats:
    """Numerator and denominator of F_alpha, item by item."""
    c = view.c[index]
    return np.column_stack([c * y, view.alpha * c + (1 - view.alpha) * y])


def ppi(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    """A uniform sample; the ratio of power-tuned means, with the interval of the linearised residual around it."""
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    view = case.view(metric)
    expected = columns(view, view.p, slice(None))

    def repeat(oracle: Oracle, seed: int) -> dict[int, Answer]:
        order = np.random.default_rng(seed).permutation(len(view.p))
        return {budget: answer(oracle, order[:budget], order[budget:]) for budget in budgets}

    def answer(oracle: Oracle, index: NDArray[np.int64], rest: NDArray[np.int64]) -> Answer:
        seen = columns(view, view.ask(oracle, index), index)
        with quiet(0):
            above, below = ppi_mean_pointestimate(seen, expected[index], expected[rest])
            if not below > 0:
                return Answer(np.nan, UNKNOWN, len(index))
            value = unit(above / below)
            line = np.array([1.0, -value]) / below
            residuals = seen @ line, expected[index] @ line, expected[rest] @ line
            ends = {level: ppi_mean_ci(*residuals, alpha=1 - level) for level in LEVELS}
        reach = {level: float(high[0] - low[0]) / 2 for level, (low, high) in ends.items()}
        spans = {level: (unit(value - r), unit(value + r)) for level, r in reach.items()}
        return Answer(value, spans, len(index))

    return repeat


def takahashi(case: Case, metric: str, budgets: Sequence[int]) -> Contestant:
    """A simple random sample judged by the package `confidenceinterval`."""
    import confidenceinterval as ci

    view = case.view(metric)
    judge = {
        "f1": lambda y, c, level: ci.f1_score(y, c, confidence_level=level, average="binary"),
        "precision": lambda y, c, level: ci.ppv_score(y, c, confidence_level=level),
        "recall": lambda y, c, level: ci.tpr_score(y, c, confidence_level=level),
        "accuracy": lambda y, c, level: ci.accuracy_score(y, c, confidence_level=level),
    }[metric]

    def repeat(oracle: Oracle, seed: int) -> dict[int, Answer]:
        order = np.random.default_rng(seed).permutation(len(view.p))
        return {budget: answer(view.ask(oracle, order[:budget]), order[:budget]) for budget in budgets}

    def answer(y: Floats, index: NDArray[np.int64]) -> Answer:
        truth, decided = y.astype(int), view.c[index].astype(int)
        if not columns(view, y, index)[:, 1].sum() > 0:
            return Answer(np.nan, UNKNOWN, len(index))
        with quiet(0):
            found = {level: judge(truth, decided, level) for level in LEVELS}
        value = found[LEVELS[0]][0]
        spans = {level: (float(low), float(high)) for level, (_, (low, high)) in found.items()}
        return Answer(float(value), spans, len(index))

    return repeat
