"""Figures of the MNIST experiment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from experiments import style

from .common import NAMES, SAMPLERS, abs_error, blank, fraction_axis, log_error, numbers, share_axis

METRICS = ("accuracy", "f1", "precision", "recall", "specificity")
LOOKS = {sampler: sampler for sampler in SAMPLERS}


def draw(results: dict[str, Any], folder: Path) -> None:
    """All MNIST figures."""
    single(results, folder)
    errors(results, folder)
    logs(results, folder)
    coverage(results, folder)
    weights(results, folder)


def single(results: dict[str, Any], folder: Path) -> None:
    """One growing sample: estimates with 90% limits; rows metrics, columns samplers."""
    with style.page(folder, "mnist_single_run", 5, 3, (10.5, 11.5), sharex=True, sharey="row") as (figure, axes):
        for row, metric in enumerate(METRICS):
            truth = results["about"]["truth"][metric]
            for column, sampler in enumerate(SAMPLERS):
                ax, look = axes[row][column], style.LOOKS[sampler]
                run = results["single"][sampler]
                x, part = (
                    numbers(run["fraction"]),
                    {name: numbers(run[metric][name]) for name in ("value", "low", "high")},
                )
                ax.fill_between(x, part["low"], part["high"], color=look.colour, alpha=0.22, linewidth=0)
                ax.plot(x, part["value"], color=look.colour, linewidth=1.5, marker=look.marker, markersize=2.6)
                ax.axhline(truth, color=style.INK, linewidth=0.9, linestyle=(0, (4, 3)))
                if row == 0:
                    ax.set_title(look.name)
                if column == 0:
                    ax.set_ylabel(NAMES[metric])
                fraction_axis(ax, row == 4 and column == 1)
            _focus(axes[row][0], results, metric, truth)
        style.heading(
            figure, "One sample that grows: only Bernoulli sampling closes in on the truth (dashed)",
            "Estimates and 90% Beta limits of one repetition; samples drawn for F1.",
        )  # fmt: skip


def _focus(ax: Any, results: dict[str, Any], metric: str, truth: float) -> None:
    """The first few labels reach far out: the axis shows what happens from about 4% on."""
    seen = []
    for sampler in SAMPLERS:
        run = results["single"][sampler]
        later = numbers(run["fraction"]) > 0.04
        seen += [*numbers(run[metric]["low"])[later], *numbers(run[metric]["high"])[later], truth]
    low, high = np.nanmin(seen), np.nanmax(seen)
    ax.set_ylim(low - 0.08 * (high - low), high + 0.08 * (high - low))


def errors(results: dict[str, Any], folder: Path) -> None:
    """Mean absolute error with half a standard deviation."""
    with style.page(folder, "mnist_abs_error", 2, 3, (11, 6.2)) as (figure, axes):
        places = [ax for row in axes for ax in row]
        for ax, metric in zip(places, METRICS, strict=False):
            abs_error(ax, results["curves"], metric, LOOKS, 0.5)
            start = np.array(results["curves"]["uniform"]["fraction"]) >= 0.02
            ax.set_ylim(0, 1.6 * numbers(results["curves"]["uniform"][metric]["abs"])[start][0])
        axes[0][0].set_ylabel("Mean |estimate - truth|")
        axes[1][0].set_ylabel("Mean |estimate - truth|")
        blank(places[-1], places[0])
        style.heading(
            figure, "MNIST: Bernoulli sampling reaches zero error, drawing with replacement never does",
            f"{results['about']['runs']:,} repetitions, samples drawn for F1; bands: half a standard deviation.",
        )  # fmt: skip


def logs(results: dict[str, Any], folder: Path) -> None:
    """Mean log squared error."""
    with style.page(folder, "mnist_log_error", 2, 3, (11, 6.2)) as (figure, axes):
        places = [ax for row in axes for ax in row]
        for ax, metric in zip(places, METRICS, strict=False):
            log_error(ax, results["curves"], metric, LOOKS)
        axes[0][0].set_ylabel("Mean log (estimate - truth)²")
        axes[1][0].set_ylabel("Mean log (estimate - truth)²")
        blank(places[-1], places[0])
        style.heading(
            figure, "MNIST: the gap to Bernoulli sampling widens with every label",
            f"{results['about']['runs']:,} repetitions, samples drawn for F1; bands: half a standard deviation; "
            "squared errors below 1e-12 count as 1e-12.",
        )  # fmt: skip


def coverage(results: dict[str, Any], folder: Path) -> None:
    """How often the 90% limits hold the truth."""
    with style.page(folder, "mnist_coverage", 1, 3, (11, 3.9), sharey=True) as (figure, axes):
        for ax, sampler in zip(axes[0], SAMPLERS, strict=True):
            curve = results["curves"][sampler]
            for metric in METRICS:
                style.curve(ax, metric, numbers(curve["fraction"]), numbers(curve[metric]["coverage"]))
            ax.axhline(0.9, color=style.INK, linewidth=0.9, linestyle=(0, (4, 3)))
            ax.set_title(style.LOOKS[sampler].name)
            ax.set_ylim(0, 1.02)
            style.percent(ax.yaxis)
            share_axis(ax, sampler == "importance")
        axes[0][0].set_ylabel("Truth within the 90% limits")
        style.legend(figure, axes[0][0], 5)
        style.heading(
            figure, "MNIST: the Beta limits hold 90% in the middle, and far less with few labels",
        )  # fmt: skip


def weights(results: dict[str, Any], folder: Path) -> None:
    """Share of certain items, sorted b, sorted pi."""
    shades = ["#8f8f8f", "#7d9fb8", "#5b93ba", "#3a80af", "#165c8a", "#062c45"]
    dashes: list[Any] = [(0, (1, 1)), (0, (2, 1)), (0, (4, 1)), (0, (6, 1.5, 1, 1.5)), (0, (9, 1.5)), "-"]
    with style.page(folder, "mnist_weights", 1, 3, (11, 3.9)) as (figure, axes):
        left, middle, right = axes[0]
        certain = results["certain"]
        left.plot(certain["fraction"], certain["share"], color=style.LOOKS["poisson"].colour)
        left.axvline(certain["starts"], color=style.INK, linewidth=0.9, linestyle=(0, (4, 3)))
        left.annotate(f"starts at {certain['starts']:.0%}", (certain["starts"], 0.93), xytext=(-4, 0),
                      textcoords="offset points", ha="right", fontsize=8.5)  # fmt: skip
        left.set_title("Items chosen with certainty")
        left.set_ylabel("Share of the pool with b = 1")
        style.percent(left.yaxis)
        left.set_ylim(0, 1)
        fraction_axis(left)
        left.set_xlabel("Labelled, share of the pool")
        for ax, kind, title in (
            (middle, "poisson", "Bernoulli: b, largest first"),
            (right, "importance", "Importance: π, largest first"),
        ):
            for (fraction, values), shade, dash in zip(results["weights"][kind].items(), shades, dashes, strict=True):
                ax.plot(results["weights"]["rank"], values, color=shade, linestyle=dash)
                ax.text(1.015, values[-1], f"{float(fraction):.0%}", va="center", fontsize=8.5, color=shade)
            ax.set_title(title)
            ax.set_ylim(0, 1.02)
            ax.set_xlim(0, 1)
            style.percent(ax.xaxis)
            ax.set_xlabel("Item, by rank")
        middle.set_ylabel("Chance to be labelled")
        style.heading(
            figure, "MNIST: what matters most is labelled for certain, unless one draws with replacement",
            "Lines of the two right panels: share of the pool that is labelled. Inclusion probabilities for F1.",
        )  # fmt: skip
