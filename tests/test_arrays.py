"""Columns and tables become numpy arrays in one place."""

import builtins
import sys

import numpy as np
import pyarrow as pa
import pytest

from fewlabels import arrays
from fewlabels.errors import FewlabelsError, some


class OnlyStream:
    def __init__(self, data):
        self._data = data

    def __arrow_c_stream__(self, requested_schema=None):
        return self._data.__arrow_c_stream__(requested_schema)


def without(monkeypatch, *libraries):
    """As if these libraries were not installed."""
    real = builtins.__import__

    def fake(name, *rest, **more):
        if name.split(".")[0] in libraries:
            raise ImportError(name)
        return real(name, *rest, **more)

    for library in libraries:
        monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setattr(builtins, "__import__", fake)


def test_polars_reads_capsules_where_there_is_no_pyarrow(monkeypatch):
    stream = OnlyStream(pa.table({"p": [0.1, 0.9]}))
    without(monkeypatch, "pyarrow")
    table = arrays.opened(stream)
    assert type(table).__module__.startswith("polars")
    np.testing.assert_array_equal(arrays.floats(arrays.column(table, "p"), "p"), [0.1, 0.9])


def test_without_either_library_the_error_names_both(monkeypatch):
    stream = OnlyStream(pa.table({"p": [0.1, 0.9]}))
    without(monkeypatch, "pyarrow", "polars")
    with pytest.raises(FewlabelsError, match="neither pyarrow nor polars"):
        arrays.opened(stream)


@pytest.mark.parametrize("values", [[3, 4], [np.int64(3), np.int32(4)], np.array([3, 4], dtype=np.int8), range(3, 5)])
def test_integers_stay_integers(values):
    assert arrays.anything(values).dtype.kind == "i"


@pytest.mark.parametrize("values", [[True, False], ["a", 1], [2**63, 1], [(1, 2), (3, 4)], [None, 1]])
def test_everything_else_stays_what_it_is(values):
    assert arrays.anything(values).tolist() == values
    assert arrays.anything(values).dtype == object


def test_some_names_the_first_few():
    assert some([1, 2], 5) == "1, 2"
    assert some(list(range(9)), 2) == "0, 1 and 7 more"
