"""``python -m experiments.twins [--runs N] [--out FILE] [--publish DOCS]``: could wide intervals be narrower?

Every cell of the coverage page whose 90% intervals hold clearly too often gets twins: the same scores, design and
seeds, but other labels. In some a few items that the model had right, drawn at random, turn into errors. A sample that
holds none of them is the same sample with the same interval, and only the truth is another. In others, where labels are
simulated, the log odds that they are drawn from are moved. Then the interval of the cell is narrowed, at the end where
that costs least, until it holds no more than it should, and the twins say what that would have done to them.
"""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

import fewlabels as fl
from experiments import alone, cases, summary
from experiments.pages import coverage
from experiments.studies.coverage import BANDS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

KNOWN = Path("docs/coverage.json")
ADDED = (1, 3, 10, 30, 100)  # errors of a twin
MOST = 0.01  # of a pool's items may be such errors: as many as the grid's pool with flipped labels has
MOVED = (-2.0, -1.0, -0.5, 0.5, 1.0, 2.0)  # log odds of the labels; the grid's pool with F1 near 0 is moved by 4
DRAWN_IN = np.linspace(0.0, 1.0, 101)  # how far a limit goes towards the value


@dataclass(frozen=True)
class Twin:
    """A pool with the same scores, and with other labels."""

    added: int = 0
    moved: float = 0.0

    def labels(self, case: cases.Case, seed: list[int]) -> Ints:
        """The labels of a repetition: those of the cell itself, but for what makes the twin."""
        rng = np.random.default_rng(seed)
        if self.moved:
            case = replace(case, chance=expit(logit(case.chance) + self.moved))
        labels = case.labels(rng).copy()
        order = rng.permutation(len(labels))
        right = labels[order] == np.asarray(case.pool.decisions, dtype=np.int64)[order]
        wrong = order[right][: self.added]
        labels[wrong] = 1 - labels[wrong]
        return labels

    def __str__(self) -> str:
        return f"log odds {self.moved:+g}" if self.moved else f"{self.added} error{'s' if self.added > 1 else ''} added"


ITSELF = Twin()


class Told(NamedTuple):
    """What repetitions said: truth, value and limits, and whether the sample told the twin from the cell itself."""

    truth: Floats
    value: Floats
    low: Floats
    high: Floats
    met: Floats

    def held(self, end: str = "low", part: float = 0.0) -> float:
        """The coverage with one limit drawn in by this part of its distance to the value."""
        ends = {"low": self.low, "high": self.high}
        ends[end] = ends[end] + part * (self.value - ends[end])
        inside = (self.truth + summary.SAME >= ends["low"]) & (self.truth - summary.SAME <= ends["high"])
        return float(inside.mean())


def measure(runs: int, seed: int) -> list[dict[str, Any]]:
    """A row for each binary cell that holds too often."""
    if not KNOWN.exists():
        raise SystemExit(f"{KNOWN} is not here: run `python -m experiments coverage` first, from the root.")
    rows = json.loads(KNOWN.read_text())["cells"]
    often = [row for row in coverage.too_often(rows) if row["task"] == "binary"]
    with ProcessPoolExecutor() as pool:
        found = []
        for row in pool.map(twinned, often, [runs] * len(often), [seed] * len(often)):
            found.append(row)
            print(row, flush=True)
    return found


def twinned(cell: dict[str, Any], runs: int, seed: int) -> dict[str, Any]:
    """One cell, and the twin that suffers most from its narrower limits."""
    case, metric = cases.load(cell["pool"]), cell["metric"]
    design = fl.design(case.pool, metric, cell["labels"])
    itself = repeat(case, design, ITSELF, runs, seed)
    end, part = narrowed(itself)
    told = {twin: repeat(case, design, twin, runs, seed) for twin in twins(case)}
    suffers = min(told, key=lambda twin: told[twin].held(end, part))
    return {
        "pool": cell["title"],
        "metric": metric,
        "labels": cell["labels"],
        "runs": runs,
        "held": itself.held(),
        "narrowed": itself.held(end, part),
        "suffers": str(suffers),
        "same": 1.0 - float(told[suffers].met.mean()),
        "twin": told[suffers].held(),
        "twin_narrowed": told[suffers].held(end, part),
    }


def twins(case: cases.Case) -> list[Twin]:
    """The twins of a pool; labels that are known have no log odds to move."""
    added = [Twin(added=n) for n in ADDED if n <= MOST * len(case.pool)]
    return added + [Twin(moved=by) for by in MOVED if case.chance is not None]


def narrowed(told: Told) -> tuple[str, float]:
    """The end to draw in, and how far: as little as brings the coverage into the band or below it."""
    high = BANDS["cover90"][1]
    found = {}
    for end in ("low", "high"):
        found[end] = next((part for part in DRAWN_IN.tolist() if told.held(end, part) <= high), 1.0)
    costs_least = min(found, key=lambda end: abs(told.held(end, found[end]) - high))
    return costs_least, found[costs_least]


def repeat(case: cases.Case, design: fl.Design, twin: Twin, runs: int, seed: int) -> Told:
    """Repetitions with the labels of a twin; the draws are those of the cell itself."""
    metric = design.metrics[0].name
    rows = np.empty((runs, len(Told._fields)))
    for run in range(runs):
        own, labels = (one.labels(case, [seed, run]) for one in (ITSELF, twin))
        sample = design.draw(seed + run)
        found = fl.estimate(sample, labels[sample.index], metric)
        met = np.any(labels[sample.index] != own[sample.index])
        rows[run] = case.truth(labels, metric), found.value, *found.interval(0.9), met
    return Told(*rows.T)


def page(rows: list[dict[str, Any]]) -> str:
    """The rows as a page."""
    if not rows:
        return "# Could wide intervals be narrower?\n\nNo binary cell of the coverage page holds clearly too often.\n"
    low, high = BANDS["cover90"]
    still = [row for row in rows if row["held"] > high]
    steps = [row for row in still if row["narrowed"] < low]
    others = [row for row in still if row not in steps]
    suffer = [row for row in others if row["twin_narrowed"] < low]
    missed = [row for row in rows if row["twin"] < low]
    lines = [
        "# Could wide intervals be narrower?",
        "",
        f"Made by `python -m experiments.twins` ({rows[0]['runs']} repetitions; 90% intervals) for the binary cells of "
        "the [coverage](coverage.md) page that hold clearly too often. A *twin* has the same scores, design and seeds, "
        f"but other labels. Either up to {MOST:.0%} of the items, drawn at random among those that the model had "
        f"right, are errors ({', '.join(map(str, ADDED))} of them), or, in simulated pools, the log odds of all "
        f"labels are moved ({', '.join(f'{by:+g}' for by in MOVED)}). The table has the twin that suffers most. A "
        "sample with the labels that it would have had in the cell itself is the same sample with the same interval: "
        "no rule can tell the two pools apart by it. *Narrowed* is "
        f"the coverage with one limit, that which costs less, drawn in until the cell holds {high:.0%} or less.",
        "",
        f"Of {len(rows)} cells {len(still)} hold more than {high:.0%} here too. In {len(steps)} of these a narrower "
        f"limit takes the cell itself from too often to below {low:.0%}: counts are whole. In {len(suffer)} of the "
        f"other {len(others)} the limit that would be right for the cell holds less than {low:.0%} of its twin's "
        "truths; the limits answer for both, so one of the two holds too often. The remaining "
        f"{len(others) - len(suffer)} could be narrower, as far as these twins can tell. In {len(missed)} cells the "
        f"twin holds less than {low:.0%} as it is: it is further from its scores than these limits allow for.",
        "",
        "| pool | metric | labels | held | narrowed | twin | same samples | the twin: held | narrowed |",
        "|---|---|---:|---:|---:|---|---:|---:|---:|",
    ]
    for row in rows:
        cells = [row["pool"], coverage.METRICS[row["metric"]], f"{row['labels']:,}"]
        cells += [f"{row['held']:.1%}", f"{row['narrowed']:.1%}", row["suffers"], f"{row['same']:.0%}"]
        cells += [f"{row['twin']:.1%}", f"{row['twin_narrowed']:.1%}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def main() -> None:
    alone.main(__doc__, "twins", measure, page)


if __name__ == "__main__":
    main()
