"""The Markdown page of results: written from the JSON of numbers, nothing by hand."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from PIL import Image

from . import marks, tables
from .claims import Claim, listed
from .figures.common import NAMES

TITLES = {
    "mnist": 'MNIST, "is it an 8"',
    "newsgroups": "20 Newsgroups",
    "toxic": "Toxic comments",
    "cross": "Cross results: drawn for one metric, used for another",
    "theory": "Theory",
    "ours": "Beyond the paper: the defaults of fewlabels",
}
FIGURES = {
    "mnist": {
        "mnist_abs_error": "Mean absolute error against the share of the pool labelled.",
        "mnist_log_error": "Mean log squared error.",
        "mnist_coverage": "Coverage of the 90% limits.",
        "mnist_weights": "Items chosen with certainty, and inclusion probabilities in order.",
        "mnist_single_run": "A single run with its 90% limits.",
    },
    "newsgroups": {
        "newsgroups_log_error": "One group against the rest.",
        "newsgroups20_log_error": "All twenty classes.",
    },
    "toxic": {
        "toxic_micro_f1": "Micro F1 by three samplers.",
        "toxic_micro_macro": "Samples drawn for micro and for macro F1.",
    },
    "cross": {
        "cross_matrix": "Each design on each metric.",
        "cross_poisson": "Bernoulli sampling.",
        "cross_importance": "Importance sampling.",
    },
    "theory": {
        "theory_gain": "Bernoulli over importance sampling, and the paper's bound.",
        "theory_prediction": "Predicted, estimated and measured error.",
        "theory_labels": "Draws and distinct items.",
        "theory_bias": "Bias.",
        "theory_trust": "Trust in the model.",
    },
    "ours": {
        "error_vs_labels": "Error against labels.",
        "labels_saved": "Labels for the same error.",
        "error_vs_labels_more": "Error against labels on other pools.",
        "ours_coverage": "Coverage of 90% intervals.",
    },
}  # fmt: skip


def write(numbers: dict[str, Any], out: Path) -> None:
    """``results.md`` beside the JSON, with the figures of ``figures/``."""
    (out / "results.md").write_text(text(numbers))


def publish(numbers: dict[str, Any], out: Path, docs: Path) -> None:
    """The page, its numbers and its PNG figures into the documentation; experiments that were not run stay there."""
    (docs / "figures").mkdir(parents=True, exist_ok=True)
    for name in numbers:
        for figure in FIGURES[name]:
            picture = out / "figures" / f"{figure}.png"
            if picture.is_file():
                small(picture, docs / "figures" / picture.name)
    published = docs / "results.json"
    known = (json.loads(published.read_text()) if published.is_file() else {}) | numbers
    known = {name: known[name] for name in FIGURES if name in known}
    published.write_text(json.dumps(known, separators=(",", ":")) + "\n")
    page = docs / "results.md"
    kept = marks.parts(page.read_text()) if page.is_file() else {}  # the contest writes its own part
    page.write_text(marks.filled(text(known), kept))


def small(picture: Path, target: Path) -> None:
    """A copy in 128 colours: a third of the size, no difference to the eye."""
    with Image.open(picture) as image:
        few = image.convert("RGB").quantize(128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.save(target, optimize=True)


def text(numbers: dict[str, Any]) -> str:
    """The whole page."""
    parts = [
        "# Results\n\nWritten by `python -m experiments` from the numbers that it measured (`results.json`, beside "
        "this page); `make reproduce` measures them again, `python -m experiments all --runs 50` is a quick look. The "
        "paper is Yilmaz, Hayes, Habib, Burgess and Barber, *Sample Efficient Model Evaluation*. Samples are drawn\n"
        'and metrics computed by `fewlabels` with `like="paper"`; labels are DISTINCT labelled items, so sampling with '
        "replacement gets as many draws as it needs to touch that many. ± is one standard error of the simulation. A "
        "metric that is 0/0 in a sample counts as 0, as in scikit-learn.\n\nIntervals over a larger grid: "
        "[coverage](coverage.md).\n"
    ]  # fmt: skip
    parts.append(f"## The contest: other tools on the same pools\n\n{marks.mark('contest')}\n")
    parts.append(overview(numbers))
    for name in numbers:
        parts.append(section(name, numbers[name]))
    return "\n".join(parts)


def claims(numbers: dict[str, Any]) -> dict[str, list[Claim]]:
    """The claims of each experiment that was run; ``ours`` makes none of the paper's."""
    return {n: import_module(f".claims.{n}", __package__).claims(found) for n, found in numbers.items() if n != "ours"}


def overview(numbers: dict[str, Any]) -> str:
    """All claims and verdicts at a glance."""
    rows = [f"| {claim.says} | **{claim.verdict}** |" for made in claims(numbers).values() for claim in made]
    return "\n".join(["## At a glance\n", "| The paper says | On our measurement it |", "|---|---|", *rows, ""])


def section(name: str, found: dict[str, Any]) -> str:
    """One experiment: how it was made, claim by claim, figures."""
    lines = [f"## {TITLES[name]}\n", *(f"{line}\n" for line in made(name, found))]
    if name == "ours":
        lines += [tables.needed(found), tables.halves(found)]
    else:
        for claim in import_module(f".claims.{name}", __package__).claims(found):
            lines += [
                f"**The paper:** {claim.says}\n",
                f"**Measured:** {claim.measured}\n",
                f"**So it {claim.verdict}.**\n",
            ]
    for figure, caption in FIGURES[name].items():
        if name != "ours" or figure != "error_vs_labels_more" or len(found["pools"]) > 3:
            lines.append(f"![{caption}](figures/{figure}.png)\n")
    return "\n".join(lines)


def made(name: str, found: dict[str, Any]) -> list[str]:
    """How the pool was made, and the metrics with everything labelled."""
    if name == "theory":
        return ["The same pools and samplers, drawn for the metric that each title names."]
    if name == "ours":
        absent = f" Not here, so left out: {listed(found['absent'])}." if found["absent"] else ""
        return [
            "`fl.design(pool, metric, budget)` and `fl.estimate(sample, labels, metric)` with nothing else said, "
            f"beside the paper's samplers; {found['runs']:,} repetitions, seed {found['seed']}. The error to be "
            "reached is the one that the paper's Bernoulli sampler has with the labels in the column of that "
            f"name.{absent}"
        ]
    lines = [_about(found["about"])]
    return [*lines, _about(found["twenty"]["about"])] if "twenty" in found else lines


def _about(about: dict[str, Any]) -> str:
    truth = listed([f"{NAMES[metric]} {value:.4f}" for metric, value in about["truth"].items()])
    return f"{about['note']} With everything labelled: {truth}. {about['runs']:,} repetitions, seed {about['seed']}."
