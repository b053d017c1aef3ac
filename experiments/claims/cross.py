"""The paper's claim on cross results."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.claims import Claim, listed, verdict
from experiments.figures.common import NAMES

METRICS = ("accuracy", "f1", "precision", "recall", "specificity")


def claims(results: dict[str, Any]) -> list[Claim]:
    """One for each sampler."""
    pairs = (("poisson", "Bernoulli"), ("importance", "importance"))
    return [one(results[sampler]["matrix"], name, results["linearised"]) for sampler, name in pairs]


def one(matrix: dict[str, Any], name: str, linearised: dict[str, Any]) -> Claim:
    """The best other design for each metric."""
    words, beaten = [], []
    for metric in METRICS:
        others = {d: matrix[d][metric] for d in METRICS if d != metric and matrix[d][metric]["ratio"] is not None}
        best = min(others, key=lambda d: others[d]["ratio"])
        ratio, spread = others[best]["ratio"], others[best]["log_se"]
        words.append(f"{NAMES[metric]} {ratio:.2f} ± {ratio * spread:.2f} (drawn for {NAMES[best]})")
        if ratio < np.exp(-2 * spread):
            beaten.append((metric, best))
    tail = "" if not beaten else " " + why(beaten, linearised)
    return Claim(
        f"For {name} sampling there is no better design for a metric than its own.",
        f"Squared error of the best other design over that of the metric's own: {listed(words)}.{tail}",
        verdict(not beaten, len(beaten) < len(METRICS) - 1),
    )


def why(beaten: list[tuple[str, str]], linearised: dict[str, Any]) -> str:
    """The same ratios by the leading variance of Bernoulli sampling, with all labels and by the belief."""
    words = [
        f"{NAMES[metric]} drawn for {NAMES[best]} {linearised['labels'][best][metric]:.2f} with all labels known, "
        f"{linearised['belief'][best][metric]:.2f} by the belief"
        for metric, best in beaten
    ]
    return (
        f"Without noise, by the leading variance of Bernoulli sampling: {listed(words)}. A design is the best one only "
        "by its own belief, which λ = 0.9 pulls towards an even chance."
    )
