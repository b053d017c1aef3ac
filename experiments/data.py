"""The raw data: ``$FEWLABELS_DATA``, else ``../shared/data`` beside the checkout, else scikit-learn's fetchers."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

TOXIC_LABELS = ("toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate")


class DataAbsentError(RuntimeError):
    """The data is not here and cannot be fetched; the message says what to do."""


def folder() -> Path | None:
    """The data folder, or None where there is none.

    >>> folder() is None or folder().is_dir()
    True
    """
    named = os.environ.get("FEWLABELS_DATA")
    if named is not None:
        if not Path(named).is_dir():
            raise DataAbsentError(f"FEWLABELS_DATA names {named}, which is not a folder: correct it or unset it.")
        return Path(named)
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    return beside if beside.is_dir() else None


def local(*parts: str) -> Path | None:
    """The path of one data file, or None where it is absent."""
    base = folder()
    path = base.joinpath(*parts) if base is not None else None
    return path if path is not None and path.is_file() else None


def mnist() -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """All 70,000 images as rows in [0, 1] with their digits; the 10,000 of the official test split come first."""
    path = local("raw", "mnist.npz")
    if path is not None:
        with np.load(path) as file:
            images = np.concatenate([file["x_test"], file["x_train"]]).reshape(70_000, -1)
            digits = np.concatenate([file["y_test"], file["y_train"]])
    else:
        images, digits = _fetch_mnist()
    return images.astype(np.float32) / 255, digits.astype(np.int64)


def _fetch_mnist() -> tuple[NDArray[np.generic], NDArray[np.generic]]:
    from sklearn.datasets import fetch_openml

    try:
        images, digits = fetch_openml("mnist_784", version=1, return_X_y=True, as_frame=False)
    except OSError as error:
        raise DataAbsentError(absent("MNIST", "raw/mnist.npz")) from error
    return np.roll(images, 10_000, axis=0), np.roll(digits, 10_000)


def newsgroups(split: str) -> tuple[list[str], NDArray[np.int64], tuple[str, ...]]:
    """Texts, group numbers and group names of the by-date ``"train"`` or ``"test"`` split of 20 Newsgroups."""
    path = local("raw", "20news_bydate.parquet")
    if path is None:
        return _fetch_newsgroups(split)
    import polars as pl

    table = pl.read_parquet(path).filter(pl.col("split") == split)
    groups = tuple(sorted(table["group"].unique().to_list()))
    number = {group: k for k, group in enumerate(groups)}
    return table["text"].to_list(), np.array([number[group] for group in table["group"]]), groups


def _fetch_newsgroups(split: str) -> tuple[list[str], NDArray[np.int64], tuple[str, ...]]:
    from sklearn.datasets import fetch_20newsgroups

    try:
        bunch = fetch_20newsgroups(subset=split, shuffle=False)
    except OSError as error:
        raise DataAbsentError(absent("20 Newsgroups", "raw/20news_bydate.parquet")) from error
    return list(bunch.data), np.asarray(bunch.target, dtype=np.int64), tuple(bunch.target_names)


def toxic() -> tuple[list[str], NDArray[np.int64], NDArray[np.bool_]]:
    """Comments, their six labels, and whether the row belongs to the part with natural prevalence."""
    path = local("raw", "toxic_jigsaw_union.parquet")
    if path is None:
        raise DataAbsentError(absent("Jigsaw toxic comments (no fetcher exists)", "raw/toxic_jigsaw_union.parquet"))
    import polars as pl

    table = pl.read_parquet(path)
    labels = table.select(TOXIC_LABELS).to_numpy().astype(np.int64)
    return table["comment_text"].to_list(), labels, table["natural_sample"].to_numpy().astype(bool)


def absent(what: str, file: str) -> str:
    """The sentence for data that is not here."""
    return f"{what} is not here and cannot be fetched: put {file} into a folder and name that folder in FEWLABELS_DATA."
