"""What to tell before any label exists: labels against width, the model's own guess, and warnings that matter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.special import ndtri

from . import designs
from .errors import FewlabelsError
from .planning import labels_needed
from .pool import CERTAIN, Pool
from .recipes import recipe_of, worth


def z_of(level: float) -> float:
    """Half-widths in standard errors.

    >>> round(z_of(0.95), 2)
    1.96
    """
    if not 0 < level < 1:
        raise FewlabelsError(f"the level must be between 0 and 1, such as 0.95; got {level}.")
    return float(ndtri(0.5 + level / 2))


def budget_for(pool: Pool, names: Sequence[str], half_width: float, level: float, sampler: str) -> int:
    """The labels that bring every metric within ``half_width``, by what is believed of the pool."""
    if not 0 < half_width < 1:
        raise FewlabelsError(f"the half-width must be between 0 and 1, such as 0.03; got {half_width}.")
    return max(labels_needed(pool, name, stderr=half_width / z_of(level), sampler=sampler) for name in names)


def plan(
    pool: Pool,
    names: Sequence[str],
    widths: Sequence[float],
    level: float,
    say: Callable[[str, float | None], None],
) -> dict[str, Any]:
    """Labels for each half-width, the curve of width against labels, and what the model predicts of the metrics."""
    rows: list[dict[str, Any]] = []
    for n, width in enumerate(widths):
        say("counting labels", n / len(widths))
        row = {kind: budget_for(pool, names, width, level, sampler) for kind, sampler in KINDS.items()}
        rows.append({"half_width": width, **row})
    say("drawing the curve", None)
    return {
        "task": pool.task,
        "size": len(pool),
        "metrics": list(names),
        "level": level,
        "predicted": {name: _predicted(pool, name) for name in names},
        "widths": rows,
        "curve": _curve(pool, names[0], level),
        "warnings": warnings(pool),
    }


KINDS = {"labels": "poisson", "uniform": "uniform"}


def _predicted(pool: Pool, name: str) -> float:
    """The metric if the model's probabilities were true."""
    return worth(pool, name, trust=1.0).expected_value


def _curve(pool: Pool, name: str, level: float, points: int = 25) -> list[dict[str, float]]:
    start = min(20, len(pool))
    budgets = np.unique(np.geomspace(start, len(pool), points).round()).astype(int)
    value = worth(pool, name)
    found = []
    for budget in budgets.tolist():
        row: dict[str, float] = {"labels": budget}
        for kind, sampler in KINDS.items():
            error = designs.plan(value, designs.sampler_of(sampler, recipe_of(None)), budget).expected_stderr
            row["half_width" if kind == "labels" else kind] = z_of(level) * error
        found.append(row)
    return found


def warnings(pool: Pool) -> list[str]:
    """What a person should know of a pool before asking anyone to label.

    >>> warnings(Pool([0.1, 0.2, 0.3]))
    ['nothing is predicted positive: precision and F1 are 0/0 until the threshold is lowered.']
    """
    found = [*_predicted_positives(pool), *_never_predicted(pool)]
    saturated = float(np.mean((pool.prob < CERTAIN) | (pool.prob > 1 - CERTAIN)))
    if saturated > 0.2:
        found.append(
            f"{saturated:.0%} of the scores are within {CERTAIN:g} of certainty: mistakes among them are invisible to "
            "the plan, so expect wider intervals than it says."
        )
    return found


def _predicted_positives(pool: Pool) -> list[str]:
    if pool.task != "binary":
        return []
    positive = int(np.count_nonzero(pool.decisions))
    if positive == 0:
        return ["nothing is predicted positive: precision and F1 are 0/0 until the threshold is lowered."]
    if positive == len(pool):
        return ["everything is predicted positive: specificity is 0 and recall 1 whatever the labels say."]
    if positive < 30:
        return [f"only {positive} of {len(pool)} items are predicted positive: every one of them weighs much."]
    return []


def _never_predicted(pool: Pool) -> list[str]:
    if pool.task == "binary":
        return []
    if pool.task == "multiclass":
        counts = np.bincount(pool.decisions, minlength=len(pool.classes))
    else:
        counts = pool.decisions.sum(axis=0)
    never = [str(name) for name, count in zip(pool.classes, counts, strict=True) if count == 0]
    if not never:
        return []
    verb = "class is" if len(never) == 1 else "classes are"
    return [f"{len(never)} {verb} never predicted ({', '.join(never)}): their F1 is 0, and macro averages suffer."]
