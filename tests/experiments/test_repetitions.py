"""The vectorised repetitions against the package's own one-sample path, and against what they must average to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fewlabels as fl
from experiments import core, draws, plans, problems, repeat, summary
from experiments.classifiers import Scored

METRICS = ("accuracy", "f1", "precision", "recall", "specificity")


def made(task: str = "binary", size: int = 400, seed: int = 0) -> problems.Problem:
    rng = np.random.default_rng(seed)
    if task == "multiclass":
        prob = rng.dirichlet(np.full(4, 0.3), size)
        labels = np.array([rng.choice(4, p=p) for p in prob])
        return problems.Problem("made", Scored(task, prob, labels, tuple("abcd"), ""))
    shape = size if task == "binary" else (size, 3)
    prob = rng.beta(0.3, 1.5, shape)
    return problems.Problem("made", Scored(task, prob, (rng.random(shape) < prob).astype(int), ("0", "1"), ""))


@pytest.mark.parametrize("sampler", ["uniform", "importance", "poisson"])
@pytest.mark.parametrize(
    ("task", "metrics"),
    [("binary", METRICS), ("multilabel", ("f1_micro", "f1_macro_harmonic")), ("multiclass", ("accuracy",))],
)
def test_a_sample_reduced_to_groups_gives_the_estimate_of_the_package(
    task: str, metrics: tuple[str, ...], sampler: str
) -> None:
    problem = made(task)
    sample = fl.design(problem.pool, metrics[0], 120, sampler=sampler, like="paper").draw(seed=3)
    order, starts, units = problem.grouping
    weight, share = np.zeros((2, problem.size))
    weight[sample.index], share[sample.index] = sample.weight, sample.spread
    by_group = [np.add.reduceat(values[order], starts) for values in (weight, share)]
    tables = np.tensordot(by_group[0], units, axes=1)
    for metric in metrics:
        alone = fl.estimate(sample, problem.scored.labels[sample.index], metric, like="paper")
        value = core.values(metric, task, len(problem.pool.classes), tables)
        variance = core.variances(metric, task, len(problem.pool.classes), tables, units, by_group[1])
        assert value == pytest.approx(alone.value, rel=1e-12)
        assert variance == pytest.approx(alone.variance, rel=1e-4, abs=1e-8)  # the package adds the paper's epsilon


@pytest.mark.parametrize("sampler", ["uniform", "importance", "poisson"])
def test_weights_average_to_the_groups_sizes_and_labels_are_distinct_items(sampler: str) -> None:
    problem = made()
    labels = plans.counts(problem, (0.05, 0.2, 0.6))
    _, starts, _ = problem.grouping
    drawn = draws.draw(plans.plan(problem, sampler, "f1", labels), starts, 4000, np.random.default_rng(1))
    sizes = np.diff([*starts, problem.size])
    spread = drawn.weight.std(axis=0) / np.sqrt(4000)
    assert np.all(np.abs(drawn.weight.mean(axis=0) - sizes) < 5 * spread + 1e-9)
    assert drawn.distinct.mean(axis=0) == pytest.approx(labels, rel=0.02, abs=0.6)
    assert np.all(np.diff(drawn.distinct, axis=1) >= 0)  # nested: a larger size holds the smaller one


def test_share_is_unbiased_for_the_variance_of_a_weighted_total() -> None:
    problem = made()
    plan = plans.plan(problem, "poisson", "f1", [60])
    _, starts, _ = problem.grouping
    drawn = draws.draw(plan, starts, 6000, np.random.default_rng(2))
    assert drawn.share[:, 0].mean(axis=0) == pytest.approx(drawn.weight[:, 0].var(axis=0), rel=0.08)


def test_items_that_a_design_never_draws_stay_out_and_its_draws_stop(tmp_path: Path) -> None:
    problem = made()
    labels = plans.counts(problem, (0.1, 0.9))
    plan = plans.plan(problem, "importance", "precision", labels)
    assert isinstance(plan, draws.Draws)
    drawn = draws.draw(plan, problem.grouping[1], 50, np.random.default_rng(0))
    assert drawn.distinct.max() <= int(problem.pool.decisions.sum())


def test_everything_labelled_is_the_census_to_the_last_digit(tmp_path: Path) -> None:
    problem = made()
    setting = repeat.Setting(tmp_path, 3, 0, 1)
    curves = repeat.studied(problem, {"all": plans.plan(problem, "poisson", "f1", [400])}, METRICS, setting, "all")
    for metric in METRICS:
        assert curves["all"][metric]["mse"][0] == 0.0
        assert curves["all"][metric]["coverage"][0] == 1.0


def test_labels_for_an_error_lie_between_the_points_around_it() -> None:
    assert summary.labels_for([100, 400, 1600], [0.2, 0.1, 0.05], 0.141421356) == pytest.approx(200, rel=1e-6)
    assert np.isnan(summary.labels_for([100, 400], [0.2, 0.1], 0.01))
    assert np.isnan(summary.labels_for([100, 400], [0.2, 0.1], 0.9))
