"""The paper's claims on 20 Newsgroups."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.claims import Claim, listed, mse_ratio, said, verdict
from experiments.figures.common import NAMES, numbers

METRICS = ("accuracy", "f1", "precision", "recall", "specificity")


def claims(results: dict[str, Any]) -> list[Claim]:
    """All of them."""
    return [average(results), groups(results["groups"]), undulations(results), twenty(results)]


def _mean_log(curve: dict[str, Any], metric: str) -> float:
    return float(np.mean(numbers(curve[metric]["log"])))


def average(results: dict[str, Any]) -> Claim:
    curves = results["curves"]
    means = {m: [_mean_log(curves[s], m) for s in ("poisson", "importance", "uniform")] for m in METRICS}
    text = "; ".join(f"{NAMES[m]} {row[0]:.2f}, {row[1]:.2f}, {row[2]:.2f}" for m, row in means.items())
    ratios = [said(mse_ratio(curves, "f1", "poisson", "importance", x)) for x in (0.02, 0.1, 0.25, 0.5)]
    return Claim(
        "Bernoulli sampling is on average superior to importance and uniform sampling.",
        f"Log squared error, mean over the sizes, Bernoulli, importance, uniform: {text}. Squared error of F1 over "
        f"importance sampling's at 2, 10, 25, 50% labelled: {listed(ratios)}.",
        verdict(all(row[0] < min(row[1:]) for row in means.values()), means["f1"][0] < means["f1"][1]),
    )


def groups(found: dict[str, Any]) -> Claim:
    """Every group against the rest, at a few sizes."""
    words, always = [], True
    for k, fraction in enumerate(found["at"]):
        for other in ("importance", "uniform"):
            ratios = np.array([row["poisson"][k] / row[other][k] for row in found["mse"].values()])
            mean = float(np.exp(np.mean(np.log(ratios))))
            always &= mean < 1 or fraction < 0.1
            words.append(
                f"{fraction:.0%} labelled {mean:.2f} of {other}'s, below it in {int(np.sum(ratios < 1))} of "
                f"{len(ratios)} groups"
            )
    low, high = min(found["truth"].values()), max(found["truth"].values())
    return Claim(
        "The same whichever group is to be found (the paper does not say which it took).",
        f"Squared error of F1 by Bernoulli sampling, geometric mean over all groups (F1 from {low:.2f} to "
        f"{high:.2f}), {found['runs']:,} repetitions each: {'; '.join(words)}.",
        verdict(always, True),
    )


def undulations(results: dict[str, Any]) -> Claim:
    fine = results["fine"]
    steps, se = np.diff(numbers(fine["log"])), numbers(fine["log_se"])
    rises, beyond = int(np.sum(steps > 0)), int(np.sum(steps > 3.5 * np.hypot(se[1:], se[:-1])))
    falls = bool(np.all(np.diff(numbers(fine["linearised"])) <= 0))
    word = "falls at every step" if falls else "does not fall at every step"
    return Claim(
        "The error curves undulate: a discretisation artefact of naive Bayes.",
        f"With a size at every per cent and {fine['runs']:,} repetitions the mean log error of F1 rises in {rises} of "
        f"{len(steps)} steps, in {beyond} of them by more than 3.5 standard errors (chance alone exceeds that once in "
        f"forty such curves). The leading variance with all labels known {word}, as it must: no b falls when the "
        "budget grows. What naive Bayes does leave is a sudden fall when many items with equal deviations become "
        "certain together (precision, specificity).",
        verdict(beyond > 2, beyond > 0),
    )


def twenty(results: dict[str, Any]) -> Claim:
    curves = results["twenty"]["curves"]
    parts = []
    for metric in ("accuracy", "f1_macro_harmonic"):
        flat = {s: {metric: curves[s][metric], "fraction": curves[s][metric]["fraction"]} for s in curves}
        for other in ("importance", "uniform"):
            ratios = [said(mse_ratio(flat, metric, "poisson", other, x)) for x in (0.02, 0.1, 0.5)]
            parts.append(f"{NAMES[metric]} over {other}'s {listed(ratios)}")
    lower = all(
        _mean_log(curves["poisson"], m) < _mean_log(curves[s], m)
        for m in ("accuracy", "f1_macro_harmonic")
        for s in ("importance", "uniform")
    )
    return Claim(
        "The same for all twenty classes at once (the paper gives no numbers).",
        f"Squared error of Bernoulli sampling at 2, 10, 50% labelled: {'; '.join(parts)}.",
        verdict(lower, True),
    )
