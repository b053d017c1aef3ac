"""The paper's claims on the toxic comments."""

from __future__ import annotations

from typing import Any

from experiments.claims import Claim, listed, mse_ratio, place, said, verdict
from experiments.figures.common import NAMES
from experiments.figures.toxic import leads


def claims(results: dict[str, Any]) -> list[Claim]:
    """All of them."""
    return [early(results), own_design(results)]


def early(results: dict[str, Any]) -> Claim:
    curves = results["curves"]
    ratios = [mse_ratio(curves, "f1_micro", "poisson", "importance", x) for x in (0.02, 0.05, 0.1, 0.2, 0.5)]
    uniform = [said(mse_ratio(curves, "f1_micro", "poisson", "uniform", x)) for x in (0.05, 0.1, 0.2)]
    return Claim(
        "Bernoulli sampling starts to outperform importance sampling significantly for small fractions labelled.",
        "Squared error of micro F1 over importance sampling's at 2, 5, 10, 20, 50% labelled: "
        f"{listed([said(r) for r in ratios])}; over uniform's at 5, 10, 20%: {listed(uniform)}. It leads for good "
        f"from {leads(results):.1%} labelled on; the first item is certain at {results['starts']['f1_micro']:.1%}.",
        verdict(ratios[2][0] + 2 * ratios[2][1] < 1, ratios[3][0] + 2 * ratios[3][1] < 1),
    )


def own_design(results: dict[str, Any]) -> Claim:
    curves = results["drawn_for"]
    words, wins = [], []
    names = {"f1_micro": "for micro", "f1_macro_harmonic": "for macro, exact", "printed": "for macro, as printed"}
    for metric in ("f1_micro", "f1_macro_harmonic"):
        rows = []
        for x in (0.05, 0.1, 0.2):
            found = {name: curves[name][metric]["abs"][place(curves[name], x)] for name in names}
            own = "f1_micro" if metric == "f1_micro" else "printed"
            other = "printed" if own == "f1_micro" else "f1_micro"
            wins.append(found[own] < found[other])
            rows.append(f"{x:.0%}: " + ", ".join(f"{found[name]:.4f} {words_}" for name, words_ in names.items()))
        words.append(f"{NAMES[metric]} at {'; '.join(rows)}")
    return Claim(
        "Micro and macro F1 are each estimated from samples drawn for micro and for macro F1 (figure; by the cross "
        "results the metric's own sample should be best).",
        f"Mean absolute error of {'. '.join(words)}. The paper's macro deviation leaves out products of different "
        "labels, though one draw decides over all labels of an item.",
        verdict(all(wins), any(wins)),
    )
