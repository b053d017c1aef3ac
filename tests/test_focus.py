"""Focus: how sharply labels go to items of which the model is in doubt."""

import numpy as np
import pytest
from scipy.special import expit

import fewlabels as fl
from fewlabels import recipes
from fewlabels.maths import inclusion

RNG = np.random.default_rng(3)
RARE = expit(2.5 * RNG.standard_normal(20_000) - 9.5)  # some 30 positives, two of them predicted


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 1.25, 1.5, 4.0])
@pytest.mark.parametrize("scale", [1e-310, 1e-3, 1.0, 1e300])
def test_raised_is_the_power_on_the_scale_of_the_largest(power, scale):
    h = scale * np.r_[RNG.random(70_000), 1.0]
    raised = inclusion.raised(h, power)
    np.testing.assert_allclose(raised, scale * (h / scale) ** power, rtol=1e-12 if scale > 1e-300 else 1e-9)
    assert np.all(inclusion.raised(np.zeros(3), power) == 0)


def test_more_focus_sends_labels_to_items_in_doubt():
    doubt = (RARE > 0.02) & (RARE < 0.98)
    shares = [
        fl.design(fl.Pool(RARE), "f1", 300, focus=focus).inclusion[doubt].sum() for focus in (0.0, 1.0, 1.25, 2.0)
    ]
    assert np.all(np.diff(shares) > 0)


def test_the_paper_has_no_focus_unless_it_is_asked_for():
    pool = fl.Pool(RARE)
    plain = fl.design(pool, "f1", 300, like="paper").inclusion
    np.testing.assert_array_equal(plain, fl.design(pool, "f1", 300, like="paper", focus=1).inclusion)
    assert not np.array_equal(plain, fl.design(pool, "f1", 300, like="paper", focus=1.25).inclusion)
    assert recipes.recipe_of(None).focus == 1.25


@pytest.mark.parametrize("sampler", ["poisson", "priority", "stratified"])
def test_samples_nest_with_any_focus(sampler):
    small, large = (
        fl.design(fl.Pool(RARE), "f1", budget, sampler=sampler, focus=1.5).draw(seed=2) for budget in (80, 400)
    )
    assert set(small.ids.tolist()) < set(large.ids.tolist())


@pytest.mark.parametrize("focus", [-0.1, 4.5, float("nan"), "sharp"])
def test_a_focus_out_of_range_is_refused(focus):
    with pytest.raises(fl.FewlabelsError, match="focus must be between 0"):
        fl.design(fl.Pool(RARE), "f1", 300, focus=focus)
    with pytest.raises(fl.FewlabelsError, match="focus must be between 0"):
        fl.labels_needed(fl.Pool(RARE), "f1", stderr=0.1, focus=focus)


def test_the_default_focus_pays_where_positives_are_rare():
    """300 pools of labels drawn from the scores, 200 labels each: less squared error, by two standard errors."""
    pool = fl.Pool(RARE)
    decided = RARE > 0.5
    gain = []
    designs = [fl.design(pool, "f1", 200, focus=focus) for focus in (1.0, None)]
    for seed in range(300):
        truth = np.random.default_rng([1, seed]).random(len(RARE)) < RARE
        exact = 2 * np.sum(decided & truth) / (decided.sum() + truth.sum())
        samples = [design.draw(seed) for design in designs]
        plain, ours = ((fl.estimate(one, truth[one.index], "f1").value - exact) ** 2 for one in samples)
        gain.append(plain - ours)
    assert np.mean(gain) > 2 * np.std(gain) / np.sqrt(len(gain))
