"""Simulated pools: scores with a known law of the labels, one law for each way in which a model can be wrong.

True logits are normal, moved until the mean chance is the wanted prevalence; the scores see them straight, stretched
(without end, so that only yes or no is left), moved, or not at all; labels are drawn anew in each repetition.

>>> calibrated = make("calibrated", 2000)
>>> round(float(calibrated.chance.mean()), 3), bool((calibrated.chance == calibrated.prob).all())
(0.02, True)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

Floats = NDArray[np.float64]

SEED = 20210315  # of the scores; labels have the seed of the repetition


@dataclass(frozen=True)
class Law:
    """How labels and scores come about.

    ``stretch`` and ``move`` turn true logits into those of the scores; ``hidden`` is the part of all positives that
    may have any score; ``flipped`` the part of labels that say the opposite; ``blind`` scores know nothing.
    """

    title: str
    prevalence: float
    spread: float = 4.0
    stretch: float = 1.0
    move: float = 0.0
    hidden: float = 0.0
    flipped: float = 0.0
    blind: bool = False


LAWS = {
    "calibrated": Law("calibrated, 2% positives", 0.02),
    "over": Law("over-confident", 0.05, stretch=2.0),
    "under": Law("under-confident", 0.05, stretch=0.5),
    "hidden": Law("5% of positives hidden", 0.02, hidden=0.05),
    "flipped": Law("1% of labels flipped", 0.05, flipped=0.01),
    "near_one": Law("F1 near 1", 0.2, spread=60.0),
    "near_zero": Law("F1 near 0", 0.005, spread=2.0, move=4.0),
    "shifted": Law("shifted, far too many yes", 0.05, move=3.0),
    "noise": Law("scores are pure noise", 0.05, blind=True),
    "yes_no": Law("only yes or no", 0.05, stretch=math.inf),
}


@dataclass(frozen=True)
class Simulated:
    """Scores, and the chance of each item to be positive."""

    prob: Floats
    chance: Floats


def make(name: str, size: int) -> Simulated:
    """The pool of that law and size; always the same one."""
    law = LAWS[name]
    rng = np.random.default_rng([SEED, size])
    z = law.spread * rng.standard_normal(size)
    z += float(brentq(lambda shift: float(expit(z + shift).mean()) - law.prevalence, -200.0, 200.0))
    chance = np.asarray(expit(rng.permutation(z) if law.blind else z))
    chance = chance + (1.0 - chance) * law.hidden * law.prevalence
    chance = (1.0 - law.flipped) * chance + law.flipped * (1.0 - chance)
    return Simulated(np.asarray(expit(law.stretch * z + law.move)), chance)
