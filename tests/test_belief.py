"""What is believed of whole items, and of labels that the user believes something of."""

import numpy as np
import pytest
from oracles import label_vectors

import fewlabels as fl
from fewlabels import belief, recipes
from fewlabels.maths import calibration

RNG = np.random.default_rng(0)


def test_the_chance_that_a_whole_item_is_right_by_enumeration():
    pool = fl.Pool(RNG.random((5, 3)), task="multilabel")
    found = belief.smoothed(pool, 0.9, "even").matching().prob
    for n, chances in enumerate(0.9 * pool.prob + 0.05):
        right = sum(w for w, y in label_vectors(chances) if (y == pool.decisions[n]).all())
        assert found[n] == pytest.approx(right)


def test_full_trust_is_the_model_itself():
    pool = fl.Pool(RNG.random(20))
    for towards in ("even", "mean"):
        np.testing.assert_allclose(belief.smoothed(pool, 1.0, towards).chances(), pool.prob)
    np.testing.assert_allclose(belief.smoothed(pool, 0.0, "even").chances(), 0.5)
    np.testing.assert_allclose(belief.smoothed(pool, 0.0, "mean").chances(), pool.prob.mean())


def test_a_belief_of_your_own_over_exclusive_classes_sums_to_one():
    pool = fl.Pool([[0.5, 0.5], [0.1, 0.9]], task="multiclass")
    with pytest.raises(fl.FewlabelsError, match="sum to 1"):
        belief.given(pool, [[0.9, 0.9], [1.0, 1.0]])
    np.testing.assert_allclose(belief.given(pool, [[0.2, 0.8], [1.0, 0.0]]).chances(), [[0.2, 0.8], [1.0, 0.0]])


def test_a_few_sure_positives_are_labelled_all_the_same():
    prob = np.r_[np.full(9_980, 0.01), np.full(20, 1.0 - 1e-9)]
    worth = recipes.worth(fl.Pool(prob), "f1")
    assert worth.belief.wrong == pytest.approx(0.1)  # 0.2% of the pool, but no more than a tenth of them
    assert fl.design(fl.Pool(prob), "f1", 200).inclusion[-20:].sum() > 5
    assert recipes.worth(fl.Pool(prob), "f1", trust=1.0).belief.wrong == 0
    assert recipes.worth(fl.Pool(prob), "f1", like="paper").belief.wrong == 0
    common = recipes.worth(fl.Pool(np.r_[prob[:20], prob[-20:]]), "f1").belief
    assert common.wrong == pytest.approx(0.2 * 0.03 / 0.5)


def test_scores_that_are_only_yes_or_no_are_trusted_less():
    said = (np.arange(300) % 10 == 0).astype(float)
    graded = said.copy()
    graded[299] = 0.2
    assert recipes.worth(fl.Pool(said), "f1").belief.scale == 0.9
    assert recipes.worth(fl.Pool(np.clip(said, 1e-7, 1 - 1e-7)), "f1").belief.scale == 0.9
    assert recipes.worth(fl.Pool(graded), "f1").belief.scale == 0.97
    assert recipes.worth(fl.Pool(said), "f1", trust=0.99).belief.scale == 0.99
    assert recipes.worth(fl.Pool(np.eye(3)[np.arange(300) % 3], task="multiclass"), "f1_macro").belief.scale == 0.9


def test_limits_expect_a_quarter_of_the_defiance_that_the_design_insures_against():
    assert pytest.approx((1 - recipes.recipe_of(None).trust) / 4) == calibration.HIDDEN
