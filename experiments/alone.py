"""The command line of an experiment that stands alone: measure rows, keep them as JSON, publish them as a page."""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fewlabels as fl

Rows = list[dict[str, Any]]


def main(about: str, name: str, measure: Callable[[int, int], Rows], page: Callable[[Rows], str]) -> None:
    """``--runs``, ``--seed``, ``--out`` and ``--publish``; the page is ``name``.md."""
    parser = argparse.ArgumentParser(description=about.replace("``", ""))
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("out") / f"{name}.json")
    parser.add_argument("--publish", type=Path, metavar="DOCS", help=f"also write {name}.md into this folder")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore", fl.FewlabelsWarning)
    rows = measure(chosen.runs, chosen.seed)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(json.dumps(rows, indent=1))
    if chosen.publish:
        (chosen.publish / f"{name}.md").write_text(page(rows))
