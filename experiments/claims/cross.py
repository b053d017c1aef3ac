"""The paper's claim on cross results."""

from __future__ import annotations

from typing import Any

from experiments.claims import Claim, listed, verdict
from experiments.figures.common import NAMES

METRICS = ("accuracy", "f1", "precision", "recall", "specificity")


def claims(results: dict[str, Any]) -> list[Claim]:
    """One for each sampler."""
    return [one(results[sampler], name) for sampler, name in (("poisson", "Bernoulli"), ("importance", "importance"))]


def one(found: dict[str, Any], name: str) -> Claim:
    """The best other design for each metric: measured, and without noise by the leading variance."""
    measured, beaten = [], []
    for metric in METRICS:
        others = {
            d: row[metric] for d, row in found["matrix"].items() if d != metric and row[metric]["ratio"] is not None
        }
        best = min(others, key=lambda d: others[d]["ratio"])
        ratio, spread = others[best]["ratio"], others[best]["log_se"]
        measured.append(f"{NAMES[metric]} {ratio:.2f} ± {ratio * spread:.2f} (drawn for {NAMES[best]})")
        exact = {d: row[metric] for d, row in found["linearised"]["labels"].items() if d != metric and row[metric]}
        first = min(exact, key=lambda d: exact[d])
        if exact[first] < 0.99:
            belief = found["linearised"]["belief"][first][metric]
            words = f"{exact[first]:.2f} with all labels known, {belief:.2f} by the belief"
            beaten.append(f"{NAMES[metric]} drawn for {NAMES[first]}: {words}")
    tail = "By the leading variance, which has no noise, no other design is better."
    if beaten:
        tail = (
            f"By the leading variance, which has no noise, another design is better: {'; '.join(beaten)}. A design is "
            "the best one only if its belief is right, and λ = 0.9 pulls the belief towards an even chance."
        )
    return Claim(
        f"For {name} sampling there is no better design for a metric than its own.",
        f"Squared error of the best other design over that of the metric's own: {listed(measured)}. {tail}",
        verdict(not beaten, len(beaten) < len(METRICS) - 1),
    )
