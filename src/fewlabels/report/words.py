"""The sentences of a report, shared by the page, Markdown and plain text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PAPER = (
    "Emine Yilmaz, Peter Hayes, Raza Habib, Jordan Burgess and David Barber (2021). Sample Efficient Model Evaluation. "
    "arXiv:2109.12043."
)
SAMPLERS = {
    "priority": "priority sampling (exactly the budget; each item's chance follows what it can teach)",
    "stratified": (
        "stratified sampling (exactly the budget, evenly over the scores; each item's chance follows what it can teach)"
    ),
    "poisson": "Poisson sampling (each item drawn on its own, with a chance that follows what it can teach)",
    "uniform": "simple random sampling",
    "importance": "importance sampling with replacement",
}
CAPTIONS = {
    "intervals": "Each metric of the whole pool, with its interval.",
    "narrowing": "How the answer narrowed as labels came in. The dashed line is where it stands now.",
    "confusion": "The whole pool by truth and decision, with intervals; shading is the share of its row.",
    "calibration": (
        "What the model said against what people said, weighted to the whole pool. On the dashed line the model's "
        "probabilities are right; the larger the dot, the more labels behind it. Bars: 95%, Wilson, to guide the eye."
    ),
    "weights": (
        "Which items were chosen, and why: an item's chance follows how much its label could move the metric. Dots are "
        "drawn items, the area is the pool's mean chance, and below is how many items have each score."
    ),
}
TITLES = {
    "intervals": "Estimates",
    "narrowing": "How they narrowed",
    "confusion": "Confusion table",
    "calibration": "Calibration",
    "weights": "Which items were chosen",
}


def headline(found: Mapping[str, Any]) -> str:
    """The answer in one line."""
    first = found["estimates"][0]
    return f"{first['metric']} = {first['value']:.3f}, {first['low']:.3f} to {first['high']:.3f}"


def lead(found: Mapping[str, Any]) -> str:
    """The sentence under the headline."""
    return (
        f"{found['level'] * 100:g}% interval, from {found['labelled']:,} labels of a pool of {found['size']:,} items "
        f"({found['labelled'] / found['size']:.1%})."
    )


def labelled(found: Mapping[str, Any]) -> str:
    """How far labelling is."""
    parts = [f"{found['labelled']:,} of {found['drawn']:,} drawn items labelled", f"pool of {found['size']:,}"]
    parts += [f"{found[name]:,} {name}" for name in ("skipped", "disputed") if found.get(name)]
    return ", ".join(parts) + "."


def columns(found: Mapping[str, Any]) -> list[str]:
    """The head of the table of estimates."""
    return ["metric", "value", f"{found['level'] * 100:g}% interval", "std. error", "labels", _more(found)]


def _more(found: Mapping[str, Any]) -> str:
    return f"more for ±{found['half_width']:g}"


def rows(found: Mapping[str, Any]) -> list[list[str]]:
    """The table of estimates, as text."""
    return [
        [
            row["metric"],
            f"{row['value']:.4f}",
            f"{row['low']:.4f} to {row['high']:.4f}",
            f"{row['stderr']:.4f}",
            f"{row['labels']:,}",
            "unknown" if row["more"] is None else "enough" if row["more"] == 0 else f"{row['more']:,}",
        ]
        for row in found["estimates"]
    ]


def by_class(found: Mapping[str, Any]) -> list[list[str]]:
    """The table of classes, as text."""
    return [[row["class"], *(_span(row[name]) for name in ("precision", "recall", "f1"))] for row in found["by_class"]]


def _span(row: Mapping[str, float]) -> str:
    return f"{row['value']:.3f} ({row['low']:.3f} to {row['high']:.3f})"


def made(found: Mapping[str, Any]) -> list[tuple[str, str]]:
    """How the numbers were made: a table of facts."""
    rounds = "; ".join(
        f"{one['kind']} to {one['budget']:g} ({one['new']} new, {one['at'][:16].replace('T', ' ')} UTC)"
        for one in found["rounds"]
    )
    guess = found["prediction"]
    return [
        ("pool", f"{found['size']:,} items, {found['task']}, fingerprint {found['fingerprint'][:16]}"),
        ("drawn for", ", ".join(found["metrics"])),
        ("by", f"{SAMPLERS[found['sampler']]}, seed {found['seed']}"),
        ("rounds", rounds),
        (
            "expected before any label",
            f"{guess['metric']} = {guess['value']:.3f} with standard error {guess['stderr']:.3f}",
        ),
        ("labels", f"{found['labelled']:,} of {found['drawn']:,} drawn items; {_people(found)}"),
        ("estimator", found["estimates"][0]["method"]),
        ("versions", ", ".join(f"{name} {version}" for name, version in found["versions"].items())),
    ]


def _people(found: Mapping[str, Any]) -> str:
    parts = [f"by {', '.join(found['labellers'])}"]
    parts += [f"{found[name]} {name}" for name in ("skipped", "disputed") if found[name]]
    return "; ".join(parts)


def cite(found: Mapping[str, Any]) -> list[str]:
    """How to cite the numbers."""
    return [
        f"fewlabels {found['versions']['fewlabels']}, study {found['fingerprint'][:16]}, seed {found['seed']}.",
        PAPER,
    ]


def notes(found: Mapping[str, Any]) -> list[str]:
    """Everything a reader must know beside the numbers."""
    said = [*found["notes"], *(note for row in found["estimates"] for note in row["notes"]), *found["warnings"]]
    return list(dict.fromkeys(said))
