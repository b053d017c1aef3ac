"""From a table of scores to a pool: which columns mean what, said by the user or guessed from their names."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fewlabels.errors import FewlabelsError, some
from fewlabels.pool import Pool

from . import files

if TYPE_CHECKING:
    import polars as pl

PROBS = ("prob", "score", "probability", "prob_*", "score_*", "p_*")
IDS = ("id", "item_id", "uid", "key")
DECISIONS = ("pred", "prediction", "decision", "predicted")
SHOWN = ("text", "title", "image", "url", "body", "comment", "message", "content", "sentence")


@dataclass(frozen=True)
class Columns:
    """What a table's columns mean; None is "guess". ``show`` is what a labeller gets to see."""

    prob: tuple[str, ...] | None = None
    ids: str | None = None
    decisions: str | None = None
    show: tuple[str, ...] | None = None
    task: str | None = None
    threshold: float | None = None
    classes: tuple[str, ...] | None = None

    def to_state(self) -> dict[str, Any]:
        """Plain values, for the study file."""
        return asdict(self)

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Columns:
        """The columns that ``to_state`` told of."""
        plain: dict[str, Any] = {n: tuple(value) if isinstance(value, list) else value for n, value in state.items()}
        return cls(**plain)


@dataclass(frozen=True)
class Scores:
    """A pool with the table it came from and the meaning of its columns, all guesses made."""

    pool: Pool
    frame: pl.LazyFrame
    columns: Columns
    source: str | None

    def data(self, ids: list[Any]) -> list[dict[str, Any]]:
        """What a labeller gets to see of these items."""
        names = self.columns.show or ()
        found = files.rows(self.frame, self.columns.ids, ids, names) if names else [{} for _ in ids]
        return [{name: None if value != value else value for name, value in row.items()} for row in found]  # NaN


def load(source: files.Source, columns: Columns | None = None) -> Scores:
    """Read the columns that make a pool.

    >>> load({"id": ["a", "b"], "score": [0.2, 0.9], "text": ["x", "y"]}).pool
    Pool(2 items, binary, 1 decided positive)
    """
    frame = files.scan(source)
    meant = _meant(frame, columns or Columns())
    prob = meant.prob or ()
    needed = [*prob, *filter(None, (meant.ids, meant.decisions))]
    table = files.collect(frame, list(dict.fromkeys(needed)))
    if len(prob) > 1 and meant.task is None:
        sums = table.select(prob).to_numpy().sum(axis=1)
        meant = replace(meant, task="multiclass" if np.allclose(sums, 1.0, atol=1e-2) else "multilabel")
    if len(prob) > 1 and meant.classes is None:
        meant = replace(meant, classes=_class_names(prob))
    pool = Pool.from_table(
        table,
        prob=prob[0] if len(prob) == 1 else list(prob),
        ids=meant.ids,
        decisions=meant.decisions,
        task=meant.task,
        classes=meant.classes,
        threshold=meant.threshold,
    )
    return Scores(pool, frame, meant, _named(source))


def _named(source: files.Source) -> str | None:
    """How the study finds its pool again: an absolute path or a URL; a table in memory has no name."""
    if isinstance(source, str | os.PathLike):
        text = str(source)
        return text if "://" in text else os.path.abspath(os.path.expanduser(text))
    return None


def _meant(frame: pl.LazyFrame, asked: Columns) -> Columns:
    names = files.columns(frame)
    prob = files.matching(frame, asked.prob, "probability") if asked.prob else _guess_prob(frame)
    ids = asked.ids and files.matching(frame, [asked.ids], "id")[0]
    decisions = asked.decisions and files.matching(frame, [asked.decisions], "decision")[0]
    if asked.decisions is None and asked.threshold is None and len(prob) == 1:
        decisions = next((name for name in DECISIONS if name in names), None)
    if asked.show is None:
        text = files.texts(frame)
        show = [name for name in SHOWN if name in text and name not in (ids, decisions)]
    else:
        show = files.matching(frame, asked.show, "shown") if asked.show else []
    guessed = ids or next((name for name in IDS if name in names), None)
    return replace(asked, prob=tuple(prob), ids=guessed, decisions=decisions, show=tuple(show))


def _guess_prob(frame: pl.LazyFrame) -> list[str]:
    for pattern in PROBS:
        try:
            return files.matching(frame, [pattern], "probability")
        except FewlabelsError:
            continue
    raise FewlabelsError(
        f"cannot tell which column holds the model's probability (columns: {some(files.columns(frame), 12)}); "
        "say it with --prob, such as --prob score or --prob 'prob_*'."
    )


def _class_names(prob: tuple[str, ...]) -> tuple[str, ...]:
    """Column names without what they share: prob_cat, prob_dog are cat and dog."""
    least, most = min(prob), max(prob)  # what these two share at the front, all share
    same = next((n for n, pair in enumerate(zip(least, most, strict=False)) if pair[0] != pair[1]), len(least))
    cut = max(least[:same].rfind(mark) for mark in "_.:-") + 1
    return tuple(name[cut:] for name in prob)
