"""Plan, draw, label, estimate, report: the only wiring. The terminal and the page call this and print.

Every function takes plain values and gives a dictionary that JSON can hold (and a notebook can show), so that a
notebook, a terminal and a page say the same. ``source`` is a path, a glob, a URL or any table; ``study`` names a file.
"""

from __future__ import annotations

import platform
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from . import formats, rounds
from . import plans as planning
from .engines.scores import Columns, Scores, load
from .errors import FewlabelsError, FewlabelsWarning
from .formats import Task, Vocabulary
from .report import results
from .report.notebook import Results
from .study import Item, Round, Study, Which
from .votes import Conflict, Vote

Say = Callable[[str, float | None], None]
"""Told what is going on and, where it is known, how far along (0 to 1)."""


def silent(what: str, share: float | None = None) -> None:
    """Nobody is watching."""


def plan(
    source: Any,
    metrics: Sequence[str] = ("f1",),
    *,
    columns: Columns | None = None,
    widths: Sequence[float] = (0.05, 0.03, 0.02, 0.01),
    level: float = 0.95,
    say: Say = silent,
) -> Results:
    """Before any label: how many labels each half-width needs, with uniform sampling beside it.

    >>> scores = {"id": list(range(2000)), "score": [(n % 100) / 100 for n in range(2000)]}
    >>> found = plan(scores, ["f1"], widths=[0.05])
    >>> found["widths"][0]["labels"] < found["widths"][0]["uniform"]
    True
    """
    say("reading the scores", None)
    return Results(planning.plan(load(source, columns).pool, metrics, widths, level, say))


def draw(
    source: Any,
    study: str | Path,
    metrics: Sequence[str] = ("f1",),
    *,
    budget: int | None = None,
    half_width: float | None = None,
    level: float = 0.95,
    columns: Columns | None = None,
    sampler: str = "stratified",
    seed: int = 0,
    overwrite: bool = False,
    say: Say = silent,
) -> Results:
    """Draw a sample and store it, with everything that made it, before anything is asked of anyone."""
    if (budget is None) == (half_width is None):
        raise FewlabelsError("say either how many labels (budget) or how narrow the answer (half-width), not both.")
    say("reading the scores", None)
    scores = load(source, columns)
    if budget is None:
        say("working out the number of labels", None)
        budget = planning.budget_for(scores.pool, metrics, half_width or 0.0, level, sampler)
    say("drawing", None)
    setup = rounds.Setup(tuple(metrics), sampler, seed)
    drawn = rounds.first(scores.pool, setup, budget)
    facts = {
        "fingerprint": scores.pool.fingerprint,
        "task": scores.pool.task,
        "classes": [str(name) for name in scores.pool.classes],
        "size": len(scores.pool),
        "source": scores.source,
        "columns": scores.columns.to_state(),
        "metrics": list(metrics),
        "sampler": sampler,
        "seed": seed,
        "level": level,
        "half_width": half_width,
        "warnings": planning.warnings(scores.pool),
        "versions": versions(),
    }
    items = _items(scores, drawn, ())
    with Study.create(study, facts, Round("draw", drawn.design, drawn.stored()), items, overwrite) as made:
        return status(made.path)


def extend(
    study: str | Path, budget: int, *, source: Any = None, columns: Columns | None = None, say: Say = silent
) -> Results:
    """Grow the sample to ``budget`` items; what was drawn stays, only the missing items are added."""
    with Study.open(study) as opened:
        scores, past = _again(opened, source, columns, say)
        say("drawing", None)
        drawn = rounds.extended(scores.pool, past, budget)
        opened.add_round(Round("extend", drawn.design, drawn.stored()), _items(scores, drawn, past.ids))
    return status(study)


def next_round(
    study: str | Path, batch: int, *, source: Any = None, columns: Columns | None = None, say: Say = silent
) -> Results:
    """Draw an adaptive round: the labels so far decide which ``batch`` items are worth most now."""
    with Study.open(study) as opened:
        left = len(opened.items("todo"))
        if left:
            raise FewlabelsError(f"{left} drawn items have no label yet; label or skip them before the next round.")
        scores, past = _again(opened, source, columns, say)
        say("drawing", None)
        drawn = rounds.adaptive(scores.pool, past, batch)
        opened.add_round(Round("next", drawn.design, drawn.stored()), _items(scores, drawn, past.ids))
    return status(study)


def export(
    study: str | Path,
    target: str | Path,
    *,
    format: str | None = None,
    which: Which = "todo",
    predictions: bool | None = None,
    interface: str | Path | None = None,
) -> Results:
    """Write tasks in random order, so that a labeller who stops early does no harm.

    ``interface`` is a file for the labelling interface that a Label Studio project needs to show the tasks.
    """
    with Study.open(study) as opened:
        vocabulary, votes = _vocabulary(opened), opened.labels()
        past = rounds.read(opened.facts(), opened.rounds(), opened.items(), votes)
        said = past.predictions()
        by_item: dict[str, list[Vote]] = {}
        for vote in votes:
            by_item.setdefault(vote.id, []).append(vote)
        tasks = [
            Task(item.id, item.data, tuple(by_item.get(item.id, ())), *said[item.id]) for item in opened.items(which)
        ]
    name = formats.choose(Path(target), format)
    shown = name == "label-studio" if predictions is None else predictions
    formats.export(target, tasks, vocabulary, name, shown)
    if interface is not None:
        fields = [key for task in tasks[:1] for key in task.data] or ["text"]
        Path(interface).write_text(formats.label_studio.config(vocabulary, fields[0]) + "\n", encoding="utf-8")
    return Results(file=str(target), format=name, tasks=len(tasks), predictions=shown)


def import_labels(
    study: str | Path,
    file: str | Path,
    *,
    format: str | None = None,
    conflict: Conflict = "refuse",
    labeller: str = "import",
    column: str | None = None,
) -> Results:
    """Read labels back: all of the file or nothing; a second time changes nothing."""
    with Study.open(study) as opened:
        votes = formats.read(file, _vocabulary(opened), format, labeller, column)
        change = opened.record(votes, conflict, source=Path(file).name)
    told = {"added": len(change.added), "unchanged": change.unchanged, "conflicts": list(change.conflicts)}
    return Results(told, read=len(votes), **_counts(status(study)))


def status(study: str | Path) -> Results:
    """Where a study stands."""
    with Study.open(study) as opened:
        facts, votes, items, drawn = opened.facts(), opened.labels(), opened.items(), opened.rounds()
    by_item: dict[str, list[Any]] = {item.id: [] for item in items}
    for vote in votes:
        by_item[vote.id].append(vote.value)
    labelled = [values for values in by_item.values() if any(value is not None for value in values)]
    return Results(
        {
            "study": str(study),
            **{name: facts[name] for name in ("task", "classes", "size", "metrics", "sampler", "seed", "level")},
            "half_width": facts["half_width"],
            "source": facts["source"],
            "fingerprint": facts["fingerprint"],
            "drawn": len(items),
            "labelled": len(labelled),
            "skipped": sum(bool(values) and not any(v is not None for v in values) for values in by_item.values()),
            "todo": sum(not values for values in by_item.values()),
            "disputed": sum(len({str(v) for v in values if v is not None}) > 1 for values in labelled),
            "labellers": sorted({vote.labeller for vote in votes}),
            "last_label": votes[-1].at if votes else None,
            "rounds": [
                {"round": one.round, "kind": one.kind, "at": one.at, "new": sum(i.round == one.round for i in items)}
                | {key: one.design[key] for key in ("budget", "expected_value", "expected_stderr") if key in one.design}
                for one in drawn
            ],
            "warnings": facts["warnings"],
            "versions": facts["versions"],
        }
    )


def estimate(
    study: str | Path,
    metrics: Sequence[str] | None = None,
    *,
    level: float | None = None,
    half_width: float | None = None,
    votes: str = "shares",
) -> Results:
    """Value, interval and standard error of each metric from the labels so far, and what a wanted width still needs."""
    with Study.open(study) as opened:
        past = _past(opened)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewlabelsWarning)  # the notes in the result say the same
        found = results.estimates(past, metrics or past.facts["metrics"], level, half_width, votes)
    return Results(found, **_counts(status(study)))


def report(
    study: str | Path,
    metrics: Sequence[str] | None = None,
    *,
    level: float | None = None,
    half_width: float | None = None,
    votes: str = "shares",
    say: Say = silent,
) -> Results:
    """Everything a report shows, as one dictionary; `fewlabels.report` turns it into a page, Markdown or pictures."""
    with Study.open(study) as opened:
        past = _past(opened)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewlabelsWarning)
        found = results.full(past, metrics or past.facts["metrics"], level, half_width, votes, say)
    return Results({**status(study), **found})


def versions() -> dict[str, str]:
    """What made a study, for its facts."""
    from . import __version__

    known = {"fewlabels": __version__, "numpy": np.__version__, "scipy": scipy.__version__}
    return {**known, "python": platform.python_version()}


def _past(opened: Study) -> rounds.Past:
    return rounds.read(opened.facts(), opened.rounds(), opened.items(), opened.labels())


def _again(opened: Study, source: Any, columns: Columns | None, say: Say) -> tuple[Scores, rounds.Past]:
    """The pool that a study was drawn from, read again and compared by fingerprint."""
    past = _past(opened)
    where = past.facts["source"] if source is None else source
    if where is None:
        raise FewlabelsError("this study was drawn from a table in memory; give that table again as source=.")
    say("reading the scores", None)
    scores = load(where, columns or Columns.from_state(past.facts["columns"]))
    opened.check(scores.pool.fingerprint)
    return scores, past


def _items(scores: Scores, drawn: rounds.Drawn, known: Sequence[str]) -> list[Item]:
    """The items that are new in a round, each with its place in the random order of labelling."""
    old = set(known)
    new = [n for n, id in enumerate(drawn.sample.ids.tolist()) if str(id) not in old]
    data = scores.data([drawn.sample.ids[n] for n in new])
    return [Item(str(drawn.sample.ids[n]), float(drawn.order[n]), shown) for n, shown in zip(new, data, strict=True)]


def _vocabulary(opened: Study) -> Vocabulary:
    facts = opened.facts()
    return Vocabulary(facts["task"], tuple(facts["classes"]), tuple(item.id for item in opened.items()))


def _counts(found: dict[str, Any]) -> dict[str, Any]:
    return {name: found[name] for name in ("size", "drawn", "labelled", "skipped", "todo", "disputed")}
