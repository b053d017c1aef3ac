"""How results look in a terminal: tables, notes, a progress bar. No numbers are made here."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from fewlabels.report import words

WIDE = 118  # where there is no terminal that says how wide it is


def console(error: bool = False) -> Console:
    """Standard output or error; rich leaves colours out where NO_COLOR is set or nobody is watching."""
    stream = sys.stderr if error else sys.stdout
    return Console(file=stream, highlight=False, width=None if stream.isatty() else WIDE)


def show(what: RenderableType) -> None:
    console().print(what)


def show_json(found: Mapping[str, Any]) -> None:
    """For machines: plain JSON on standard output; what is not a number is null."""
    print(json.dumps(_plain(found), indent=2, ensure_ascii=False, allow_nan=False))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def notes(found: list[str]) -> None:
    """What a reader must know, beside the result and not in it."""
    for note in found:
        console(error=True).print(Text.assemble(("note: ", "yellow"), note), soft_wrap=True)


@contextlib.contextmanager
def progress() -> Iterator[Callable[[str, float | None], None]]:
    """A bar on standard error that goes away when done; nothing where standard error is not a terminal."""
    parts = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*parts, console=console(error=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=None)

        def say(what: str, share: float | None = None) -> None:
            total = None if share is None else 1.0
            new = what != bar.tasks[task].description  # a short step would pass between two frames, never named
            bar.update(task, description=what, total=total, completed=share or 0.0, refresh=new)

        yield say


def _table(*columns: str, title: str | None = None) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for n, name in enumerate(columns):
        table.add_column(name, justify="left" if n == 0 else "right", no_wrap=True)
    return table


def plan(found: Mapping[str, Any]) -> RenderableType:
    """How many labels."""
    table = _table("half-width", "labels", "uniform sampling", "saved")
    for row in found["widths"]:
        saved = 1 - row["labels"] / row["uniform"]
        table.add_row(f"± {row['half_width']:g}", f"{row['labels']:,}", f"{row['uniform']:,}", f"{saved:.0%}")
    guess = ", ".join(f"{name} = {value:.3f}" for name, value in found["predicted"].items())
    head = f"{', '.join(found['metrics'])} of {found['size']:,} items at level {found['level']:g}"
    return Group(
        Text(head, style="bold"),
        table,
        Text(f"If the model's probabilities are right: {guess}."),
        Text("Next: fewlabels draw, with --budget or --half-width.", style="dim"),
    )


def estimates(found: Mapping[str, Any]) -> RenderableType:
    """Values with their intervals."""
    table = _table(*words.columns(found))
    for name, value, *rest in words.rows(found):
        table.add_row(name, Text(value, style="bold"), *rest)
    return Group(table, Text(words.labelled(found), style="dim"))


def status(found: Mapping[str, Any]) -> RenderableType:
    """Where a study stands."""
    table = _table("round", "kind", "budget", "new items", "expected std. error", "when (UTC)")
    for row in found["rounds"]:
        expected = f"{row['expected_stderr']:.4f}"
        when = row["at"][:16].replace("T", " ")
        table.add_row(str(row["round"]), row["kind"], f"{row['budget']:g}", str(row["new"]), expected, when)
    facts = f"{found['task']}, drawn for {', '.join(found['metrics'])} ({found['sampler']}, seed {found['seed']})"
    lines: list[RenderableType] = [Text(found["study"], style="bold"), Text(facts), Text(words.labelled(found)), table]
    if found["labellers"]:
        lines.append(Text(f"labelled by {', '.join(found['labellers'])}; last at {found['last_label'][:16]}"))
    todo = f"{found['todo']:,} to label: fewlabels export {found['study']} tasks.csv"
    lines.append(Text(todo if found["todo"] else "all answered: fewlabels estimate, report, or next", style="dim"))
    return Group(*lines)
