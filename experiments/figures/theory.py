"""Figures of the theory checks: one column a pool."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from experiments import style
from experiments.figures.common import numbers, share_axis

TITLES = {"mnist8": "MNIST, F1", "newsgroups_binary": "20 Newsgroups, F1", "toxic6": "Toxic comments, micro F1"}
BOUND = {"color": style.INK, "linewidth": 1.1}


def draw(results: dict[str, Any], folder: Path) -> None:
    """Gain over importance sampling, label counts, predicted errors, bias, trust."""
    pools = results["pools"]
    _columns(
        pools, folder, "theory_gain", _gain, "Squared error: Bernoulli / importance",
        "At equal distinct labels the gain over importance sampling can be smaller than the paper's bound",
        "Band: two standard errors. Vertical line: the first item is certain. The printed bound puts M_BS = M_IS, "
        "which is false to first order.",
    )  # fmt: skip
    _columns(
        pools, folder, "theory_prediction", _prediction, "Squared error of Bernoulli sampling",
        "Predicted before any label, predicted with all labels, estimated and measured",
        "What the belief predicts before any label is off by the paper's pull towards an even chance; the rest agrees.",
    )  # fmt: skip
    _columns(
        pools, folder, "theory_labels", _labels, "Draws with replacement / pool size",
        "Draws that importance sampling needs to touch as many distinct items: predicted and measured",
        "Line: M_BS = N - sum (1 - q)^M_IS; dots: mean distinct items that were drawn.",
    )  # fmt: skip
    _columns(
        pools, folder, "theory_bias", _bias, "Bias of Bernoulli sampling",
        "The bias as printed in the paper is not the bias that is measured",
        "Bars: two standard errors of the measured bias.",
    )  # fmt: skip
    _columns(
        pools, folder, "theory_trust", _trust, "Root mean squared error / that at λ = 0.9",
        "How much trust in the model pays depends on the model",
        "λ = 1 takes the model at its word; naive Bayes is sure of itself and wrong, the network is not.",
    )  # fmt: skip


def _columns(
    pools: dict[str, Any], folder: Path, name: str, panel: Callable[[Axes, dict[str, Any]], None], ylabel: str,
    title: str, note: str,
) -> None:  # fmt: skip
    with style.page(folder, name, 1, len(pools), (11, 4.1)) as (figure, axes):
        for ax, (pool, found) in zip(axes[0], pools.items(), strict=True):
            panel(ax, found)
            ax.set_title(TITLES[pool])
        axes[0][0].set_ylabel(ylabel)
        axes[0][0].legend(fontsize=8.2, handlelength=3.2)
        style.heading(figure, title, note)


def _x(found: dict[str, Any]) -> np.ndarray:
    return numbers(found["labels"]) / found["size"]


def _gain(ax: Axes, found: dict[str, Any]) -> None:
    x = _x(found)
    measured = numbers(found["measured"]["poisson"]) / numbers(found["measured"]["importance"])
    expected = numbers(found["expected"]["poisson"]) / numbers(found["expected"]["importance"])
    spread = 2 * measured * np.hypot(*(_relative(found, sampler) for sampler in ("poisson", "importance")))
    style.curve(ax, "poisson", x, measured, (measured - spread, measured + spread), label="measured")
    style.curve(ax, "importance", x, expected, label="predicted")
    ax.plot(x, numbers(found["bounds"]["exact"]), linestyle=(0, (1, 1)), label="bound, M_IS (1/M_BS - 1/N)", **BOUND)
    printed = np.maximum(numbers(found["bounds"]["printed"]), 0)
    ax.plot(x, printed, linestyle=(0, (5, 3)), label="bound as printed, 1 - M_IS/N", **BOUND)
    ax.axvline(found["saturation"]["share"], color=style.PALE, linewidth=0.9)
    ax.set_ylim(0, 1.25)
    share_axis(ax)


def _relative(found: dict[str, Any], sampler: str) -> np.ndarray:
    """The relative standard error of a measured mean squared error."""
    return numbers(found["measured_se"][sampler]) / np.maximum(numbers(found["measured"][sampler]), 1e-300)


def _prediction(ax: Axes, found: dict[str, Any]) -> None:
    x = _x(found)
    style.curve(ax, "uniform", x, numbers(found["expected"]["poisson"]), label="predicted before any label")
    style.curve(ax, "importance", x, numbers(found["linearised"]["poisson"]), label="predicted with all labels")
    style.curve(ax, "ours", x, numbers(found["estimated"]["poisson"]), label="estimated from the sample, mean")
    style.curve(ax, "poisson", x, numbers(found["measured"]["poisson"]), label="measured")
    ax.set_yscale("log")
    share_axis(ax)


def _labels(ax: Axes, found: dict[str, Any]) -> None:
    x = _x(found)
    draws = numbers(found["draws"]) / found["size"]
    ax.plot(x, draws, color=style.INK, linewidth=1.1, label="predicted")
    look = style.LOOKS["importance"]
    seen = numbers(found["distinct"]["importance"]) / found["size"]
    ax.plot(seen, draws, look.marker, color=look.colour, markerfacecolor="white", markersize=6, label="measured")
    ax.plot(x, x, color=style.PALE, linestyle=(0, (1, 1)), label="no item drawn twice")
    ax.set_yscale("log")
    share_axis(ax)


def _bias(ax: Axes, found: dict[str, Any]) -> None:
    x, bias = _x(found), found["bias"]
    shown = (x >= 0.02) & (x <= 0.6)
    ax.axhline(0, color=style.PALE, linewidth=0.9)
    style.curve(ax, "importance", x[shown], numbers(bias["printed"])[shown], label="as printed")
    style.curve(ax, "ours", x[shown], numbers(bias["right"])[shown], label="second derivative")
    half = 2 * numbers(bias["se"])[shown]
    look = style.LOOKS["poisson"]
    ax.errorbar(x[shown], numbers(bias["measured"])[shown], half, color=look.colour, marker=look.marker,
                linestyle="none", markerfacecolor="white", capsize=2, label="measured")  # fmt: skip
    share_axis(ax)


def _trust(ax: Axes, found: dict[str, Any]) -> None:
    values = sorted(found["trust"]["rmse"], key=float)
    looks = ("specificity", "recall", "precision", "f1")
    for place, (fraction, look) in enumerate(zip(found["trust"]["at"], looks, strict=True)):
        y = numbers([found["trust"]["rmse"][value][place] for value in values])
        style.curve(ax, look, np.arange(len(values)), y / y[values.index("0.9")], label=f"{fraction:.0%} labelled")
    ax.axhline(1, **BOUND, linestyle=(0, (5, 3)))
    ax.set_xticks(range(len(values)), values)
    ax.set_xlabel("Trust λ in the model's probabilities")
    ax.set_yscale("log")
    ticks = (0.2, 0.5, 1, 2)
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
