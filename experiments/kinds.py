"""``python -m experiments.kinds [--runs N] [--out FILE] [--publish DOCS]``: pools of kinds that the grid does not have.

Scores of yes or no, of few levels, with another threshold, from balanced training, far too sure, blind for a part; few
items, very few positives, mostly positives. Nothing was chosen by them, but for the trust in scores of only yes or no.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

import fewlabels as fl
from experiments import alone, cases
from experiments.claims import listed
from experiments.pages.coverage import METRICS
from experiments.studies import coverage

BUDGETS = (50, 150, 500)
ASKED = ("f1", "accuracy")
SEED = 3  # of the scores; labels have the seed of the repetition


def pools() -> list[cases.Case]:
    """Every kind; labels are drawn anew in each repetition."""
    rng = np.random.default_rng(SEED)
    z = rng.normal(-2.5, 2.0, 5000)
    chance, yes = expit(z), z > 0
    rare, common = rng.normal(-9.0, 3.0, 20_000), rng.normal(2.5, 2.0, 5000)
    few, noisy = rng.normal(-1.5, 2.0, 300), rng.normal(-1.5, 2.0, 1000)
    return [
        made("only yes or no", yes.astype(np.float64), chance),
        made("only .02 or .97", np.where(yes, 0.97, 0.02), chance),
        made("five levels", np.digitize(chance, [0.05, 0.2, 0.5, 0.8]) * 0.225 + 0.05, chance),
        made("decided above .2", chance, chance, 0.2),
        made("balanced training, log odds +2", expit(z + 2.0), chance),
        made("0.3% positives, N = 20,000", expit(rare), expit(rare)),
        made("85% positives", expit(common), expit(common)),
        made("N = 300", expit(few), expit(few)),
        made("noisy scores, N = 1,000", expit(noisy + rng.normal(0.0, 1.5, 1000)), expit(noisy)),
        made("a tenth of all chances blind", chance, 0.9 * chance + 0.03 * rng.random(5000)),
        made("far too sure, log odds times 3", expit(3.0 * z), chance),
    ]


def made(title: str, prob: NDArray[np.float64], chance: NDArray[np.float64], threshold: float = 0.5) -> cases.Case:
    return cases.Case(title, title, fl.Pool(prob, threshold=threshold), chance=chance)


def measure(runs: int, seed: int) -> list[dict[str, Any]]:
    """A row for each kind, metric and budget."""
    found = []
    work = [(case, metric, budget) for case in pools() for metric in ASKED for budget in BUDGETS]
    work = [(case, metric, budget, runs, seed) for case, metric, budget in work if budget < len(case.pool)]
    with ProcessPoolExecutor() as workers:
        for row in workers.map(measured, *zip(*work, strict=True)):
            found.append(row)
            print(row, flush=True)
    return found


def measured(case: cases.Case, metric: str, budget: int, runs: int, seed: int) -> dict[str, Any]:
    """The defaults and the paper's way on the same labels."""
    arrays = coverage.repeated(case, metric, budget, runs, np.random.default_rng(seed))
    truth = arrays.pop("truth")
    ours, paper = (
        coverage.judged(truth, {name: column[:, way] for name, column in arrays.items()})
        for way in range(len(coverage.WAYS))
    )
    about = {"pool": case.title, "size": len(case.pool), "metric": metric, "labels": budget, "runs": runs}
    return about | {"ours": _plain(ours), "paper": _plain(paper)}


def _plain(judged: dict[str, Any]) -> dict[str, float]:
    return {name: float(judged[name]) for name in ("cover90", "cover95", "rmse", "width90")}


def page(rows: list[dict[str, Any]]) -> str:
    """The rows as a page."""
    ratios = {metric: [_ratio(row) for row in rows if row["metric"] == metric] for metric in ASKED}
    held = {level: [row["ours"][f"cover{level}"] for row in rows] for level in (90, 95)}
    errors = "; ".join(
        f"{METRICS[metric]} {np.exp(np.mean(np.log(some))):.2f} of it (worst {max(some):.2f})"
        for metric, some in ratios.items()
    )
    shown = "; ".join(
        f"{level}% limits hold {np.mean(some):.1%} ({min(some):.1%} to {max(some):.1%})" for level, some in held.items()
    )
    lines = [
        "# Pools of other kinds",
        "",
        f"Made by `python -m experiments.kinds` ({rows[0]['runs']} repetitions). Simulated pools of kinds that the "
        "[coverage](coverage.md) page does not have. Nothing was chosen by them, but for one thing: scores that are "
        "only yes or no are trusted less than others, because these pools showed that it pays.",
        "",
        f"Squared error of the defaults over the paper's way, geometric means: {errors}. {_lost(rows)} Our {shown}.",
        "",
        "| pool | N | metric | labels | squared error, ours / paper | ours hold 90% | 95% | paper's hold 90% | 95% |",
        "|---|---:|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        cells = [row["pool"], f"{row['size']:,}", METRICS[row["metric"]], str(row["labels"]), f"{_ratio(row):.2f}"]
        cells += [f"{row[way][kind]:.1%}" for way in ("ours", "paper") for kind in ("cover90", "cover95")]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _lost(rows: list[dict[str, Any]]) -> str:
    """Where the paper's way has the smaller error, in words."""
    lost = [row for row in rows if _ratio(row) > 1.0]
    if not lost:
        return "It is nowhere above 1."
    where = listed(list(dict.fromkeys(f"{METRICS[row['metric']]} of *{row['pool']}*" for row in lost)))
    return f"It is above 1 in {len(lost)} of {len(rows)} rows: {where}."


def _ratio(row: dict[str, Any]) -> float:
    return (row["ours"]["rmse"] / row["paper"]["rmse"]) ** 2


def main() -> None:
    alone.main(__doc__, "kinds", measure, page)


if __name__ == "__main__":
    main()
