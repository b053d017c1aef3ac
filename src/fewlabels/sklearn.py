"""Straight from a fitted scikit-learn classifier: ``X`` is the pool, the classifier scores it.

>>> from sklearn.datasets import make_classification
>>> from sklearn.linear_model import LogisticRegression
>>> X, y = make_classification(3000, weights=[0.9], random_state=0)
>>> model = LogisticRegression().fit(X[:500], y[:500])
>>> found = estimate(model, X[500:], lambda rows: y[500:][rows], "f1", budget=200)
>>> found.labels
200
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from .designs import design
from .errors import FewlabelsError
from .estimation import Estimate
from .estimation import estimate as of_sample
from .pool import Pool
from .sample import Sample

Ask = Callable[[NDArray[np.int64]], Any]
"""Asked for the labels of some rows of X, by number."""


def pool(classifier: Any, X: Any, ids: Any = None) -> Pool:
    """The classifier's probabilities and its own decisions on ``X``; classes are the classifier's."""
    if not hasattr(classifier, "predict_proba"):
        raise FewlabelsError(
            f"{type(classifier).__name__} has no predict_proba; wrap it in sklearn.calibration.CalibratedClassifierCV."
        )
    prob = classifier.predict_proba(X)
    if isinstance(prob, list) or np.ndim(classifier.classes_[0]) > 0:
        return _several(classifier, X, prob, ids)
    classes = tuple(np.asarray(classifier.classes_).tolist())
    decisions = np.asarray(classifier.predict(X))
    if len(classes) == 2:
        return Pool(np.asarray(prob)[:, 1], ids=ids, decisions=decisions, classes=classes)
    return Pool(prob, task="multiclass", ids=ids, decisions=decisions, classes=classes)


def _several(classifier: Any, X: Any, prob: Any, ids: Any) -> Pool:
    """A multi-output classifier gives a list with two columns for each label."""
    columns = np.column_stack([np.asarray(one)[:, -1] for one in prob])
    return Pool(columns, task="multilabel", ids=ids, decisions=np.asarray(classifier.predict(X)))


def draw(classifier: Any, X: Any, metric: Any = "f1", *, budget: int, seed: int = 0) -> Sample:
    """The rows of ``X`` to label: ``sample.index``."""
    return design(pool(classifier, X), metric, budget).draw(seed)


@overload
def estimate(classifier: Any, X: Any, labels: Any, metric: str = ..., *, budget: int, seed: int = ...) -> Estimate: ...
@overload
def estimate(
    classifier: Any, X: Any, labels: Any, metric: Sequence[str], *, budget: int, seed: int = ...
) -> dict[str, Estimate]: ...
def estimate(
    classifier: Any, X: Any, labels: Any, metric: str | Sequence[str] = "f1", *, budget: int, seed: int = 0
) -> Estimate | dict[str, Estimate]:
    """Draw ``budget`` rows, ask for their labels, and estimate.

    ``labels`` is asked once with the row numbers that were drawn (a person, a service), or holds a label for every row
    of ``X``, of which only the drawn ones are looked at.
    """
    sample = draw(classifier, X, metric, budget=budget, seed=seed)
    given = labels(sample.index) if callable(labels) else np.asarray(labels)[sample.index]
    return of_sample(sample, given, metric)
