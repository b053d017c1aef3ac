"""``python -m experiments mnist|...|coverage|choose|all``: measure, draw, write the pages of results."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from . import summary
from .data import DataAbsentError
from .repeat import Setting

EXPERIMENTS = {
    "mnist": "MNIST, is it an 8: three samplers, five metrics, coverage, inclusion probabilities",
    "newsgroups": "20 Newsgroups: one group against the rest, and all twenty",
    "toxic": "Toxic comments: micro and macro F1 of six labels",
    "cross": "a sample drawn for one metric serves another",
    "theory": "the paper's inequalities and predictions on the same pools",
    "ours": "the defaults of fewlabels beside the paper's sampler",
    "coverage": "do intervals hold: pools x budgets x metrics, ours beside the paper's Beta",
    "choose": "rounds, samplers, trust and floor: what pays where",
}
OWN_PAGES = {"coverage": 200, "choose": 300}  # write a page of their own; their repetitions where none are named
RUNS = 3000


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="python -m experiments", description=__doc__.replace("``", ""))
    made.add_argument("names", nargs="*", metavar="name", help=f"{', '.join(EXPERIMENTS)}, or all")
    own = ", ".join(f"{name} {runs}" for name, runs in OWN_PAGES.items())
    made.add_argument("--list", action="store_true", help="name the experiments and end")
    made.add_argument("--runs", type=int, help=f"repetitions (default {RUNS}, {own}; 50 is a quick look)")
    made.add_argument(
        "--out", type=Path, default=Path("out"), help="folder for numbers, figures and the page (default out)"
    )
    made.add_argument("--seed", type=int, default=0, help="every random number comes from it (default 0)")
    made.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: all cores)")
    made.add_argument("--publish", type=Path, metavar="DOCS", help="also put the page and its figures into this folder")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked; 2 on a mistake of the user, 1 where data is absent."""
    made = parser()
    chosen = made.parse_args(arguments)
    if chosen.list:
        print("\n".join(f"{name:<11} {what}" for name, what in EXPERIMENTS.items()))
        return 0
    names = list(EXPERIMENTS) if "all" in chosen.names else chosen.names
    unknown = [name for name in names if name not in EXPERIMENTS]
    if unknown or not (names or chosen.publish):
        made.error(
            f"no experiment is named {unknown[0]!r}; see --list." if unknown else "name an experiment; see --list."
        )
    if (chosen.runs is not None and chosen.runs < 1) or chosen.jobs < 1:
        made.error("--runs and --jobs must be at least 1.")
    try:
        for name in names:
            runs = chosen.runs or OWN_PAGES.get(name, RUNS)
            perform(name, Setting(chosen.out, runs, chosen.seed, chosen.jobs), chosen.publish)
    except DataAbsentError as error:
        print(error, file=sys.stderr)
        return 1
    if not names or set(names) - set(OWN_PAGES):
        write_page(chosen.out, chosen.publish)
    return 0


def perform(name: str, setting: Setting, publish: Path | None = None) -> None:
    """One experiment: measure, keep the numbers, draw."""
    started = time.perf_counter()
    found = summary.digits(import_module(f".studies.{name}", __package__).measure(setting))
    if name not in OWN_PAGES:
        keep(name, found, setting.out)
    import_module(f".figures.{name}", __package__).draw(found, setting.out / "figures")
    if name in OWN_PAGES:
        import_module(f".pages.{name}", __package__).write(found, setting.out, publish)
        if publish is not None:
            import_module(".pages.choose", __package__).fill(publish)
    print(f"{name}: {time.perf_counter() - started:.0f} s", file=sys.stderr)


def keep(name: str, found: dict[str, Any], out: Path) -> None:
    """Put one experiment's numbers into the JSON of all numbers."""
    path = out / "results.json"
    known = json.loads(path.read_text()) if path.is_file() else {}
    known[name] = found
    out.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({name: known[name] for name in EXPERIMENTS if name in known}, indent=1) + "\n")


def write_page(out: Path, publish: Path | None) -> None:
    """The Markdown page, from the JSON alone."""
    from . import page

    numbers = json.loads((out / "results.json").read_text())
    page.write(numbers, out)
    if publish is not None:
        page.publish(numbers, out, publish)


if __name__ == "__main__":
    sys.exit(main())
