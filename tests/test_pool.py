"""The door: what a pool takes, from which library, and what it says to what it does not take."""

import uuid

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fewlabels as fl

PROB = [0.1, 0.8, 0.6, 0.4]
WIDE = [[0.7, 0.2, 0.1], [0.1, 0.1, 0.8], [0.3, 0.4, 0.3]]


class OnlyStream:
    """An object that speaks Arrow's stream and nothing else."""

    def __init__(self, data):
        self._data = data

    def __arrow_c_stream__(self, requested_schema=None):
        return self._data.__arrow_c_stream__(requested_schema)


class OnlyArray:
    """An object that speaks Arrow's array and nothing else."""

    def __init__(self, data):
        self._data = data

    def __arrow_c_array__(self, requested_schema=None):
        return self._data.__arrow_c_array__(requested_schema)


COLUMNS = {
    "list": list,
    "tuple": tuple,
    "numpy": np.array,
    "pandas": pd.Series,
    "polars": pl.Series,
    "pyarrow array": pa.array,
    "pyarrow chunks": lambda values: pa.chunked_array([values[:2], values[2:]]),
    "bare stream": lambda values: OnlyStream(pa.chunked_array([values])),
    "bare array": lambda values: OnlyArray(pa.array(values)),
}


@pytest.mark.parametrize("ids", [[5, 6, 7, 8], ["a", "b", "c", "d"]], ids=["int", "str"])
@pytest.mark.parametrize("of", COLUMNS.values(), ids=COLUMNS)
def test_a_column_of_any_library_is_the_same_pool(of, ids):
    here = fl.Pool(of(PROB), ids=of(ids), decisions=of([1, 0, 1, 0]))
    there = fl.Pool(np.array(PROB), ids=ids, decisions=[True, False, True, False])
    np.testing.assert_array_equal(here.prob, PROB)
    np.testing.assert_array_equal(here.keys, there.keys)
    assert here.ids.tolist() == ids
    assert here.fingerprint == there.fingerprint


TABLES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "bare stream": lambda data: OnlyStream(pa.table(data)),
}


@pytest.mark.parametrize("of", TABLES.values(), ids=TABLES)
def test_a_table_of_any_library(of):
    data = {"p": PROB, "q": PROB[::-1], "name": ["a", "b", "c", "d"], "d": [1, 1, 0, 0], "e": [0, 1, 0, 1]}
    one = fl.Pool.from_table(of(data), prob="p", ids="name", decisions="d")
    assert one.task == "binary"
    assert one.ids.tolist() == data["name"]
    assert one.decisions.tolist() == [True, True, False, False]
    two = fl.Pool.from_table(of(data), prob=["p", "q"], ids="name", decisions=["d", "e"], task="multilabel")
    assert two.classes == ("p", "q")
    assert two.decisions[:, 1].tolist() == [False, True, False, True]
    with pytest.raises(fl.FewlabelsError, match=r"no column 'nane'.*did you mean name"):
        fl.Pool.from_table(of(data), prob="p", ids="nane")


@pytest.mark.parametrize("of", TABLES.values(), ids=TABLES)
def test_a_whole_table_of_probabilities_names_its_classes(of):
    data = {name: [row[k] for row in WIDE] for k, name in enumerate(("cat", "dog", "eel"))}
    pool = fl.Pool(of(data), task="multiclass")
    assert pool.classes == ("cat", "dog", "eel")
    np.testing.assert_allclose(pool.prob, WIDE)


def test_columns_named_by_numbers():
    pool = fl.Pool(pd.DataFrame(WIDE), task="multiclass", decisions=[0, 2, 1])
    assert pool.classes == ("0", "1", "2")
    assert pool.decisions.tolist() == [0, 2, 1]


def test_decisions():
    assert fl.Pool([0.5, 0.50001]).decisions.tolist() == [False, True]
    assert fl.Pool(PROB, threshold=0.05).decisions.all()
    grid = fl.Pool([[0.3, 0.3], [0.6, 0.6]], task="multilabel", threshold=[0.5, 0.2])
    assert grid.decisions.tolist() == [[False, True], [True, True]]
    assert fl.Pool(WIDE, task="multiclass").decisions.tolist() == [0, 2, 1]
    named = fl.Pool(WIDE, task="multiclass", classes=["a", "b", "c"], decisions=["c", "c", "a"])
    assert named.decisions.tolist() == [2, 2, 0]
    assert fl.Pool(PROB, classes=["no", "yes"], decisions=["yes", "no", "no", "yes"]).decisions.tolist() == [1, 0, 0, 1]
    assert fl.Pool(np.array(PROB)[:, None]).task == "binary"


@pytest.mark.parametrize(
    "ids",
    [
        [(1, "a"), (1, "b"), (2, "a"), (3, "c")],
        [uuid.UUID(int=n) for n in range(4)],
        [1, "1", 1.5, (1,)],
        [2**70, -(2**70), 0, 1],
        np.array(["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-04"], dtype="M8[D]"),
        np.array([2**63 + 1, 2**63, 1, 0], dtype=np.uint64),
    ],
    ids=["tuple", "uuid", "mixed", "huge", "date", "uint64"],
)
def test_ids_of_any_type(ids):
    pool = fl.Pool(PROB, ids=ids)
    assert len(np.unique(pool.keys)) == 4
    order = [2, 0, 3, 1]
    turned = fl.Pool(np.array(PROB)[order], ids=[ids[n] for n in order])
    assert turned.fingerprint == pool.fingerprint
    drawn, again = (fl.design(p, "f1", 2).draw(seed=1) for p in (pool, turned))
    assert set(map(str, drawn.ids)) == set(map(str, again.ids))


def test_the_fingerprint_knows_everything_but_the_order():
    pool = fl.Pool(PROB, ids=list("abcd"))
    others = [
        fl.Pool(PROB, ids=list("abce")),
        fl.Pool([0.1, 0.8, 0.6, 0.41], ids=list("abcd")),
        fl.Pool(PROB, ids=list("abcd"), threshold=0.7),
        fl.Pool(PROB, ids=list("abcd"), classes=("n", "y")),
        fl.Pool([0.8, 0.1, 0.6, 0.4], ids=list("abcd")),
        fl.Pool(PROB[:3], ids=list("abc")),
    ]
    assert len({pool.fingerprint, *(other.fingerprint for other in others)}) == 7


def test_a_pool_cannot_be_written_to():
    pool = fl.Pool(PROB)
    for values in (pool.prob, pool.decisions):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"prob": []}, "empty"),
        ({"prob": None}, "one or two dimensions"),
        ({"prob": np.empty((0, 3)), "task": "multiclass"}, "empty"),
        ({"prob": [0.1, np.nan, 0.3, None]}, r"missing \(NaN\) at rows 1, 3"),
        ({"prob": pa.array([0.1, None])}, r"missing \(NaN\) at rows 1"),
        ({"prob": pd.Series([0.1, None], dtype="Float64")}, r"missing \(NaN\) at rows 1"),
        ({"prob": pl.Series([0.1, None])}, r"missing \(NaN\) at rows 1"),
        ({"prob": [0.1, 1.2, -0.1]}, r"outside \[0, 1\] at rows 1, 2; give probabilities, not logits"),
        ({"prob": [0.1, np.inf]}, r"outside \[0, 1\] at rows 1"),
        ({"prob": ["a", "b"]}, "must be numbers"),
        ({"prob": 0.5}, "one or two dimensions"),
        ({"prob": np.zeros((2, 2, 2)), "task": "multilabel"}, "one or two dimensions"),
        ({"prob": WIDE}, 'task="multilabel" or task="multiclass"'),
        ({"prob": WIDE, "task": "binary"}, "one column"),
        ({"prob": PROB, "task": "multiclass"}, "column of probabilities for each class"),
        ({"prob": [[1.0], [1.0]], "task": "multiclass"}, "at least two classes"),
        ({"prob": PROB, "task": "multi"}, r"task='multi' is not known"),
        ({"prob": [[0.5, 0.4], [0.5, 0.5]], "task": "multiclass"}, r"rows 0 do not sum to 1 \(row 0: 0.9\)"),
        ({"prob": PROB, "ids": [1, 2, 2, 1]}, r"ids repeat: 1, 2 \(rows 0, 3 are 1\)"),
        ({"prob": PROB, "ids": ["a", "b", "a", "c"]}, r"ids repeat: a \(rows 0, 2 are a\)"),
        ({"prob": PROB, "ids": [(1, 2), (1, 2), (3, 4), (5, 6)]}, r"ids repeat: \(1, 2\) \(rows 0, 1"),
        ({"prob": PROB, "ids": ["a", None, "c", float("nan")]}, "ids are missing at rows 1, 3"),
        ({"prob": PROB, "ids": pd.Series(["a", pd.NA, "c", "d"], dtype="string")}, "ids are missing at rows 1"),
        ({"prob": PROB, "ids": [[1], [2], [3], [4]]}, "numbers, text or tuples"),
        ({"prob": PROB, "ids": [1, 2, 3]}, "3 ids were given for 4 items"),
        ({"prob": PROB, "ids": np.zeros((4, 1))}, r"shape \(4, 1\)"),
        ({"prob": PROB, "decisions": [1, 0, 1]}, "3 decisions were given for 4 items"),
        ({"prob": PROB, "decisions": [1, 0, 2, 0]}, "2 at row 2 is not one of the classes 0, 1"),
        ({"prob": PROB, "decisions": [1, 0, None, 0]}, "decisions are missing at rows 2"),
        ({"prob": PROB, "decisions": [1, 0, 1, 0], "threshold": 0.5}, "not both"),
        ({"prob": PROB, "threshold": [0.1, 0.2]}, "2 thresholds were given"),
        ({"prob": PROB, "threshold": np.nan}, "threshold is missing"),
        ({"prob": WIDE, "task": "multilabel", "threshold": [0.1, 0.2]}, "2 thresholds were given for 3 classes"),
        ({"prob": WIDE, "task": "multiclass", "threshold": 0.5}, "likeliest class"),
        ({"prob": WIDE, "task": "multilabel", "decisions": [[1, 0], [0, 1], [1, 1]]}, "they must agree"),
        ({"prob": WIDE, "task": "multilabel", "decisions": [[1, 0, 1], [0, 2, 1], [1, 1, 1]]}, "rows 1 are not"),
        ({"prob": WIDE, "task": "multiclass", "decisions": [0, 1, 3]}, "3 at row 2 is not one of the classes"),
        ({"prob": WIDE, "task": "multiclass", "classes": ["a", "b"]}, "classes must be 3 different names"),
        ({"prob": PROB, "classes": ["a", "a"]}, r"2 different names \(negative, positive\)"),
    ],
)
def test_every_mistake_has_its_sentence(arguments, words):
    with pytest.raises(fl.FewlabelsError, match=words) as told:
        fl.Pool(**arguments)
    assert "\n" not in str(told.value)
    assert str(told.value).endswith(".")


def test_rows_that_sum_to_nearly_one_are_made_to():
    pool = fl.Pool([[0.3333, 0.3333, 0.3333], [0.5, 0.25, 0.25]], task="multiclass")
    np.testing.assert_allclose(pool.prob.sum(axis=1), 1, rtol=1e-15)


def test_a_pool_of_one_item():
    pool = fl.Pool([0.7])
    sample = fl.design(pool, "f1", 1).draw(seed=0)
    assert fl.estimate(sample, [1], "f1").value == 1.0
