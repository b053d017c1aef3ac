"""Deviations by enumerating labels; gradients against differences of another kind."""

import math

import numpy as np
import pytest
from oracles import influence as item_influence
from oracles import label_vectors, slope

from fewlabels import metrics
from fewlabels.maths import influence, totals

RNG = np.random.default_rng(0)
TABLES = {
    "binary": RNG.uniform(2, 20, size=(1, 2, 2)),
    "multilabel": RNG.uniform(2, 20, size=(3, 2, 2)),
    "multiclass": RNG.uniform(2, 20, size=(1, 4, 4)),
}
EVERY = [(task, name) for task in TABLES for name in metrics.names(task, (0, 1, 2)[: 3 if task != "binary" else 2])]


@pytest.mark.parametrize(("task", "name"), [*EVERY, ("binary", "f0.5"), ("binary", "falpha0.3"), ("multiclass", "mcc")])
def test_gradients_of_every_metric(task, name):
    classes = {"binary": 2, "multilabel": 3, "multiclass": 4}[task]
    metric = metrics.get(name, task, tuple(range(classes)))
    at = TABLES[task][:, :, :]
    if metric.exact:
        at = TABLES["binary"]
    np.testing.assert_allclose(metric.slope(at), slope(metric.value, at), rtol=2e-6, atol=1e-9)


@pytest.mark.parametrize(("task", "name"), EVERY)
def test_scale_free_metrics_have_influences_that_sum_to_zero(task, name):
    classes = {"binary": 2, "multilabel": 3, "multiclass": 4}[task]
    metric = metrics.get(name, task, tuple(range(classes)))
    at = TABLES["binary"] if metric.exact else TABLES[task]
    assert float(metric.value(7 * at)) == pytest.approx(float(metric.value(at)), rel=1e-12)
    assert np.sum(metric.slope(at) * at) == pytest.approx(0, abs=1e-12)


def test_differences_agree_with_the_complex_step():
    at = RNG.uniform(1, 9, size=(1, 2, 2))
    metric = metrics.get("mcc", "binary")
    np.testing.assert_allclose(
        influence.gradient_by_differences(lambda t: float(metric.value(t)), at), metric.slope(at), rtol=1e-7, atol=1e-10
    )


def test_curvature_of_a_ratio():
    # F = x/y: H = [[0, -1/y^2], [-1/y^2, 2x/y^3]].
    def gradient(t):
        return np.array([1 / t[1], -t[0] / t[1] ** 2])

    at, z = np.array([3.0, 5.0]), np.array([[1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    expected = [2 * -1 / 25 + 6 / 125, 6 / 125, 0]
    np.testing.assert_allclose(influence.curvature(gradient, at, z), expected, rtol=1e-6, atol=1e-12)


def enumerated(p, c, gradient, model_share=1.0):
    """h_n of each item from every label vector that it may have."""
    found = []
    for chances, decided in zip(p, c, strict=True):
        pairs = [(w, item_influence(gradient, y, decided)) for w, y in label_vectors(np.atleast_1d(chances))]
        mean = sum(w * d for w, d in pairs)
        second = sum(w * d * d for w, d in pairs)
        found.append(math.sqrt(max(second - (1 - model_share) * mean**2, 0.0)))
    return np.array(found)


@pytest.mark.parametrize("model_share", [1.0, 0.0, 0.4])
@pytest.mark.parametrize(
    "name", ["f1_micro", "f1_macro", "f1_weighted", "f1_macro_harmonic", "jaccard_macro", "recall[1]"]
)
def test_multilabel_deviations_are_exact_for_every_average(name, model_share):
    p = RNG.random((6, 4))
    c = RNG.random((6, 4)) < 0.5
    gradient = metrics.get(name, "multilabel", tuple(range(4))).slope(totals.expected_tables(p, c, 2))
    np.testing.assert_allclose(
        influence.deviations(p, c, gradient, model_share=model_share),
        enumerated(p, c, gradient, model_share),
        rtol=1e-9,
    )


def test_the_paper_macro_deviation_leaves_out_the_products_of_labels():
    p = RNG.random((6, 4))
    c = RNG.random((6, 4)) < 0.5
    gradient = metrics.get("f1_macro", "multilabel", tuple(range(4))).slope(totals.expected_tables(p, c, 2))
    printed = influence.deviations(p, c, gradient, printed=True)
    one_by_one = [enumerated(p[:, k : k + 1], c[:, k : k + 1], gradient[k : k + 1]) ** 2 for k in range(4)]
    np.testing.assert_allclose(printed**2, sum(one_by_one), rtol=1e-9)
    assert not np.allclose(printed, influence.deviations(p, c, gradient))


@pytest.mark.parametrize("model_share", [1.0, 0.0, 0.4])
@pytest.mark.parametrize("name", ["f1", "precision", "recall", "specificity", "accuracy", "mcc", "kappa"])
def test_binary_deviations(name, model_share):
    p = np.concatenate([RNG.random(8), [0.0, 1.0]])
    c = RNG.random(10) < 0.5
    scale, shift = 0.9, 0.05
    belief = scale * p + shift
    gradient = metrics.get(name, "binary").slope(totals.expected_tables(belief, c, 2))
    np.testing.assert_allclose(
        influence.deviations(p, c, gradient, scale, shift, model_share),
        enumerated(belief, c, gradient, model_share),
        rtol=1e-8,
        atol=1e-12,
    )


@pytest.mark.parametrize("model_share", [1.0, 0.0])
@pytest.mark.parametrize("name", ["accuracy", "f1_macro", "mcc", "kappa", "precision[2]"])
def test_multiclass_deviations(name, model_share):
    p, c = RNG.dirichlet(np.ones(3), size=7), RNG.integers(0, 3, 7)
    gradient = metrics.get(name, "multiclass", (0, 1, 2)).slope(totals.expected_tables(p, c, 3))
    found = influence.deviations(p, c, gradient, model_share=model_share)
    for n in range(7):
        d = [gradient[0, y, c[n]] for y in range(3)]
        mean = float(np.dot(p[n], d))
        second = sum(p[n, y] * d[y] ** 2 for y in range(3))
        assert found[n] == pytest.approx(math.sqrt(second - (1 - model_share) * mean**2), rel=1e-8)


def test_long_pools_are_worked_in_pieces():
    p, c = RNG.random(70_000), RNG.random(70_000) < 0.5
    gradient = metrics.get("f1", "binary").slope(totals.expected_tables(p, c, 2))
    whole = influence.deviations(p, c, gradient)
    np.testing.assert_array_equal(whole[60_000:], influence.deviations(p[60_000:], c[60_000:], gradient))
