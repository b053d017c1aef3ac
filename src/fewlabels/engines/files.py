"""Where scores are read from: a path, a glob, a URL, a data frame, a Hugging Face dataset. One door: `scan`.

Only the columns that are needed are read; the text of the drawn items is fetched afterwards, by id.
"""

from __future__ import annotations

import difflib
import fnmatch
import glob
import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewlabels.errors import FewlabelsError, some

if TYPE_CHECKING:
    import polars as pl

ROW = "row number"
READERS = {
    ".parquet": "scan_parquet",
    ".pq": "scan_parquet",
    ".csv": "scan_csv",
    ".tsv": "scan_csv",
    ".jsonl": "scan_ndjson",
    ".ndjson": "scan_ndjson",
    ".arrow": "scan_ipc",
    ".feather": "scan_ipc",
}
Source = Any
"""A path, glob or URL as text, or a table: pandas, polars, pyarrow, a Hugging Face dataset."""


def library() -> Any:
    """polars, or the sentence that says which extra brings it."""
    try:
        import polars
    except ImportError as error:
        raise FewlabelsError("reading files needs polars: pip install 'fewlabels[cli]'.") from error
    return polars


def scan(source: Source) -> pl.LazyFrame:
    """A lazy table of any source; nothing but its head is read here.

    >>> scan({"id": [1, 2], "score": [0.2, 0.9]}).collect().height
    2
    """
    pl = library()
    if not isinstance(source, str | Path):
        return _table(source)
    text = str(source)
    if Path(text).is_dir() and (Path(text) / "dataset_info.json").is_file():
        return _hugging_face(text)
    where = text if "://" in text else _paths(text)
    ending = Path(text.split("?")[0].rstrip("/*")).suffix.lower()
    reader = READERS.get(ending)
    if reader is None:
        raise FewlabelsError(f"cannot tell the format of {text}; it must end in one of {', '.join(READERS)}.")
    options = {"separator": "\t"} if ending == ".tsv" else {}
    try:
        frame = getattr(pl, reader)(where, **options)
        frame.collect_schema()
    except Exception as error:  # a store's own library may raise anything; the cause stays attached
        raise FewlabelsError(f"cannot read {text}: {_first_line(error)}; check the file and its ending.") from error
    return frame  # type: ignore[no-any-return]


def _paths(text: str) -> list[str]:
    found = sorted(glob.glob(str(Path(text).expanduser()), recursive=True))
    if found:
        return found
    folder = Path(text).parent
    near = difflib.get_close_matches(Path(text).name, [p.name for p in folder.glob("*")] if folder.is_dir() else [], 1)
    hint = f"did you mean {folder / near[0]}?" if near else "check the name."
    raise FewlabelsError(f"there is no file {text}; {hint}")


def _table(source: Any) -> pl.LazyFrame:
    """A table of any library. Hugging Face's own table ignores filters, so a dataset is asked row by row for Arrow."""
    pl = library()
    if isinstance(source, pl.LazyFrame):
        return source  # type: ignore[no-any-return]
    if hasattr(source, "with_format") and hasattr(source, "features"):
        batches = [pl.from_arrow(batch) for batch in source.with_format("arrow").iter(batch_size=50_000)]
        return pl.concat(batches).lazy()  # type: ignore[no-any-return]
    try:
        return pl.DataFrame(source).lazy()  # type: ignore[no-any-return]
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise FewlabelsError(f"a {type(source).__name__} cannot be read as a table: {_first_line(error)}.") from error


def _hugging_face(folder: str) -> pl.LazyFrame:
    try:
        datasets = importlib.import_module("datasets")
    except ImportError as error:
        raise FewlabelsError(f"{folder} is a Hugging Face dataset; reading it needs: pip install datasets.") from error
    return _table(datasets.load_from_disk(folder))


def columns(frame: pl.LazyFrame) -> list[str]:
    """The names of the columns."""
    return frame.collect_schema().names()


def texts(frame: pl.LazyFrame) -> list[str]:
    """The names of the columns that hold text."""
    pl = library()
    return [name for name, kind in frame.collect_schema().items() if kind == pl.String]


def matching(frame: pl.LazyFrame, patterns: Sequence[str], what: str) -> list[str]:
    """The columns that names or patterns such as ``prob_*`` mean, in the table's order for a pattern."""
    names = columns(frame)
    found: list[str] = []
    for pattern in patterns:
        hits = [pattern] if pattern in names else [name for name in names if fnmatch.fnmatchcase(name, pattern)]
        if not hits:
            near = difflib.get_close_matches(pattern, names, 1, 0.4)
            hint = f"did you mean {near[0]!r}?" if near else f"the columns are {some(names, 20)}."
            raise FewlabelsError(f"there is no {what} column {pattern!r}; {hint}")
        found += [hit for hit in hits if hit not in found]
    return found


def collect(frame: pl.LazyFrame, names: Sequence[str]) -> pl.DataFrame:
    """Only these columns, in memory."""
    pl = library()
    try:
        return frame.select(list(names)).collect(engine="streaming")
    except (pl.exceptions.PolarsError, OSError) as error:
        raise FewlabelsError(f"cannot read the columns {', '.join(names)}: {_first_line(error)}.") from error


def rows(frame: pl.LazyFrame, id_column: str | None, ids: Sequence[Any], names: Sequence[str]) -> list[dict[str, Any]]:
    """What columns ``names`` say of the items ``ids``, in their order; without an id column, ids are row numbers."""
    pl = library()
    key = id_column or ROW
    lazy = frame if id_column else frame.with_row_index(ROW)
    kind = lazy.collect_schema()[key]
    wanted = pl.Series(key, list(ids)).cast(kind)
    found = lazy.select([key, *names]).filter(pl.col(key).is_in(wanted.implode())).collect(engine="streaming")
    by_id = {row[key]: row for row in found.to_dicts()}
    return [{name: by_id[id][name] for name in names} for id in wanted.to_list()]


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
