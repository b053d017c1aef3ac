"""``python -m experiments.unseen [--runs N] [--out FILE] [--publish DOCS]``: what no interval can know.

Two questions that the coverage of 90% intervals leaves. Where labels are flipped or positives hidden, who misses:
samples that met such a label, or samples that met none? And on the pool with 50 positives among 53,753, is coverage
above 94% the interval's doing, or that of the one vector of labels that the pool happens to have?
"""

from __future__ import annotations

from typing import Any

import numpy as np

import fewlabels as fl
from experiments import alone, cases
from experiments.claims import listed

LAWS = ("calibrated/10000", "hidden/10000", "flipped/10000")
RARE = "er_abt_buy_svm"
BUDGETS = (100, 300, 1000)
SURE = 0.001  # a positive with a score below this defies it


def measure(runs: int, seed: int) -> list[dict[str, Any]]:
    """A row for each pool and budget."""
    rare = cases.load(RARE)
    anew = cases.Case("anew", f"{rare.title}, labels drawn anew from the scores", rare.pool, chance=rare.pool.prob)
    pools = [*map(cases.load, LAWS), rare, anew]
    rows = []
    for case in pools:
        for budget in BUDGETS:
            rows.append(row(case, budget, runs, seed))
            print(rows[-1], flush=True)
    return rows


def row(case: cases.Case, budget: int, runs: int, seed: int) -> dict[str, Any]:
    """Coverage over all samples, and over those that met a label which defies its score and those that did not."""
    design = fl.design(case.pool, "f1", budget)
    met, held, width = np.empty(runs, dtype=bool), np.empty(runs, dtype=bool), np.empty(runs)
    for run in range(runs):
        labels = case.labels(np.random.default_rng([seed, run]))
        sample = design.draw(seed + run)
        low, high = fl.estimate(sample, labels[sample.index], "f1").interval(0.9)
        met[run] = np.any((labels[sample.index] == 1) & (sample.prob < SURE))
        held[run], width[run] = low <= case.truth(labels, "f1") <= high, high - low
    found: dict[str, Any] = {
        "name": case.name,
        "pool": case.title,
        "budget": budget,
        "runs": runs,
        "met": float(met.mean()),
    }
    for name, which in {"all": np.ones(runs, dtype=bool), "met": met, "unmet": ~met}.items():
        found[f"held_{name}"] = float(held[which].mean()) if which.any() else None
        found[f"width_{name}"] = float(width[which].mean()) if which.any() else None
    return found


def page(rows: list[dict[str, Any]]) -> str:
    """The rows as a page."""

    def share(value: float | None) -> str:
        return "" if value is None else f"{100 * value:.0f}%"

    def size(value: float | None) -> str:
        return "" if value is None else f"{value:.3f}"

    lines = [
        "# What no interval can know",
        "",
        f"Made by `python -m experiments.unseen` ({rows[0]['runs']} repetitions; F1; 90% intervals). A sample *met* a "
        f"label that defies its score if it has a positive with a score below {SURE}.",
        "",
        *(_words({(row["name"], row["budget"]): row for row in rows})),
        "",
        "| pool | labels | held | samples that met one | of these held | width | of the others held | width |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        cells = [row["pool"], f"{row['budget']:,}", share(row["held_all"]), share(row["met"])]
        cells += [share(row["held_met"]), size(row["width_met"]), share(row["held_unmet"]), size(row["width_unmet"])]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _words(known: dict[tuple[str, int], dict[str, Any]]) -> list[str]:
    """What the rows say, where all of them are there."""
    if not {(name, budget) for name in (*LAWS, RARE, "anew") for budget in (300, 1000)} <= set(known):
        return []
    clean, flipped = (
        {budget: known[f"{law}/10000", budget] for budget in BUDGETS} for law in ("calibrated", "flipped")
    )
    rare, anew = (listed([f"{known[name, budget]['held_all']:.0%}" for budget in BUDGETS]) for name in (RARE, "anew"))
    return [
        f"With 300 labels {1 - flipped[300]['met']:.0%} of the samples from the pool with flipped labels met none, and "
        "look like samples of the calibrated pool. The limit towards errors allows for such labels all the same: of "
        f"these samples {flipped[300]['held_unmet']:.0%} hold, and of the calibrated pool's "
        f"{clean[300]['held_unmet']:.0%}. With 1,000 labels {flipped[1000]['met']:.0%} met one; to have met none then "
        f"says that there are few, and of these samples {flipped[1000]['held_unmet']:.0%} hold. Limits wide enough for "
        "them would be as wide for the calibrated pool, of which samples that met none hold "
        f"{clean[1000]['held_unmet']:.0%} as it is. The other way round, a sample that met one where hardly any are "
        "weighs it heavily, so that its value is too low and its limit away from errors misses more often.",
        "",
        "The pool with 50 positives has one vector of labels, so what its limits hold may be that vector's doing: "
        "below it are the same scores with labels drawn anew. "
        f"With {listed([f'{budget:,}' for budget in BUDGETS])} labels it holds {rare}, and with labels drawn anew "
        f"{anew}.",
    ]


def main() -> None:
    alone.main(__doc__, "unseen", measure, page)


if __name__ == "__main__":
    main()
