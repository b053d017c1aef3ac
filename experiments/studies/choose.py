"""What pays where: rounds, samplers, estimators, trust, floor, several metrics, and labels for a wanted width.

Every comparison is between variants of ``fl.design`` and ``fl.estimate`` on the same pools, seeds and labels.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from scipy.special import ndtri

import fewlabels as fl
from experiments import cases, engine, summary
from experiments.repeat import Setting
from fewlabels import planning

SIZE = 10_000
TRIALS = 2  # repetitions by whose answers a kept cell knows that fewlabels still does the same
SHARES = (0.2, 0.2, 0.3, 0.3)  # of the budget in each round
BUDGETS = (300, 1000)
WRONG = tuple(f"{law}/{SIZE}" for law in ("under", "over", "shifted", "noise", "yes_no"))
OTHER = tuple(f"{law}/{SIZE}" for law in ("calibrated", "hidden", "flipped"))
HALF_WIDTHS = (0.1, 0.05, 0.02)
COLUMNS = ("labels", "value", "low", "high")


@dataclass(frozen=True)
class Variant:
    """A way to go about it: arguments of the design, whose estimate, one shot or rounds, drawn for what, limits."""

    design: Mapping[str, Any] = field(default_factory=dict)
    like: str | None = None
    rounds: bool = False
    drawn_for: tuple[str, ...] = ("f1",)
    level: float | None = None


@dataclass(frozen=True)
class Place:
    """One variant on one pool with one budget; all of ``metrics`` are estimated."""

    pool: str
    budget: int
    variant: Variant
    metrics: tuple[str, ...] = ("f1",)


SAMPLERS = {
    "default": Variant(),
    "priority": Variant({"sampler": "priority"}),
    "poisson": Variant({"sampler": "poisson"}),
    "importance": Variant({"sampler": "importance"}),
    "uniform": Variant({"sampler": "uniform"}),
    "weighted": Variant(like="paper"),
    "poisson_weighted": Variant({"sampler": "poisson"}, like="paper"),
    "paper": Variant({"like": "paper"}, like="paper"),
    "uniform_paper": Variant({"sampler": "uniform", "like": "paper"}, like="paper"),
}
ROUNDS = {
    "one": Variant(level=0.9),
    "one_exact": Variant({"sampler": "priority"}, level=0.9),
    "four": Variant(rounds=True, level=0.9),
}
TRUSTS = {str(trust): Variant({"trust": trust}) for trust in (0.5, 0.8, 0.9, 0.97, 0.99, 1.0)}
FOCUSES = {
    f"{focus} for {metric}": Variant({"focus": focus}, drawn_for=(metric,))
    for metric in ("f1", "accuracy")
    for focus in (1.0, 1.25, 1.5, 2.0)
}
FLOORS = {str(floor): Variant({"floor": floor}, drawn_for=("precision",)) for floor in (0.0, 0.02, 0.05, 0.1, 0.3)}
ALL = ("f1", "precision", "recall")
DRAWN_FOR = {
    "f1": Variant(),
    "precision": Variant(drawn_for=("precision",)),
    "recall": Variant(drawn_for=("recall",)),
    "all three": Variant(drawn_for=ALL),
    "all three, precision with weight 4": Variant({"weights": (1, 4, 1)}, drawn_for=ALL),
}


def measure(setting: Setting) -> dict[str, Any]:
    """All comparisons, ready for JSON."""
    real, absent = cases.present(cases.BINARY)
    wrong, every = [*real, *WRONG], [*real, *OTHER, *WRONG]
    out: dict[str, Any] = {"runs": setting.runs, "seed": setting.seed, "absent": absent}
    out["titles"] = {name: cases.load(name).title for name in every}
    out["rounds"] = {str(budget): compare(wrong, budget, ROUNDS, setting, "Rounds") for budget in BUDGETS}
    setting = replace(setting, runs=max(setting.runs // 2, 1))  # what follows compares many variants on more pools
    out["fewer_runs"] = setting.runs
    out["samplers"] = compare(every, 300, SAMPLERS, setting, "Samplers")
    out["trust"] = compare(every, 300, TRUSTS, setting, "Trust")
    out["focus"] = compare(every, 300, FOCUSES, setting, "Focus", ("f1", "accuracy"))
    out["floor"] = compare(every, 300, FLOORS, setting, "Floor", ALL)
    out["drawn_for"] = compare(every, 300, DRAWN_FOR, setting, "Metrics", ALL)
    out["budget"] = {name: budgets(name, setting) for name in every}
    return summary.digits(out, keep=5)


def compare(
    pools: Iterable[str],
    budget: int,
    variants: Mapping[str, Variant],
    setting: Setting,
    title: str,
    metrics: tuple[str, ...] = ("f1",),
) -> dict[str, Any]:
    """For each pool and variant: error, and coverage and width where limits were asked for, of each metric."""
    places = {(pool, name): Place(pool, budget, one, metrics) for pool in pools for name, one in variants.items()}
    found = run(list(places.values()), setting, setting.runs, title)
    out: dict[str, Any] = {}
    for (pool, name), arrays in zip(places, found, strict=True):
        out.setdefault(pool, {})[name] = {metric: judged(arrays, k) for k, metric in enumerate(metrics)}
    return out


def budgets(name: str, setting: Setting) -> dict[str, Any]:
    """Labels that planning asks for, for each half width of a 95% interval, and the half width that they then give."""
    pool = cases.load(name).pool
    out = {}
    for half in HALF_WIDTHS:
        stderr = half / -float(ndtri(0.025))
        needed = fl.labels_needed(pool, "f1", stderr=stderr)
        place = Place(name, needed, Variant(level=0.95))
        (arrays,) = run([place], setting, max(setting.runs // 2, 1), f"Budget, {name}")
        out[str(half)] = {
            "labels": needed,
            "uniform": fl.labels_needed(pool, "f1", stderr=stderr, sampler="uniform"),
            "half": float(np.mean(arrays["high"] - arrays["low"])) / 2,
            "size": len(pool),
        }
    return out


def run(places: Sequence[Place], setting: Setting, runs: int, title: str) -> list[engine.Arrays]:
    """The repetitions of each place; variants of one pool and budget share seeds and labels."""
    work = []
    for place in places:
        rng = np.random.default_rng(setting.seed)
        arrays = repeat(place, TRIALS, rng)
        key = {"experiment": "choose", **asdict(place), "seed": setting.seed, "runs": runs}
        key["case"] = cases.load(place.pool).digest
        key["answers"] = engine.hashed(*(np.round(arrays[name], 10) for name in sorted(arrays)))
        work.append(engine.Cell(key, (setting.seed, place.pool, place.budget), repeat, (place, runs)))
    return engine.run(work, setting.out, setting.jobs, title)


def repeat(place: Place, runs: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """The work of a cell: truth[run, metric], and each of ``COLUMNS`` as [run, metric]."""
    case = cases.load(place.pool)
    truth = np.empty((runs, len(place.metrics)))
    rows = np.full((runs, len(place.metrics), len(COLUMNS)), np.nan)
    design = None if place.variant.rounds else one_shot(case, place)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fl.FewlabelsWarning)
        for k, seed in enumerate(rng.integers(2**62, size=runs).tolist()):
            labels = case.labels(rng)
            truth[k] = [case.truth(labels, metric) for metric in place.metrics]
            if design is None:
                found = in_rounds(case, place, labels, seed)
            else:
                sample = design.draw(seed)
                found = fl.estimate(sample, labels[sample.index], list(place.metrics), like=place.variant.like)
            for j, one in enumerate(found.values()):
                limits = one.interval(place.variant.level) if place.variant.level else ()
                rows[k, j, : 2 + len(limits)] = (one.labels, one.value, *limits)
    return {"truth": truth} | {name: rows[..., k] for k, name in enumerate(COLUMNS)}


def one_shot(case: cases.Case, place: Place) -> fl.Design:
    """The design of a variant; where it draws with replacement, with the draws that touch as many distinct items."""
    wanted, options = list(place.variant.drawn_for), place.variant.design
    made = fl.design(case.pool, wanted, place.budget, **options)
    if made.chances is None:
        return made
    return fl.design(case.pool, wanted, round(planning.equivalent_draws(made, place.budget)), **options)


def in_rounds(case: cases.Case, place: Place, labels: np.ndarray, seed: int) -> dict[str, fl.Estimate]:
    """Four rounds, each drawn by what the labels so far have taught."""
    study = fl.Adaptive(case.pool, list(place.variant.drawn_for), seed=seed)
    for share in SHARES:
        study.add(labels[study.next(round(share * place.budget)).index])
    return study.estimate(list(place.metrics))


def judged(arrays: engine.Arrays, k: int) -> dict[str, float]:
    """Error of one metric, and how its limits did."""
    truth, seen = arrays["truth"][:, k], {name: arrays[name][:, k] for name in COLUMNS}
    out = {"rmse": float(np.sqrt(np.mean((seen["value"] - truth) ** 2))), "labels": float(seen["labels"].mean())}
    if not np.isnan(seen["low"]).any():
        out |= {name: float(value) for name, value in summary.interval_curves(seen["low"], seen["high"], truth).items()}
    return out
