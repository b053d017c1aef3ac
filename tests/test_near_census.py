"""Near a census what is left open is a handful of labels, and limits are those of a prediction of them."""

import numpy as np

import fewlabels as fl

SIZE, RUNS = 2000, 150
RNG = np.random.default_rng(5)
PROB = RNG.beta(0.1, 3.0, SIZE)
POOL = fl.Pool(PROB)


def limits(budget, runs=RUNS):
    """Whether 90% limits held, their widths, and what one positive more among the items left would change."""
    design, found = fl.design(POOL, "recall", budget), []
    for seed in range(runs):
        truth = np.random.default_rng(seed).random(SIZE) < PROB
        sample = design.draw(seed)
        est = fl.estimate(sample, truth[sample.index], "recall")
        low, high = est.interval(0.9)
        caught, missed = truth[POOL.decisions].sum(), truth[~POOL.decisions].sum()
        one = caught / (caught + missed) - caught / (caught + missed + 1)
        found.append((low <= caught / (caught + missed) <= high, high - low, one))
    return np.array(found).mean(axis=0)


def test_fewer_than_one_item_where_fewer_than_one_is_expected():
    """150 repetitions with 1,900 of 2,000 labelled, the least likely left: fewer than a tenth of a positive is expected
    among them, so limits stay within one, and hold at 85% or more (two standard errors below 90%).

    Wilson's interval alone would reach beyond two more: as many can hide from one sample in ten.
    """
    left = fl.design(POOL, "recall", 1900).inclusion
    assert np.sum((1 - left) * PROB) < 0.1
    held, width, one = limits(1900)
    assert held > 0.85
    assert 0 < width < one


def test_limits_narrow_down_to_a_point():
    """More labels, narrower limits, all the way."""
    widths = [limits(budget, 40)[1] for budget in (100, 500, 1500, 1900, 1990)]
    assert np.all(np.diff(widths) < 0)
