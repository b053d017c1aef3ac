"""Users' columns and tables become numpy arrays here, and nowhere else.

numpy, lists, pandas, polars, pyarrow and anything that speaks the Arrow PyCapsule interface; none of those libraries is
imported unless an object needs it.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import FewlabelsError


def _from_capsule(value: Any) -> Any:
    """An Arrow array or table of whatever library is installed, from an object that only speaks PyCapsule."""
    tabular = hasattr(value, "__arrow_c_stream__")
    for library, build in (("pyarrow", _pyarrow_of), ("polars", _polars_of)):
        try:
            module = importlib.import_module(library)
        except ImportError:
            continue
        return build(module, value, tabular)
    raise FewlabelsError(
        f"a {type(value).__name__} can be read through Arrow, but neither pyarrow nor polars is installed; "
        "install one of them."
    )


def _pyarrow_of(pyarrow: Any, value: Any, stream: bool) -> Any:
    if not stream:
        return pyarrow.array(value)
    try:
        return pyarrow.table(value)
    except (pyarrow.ArrowInvalid, TypeError):
        return pyarrow.chunked_array(value)


def _polars_of(polars: Any, value: Any, stream: bool) -> Any:
    series = polars.Series(value)
    return series.struct.unnest() if stream and isinstance(series.dtype, polars.Struct) else series


def is_table(value: Any) -> bool:
    """Whether an object has named columns."""
    return hasattr(value, "columns") or hasattr(value, "column_names")


def column_names(table: Any) -> list[str]:
    """The column names of a pandas, polars or pyarrow table."""
    return [str(name) for name in getattr(table, "column_names", getattr(table, "columns", []))]


def opened(value: Any) -> Any:
    """``value`` itself, or what its Arrow capsule holds if nothing else can be done with it."""
    plain = isinstance(value, (np.ndarray, list, tuple, range)) or hasattr(value, "to_numpy") or is_table(value)
    if plain or not (hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__")):
        return value
    return _from_capsule(value)


def numpy_of(value: Any) -> Any:
    """A column as numpy has it; pyarrow's arrays must be told that they may be copied."""
    if not hasattr(value, "to_numpy"):
        return value
    copies = {"zero_copy_only": False} if type(value).__module__.startswith("pyarrow") else {}
    return value.to_numpy(**copies)


def column(table: Any, name: str) -> Any:
    """One column of a table, or an error that names the nearest one."""
    names = column_names(table)
    if name not in names:
        raise FewlabelsError(f"there is no column {name!r}{near(name, names)}; the columns are {', '.join(names)}.")
    if hasattr(table, "column_names"):
        return table.column(name)
    return table[table.columns[names.index(name)]]  # pandas' own name may be a number


def floats(value: Any, what: str) -> NDArray[np.float64]:
    """A float64 array; missing values become NaN, and what is not a number is told."""
    value = opened(value)
    try:
        if is_table(value):
            parts = [floats(column(value, name), what) for name in column_names(value)]
            return np.column_stack(parts)
        return np.asarray(numpy_of(value), dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise FewlabelsError(f"{what} must be numbers; {problem}.") from problem


def anything(value: Any) -> NDArray[Any]:
    """A one-dimensional array that keeps each value as it is: integers stay integers, the rest stay objects."""
    value = numpy_of(opened(value))
    if isinstance(value, np.ndarray):
        if value.ndim != 1:
            raise FewlabelsError(f"expected one value a row, got an array of shape {value.shape}.")
        return value if value.dtype.kind in "iu" else value.astype(object)
    items = list(value)
    if items and all(type(item) is not bool and isinstance(item, (int, np.signedinteger)) for item in items):
        if not all(-(2**63) <= item < 2**63 for item in items):
            return np.array(items, dtype=object)
        return np.array(items, dtype=np.int64)
    out = np.empty(len(items), dtype=object)
    out[:] = items
    return out


def frame(rows: list[dict[str, Any]]) -> Any:
    """Rows as a data frame of pandas, or of polars where only that is installed."""
    for library in ("pandas", "polars"):
        try:
            return importlib.import_module(library).DataFrame(rows)
        except ImportError:
            continue
    raise FewlabelsError("a data frame needs pandas or polars; install one of them.")


def near(word: object, candidates: Sequence[object]) -> str:
    """A hint for a word that is not among the candidates, or nothing.

    >>> near("presicion", ["precision", "recall"])
    ' (did you mean precision?)'
    """
    import difflib

    found = difflib.get_close_matches(str(word), [str(candidate) for candidate in candidates], n=1)
    return f" (did you mean {found[0]}?)" if found else ""


def check_between(value: object, name: str, low: float, high: float) -> None:
    """Refuse what is not a number from ``low`` to ``high``."""
    if not (isinstance(value, (int, float, np.number)) and low <= value <= high):
        raise FewlabelsError(f"{name} must be between {low} and {high}; got {value!r}.")
