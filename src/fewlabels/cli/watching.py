"""``estimate --watch``: look again and again while people label."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from rich.live import Live
from rich.text import Text

from fewlabels import workflow
from fewlabels.errors import FewlabelsError

from . import terminal


def watch(study: Path, every: float, as_json: bool, **asked: Any) -> None:
    """Refresh in place on a terminal; elsewhere print again whenever something changed. Ends when all is labelled."""
    before = None
    screen = terminal.console()
    with Live(console=screen, auto_refresh=False, transient=False) as live:
        while True:
            state = workflow.status(study)
            if state["last_label"] != before or before is None:
                before = state["last_label"] or ""
                _look(study, live, as_json, asked)
            if state["todo"] == 0:
                return
            time.sleep(max(every, 0.1))


def _look(study: Path, live: Live, as_json: bool, asked: dict[str, Any]) -> None:
    try:
        found = workflow.estimate(study, **asked)
    except FewlabelsError as error:
        live.update(Text(str(error)), refresh=live.console.is_terminal)
        return
    if as_json:
        terminal.show_json(found)
    elif live.console.is_terminal:
        live.update(terminal.estimates(found), refresh=True)
    else:
        live.console.print(terminal.estimates(found))
