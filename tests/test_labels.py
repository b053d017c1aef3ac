"""Labels as people give them: kinds, shapes, what is missing, and what is not understood."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from oracles import mean_and_variance, subsets

import fewlabels as fl
from fewlabels import labels
from fewlabels.maths import influence

BINARY = {"ids": ["a", "b", "c"], "task": "binary", "classes": (0, 1)}
NAMED = {"ids": ["a", "b", "c"], "task": "binary", "classes": ("no", "yes")}
SEVERAL = {"ids": ["a", "b"], "task": "multilabel", "classes": ("x", "y", "z")}
EXCLUSIVE = {"ids": ["a", "b"], "task": "multiclass", "classes": ("x", "y", "z")}


@pytest.mark.parametrize(
    "given",
    [
        [1, 0, 1],
        (True, False, True),
        [1.0, 0.0, 1.0],
        ["1", "0", "1"],
        np.array([1, 0, 1], dtype=np.uint8),
        np.array([True, False, True]),
        np.array([1, 0, 1], dtype=object),
        pd.Series([1, 0, 1], index=["c", "a", "b"]),
        pl.Series([1, 0, 1]),
        pa.array([1, 0, 1]),
        pa.array(["1", "0", "1"]),
        {"c": 1, "a": 1, "b": 0},
        {"c": np.int64(1), "a": True, "b": 0.0},
    ],
    ids=lambda given: f"{type(given).__module__}.{type(given).__name__}",
)
def test_one_label_an_item(given):
    assert labels.read(given, **BINARY).shares[:, 0, 1].tolist() == [1, 0, 1]


@pytest.mark.parametrize("nothing", [None, float("nan"), np.nan, pd.NA, pd.NaT])
def test_every_kind_of_nothing_is_missing(nothing):
    for setting, yes in ((BINARY, 1), (NAMED, "yes")):
        assert labels.read([yes, nothing, yes], **setting).known.tolist() == [True, False, True]
        assert labels.read({"a": yes, "b": nothing}, **setting).known.tolist() == [True, False, False]


def test_class_names_match_as_text_too():
    numbered = {"ids": ["a", "b"], "task": "multiclass", "classes": ("0", "1", "2")}
    assert labels.read([2, 0], **numbered).shares[:, 0].argmax(axis=1).tolist() == [2, 0]
    assert labels.read(np.array([2, 0]), **numbered).shares[:, 0].argmax(axis=1).tolist() == [2, 0]
    assert labels.read(["z", "x"], **EXCLUSIVE).shares[:, 0].argmax(axis=1).tolist() == [2, 0]


def test_classes_in_another_order_are_not_positions():
    turned = {"ids": ["a", "b"], "task": "binary", "classes": (1, 0)}
    assert labels.read(np.array([1, 0]), **turned).shares[:, 0].argmax(axis=1).tolist() == [0, 1]


@pytest.mark.parametrize(
    "given",
    [[[1, 0, 1], [0, 0, 1]], np.array([[1, 0, 1], [0, 0, 1]]), pd.DataFrame([[1, 0, 1], [0, 0, 1]]),
     pl.DataFrame({"x": [1, 0], "y": [0, 0], "z": [1, 1]}), pa.table({"x": [1, 0], "y": [0, 0], "z": [1, 1]}),
     {"b": [0, 0, 1], "a": [True, False, True]}],
    ids=["list", "numpy", "pandas", "polars", "pyarrow", "dict"],
)  # fmt: skip
def test_several_labels_an_item(given):
    found = labels.read(given, **SEVERAL).shares
    assert found[:, :, 1].tolist() == [[1, 0, 1], [0, 0, 1]]
    np.testing.assert_array_equal(found.sum(axis=2), 1)


def test_an_item_is_missing_if_any_of_its_labels_is():
    assert labels.read([[1, None, 0], [1, 0, 0]], **SEVERAL).known.tolist() == [False, True]
    assert labels.read([None, [1, 0, 0]], **SEVERAL).known.tolist() == [False, True]


def test_votes_are_shares():
    found = labels.read([[1, 1, 0], [0], None], kind="votes", **BINARY)
    np.testing.assert_allclose(found.shares[:2, 0, 1], [2 / 3, 0])
    assert found.votes.tolist() == [3, 1, 1]
    assert found.known.tolist() == [True, True, False]
    again = labels.read([[1, None, 0], [None], []], kind="votes", **BINARY)
    assert again.known.tolist() == [True, False, False]
    many = labels.read([[[1, 0, 0], [1, 1, 0]], [[0, 0, 1]]], kind="votes", **SEVERAL)
    np.testing.assert_allclose(many.shares[:, :, 1], [[1, 0.5, 0], [0, 0, 1]])


def test_distributions():
    np.testing.assert_allclose(
        labels.read([0.3, (0.2, 0.8), None], kind="distribution", **BINARY).shares[:2, 0, 1], [0.3, 0.8]
    )
    rows = [[0.2, 0.3, 0.5], [1, 0, 0]]
    np.testing.assert_allclose(labels.read(rows, kind="distribution", **EXCLUSIVE).shares[:, 0], rows)
    np.testing.assert_allclose(labels.read(rows, kind="distribution", **SEVERAL).shares[:, :, 1], rows)


@pytest.mark.parametrize(
    ("setting", "given", "kind", "words"),
    [
        (BINARY, [1, 0, 2], "labels", "2 at item c is not one of the classes 0, 1"),
        (BINARY, [1, 0, 0.5], "labels", "0.5 at item c"),
        (NAMED, ["yes", "noo", "no"], "labels", r"'noo' at item b .*did you mean no"),
        (BINARY, [1, 0], "labels", "2 labels were given for 3 drawn items"),
        (BINARY, np.array([[1], [0], [1]]), "labels", r"shape \(3, 1\).*flatten"),
        (BINARY, 1, "labels", "one for each drawn item"),
        (BINARY, "yes", "labels", "one for each drawn item"),
        (BINARY, [[1], [0, 1], [1]], "labels", "item a is not one of the classes"),
        (BINARY, {"a": 1, "b": 0, "d": 1}, "labels", "not drawn: d"),
        (BINARY, [1, 0, 1], "label", r"kind='label' is not known \(did you mean labels"),
        (BINARY, [0.5, 1.2, 0], "distribution", r"item b leaves \[0, 1\]"),
        (BINARY, [0.5, (0.2, 0.3), 0], "distribution", "item b .* sum to 1"),
        (BINARY, [0.5, (0.2, 0.3, 0.5), 0], "distribution", "item b"),
        (BINARY, [0.5, "x", 0], "distribution", "item b must be numbers"),
        (EXCLUSIVE, [[0.5, 0.2, 0.2], [1, 0, 0]], "distribution", "item a does not sum to 1"),
        (EXCLUSIVE, [[0.5, 0.5], [1, 0, 0]], "distribution", "item a has 2 values, but the pool has 3"),
        (SEVERAL, [[1, 0], [1, 0, 0]], "labels", "item a has 2 values, but the pool has 3"),
        (SEVERAL, [[1, 0, 3], [1, 0, 0]], "labels", "item a are not all 0 or 1"),
        (SEVERAL, [["q", 0, 1], [1, 0, 0]], "labels", "item a must be numbers"),
        (BINARY, [[1, 2], [0], [1]], "votes", "2 at item a is not one of"),
    ],
)
def test_every_mistake_has_its_sentence(setting, given, kind, words):
    with pytest.raises(fl.FewlabelsError, match=words) as told:
        labels.read(given, kind=kind, **setting)
    assert "\n" not in str(told.value)
    assert str(told.value).endswith(".")


def test_the_variance_within_items_is_unbiased():
    # Three votes an item, each 1 with chance p: the mean influence has variance p(1-p) step^2 / 3.
    p, votes = 0.3, 3
    slope = np.array([[[0.4, -0.3], [1.1, 0.9]]])
    outcomes = []
    for chance, ones in subsets(np.full(votes, p)):
        cast = np.zeros(votes, dtype=int)
        cast[ones] = 1
        found = labels.read([cast.tolist()], ids=["a"], task="binary", classes=(0, 1), kind="votes")
        d = influence.observed(found.shares, np.array([[1]]), slope)
        outcomes.append((chance, found.within(np.array([[1]]), slope, d)[0]))
    assert mean_and_variance(outcomes)[0] == pytest.approx(p * (1 - p) * (0.9 + 0.3) ** 2 / votes)


def test_only_keeps_the_votes_of_the_items_kept():
    found = labels.read([[1, 0], [0], [1, 1]], kind="votes", **BINARY).only(np.array([False, True, True]))
    assert found.votes.tolist() == [1, 2]
    assert found.owner.tolist() == [0, 1, 1]


def test_whole_items_are_matched_vote_by_vote():
    decided = np.array([[1, 0, 0], [0, 0, 1]])
    votes = [[[1, 0, 0], [0, 1, 1]], [[0, 0, 1], [0, 0, 1]]]
    found = labels.read(votes, kind="votes", **SEVERAL).matching(decided)
    np.testing.assert_allclose(found.shares[:, 0, 1], [0.5, 1.0])
    chances = labels.read([[0.9, 0.5, 0.0], [0, 0, 1]], kind="distribution", **SEVERAL).matching(decided)
    np.testing.assert_allclose(chances.shares[:, 0, 1], [0.45, 1.0])
