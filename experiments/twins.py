"""``python -m experiments.twins [--runs N] [--out FILE] [--publish DOCS]``: could wide intervals be narrower?

Every cell of the coverage page whose 90% intervals hold clearly too often gets twins: the same scores, design and
seeds, but a few items that the model had right, drawn at random, turn into errors. A sample that holds none of them is
the same sample with the same interval, and only the truth is another. Then the interval of the cell is narrowed, at the
end where that costs least, until it holds no more than it should, and the twins say what that would have done to them.
"""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import fewlabels as fl
from experiments import alone, cases, summary
from experiments.pages import coverage
from experiments.studies.coverage import BANDS

Floats = NDArray[np.float64]

KNOWN = Path("docs/coverage.json")
ADDED = (1, 3, 10, 30, 100)  # errors of a twin
MOST = 0.01  # of a pool's items may be such errors: as many as the grid's pool with flipped labels has
DRAWN_IN = np.linspace(0.0, 1.0, 101)  # how far a limit goes towards the value


class Told(NamedTuple):
    """What repetitions said: truth, value and limits, and whether the sample held an added error."""

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
    itself = repeat(case, design, 0, runs, seed)
    end, part = narrowed(itself)
    twins = {n: repeat(case, design, n, runs, seed) for n in ADDED if n <= MOST * len(case.pool)}
    added = min(twins, key=lambda n: twins[n].held(end, part))
    return {
        "pool": cell["title"],
        "metric": metric,
        "labels": cell["labels"],
        "runs": runs,
        "held": itself.held(),
        "narrowed": itself.held(end, part),
        "added": added,
        "same": 1.0 - float(twins[added].met.mean()),
        "twin": twins[added].held(),
        "twin_narrowed": twins[added].held(end, part),
    }


def narrowed(told: Told) -> tuple[str, float]:
    """The end to draw in, and how far: as little as brings the coverage into the band or below it."""
    high = BANDS["cover90"][1]
    found = {}
    for end in ("low", "high"):
        found[end] = next((part for part in DRAWN_IN.tolist() if told.held(end, part) <= high), 1.0)
    costs_least = min(found, key=lambda end: abs(told.held(end, found[end]) - high))
    return costs_least, found[costs_least]


def repeat(case: cases.Case, design: fl.Design, added: int, runs: int, seed: int) -> Told:
    """Repetitions with ``added`` errors more; the draws and all other labels are those of the cell itself."""
    metric, decisions = design.metrics[0].name, np.asarray(case.pool.decisions, dtype=np.int64)
    rows = np.empty((runs, len(Told._fields)))
    for run in range(runs):
        rng = np.random.default_rng([seed, run])
        labels = case.labels(rng).copy()
        order = rng.permutation(len(labels))
        wrong = order[labels[order] == decisions[order]][:added]
        labels[wrong] = 1 - labels[wrong]
        sample = design.draw(seed + run)
        found = fl.estimate(sample, labels[sample.index], metric)
        truth = case.truth(labels, metric)
        rows[run] = truth, found.value, *found.interval(0.9), np.isin(wrong, sample.index).any()
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
        f"but up to {MOST:.0%} of the items, drawn at random among those that the model had right, are errors: of "
        f"{', '.join(map(str, ADDED))} such errors the table has the number that suffers most. A sample without any "
        "of them is the same sample with the same interval: no rule can tell the two pools apart by it. *Narrowed* is "
        f"the coverage with one limit, that which costs less, drawn in until the cell holds {high:.0%} or less.",
        "",
        f"Of {len(rows)} cells {len(still)} hold more than {high:.0%} here too. In {len(steps)} of these a narrower "
        f"limit takes the cell itself from too often to below {low:.0%}: counts are whole. In {len(suffer)} of the "
        f"other {len(others)} the limit that would be right for the cell holds less than {low:.0%} of its twin's "
        "truths; the limits answer for both, so one of the two holds too often. The remaining "
        f"{len(others) - len(suffer)} could be narrower, as far as these twins can tell. In {len(missed)} cells the "
        f"twin holds less than {low:.0%} as it is: a few errors that defy their scores are more than these limits "
        "allow for.",
        "",
        "| pool | metric | labels | held | narrowed | errors added | same samples | the twin: held | narrowed |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        cells = [row["pool"], coverage.METRICS[row["metric"]], f"{row['labels']:,}"]
        cells += [f"{row['held']:.1%}", f"{row['narrowed']:.1%}", str(row["added"]), f"{row['same']:.0%}"]
        cells += [f"{row['twin']:.1%}", f"{row['twin_narrowed']:.1%}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def main() -> None:
    alone.main(__doc__, "twins", measure, page)


if __name__ == "__main__":
    main()
