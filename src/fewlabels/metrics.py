"""Metrics: a name and a smooth function of totals. Adding one is adding a line of data.

Names follow scikit-learn's scorers; a binary pool takes them bare (``f1``), pools of several classes with an average
(``f1_micro``, ``f1_macro``, ``f1_weighted``) or for one class (``f1[cat]``).

>>> float(get("f1", "binary").value(np.array([[[50.0, 3.0], [2.0, 10.0]]])))
0.8
>>> get("f2_macro", "multilabel", classes=("a", "b")).name
'f2_macro'
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import arrays
from .errors import FewlabelsError
from .maths import influence, rates
from .totals import Totals

Floats = NDArray[np.float64]

RATIOS: dict[str, rates.Ratio] = {
    "precision": rates.precision,
    "recall": rates.recall,
    "specificity": rates.specificity,
    "jaccard": rates.jaccard,
    "prevalence": rates.prevalence,
}
AVERAGES: dict[str, Callable[[rates.Ratio, rates.Array, float], rates.Array]] = {
    "micro": rates.micro,
    "macro": rates.macro,
    "weighted": rates.weighted,
}
WHOLE: dict[str, tuple[Callable[[rates.Array, bool], rates.Array], tuple[float, float]]] = {
    "accuracy": (rates.accuracy, (0, 1)),
    "error_rate": (lambda k, exclusive: 1 - rates.accuracy(k, exclusive), (0, 1)),
    "balanced_accuracy": (rates.balanced_accuracy, (0, 1)),
    "matthews_corrcoef": (rates.matthews, (-1, 1)),
    "cohen_kappa": (rates.kappa, (-1, 1)),
}
ALIASES = {
    "mcc": "matthews_corrcoef",
    "kappa": "cohen_kappa",
    "sensitivity": "recall",
    "zero_one_loss": "error_rate",
    "f1_macro_paper": "f1_macro_harmonic",
}


@dataclass(frozen=True)
class Metric:
    """A metric ready for one kind of pool.

    ``value`` takes confusion tables ``[..., label, true, decided]``; ``strict`` is the same but NaN as soon as any part
    of it is 0/0; ``slope`` is its gradient; ``base`` is what a ratio is divided by. ``exact`` metrics read an item as a
    whole: all labels right, or not.
    """

    name: str
    value: Callable[[Any], Any]
    strict: Callable[[Any], Any]
    slope: Callable[[Floats], Floats]
    support: tuple[float, float] = (0.0, 1.0)
    exact: bool = False
    base: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class Custom:
    """A metric of your own, made by ``ratio`` or ``smooth``."""

    name: str
    function: Callable[[Totals], Any]
    support: tuple[float, float]
    cells: tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]] | None = None


def ratio(name: str, f: Callable[[Any, Any], Any], g: Callable[[Any, Any], Any]) -> Custom:
    """A metric sum f / sum g; f and g take a decision and a label.

    Both are class numbers: 0 or 1 in a binary pool, positions in ``pool.classes`` in a multi-class one. In a
    multi-label pool f and g are summed over the labels, as micro averages are.

    >>> ratio("precision", lambda c, y: c * y, lambda c, y: c).name
    'precision'
    """

    def function(totals: Totals) -> Any:
        table = totals.tables
        above, below = (_cells(part, table.shape[-1]) for part in (f, g))
        axes = (-3, -2, -1)
        return rates.divide((table * above).sum(axis=axes), (table * below).sum(axis=axes), np.nan)

    return Custom(name, function, (-np.inf, np.inf), (f, g))


def smooth(name: str, function: Callable[[Totals], Any], support: tuple[float, float] = (-np.inf, np.inf)) -> Custom:
    """A metric that is a smooth function of the totals (see ``Totals``); its gradient is found for it.

    >>> metric = smooth("g_mean", lambda t: (t.tp / (t.tp + t.fn) * t.tn / (t.tn + t.fp)) ** 0.5, (0, 1))
    >>> round(float(get(metric, "binary").value(np.array([[[8.0, 2.0], [1.0, 9.0]]]))), 4)
    0.8485
    """
    return Custom(name, function, support)


def f_beta(beta: float, average: str | None = None) -> str:
    """The name of F-beta: recall counts beta times as much as precision.

    >>> f_beta(2, "macro")
    'f2_macro'
    """
    return f"f{beta:g}" + (f"_{average}" if average else "")


def f_alpha(alpha: float, average: str | None = None) -> str:
    """The name of F-alpha, TP / (alpha decided + (1 - alpha) true): 0 is recall, 1/2 F1, 1 precision.

    >>> f_alpha(0.25)
    'falpha0.25'
    """
    return f"falpha{alpha:g}" + (f"_{average}" if average else "")


def names(task: str, classes: Sequence[object] | None = None) -> list[str]:
    """The built-in metrics of a task; with ``classes`` also those of each class.

    >>> names("binary")[:4]
    ['accuracy', 'error_rate', 'balanced_accuracy', 'matthews_corrcoef']
    """
    stems = [*(stem for stem in RATIOS if stem != "prevalence"), "f1"]
    if task == "binary":
        return [*WHOLE, *stems, "prevalence"]
    whole = ["accuracy", "error_rate", "hamming_loss"] if task == "multilabel" else list(WHOLE)
    found = [*whole, *(f"{stem}_{average}" for stem in stems for average in AVERAGES), "f1_macro_harmonic"]
    return found + [f"{stem}[{name}]" for stem in [*stems, "prevalence"] for name in classes or ()]


def get(
    metric: str | Custom,
    task: str,
    classes: Sequence[object] = (0, 1),
    zero_division: float | str = "warn",
) -> Metric:
    """The metric of that name for that task; ``zero_division`` is 0 ("warn"), 1 or NaN, as in scikit-learn."""
    if isinstance(metric, Custom):
        return _custom(metric, task, len(classes))
    if not isinstance(metric, str):
        raise FewlabelsError(f"a metric is a name or made by fl.metrics.ratio or smooth; got {type(metric).__name__}.")
    if zero_division not in ("warn", 0, 1) and zero_division == zero_division:
        raise FewlabelsError(f'zero_division must be "warn", 0, 1 or nan; got {zero_division!r}.')
    otherwise = 0.0 if zero_division == "warn" else float(zero_division)
    stem = ALIASES.get(metric, metric)
    exclusive = task == "multiclass"
    if task != "binary" and stem in ("accuracy", "error_rate"):
        return _right_or_wrong(metric, stem, otherwise)
    if stem in WHOLE and task != "multilabel":
        function, support = WHOLE[stem]
        return _of_counts(metric, lambda k, _: function(k, exclusive), exclusive, otherwise, support)
    if stem == "hamming_loss" and task == "multilabel":
        return _of_counts(metric, lambda k, _: rates.hamming(k), exclusive, otherwise)
    if stem == "f1_macro_harmonic" and task != "binary":
        return _of_counts(metric, rates.macro_harmonic, exclusive, otherwise)
    found = _ratio_metric(metric, stem, task, classes, otherwise)
    if found is None:
        known = names(task, classes)
        raise FewlabelsError(
            f"there is no metric {metric!r} for a {task} pool{arrays.near(metric, known)}; "
            f"see fl.metrics.names({task!r})."
        )
    return found


def _ratio_metric(metric: str, stem: str, task: str, classes: Sequence[object], otherwise: float) -> Metric | None:
    """precision, recall, F and so on: bare, averaged or for one class."""
    match = re.fullmatch(r"(?P<stem>.+?)(?:_(?P<average>micro|macro|weighted)|\[(?P<one>.+)\])?", stem)
    assert match is not None
    of = _ratio(ALIASES.get(match["stem"], match["stem"]))
    if of is None:
        return None
    exclusive = task == "multiclass"
    if match["one"] is not None and task != "binary":
        labels = [str(name) for name in classes]
        if match["one"] not in labels:
            raise FewlabelsError(
                f"there is no class {match['one']!r}{arrays.near(match['one'], labels)} in {metric!r}."
            )
        k = labels.index(match["one"])
        return _summed(metric, of, exclusive, otherwise, slice(k, k + 1))
    if match["average"] == "micro" and task != "binary":
        return _summed(metric, of, exclusive, otherwise, slice(None))
    if match["average"] is not None and task != "binary":
        return _of_counts(metric, partial(AVERAGES[match["average"]], of), exclusive, otherwise)
    if match["average"] is None and match["one"] is None and task == "binary":
        return _summed(metric, of, exclusive, otherwise, slice(None))
    if task != "binary" and match["average"] is None:
        raise FewlabelsError(
            f"{metric!r} needs an average in a {task} pool: {metric}_micro, {metric}_macro, {metric}_weighted."
        )
    return None


def _right_or_wrong(name: str, stem: str, otherwise: float) -> Metric:
    """Accuracy of items with several labels or classes: each is right or wrong as a whole, so one label says it all.

    The same share of agreement can be read off a full confusion table, so wider tables are taken too.
    """
    share = WHOLE[stem][0]
    pair = _of_counts(name, lambda k, _: share(k, False), False, otherwise, exact=True)
    wide = _of_counts(name, lambda k, _: share(k, True), True, otherwise, exact=True)

    def fit(tables: Any) -> Metric:
        return wide if tables.shape[-1] > 2 else pair

    return replace(
        pair,
        value=lambda tables: fit(tables).value(tables),
        strict=lambda tables: fit(tables).strict(tables),
        slope=lambda tables: fit(tables).slope(tables),
    )


def _summed(name: str, of: rates.Ratio, exclusive: bool, otherwise: float, which: slice) -> Metric:
    """A ratio of sums over some classes."""

    def base(tables: Any) -> Any:
        return of(rates.counts_of(tables, exclusive)[..., which].sum(axis=-1, keepdims=True))[1][..., 0]

    found = _of_counts(name, lambda k, o: rates.micro(of, k[..., which], o), exclusive, otherwise)
    return replace(found, base=base)


def _ratio(stem: str) -> rates.Ratio | None:
    if stem in RATIOS:
        return RATIOS[stem]
    number = r"(\d+(?:\.\d+)?)"
    if match := re.fullmatch("f" + number, stem):
        return rates.f_alpha(1 / (1 + float(match[1]) ** 2))
    if (match := re.fullmatch("falpha" + number, stem)) and float(match[1]) <= 1:
        return rates.f_alpha(float(match[1]))
    return None


def _of_counts(
    name: str,
    function: Callable[[Any, float], Any],
    exclusive: bool,
    otherwise: float,
    support: tuple[float, float] = (0.0, 1.0),
    exact: bool = False,
) -> Metric:
    def slope(tables: Floats) -> Floats:
        counts = rates.counts_of(tables, exclusive)
        return rates.counts_gradient(influence.gradient(lambda k: function(k, otherwise), counts), exclusive)

    def strict(tables: Any) -> Any:
        # With NaN for 0/0 the macro averages leave the class out; with 0 and 1 alike, nothing was undefined.
        counts = rates.counts_of(tables, exclusive)
        zero, one, told = (function(counts, stand_in) for stand_in in (0.0, 1.0, otherwise))
        return np.where((zero == one) & ~np.isnan(told), zero, np.nan)

    return Metric(
        name,
        lambda tables: function(rates.counts_of(tables, exclusive), otherwise),
        strict,
        slope,
        support,
        exact,
    )


def _custom(metric: Custom, task: str, classes: int) -> Metric:
    def value(tables: Any) -> Any:
        if tables.ndim == 3:
            return metric.function(Totals(tables, task))
        return np.array([metric.function(Totals(one, task)) for one in tables])

    def slope(tables: Floats) -> Floats:
        rough = influence.gradient_by_differences(value, tables)
        if not np.all(np.isfinite(rough)):
            return rough  # undefined here, whichever way it is asked
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", np.exceptions.ComplexWarning)
                exact = influence.gradient(value, tables)
        except (TypeError, ValueError, np.exceptions.ComplexWarning):
            return rough  # the function takes no complex numbers
        close = np.allclose(exact, rough, rtol=1e-5, atol=1e-7 * float(np.max(np.abs(rough)) or 1.0))
        return exact if close else rough  # abs() and the like lose the complex step's derivative

    return Metric(metric.name, value, value, slope, _support(metric, classes if task == "multiclass" else 2))


def _support(metric: Custom, classes: int) -> tuple[float, float]:
    """A ratio lies between the smallest and the largest f/g of a cell, if f = 0 wherever g = 0."""
    if metric.cells is None:
        return metric.support
    above, below = (_cells(part, classes) for part in metric.cells)
    if np.any(below < 0) or np.any(above[below == 0] != 0) or not np.any(below > 0):
        return metric.support
    quotients = above[below > 0] / below[below > 0]
    return float(quotients.min()), float(quotients.max())


def _cells(part: Callable[[Any, Any], Any], classes: int) -> Floats:
    """f or g on every (true, decided) pair; functions that only take numbers are called pair by pair."""
    label, decision = np.indices((classes, classes))
    try:
        return np.broadcast_to(np.asarray(part(decision, label), dtype=np.float64), (classes, classes))
    except (TypeError, ValueError):
        pairs: Iterable[tuple[int, int]] = zip(decision.ravel().tolist(), label.ravel().tolist(), strict=True)
        return np.array([float(part(c, y)) for c, y in pairs]).reshape(classes, classes)
