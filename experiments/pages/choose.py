"""The numbers of how-to-choose.md: its words are written by hand, every table between its marks by this module."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments import marks
from experiments.page import small
from experiments.pages import coverage
from fewlabels.recipes import recipe_of

PAGE = "how-to-choose.md"
KNOWN = 1e-9  # an error below this is none
SAMPLERS = {
    "priority": "priority",
    "poisson": "Poisson",
    "importance": "importance",
    "uniform": "uniform",
    "weighted": "default draw, weighted totals",
    "poisson_weighted": "Poisson, weighted totals",
    "paper": "the paper's way",
    "uniform_paper": "uniform, weighted totals",
}


def write(found: dict[str, Any], out: Path, docs: Path | None) -> None:
    """``choose.json``; into ``docs`` with its figure."""
    for folder in (out, docs):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "choose.json").write_text(json.dumps(found, separators=(",", ":")) + "\n")
    if docs is not None:
        (docs / "figures").mkdir(exist_ok=True)
        small(out / "figures" / "choose.png", docs / "figures" / "choose.png")


def fill(docs: Path) -> None:
    """Every table of the page whose numbers are in ``docs``, this experiment's and those of coverage."""
    page = docs / PAGE
    if page.is_file():
        page.write_text(marks.filled(page.read_text(), tables(docs)))


def tables(docs: Path) -> dict[str, str]:
    """The tables that the numbers in ``docs`` make."""
    known: dict[str, str] = {}
    if (docs / "choose.json").is_file():
        found = json.loads((docs / "choose.json").read_text())
        known |= {name: make(found) for name, make in MAKERS.items()}
    if (docs / "coverage.json").is_file():
        rows = json.loads((docs / "coverage.json").read_text())["cells"]
        known["coverage"] = coverage.glance(rows)
    return known


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def mean(values: Iterable[float]) -> float:
    """The geometric mean."""
    return float(np.exp(np.mean(np.log(list(values)))))


def error(runs: int) -> float:
    """The relative standard error of a ratio of two mean squared errors, were they independent; shared seeds help."""
    return 2.0 / float(np.sqrt(runs))


def measured(found: Mapping[str, Any], what: str, runs_of: str = "fewer_runs") -> str:
    """How a table was made."""
    runs = found[runs_of]
    return (
        f"\n{what} {runs} repetitions, seed {found['seed']}; one standard error of a ratio is near {error(runs):.0%}.\n"
    )


def rounds(found: Mapping[str, Any]) -> str:
    """Four rounds over one draw, pool by pool."""
    budgets = list(found["rounds"])
    head = ["Pool"]
    for budget in budgets:
        head += [f"{budget} labels: squared error, rounds over one draw", "90% held, one draw", "90% held, rounds"]
    rows, ratios = [], {budget: [] for budget in budgets}
    for pool in found["rounds"][budgets[0]]:
        line = [found["titles"][pool]]
        for budget in budgets:
            one, four = (found["rounds"][budget][pool][name]["f1"] for name in ("one", "four"))
            ratios[budget].append((four["rmse"] / one["rmse"]) ** 2)
            line += [f"{ratios[budget][-1]:.2f}", f"{one['coverage']:.0%}", f"{four['coverage']:.0%}"]
        rows.append(line)
    rows.append(["geometric mean", *(cell for budget in budgets for cell in (f"{mean(ratios[budget]):.2f}", "", ""))])
    made = "F1; `fl.design(...).draw(...)` against `fl.Adaptive` with 20, 20, 30 and 30% of the labels."
    return table(head, rows) + measured(found, made, "runs")


def relative(found: Mapping[str, Any], part: str, names: Mapping[str, str]) -> str:
    """Squared errors of variants over the default's, pool by pool; of those variants that were measured."""
    names = {name: words for name, words in names.items() if all(name in one for one in found[part].values())}
    default = {pool: one["default"]["f1"]["rmse"] for pool, one in found["samplers"].items()}
    ratios = {
        pool: {name: (one[name]["f1"]["rmse"] / default[pool]) ** 2 for name in names}
        for pool, one in found[part].items()
    }
    rows = [[found["titles"][pool], *(f"{one[name]:.2f}" for name in names)] for pool, one in ratios.items()]
    for words, summarised in (("geometric mean", mean), ("worst", max)):
        rows.append([words, *(f"{summarised([one[name] for one in ratios.values()]):.2f}" for name in names)])
    made = "F1 at 300 labels, squared error over that of the defaults (1 = the same, 2 = twice the labels)."
    return table(["Pool", *names.values()], rows) + measured(found, made)


def focus(found: Mapping[str, Any]) -> str:
    """Each focus over the default one, for the metrics that it was measured on, pool by pool."""
    names = [name.split(" for ") for name in next(iter(found["focus"].values()))]
    default = str(recipe_of(None).focus)
    columns = [(power, metric) for power, metric in names if power != default]
    ratios: dict[str, list[float]] = {}
    for pool, one in found["focus"].items():
        errors = {(power, metric): one[f"{power} for {metric}"][metric]["rmse"] for power, metric in names}
        ratios[found["titles"][pool]] = [
            (errors[power, metric] / errors[default, metric]) ** 2 for power, metric in columns
        ]
    ratios |= {
        words: [summarised(column) for column in zip(*ratios.values(), strict=True)]
        for words, summarised in (("geometric mean", mean), ("worst", max))
    }
    head = ["Pool", *(f"{coverage.METRICS[metric]}, focus {power}" for power, metric in columns)]
    rows = [[pool, *(f"{ratio:.2f}" for ratio in line)] for pool, line in ratios.items()]
    made = f"300 labels drawn for the metric, squared error over that with the default focus of {default}."
    return table(head, rows) + measured(found, made)


def drawn_for(found: Mapping[str, Any], part: str = "drawn_for", what: str = "Drawn for") -> str:
    """Each design on each metric, over the design that was made for that metric."""
    metrics = ("f1", "precision", "recall")
    own = {
        (pool, metric): found["drawn_for"][pool][metric][metric]["rmse"] for pool in found[part] for metric in metrics
    }
    rows = []
    for name in next(iter(found[part].values())):
        line = [coverage.METRICS.get(name, name)]
        for metric in metrics:
            pairs = [(one[name][metric]["rmse"], own[pool, metric]) for pool, one in found[part].items()]
            ratios = [(other / best) ** 2 for other, best in pairs if best > KNOWN]
            line.append(f"{mean(ratios):.2f} (worst {max(ratios):.1f})")
        rows.append(line)
    made = (
        "Squared error at 300 labels over that of a sample drawn by default for the metric itself, geometric mean over "
        f"{len(found[part])} pools, without those where that sample settles the metric (precision, all predicted "
        "positives labelled)."
    )
    return table([what, *(coverage.METRICS[metric] for metric in metrics)], rows) + measured(found, made)


def budget(found: Mapping[str, Any]) -> str:
    """What planning asks for, and what came of it."""
    halves = list(next(iter(found["budget"].values())))
    head = ["Pool", "N"]
    for half in halves:
        head += [f"Labels for ±{half}", "by uniform", "± that came out"]
    rows = []
    for pool, one in found["budget"].items():
        line = [found["titles"][pool], f"{one[halves[0]]['size']:,}"]
        for half in halves:
            line += [f"{one[half]['labels']:,}", f"{one[half]['uniform']:,}", f"{one[half]['half']:.3f}"]
        rows.append(line)
    made = "F1, 95% intervals: `fl.labels_needed` before any label, and the mean half width that so many labels gave."
    return table(head, rows) + f"\n{made}\n"


MAKERS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "rounds": rounds,
    "samplers": lambda found: relative(found, "samplers", SAMPLERS),
    "trust": lambda found: relative(found, "trust", _named("trust", found)),
    "focus": focus,
    "floor": lambda found: drawn_for(found, "floor", "Drawn for precision, floor"),
    "drawn_for": drawn_for,
    "budget": budget,
}


def _named(part: str, found: Mapping[str, Any]) -> dict[str, str]:
    return {name: f"{part} {name}" for name in next(iter(found[part].values()))}
