"""``python -m experiments.stopping [--runs N] [--out FILE] [--publish DOCS]``: what looking and stopping cost.

Studies in rounds of 20 labels. A study stops when its 95% interval is as narrow as wanted, or at 600 labels; the
interval is checked where it stopped. The same studies are looked at after every round: how often does an interval miss
the truth at least once, the ordinary one and the one made for looking (``Adaptive.sequence``)?
"""

from __future__ import annotations

from typing import Any

import numpy as np

import fewlabels as fl
from experiments import alone, simulated

POOLS = ("calibrated", "over", "under", "flipped")
WANTED = 0.1  # half width of the 95% interval: narrow enough that a study stops on its way
BATCH, MOST = 20, 600


def pools(seed: int) -> dict[str, tuple[fl.Pool, np.ndarray]]:
    """Simulated pools with one set of labels each."""
    found = {}
    for name in POOLS:
        made = simulated.make(name, 10_000)
        truth = (np.random.default_rng(seed).random(10_000) < made.chance).astype(np.int64)
        found[simulated.LAWS[name].title] = (fl.Pool(made.prob), truth)
    return found


def study(pool: fl.Pool, truth: np.ndarray, exact: float, seed: int) -> dict[str, Any]:
    """One study, looked at after every round."""
    rounds = fl.Adaptive(pool, "f1", seed=seed)
    told: dict[str, Any] = {"plain": False, "sequence": False, "labels": MOST, "held": None}
    while len(rounds) < MOST:
        items = rounds.next(BATCH)
        rounds.add(truth[items.index])
        low, high = rounds.estimate().interval(0.95)
        first, last = rounds.sequence(0.95, tight_at=300)
        told["plain"] |= not low <= exact <= high
        told["sequence"] |= not first <= exact <= last
        if told["held"] is None and high - low <= 2 * WANTED:
            told["labels"], told["held"] = len(rounds), bool(low <= exact <= high)
    if told["held"] is None:
        told["held"] = bool(low <= exact <= high)
    return told


def measure(runs: int, seed: int) -> list[dict[str, Any]]:
    """A row for each pool."""
    rows = []
    for name, (pool, truth) in pools(seed).items():
        everything = fl.design(pool, "f1", budget=len(pool)).draw(seed=0)
        exact = fl.estimate(everything, truth[everything.index], "f1").value
        found = [study(pool, truth, exact, seed + run) for run in range(runs)]
        rows.append(
            {
                "pool": name,
                "runs": runs,
                "held_at_stop": float(np.mean([one["held"] for one in found])),
                "labels_at_stop": float(np.mean([one["labels"] for one in found])),
                "missed_once": float(np.mean([one["plain"] for one in found])),
                "missed_once_sequence": float(np.mean([one["sequence"] for one in found])),
            }
        )
        print(rows[-1], flush=True)
    return rows


def page(rows: list[dict[str, Any]]) -> str:
    """The rows as a page."""
    looks = MOST // BATCH
    lines = [
        "# Stopping when it is narrow enough, and looking on the way",
        "",
        f"Made by `python -m experiments.stopping` ({rows[0]['runs']} studies a pool, rounds of {BATCH}, F1, 95%). "
        f"A study stops when half its interval is at most {WANTED}, or at {MOST} labels. *Missed once*: outside the "
        f"interval in at least one of {looks} looks, one after each round.",
        "",
        "| pool | holds where it stopped | labels | ordinary interval missed once | `sequence` missed once |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {row['pool']} | {row['held_at_stop']:.3f} | {row['labels_at_stop']:.0f} | {row['missed_once']:.3f} "
        f"| {row['missed_once_sequence']:.3f} |"
        for row in rows
    ]
    return "\n".join([*lines, ""])


def main() -> None:
    alone.main(__doc__, "stopping", measure, page)


if __name__ == "__main__":
    main()
