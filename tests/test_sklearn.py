import numpy as np
import pytest
from sklearn.datasets import load_digits, make_classification, make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.multioutput import MultiOutputClassifier
from sklearn.svm import LinearSVC

from fewlabels import sklearn as ours
from fewlabels.errors import FewlabelsError


def test_text_classes_and_only_the_drawn_labels_are_asked_for():
    X, y = make_classification(2000, weights=[0.85], random_state=1)
    names = np.where(y == 1, "spam", "ham")
    model = LogisticRegression().fit(X[:400], names[:400])
    asked = []

    def ask(rows):
        asked.append(rows)
        return names[400:][rows]

    found = ours.estimate(model, X[400:], ask, ["f1", "accuracy"], budget=150)
    assert [len(rows) for rows in asked] == [150]
    low, high = found["f1"].interval(0.999)
    assert low <= f1_score(names[400:], model.predict(X[400:]), pos_label="spam") <= high


def test_everything_labelled_is_scikit_learn_s_own_number():
    X, y = load_digits(return_X_y=True)
    model = LogisticRegression(max_iter=2000).fit(X[:300], y[:300])
    found = ours.estimate(model, X[300:], y[300:], "f1_macro", budget=len(X) - 300)
    assert found.value == pytest.approx(f1_score(y[300:], model.predict(X[300:]), average="macro"), abs=1e-12)


def test_several_labels():
    X, y = make_multilabel_classification(1500, random_state=3)
    model = MultiOutputClassifier(LogisticRegression(max_iter=500)).fit(X[:500], y[:500])
    found = ours.estimate(model, X[500:], y[500:], "f1_micro", budget=1000)
    assert found.value == pytest.approx(f1_score(y[500:], model.predict(X[500:]), average="micro"), abs=1e-12)


def test_a_classifier_without_probabilities_is_told_what_to_do():
    X, y = make_classification(100, random_state=1)
    with pytest.raises(FewlabelsError, match=r"LinearSVC has no predict_proba; wrap it"):
        ours.pool(LinearSVC().fit(X, y), X)
