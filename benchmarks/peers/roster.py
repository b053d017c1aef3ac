"""Everybody who takes part, with the settings that their own documents recommend and what had to be added."""

from __future__ import annotations

from . import ours, packages, written
from .protocol import Peer

RATIO = "F1, precision and recall as a ratio of two of its means, with the linearised residual for the interval"
CORRECT = "accuracy as the precision of the claim that a decision is right"

PEERS = (
    Peer(
        "fewlabels",
        "fewlabels, defaults",
        ours.defaults,
        "`fl.design(pool, metric, budget)`, `fl.estimate(sample, labels, metric)`",
        "this project",
        distribution="fewlabels",
    ),
    Peer(
        "fewlabels_poisson",
        "fewlabels, Poisson",
        ours.poisson,
        '`sampler="poisson"`: each item on its own, as many as it comes to; else the defaults',
        "this project",
        distribution="fewlabels",
    ),
    Peer(
        "fewlabels_rounds",
        "fewlabels, in rounds",
        ours.rounds,
        "`fl.Adaptive(pool, metric)` with 20, 20, 30 and 30% of the budget: like OASIS, labels steer it",
        "this project",
        distribution="fewlabels",
    ),
    Peer(
        "fewlabels_no_floor",
        "fewlabels, no floor",
        ours.no_floor,
        "`floor=0`: no label goes to items that cannot move the metric, so the sample serves no other; only precision "
        "has such items",
        "this project",
        metrics=("precision",),
        distribution="fewlabels",
    ),
    Peer(
        "paper_poisson",
        "paper, Poisson",
        ours.paper_poisson,
        '`like="paper"`: trust 0.9 towards 1/2, ratio estimator, Beta interval',
        "Yilmaz, Hayes, Habib, Burgess, Barber 2021",
        distribution="fewlabels",
    ),
    Peer(
        "paper_importance",
        "paper, importance",
        ours.paper_importance,
        '`sampler="importance", like="paper"`, as many draws as are expected to touch the budget of distinct items',
        "the same; Sawade et al. 2010 for the idea",
        distribution="fewlabels",
    ),
    Peer(
        "uniform",
        "uniform",
        ours.uniform,
        '`sampler="uniform", like="paper"`: with replacement, Beta interval, draws for the budget of distinct items',
        "the paper's baseline",
        distribution="fewlabels",
    ),
    Peer(
        "druck",
        "Druck, stratified",
        written.stratified,
        "strata by cumulative root frequency within each decision, min(30, labels/10) of them; Neyman allocation by "
        "the model's expectations, two labels a stratum at least",
        "Druck and McCallum 2011; `experiments/baselines/druck.py`",
        "only its abstract was at hand: the rule for strata, the allocation and the variance are ours (see the file)",
    ),
    Peer(
        "lure",
        "LURE",
        written.kossen,
        "acquisition by expected loss (accuracy) or expected residual (others), no item below a tenth of uniform",
        "Kossen et al. 2021; `experiments/baselines/lure.py`; clip from the authors' repository",
        RATIO,
    ),
    Peer(
        "oasis",
        "oasis, OASIS",
        packages.oasis_adaptive,
        "package defaults (epsilon 1e-3, decaying prior, automatic strata), `proba=True` because scores are "
        "probabilities, one run to the largest budget",
        "https://github.com/ngmarchant/oasis (README, tutorial notebook)",
        f"{CORRECT}; it has no intervals",
        distribution="oasis",
        metrics=("f1", "accuracy", "recall"),
    ),
    Peer(
        "oasis_druck",
        "oasis, DruckSampler",
        packages.oasis_druck,
        "30 strata, without replacement; two labels a stratum, then in proportion to size",
        "https://github.com/ngmarchant/oasis; the number of strata is our choice, automatic ones outnumber the labels",
        f"{CORRECT}; it has no intervals",
        distribution="oasis",
        metrics=("f1",),
    ),
    Peer(
        "ssepy",
        "ssepy, README",
        packages.ssepy_plain,
        "5 k-means strata of the score, proportional allocation, Horvitz-Thompson: the example of its README",
        "https://pypi.org/project/ssepy",
        RATIO,
        distribution="ssepy",
        metrics=("f1", "accuracy"),
    ),
    Peer(
        "ssepy_assisted",
        "ssepy, Neyman + difference",
        packages.ssepy_assisted,
        "5 k-means strata of the score and the model-assisted difference estimator, as its abstract advises, with "
        "the Neyman allocation that it offers",
        "Fogliato et al. 2024 (arXiv 2406.07320)",
        RATIO,
        distribution="ssepy",
    ),
    Peer(
        "ppi",
        "ppi-python",
        packages.ppi,
        "uniform sample, power tuning on (the default), all other items as the unlabelled set",
        "https://pypi.org/project/ppi-python",
        RATIO,
        distribution="ppi-python",
    ),
    Peer(
        "confidenceinterval",
        "confidenceinterval",
        packages.takahashi,
        "simple random sample; F1 by Takahashi's delta method, the others by Wilson: package defaults",
        "https://pypi.org/project/confidenceinterval",
        "the sample",
        distribution="confidenceinterval",
    ),
)
