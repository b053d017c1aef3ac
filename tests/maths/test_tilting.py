"""Limits of columns: levels nest, tails are shared out as they should be, and only errors that were not met widen."""

import numpy as np
import pytest
from scipy import stats

from fewlabels.maths import columns, tilting

RNG = np.random.default_rng(0)


def piece(m, left, w1, w3, at, g, errors=None, towards=None):
    zero = np.zeros(m.shape[1])
    column = columns.Column(m, m, left, w1, w3, zero, zero, np.diag(zero), towards or (lambda label, tail: m))
    return tilting.Piece(column, g, at, 1.0, 1.1, 1.0, 0.8, errors)


def rare(expected):
    """A column of 2,000 items, each drawn with a chance of a tenth, of which so many are expected to be errors."""
    left = np.full(4, 450.0)
    m = np.tile([1 - expected / 1800, expected / 1800], (4, 1))
    return piece(m, left, 9 * left, 72 * left, left @ m, np.array([0.0, 1.0]), errors=1)


LEVELS = (0.05, 0.2, 0.5, 0.8, 0.9, 0.95, 0.99)


@pytest.mark.parametrize("expected", [0.3, 2.0, 10.0, 30.0, 300.0])
def test_limits_of_levels_nest(expected):
    ends = [tilting.limits([rare(expected)], (1 - level) / 2, (1 - level) / 2, 100.0) for level in LEVELS]
    assert np.all(np.diff([low[0][1] for low, _ in ends]) <= 1e-9)
    assert np.all(np.diff([high[0][1] for _, high in ends]) >= -1e-9)


def test_the_limit_towards_errors_has_the_smaller_tail_of_both():
    """With 300 errors expected, far from none: both limits at once are the bounds of their own tails."""
    low, high = tilting.limits([rare(300.0)], 0.05, 0.05, 100.0)
    apart = tilting.limits([rare(300.0)], 0.0, 0.1 * tilting.ERRORS, 100.0)[1]
    away = tilting.limits([rare(300.0)], 0.1 * (1 - tilting.ERRORS), 0.0, 100.0)[0]
    np.testing.assert_allclose(high[0], apart[0])
    np.testing.assert_allclose(low[0], away[0])
    assert high[0][1] - 300 > 300 - low[0][1]


def test_where_no_error_may_be_left_the_limit_towards_them_has_both_tails():
    low, high = tilting.limits([rare(0.3)], 0.05, 0.05, 100.0)
    assert low[0][1] < 0.5
    np.testing.assert_allclose(high[0], tilting.limits([rare(0.3)], 0.0, 0.1, 100.0)[1][0])


@pytest.mark.parametrize(
    ("count", "sign", "wanted"),
    [
        (3.8, +1, 4.0),
        (3.6, +1, 3.6),  # half way is not near
        (4.2, +1, 4.2),  # never inwards
        (3.2, -1, 3.0),
        (3.4, -1, 3.4),
        (3.8, -1, 3.8),
        (0.45, -1, 0.0),  # none
        (0.45, +1, 0.45),
        (9.55, +1, 10.0),  # all
    ],
)
def test_limits_move_outwards_to_a_whole_count_that_is_near(count, sign, wanted):
    unit = np.array([0.0, 1.0])
    moved = tilting.whole(np.array([10.0 - count, count]), unit, 5.0, sign)
    np.testing.assert_allclose(moved, [10.0 - wanted, wanted], atol=1e-12)


def test_only_the_limit_towards_errors_answers_for_unseen_ones():
    one = rare(30.0)
    likely = np.array([[0.95, 0.05], [0.99, 0.01], [0.999, 0.001], [0.9999, 0.0001]])
    column = one.column._replace(m=likely, towards=lambda label, tail: likely, w1=one.column.left * [1.0, 9, 99, 999])
    one = one._replace(column=column, at=column.left @ likely)
    more = likely + np.array([-0.001, 0.001])
    wary = one._replace(column=one.column._replace(towards=lambda label, tail: more if label == 1 else one.column.m))
    for tails in ((0.05, 0.05), (0.0, 0.05), (0.05, 0.0)):
        plain, careful = (tilting.limits([each], *tails, 100.0) for each in (one, wary))
        np.testing.assert_allclose(careful[0][0], plain[0][0])
        assert careful[1][0][1] > plain[1][0][1] + 2 or tails[1] == 0.0


def test_columns_at_their_limits_together_are_one_wide_column():
    g = np.array([0.0, 1.0, 0.3])
    parts = []
    for _ in range(4):
        m, left, w1 = RNG.dirichlet(np.ones(3), size=6), RNG.uniform(5, 50, 6), RNG.uniform(20, 400, 6)
        parts.append(piece(m, left, w1, 5 * w1, left @ m, g))
    wide = piece(
        *(np.concatenate([getattr(one.column, name) for one in parts]) for name in ("m", "left", "w1", "w3")),
        sum(one.at for one in parts),
        g,
    )
    for apart, whole in zip(
        tilting.limits(parts, 0.05, 0.05, 100.0), tilting.limits([wide], 0.05, 0.05, 100.0), strict=True
    ):
        np.testing.assert_allclose(sum(apart), whole[0], rtol=1e-5)


@pytest.mark.parametrize("skew", [-2.0, -0.5, 0.0, 1e-3, 0.3, 1.5])
@pytest.mark.parametrize("tail", [0.005, 0.05, 0.25])
def test_quantiles_of_a_skewed_normal(skew, tail):
    assert tilting.quantile(tail, skew) == pytest.approx(stats.pearson3(skew).ppf(1 - tail), rel=2e-3)
