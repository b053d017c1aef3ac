"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from fewlabels.engines.scores import Columns

F = TypeVar("F", bound=Callable[..., Any])
STUDY = click.Path(path_type=Path, dir_okay=False)
SAMPLERS = ("stratified", "priority", "poisson", "uniform", "importance")


def listed(_: click.Context, __: click.Parameter, value: str | None) -> list[str] | None:
    if value is None:
        return None
    found = [part.strip() for part in value.split(",") if part.strip()]
    if not found:
        raise click.BadParameter("give at least one name.")
    return found


def _metric_names(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Completion: the metrics that every binary pool has, after what is already typed."""
    before, comma, last = typed.rpartition(",")
    names = ["f1", "precision", "recall", "accuracy", "specificity", "balanced_accuracy", "f1_micro", "f1_macro"]
    return [before + comma + name for name in names if name.startswith(last)]


def metric_option(default: str | None) -> Callable[[F], F]:
    return click.option(
        "--metric",
        "metrics",
        default=default,
        show_default=True if default else "those the study was drawn for",
        callback=listed,
        shell_complete=_metric_names,
        help="One metric or several, with commas between.",
    )


def level_option(default: float | None) -> Callable[[F], F]:
    shown = True if default else "the study's"
    return click.option("--level", type=float, default=default, show_default=shown, help="Confidence level.")


def columns_options(function: F) -> F:
    """The options that say what the columns of a table mean."""
    for option in reversed(
        (
            click.option("--prob", callback=listed, help="Column(s) of probabilities: score, or 'prob_*'. [guessed]"),
            click.option("--id", "ids", help="Column of ids. [guessed; else row numbers]"),
            click.option("--decision", help="Column of the model's decisions. [guessed; else by threshold]"),
            click.option("--threshold", type=float, help="Positive above this probability. [0.5]"),
            click.option("--task", type=click.Choice(["binary", "multiclass", "multilabel"]), help="[guessed]"),
            click.option("--classes", callback=listed, help="Names of the classes; binary: negative,positive."),
            click.option("--show", callback=listed, help="Columns a labeller gets to see. [text, title, image, ...]"),
        )
    ):
        function = option(function)
    return function


def columns(options: dict[str, Any]) -> Columns:
    from fewlabels.engines.scores import Columns

    def several(name: str) -> tuple[str, ...] | None:
        return tuple(options[name]) if options[name] is not None else None

    return Columns(
        several("prob"),
        options["ids"],
        options["decision"],
        several("show"),
        options["task"],
        options["threshold"],
        several("classes"),
    )


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
width_option = click.option("--half-width", type=float, default=None, help="Half-width you want, such as 0.03.")
sampler_option = click.option(
    "--sampler", type=click.Choice(SAMPLERS), default="stratified", show_default=True, help="How to draw."
)
votes_option = click.option(
    "--votes",
    type=click.Choice(["shares", "majority"]),
    default="shares",
    show_default=True,
    help="How contradicting labels count: as shares, or by majority.",
)
