import numpy as np
import pytest

from fewlabels import Pool, design, plans, workflow
from fewlabels.errors import FewlabelsError

RNG = np.random.default_rng(2)
PROB = RNG.beta(0.3, 2, 3000)


def test_fewer_labels_than_uniform_sampling_and_more_for_less_width():
    found = workflow.plan({"score": PROB.tolist()}, ["f1"], widths=[0.1, 0.05, 0.02])
    ours = [row["labels"] for row in found["widths"]]
    assert ours == sorted(ours)
    assert all(row["labels"] < row["uniform"] for row in found["widths"])
    widths = [row["half_width"] for row in found["curve"]]
    assert widths == sorted(widths, reverse=True)
    assert found["curve"][-1] == {"labels": 3000, "half_width": 0.0, "uniform": 0.0}


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_planned_budget_gives_the_planned_width(level):
    pool = Pool(PROB)
    budget = plans.budget_for(pool, ["f1"], 0.04, level, "poisson")
    found = design(pool, "f1", budget).expected_stderr * plans.z_of(level)
    assert found <= 0.04 < design(pool, "f1", budget - 1).expected_stderr * plans.z_of(level) * 1.01


def test_several_metrics_need_what_the_hardest_needs():
    pool = Pool(PROB)
    each = [plans.budget_for(pool, [name], 0.05, 0.95, "poisson") for name in ("accuracy", "recall")]
    assert plans.budget_for(pool, ["accuracy", "recall"], 0.05, 0.95, "poisson") == max(each)


def test_the_model_s_own_prediction_is_the_metric_of_its_probabilities():
    found = workflow.plan({"score": PROB.tolist()}, ["precision"], widths=[0.1])
    assert found["predicted"]["precision"] == pytest.approx(PROB[PROB > 0.5].mean())


def test_the_prediction_of_several_classes():
    prob = RNG.dirichlet([0.5, 0.5, 0.5], 500)
    table = {f"prob_{name}": prob[:, k].tolist() for k, name in enumerate("abc")}
    found = workflow.plan(table, ["accuracy"], widths=[0.1])
    assert found["predicted"]["accuracy"] == pytest.approx(prob.max(axis=1).mean())


@pytest.mark.parametrize(
    ("pool", "says"),
    [
        (Pool([0.1, 0.2]), "nothing is predicted positive"),
        (Pool([0.9, 0.8]), "everything is predicted positive"),
        (Pool(np.r_[np.full(990, 0.1), np.full(10, 0.7)]), "only 10 of 1000 items are predicted positive"),
        (Pool(np.r_[np.zeros(60), np.full(100, 0.7)]), "38% of the scores are within 1e-06 of certainty"),
        (Pool([[0.5, 0.3, 0.2]] * 9, task="multiclass", classes="abc"), "2 classes are never predicted (b, c)"),
        (Pool([[0.9, 0.3]] * 9, task="multilabel", classes="ab"), "1 class is never predicted (b)"),
    ],
)
def test_warnings_that_matter(pool, says):
    assert any(says in warning for warning in plans.warnings(pool))


def test_nothing_to_warn_of():
    assert plans.warnings(Pool(PROB)) == []


def test_impossible_wishes():
    for level, width in ((1.0, 0.1), (0.95, 0.0), (0.95, 1.0)):
        with pytest.raises(FewlabelsError, match="must be between 0 and 1"):
            plans.budget_for(Pool(PROB), ["f1"], width, level, "poisson")
