"""``estimate --watch``: look again and again while people label."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from fewlabels import workflow
from fewlabels.errors import FewlabelsError

from . import terminal


def watch(study: Path, every: float, as_json: bool, **asked: Any) -> None:
    """Refresh in place on a terminal, elsewhere print again when something changed; ends when all is labelled."""
    before: object = watch  # no label is equal to this
    with Live(console=terminal.console(), auto_refresh=False) as live:
        while True:
            state = workflow.status(study)
            if state["last_label"] != before:
                before = state["last_label"]
                _look(study, live, as_json, asked)
            if state["todo"] == 0:
                return
            time.sleep(max(every, 0.1))


def _look(study: Path, live: Live, as_json: bool, asked: dict[str, Any]) -> None:
    try:
        found = workflow.estimate(study, **asked)
    except FewlabelsError as problem:
        _put(live, Text(str(problem)))  # nothing labelled yet, most likely: go on looking
        return
    if as_json:
        terminal.show_json(found)
    else:
        _put(live, Group(terminal.estimates(found), *(Text(f"note: {note}") for note in found["notes"])))


def _put(live: Live, what: RenderableType) -> None:
    if live.console.is_terminal:
        live.update(what, refresh=True)
    else:
        live.console.print(what)
