"""The paper's claims on MNIST."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.claims import Claim, listed, mse_ratio, place, said, verdict
from experiments.figures.common import NAMES, SAMPLERS, numbers

METRICS = ("accuracy", "f1", "precision", "recall", "specificity")
LATE = (0.25, 0.5, 0.9)
EARLY = (0.005, 0.01, 0.02)


def claims(results: dict[str, Any]) -> list[Claim]:
    """All of them."""
    found = [importance, bernoulli, few_labels, exact, calibration, transition, never_certain]
    return [claim(results) for claim in found]


def importance(results: dict[str, Any]) -> Claim:
    curves = results["curves"]
    wins = {
        m: int(np.sum(numbers(curves["importance"][m]["abs"]) < numbers(curves["uniform"][m]["abs"]))) for m in METRICS
    }
    sizes = len(curves["uniform"]["labels"])
    better = listed([f"{count} of {sizes} sizes for {NAMES[m]}" for m, count in wins.items()])
    ratios = [said(mse_ratio(curves, "f1", "importance", "uniform", x)) for x in (0.02, 0.1, 0.5)]
    return Claim(
        "Importance sampling beats labelling at random (figure of log errors).",
        f"Smaller mean absolute error at {better}. Squared error of F1 over uniform's at 2, 10, 50% labelled: "
        f"{listed(ratios)}.",
        verdict(all(count >= 0.9 * sizes for count in wins.values()), wins["f1"] >= 0.9 * sizes),
    )


def bernoulli(results: dict[str, Any]) -> Claim:
    curves = results["curves"]
    ratios = {m: [mse_ratio(curves, m, "poisson", "importance", x) for x in LATE] for m in METRICS}
    better = all(r + 2 * se < 1 for row in ratios.values() for r, se in row)
    return Claim(
        "Bernoulli sampling significantly outperforms importance and uniform sampling as labels increase.",
        "Squared error over importance sampling's at 25, 50, 90% labelled: "
        + "; ".join(f"{NAMES[m]} {listed([said(ratio) for ratio in row])}" for m, row in ratios.items())
        + ".",
        verdict(better, ratios["f1"][1][0] < 1),
    )


def few_labels(results: dict[str, Any]) -> Claim:
    curves = results["curves"]
    ratios = [mse_ratio(curves, "f1", "poisson", "importance", x) for x in EARLY]
    return Claim(
        "Importance and Bernoulli sampling perform the same in the limit of very few labels.",
        f"Squared error of F1, Bernoulli over importance, at 0.5, 1, 2% labelled: {listed([said(r) for r in ratios])}.",
        verdict(all(abs(r - 1) < 2 * se + 0.1 for r, se in ratios)),
    )


def exact(results: dict[str, Any]) -> Claim:
    worst = max(results["everything"].values())
    return Claim(
        "Bernoulli sampling returns the exact metric when everything is labelled; importance sampling does not.",
        f"Largest error of the five metrics with budget N: {worst:.1g}. Importance sampling that has touched 99% of "
        f"the pool still has a mean absolute error of {results['curves']['importance']['f1']['abs'][-1]:.4f} in F1, "
        f"after {results['draws']['importance'][-1]:,} draws.",
        verdict(worst < 1e-12),
    )


def calibration(results: dict[str, Any]) -> Claim:
    ranges, few = [], []
    for sampler in SAMPLERS:
        curve = results["curves"][sampler]
        x = numbers(curve["fraction"])
        middle = [c for m in METRICS for c in numbers(curve[m]["coverage"])[(x > 0.09) & (x < 0.31)]]
        ranges.append((min(middle), max(middle)))
        k = place(curve, 0.01)
        few.append((min(curve[m]["coverage"][k] for m in METRICS), max(curve[m]["coverage"][k] for m in METRICS)))
    labels = results["curves"]["poisson"]["labels"][place(results["curves"]["poisson"], 0.01)]
    late = [results["curves"]["poisson"][m]["coverage"][-1] for m in METRICS]

    def words(pairs: list[tuple[float, float]]) -> str:
        return listed([f"{s} {a:.0%} to {b:.0%}" for s, (a, b) in zip(SAMPLERS, pairs, strict=True)]).replace(
            "poisson", "Bernoulli"
        )

    good = all(a > 0.85 and b < 0.95 for a, b in ranges)
    return Claim(
        "The 90% limits are well calibrated for all three samplers, quite effective even with small samples, less "
        "accurate in the extremes.",
        f"From 10 to 30% labelled, lowest and highest of five metrics: {words(ranges)}. With 1% labelled "
        f"({labels:.0f} labels): {words(few)}. Bernoulli with 99% labelled: {min(late):.0%} to {max(late):.0%}. With "
        "few labels no error is seen, so the variance is zero: the limits are a point and hold nothing; the paper's "
        "epsilon of 1e-10 does not change that.",
        verdict(good and min(a for a, _ in few) > 0.8, good),
    )


def transition(results: dict[str, Any]) -> Claim:
    certain = results["certain"]
    trusts = listed([f"{share:.0%} with λ = {value}" for value, share in certain["by_trust"].items()])
    return Claim(
        "No item is certain (b = 1) while few are labelled; a transition comes after about 25%.",
        f"The first item is certain at {certain['starts']:.0%} labelled, a twentieth of the pool at "
        f"{certain['twentieth']:.0%}. The point is mean h / max h, so it depends on the scores and on λ: {trusts}.",
        verdict(abs(certain["starts"] - 0.25) < 0.05, True),
    )


def never_certain(results: dict[str, Any]) -> Claim:
    largest = results["weights"]["largest"]
    return Claim(
        "Importance sampling never chooses an item with certainty.",
        "Largest inclusion probability: "
        + listed([f"{value:.4f} with {float(x):.0%} labelled" for x, value in largest.items()])
        + ".",
        verdict(all(value < 1 for x, value in largest.items() if float(x) < 0.9), True),
    )
