"""Values against scikit-learn, in every task, with and without weights; custom metrics; names and errors."""

import math
import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import table
from sklearn import metrics as sk

import fewlabels as fl
from fewlabels import metrics

CLASSES = {"binary": 2, "multilabel": 3, "multiclass": 4}
SCORES = {"precision": sk.precision_score, "recall": sk.recall_score, "f1": sk.f1_score, "jaccard": sk.jaccard_score}


def labelled(task, seed, size=60, absent=False):
    """Labels, decisions and weights; ``absent`` leaves a class out of either or both."""
    rng = np.random.default_rng(seed)
    w = rng.choice([0.5, 1.0, 2.25, 8.0], size=size)
    if task == "multilabel":
        y, c = ((rng.random((size, 3)) < 0.3).astype(int) for _ in range(2))
        c = np.where(rng.random(c.shape) < 0.5, y, c)
        if absent:
            y[:, 0], c[:, 0], y[:, 1], c[:, 2] = 0, 0, 0, 0
        return y, c, w
    top = CLASSES[task]
    y = rng.integers(0, top, size)
    c = np.where(rng.random(size) < 0.5, y, rng.integers(0, top, size))
    if absent and task == "binary":
        y[:], c[:] = 0, 0
    elif absent:
        y, c = np.where(y == 1, 0, y), np.where(c <= 2, 0, c)
    return y, c, w


def value(name, task, y, c, w=None, **options):
    metric = metrics.get(name, task, tuple(range(CLASSES[task])), **options)
    if metric.exact:
        y, c = (y == c).reshape(len(y), -1).all(axis=1).astype(int), np.ones(len(y), dtype=int)
        return float(metric.value(table(y, c, w)))
    return float(metric.value(table(y, c, w, 2 if task == "multilabel" else CLASSES[task])))


def peer(name, task, y, c, w, zero_division):
    """scikit-learn's value of the metric of that name."""
    labels = None if task == "multilabel" else list(range(CLASSES[task]))
    simple = {
        "accuracy": sk.accuracy_score,
        "balanced_accuracy": sk.balanced_accuracy_score,
        "matthews_corrcoef": sk.matthews_corrcoef,
        "cohen_kappa": lambda y, c, sample_weight: sk.cohen_kappa_score(
            y, c, labels=labels, sample_weight=sample_weight
        ),
        "error_rate": lambda y, c, sample_weight: 1 - sk.accuracy_score(y, c, sample_weight=sample_weight),
        "hamming_loss": sk.hamming_loss,
    }
    if name in simple:
        return simple[name](y, c, sample_weight=w)
    stem, average = re.fullmatch(r"(\w+?)(?:_(micro|macro|weighted)|\[\d\])?", name).groups()
    one = re.search(r"\[(\d)\]", name)
    if stem == "specificity":
        return specificity(y, c, w, task, average, one, zero_division)
    options = {"average": average, "labels": labels}
    if task == "binary":
        options = {"average": "binary"}
    if one:
        options = {"average": None, "labels": [0, 1, 2] if task == "multilabel" else labels}
    if stem == "f1" or stem in ("precision", "recall"):
        found = SCORES[stem](y, c, sample_weight=w, zero_division=zero_division, **options)
    else:
        found = sk.jaccard_score(y, c, sample_weight=w, zero_division=zero_division, **options)
    return found[int(one[1])] if one else found


def specificity(y, c, w, task, average, one, zero_division):
    """The recall of everything that is not the class."""
    if task == "binary":
        return sk.recall_score(y, c, pos_label=0, sample_weight=w, zero_division=zero_division)
    tables = sk.multilabel_confusion_matrix(
        y, c, sample_weight=w, labels=None if task == "multilabel" else list(range(CLASSES[task]))
    )
    tn, fp = tables[:, 0, 0], tables[:, 0, 1]
    if average == "micro":
        return tn.sum() / (tn.sum() + fp.sum())
    each = np.array([t / (t + f) if t + f else zero_division for t, f in zip(tn, fp, strict=True)])
    if one:
        return each[int(one[1])]
    support = tables[:, 1].sum(axis=1) if average == "weighted" else np.ones(len(each))
    kept = ~np.isnan(each)
    return np.average(each[kept], weights=support[kept])


CASES = [
    (task, name)
    for task in CLASSES
    for name in metrics.names(task, tuple(range(CLASSES[task])) if task != "binary" else None)
    if not name.startswith("prevalence") and name != "f1_macro_harmonic"
]


@pytest.mark.parametrize(("absent", "zero_division"), [(False, 0), (True, 0), (True, 1), (True, np.nan)])
@pytest.mark.parametrize(("task", "name"), CASES)
def test_equal_to_scikit_learn(task, name, absent, zero_division):
    if name.startswith("jaccard") and math.isnan(zero_division):
        zero_division = 0  # scikit-learn's jaccard takes no NaN: see the next test
    for seed, weighted in ((0, False), (1, True)):
        y, c, w = labelled(task, seed, absent=absent)
        weights = w if weighted else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn warns of what is undefined; the value is compared
            expected = peer(name, task, y, c, weights, zero_division)
        found = value(name, task, y, c, weights, zero_division=zero_division)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


def test_jaccard_leaves_undefined_classes_out_when_they_are_nan():
    y, c, _ = labelled("multilabel", 0, absent=True)
    each = [value(f"jaccard[{k}]", "multilabel", y, c, zero_division=np.nan) for k in range(3)]
    assert math.isnan(each[0])
    assert not math.isnan(each[1])
    assert value("jaccard_macro", "multilabel", y, c, zero_division=np.nan) == pytest.approx(np.nanmean(each))


@pytest.mark.parametrize("beta", [0.5, 2, 1.5])
def test_f_beta_and_f_alpha(beta):
    for task, average in (("binary", None), ("multilabel", "micro"), ("multiclass", "macro")):
        y, c, w = labelled(task, 3)
        expected = sk.fbeta_score(y, c, beta=beta, sample_weight=w, average=average or "binary")
        assert value(metrics.f_beta(beta, average), task, y, c, w) == pytest.approx(expected)
        alpha = 1 / (1 + beta**2)
        assert value(f"falpha{alpha!r}" + (f"_{average}" if average else ""), task, y, c, w) == pytest.approx(expected)
    y, c, w = labelled("binary", 4)
    for alpha, same in ((0, "recall"), (1, "precision"), (0.5, "f1")):
        assert value(metrics.f_alpha(alpha), "binary", y, c, w) == pytest.approx(value(same, "binary", y, c, w))


def test_the_paper_macro_f1_is_another_number():
    y, c, _ = labelled("multilabel", 1)
    p, r = (value(f"{stem}_macro", "multilabel", y, c) for stem in ("precision", "recall"))
    ours = value("f1_macro_harmonic", "multilabel", y, c)
    assert ours == pytest.approx(2 * p * r / (p + r))
    assert value("f1_macro_paper", "multilabel", y, c) == ours
    assert ours != pytest.approx(sk.f1_score(y, c, average="macro"))


def test_prevalence_is_the_share_of_positives():
    y, c, _ = labelled("binary", 1)
    assert value("prevalence", "binary", y, c) == pytest.approx(y.mean())
    y, c, _ = labelled("multiclass", 1)
    assert value("prevalence[2]", "multiclass", y, c) == pytest.approx((y == 2).mean())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 10**7), min_size=4, max_size=4).filter(lambda counts: sum(counts) > 0))
def test_mcc_of_any_counts(counts):
    tn, fp, fn, tp = counts
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    expected = (tp * tn - fp * fn) / math.sqrt(product) if product else 0.0
    found = float(metrics.get("mcc", "binary").value(np.array([[[tn, fp], [fn, tp]]], dtype=float)))
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-8)


def test_mcc_of_a_class_with_one_item_in_ten_million():
    tables = np.array([[[1e7 - 1, 0.0], [0.0, 1.0]]])
    assert float(metrics.get("mcc", "binary").value(tables)) == pytest.approx(1.0)


def test_undefined_stays_undefined_when_weights_do_not_add_up_exactly():
    w = np.array([0.1, 0.2, 0.3, 1 / 3, 1 / 7])
    one_class = table(np.zeros(5, dtype=int), np.zeros(5, dtype=int), w)
    assert math.isnan(float(metrics.get("kappa", "binary").value(one_class)))
    assert float(metrics.get("mcc", "binary").value(one_class)) == 0.0


def test_leading_axes():
    rng = np.random.default_rng(0)
    for task, shape in (("binary", (1, 2, 2)), ("multilabel", (3, 2, 2)), ("multiclass", (1, 4, 4))):
        many = rng.uniform(1, 9, size=(5, *shape))
        for name in metrics.names(task):
            metric = metrics.get(name, task, tuple(range(CLASSES[task])))
            if not metric.exact:
                np.testing.assert_allclose(metric.value(many), [metric.value(one) for one in many], rtol=1e-12)


def test_a_ratio_of_your_own_is_the_built_in_one():
    y, c, w = labelled("binary", 5)
    at = table(y, c, w)
    mine = {
        "precision": (lambda c, y: c * y, lambda c, y: c),
        "recall": (lambda c, y: c * y, lambda c, y: y),
        "accuracy": (lambda c, y: c == y, lambda c, y: 1),
        "specificity": (lambda c, y: (1 - c) * (1 - y), lambda c, y: 1 - y),
        "f1": (lambda c, y: 2 * c * y, lambda c, y: c + y),
    }
    for name, (f, g) in mine.items():
        found, built_in = metrics.get(metrics.ratio(name, f, g), "binary"), metrics.get(name, "binary")
        assert float(found.value(at)) == pytest.approx(float(built_in.value(at)))
        np.testing.assert_allclose(found.slope(at), built_in.slope(at), rtol=1e-6, atol=1e-12)
        assert found.support == (0.0, 1.0)


def test_a_ratio_may_branch_on_single_numbers():
    cost = metrics.ratio("cost", lambda c, y: 5.0 if y and not c else (1.0 if c and not y else 0.0), lambda c, y: 1)
    y, c, _ = labelled("binary", 6)
    expected = np.mean(5.0 * ((y == 1) & (c == 0)) + ((y == 0) & (c == 1)))
    assert float(metrics.get(cost, "binary").value(table(y, c))) == pytest.approx(expected)
    assert metrics.get(cost, "binary").support == (0.0, 5.0)


def test_a_ratio_over_classes_and_over_labels():
    close = metrics.ratio("close", lambda c, y: abs(c - y) <= 1, lambda c, y: 1)
    y, c, _ = labelled("multiclass", 7)
    assert float(metrics.get(close, "multiclass", range(4)).value(table(y, c, classes=4))) == pytest.approx(
        np.mean(abs(y - c) <= 1)
    )
    y, c, _ = labelled("multilabel", 7)
    micro = metrics.ratio("p", lambda c, y: c * y, lambda c, y: c)
    assert float(metrics.get(micro, "multilabel", range(3)).value(table(y, c))) == pytest.approx(
        sk.precision_score(y, c, average="micro")
    )


@pytest.mark.parametrize(
    "function",
    [
        lambda t: (t.tp / (t.tp + t.fn) * t.tn / (t.tn + t.fp)) ** 0.5,
        lambda t: math.sqrt(t.tp / (t.tp + t.fn) * t.tn / (t.tn + t.fp)),
        lambda t: abs(t["tp"] / (t.tp + t.fn) * t.tn / (t.tn + t.fp)) ** 0.5,
        lambda t: 0.0 if t.tp + t.fn <= 0 else float(np.sqrt(t.tp / (t.tp + t.fn) * t.tn / (t.tn + t.fp))),
        lambda t: (lambda tp, fp, fn, tn: (tp / (tp + fn) * tn / (tn + fp)) ** 0.5)(*t),
        lambda t: math.exp(0.5 * math.log(t.table[1, 1] / t.table[1].sum() * t.table[0, 0] / t.table[0].sum())),
    ],
    ids=["power", "math.sqrt", "abs", "if", "unpacked", "table"],
)
def test_smooth_metrics_find_their_gradient_whatever_they_are_made_of(function):
    at = np.array([[[40.0, 7.0], [5.0, 13.0]]])
    tn, fp, fn, tp = at.ravel()
    g = math.sqrt(tp / (tp + fn) * tn / (tn + fp))
    expected = g / 2 * np.array([[[1 / tn - 1 / (tn + fp), -1 / (tn + fp)], [-1 / (tp + fn), 1 / tp - 1 / (tp + fn)]]])
    metric = metrics.get(metrics.smooth("g", function, (0, 1)), "binary")
    np.testing.assert_allclose(metric.slope(at), expected, rtol=1e-6)
    assert float(metric.value(at)) == pytest.approx(g)


def test_smooth_over_several_classes():
    best = metrics.smooth("mean_recall", lambda t: np.mean(t.tp / (t.tp + t.fn)), (0, 1))
    for task in ("multilabel", "multiclass"):
        y, c, _ = labelled(task, 8)
        classes = tuple(range(CLASSES[task]))
        at = table(y, c, classes=2 if task == "multilabel" else 4)
        assert float(metrics.get(best, task, classes).value(at)) == pytest.approx(value("recall_macro", task, y, c))
        np.testing.assert_allclose(
            metrics.get(best, task, classes).slope(at), metrics.get("recall_macro", task, classes).slope(at), atol=1e-9
        )


@pytest.mark.parametrize(
    ("name", "task", "words"),
    [
        ("presicion", "binary", "did you mean precision"),
        ("f1_makro", "multilabel", "did you mean f1_macro"),
        ("f1", "multilabel", "f1_macro"),
        ("f1_macro", "binary", "binary"),
        ("f1[9]", "multiclass", "'9'"),
        ("falpha1.5", "binary", "no metric"),
        ("hamming_loss", "binary", "no metric"),
        ("mcc", "multilabel", "no metric"),
        (7, "binary", "int"),
    ],
)
def test_errors_say_what_is_meant(name, task, words):
    with pytest.raises(fl.FewlabelsError, match=re.escape(words)):
        metrics.get(name, task, tuple(range(CLASSES[task])))


def test_zero_division_is_checked():
    with pytest.raises(fl.FewlabelsError, match="zero_division"):
        metrics.get("f1", "binary", zero_division=0.5)


def test_aliases():
    y, c, _ = labelled("binary", 9)
    for alias, name in (("mcc", "matthews_corrcoef"), ("kappa", "cohen_kappa"), ("sensitivity", "recall")):
        assert value(alias, "binary", y, c) == value(name, "binary", y, c)
