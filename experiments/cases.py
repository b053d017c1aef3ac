"""Cases: a pool, and labels for each repetition. Real pools have the labels they have, simulated ones draw anew."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

import fewlabels as fl
from fewlabels import metrics
from fewlabels.maths import totals

from . import classifiers, engine, simulated
from .data import DataAbsentError

REAL = {
    "er_abt_buy_svm": ("binary", "Products, 50 pairs match"),
    "tweets100k_svm": ("binary", "Tweets"),
    "ppi_galaxies": ("binary", "Galaxies"),
    "mnist8_mlp_weak2000": ("binary", "MNIST, is it an 8"),
    "ng20_bin_comp_graphics_nb": ("binary", "20 Newsgroups, one group"),
    "toxic6_nb_600": ("multilabel", "Toxic comments, 6 labels"),
    "mulan_yeast_lr": ("multilabel", "Yeast genes, 14 labels"),
    "cifar10_vgg16": ("multiclass", "CIFAR-10"),
}
BINARY = tuple(name for name, (task, _) in REAL.items() if task == "binary")


@dataclass(frozen=True)
class Case:
    """``known`` labels, or the ``chance`` of each item to be positive where labels are drawn."""

    name: str
    title: str
    pool: fl.Pool
    known: NDArray[np.int64] | None = None
    chance: NDArray[np.float64] | None = None

    def labels(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """The labels of one repetition."""
        if self.known is not None:
            return self.known
        assert self.chance is not None
        return (rng.random(len(self.chance)) < self.chance).astype(np.int64)

    def truth(self, labels: NDArray[np.int64], metric: str) -> float:
        """The metric with everything labelled."""
        if labels is self.known and metric in self._truths:
            return self._truths[metric]
        found = metrics.get(metric, self.pool.task, self.pool.classes)
        given = labels.reshape(len(labels), -1)
        decided = np.asarray(self.pool.decisions, dtype=np.int64).reshape(given.shape)
        if found.exact:  # an item is one label, right or wrong
            given, decided = (given == decided).all(axis=1, keepdims=True).astype(np.int64), np.ones_like(given[:, :1])
        value = float(found.value(totals.tables(np.eye(self.pool.width)[given], decided, np.ones(len(given)))))
        if labels is self.known:
            self._truths[metric] = value
        return value

    @cached_property
    def _truths(self) -> dict[str, float]:
        return {}

    @cached_property
    def digest(self) -> str:
        """What a kept cell must remember of the pool."""
        arrays = (self.pool.prob, self.pool.decisions, self.known, self.chance)
        return engine.hashed(*(part for part in arrays if part is not None))


@cache
def load(name: str) -> Case:
    """A real pool by its name, a simulated one by ``law/size``; the data's absence is an error that says what to do."""
    if "/" in name:
        law, size = name.split("/")
        made = simulated.make(law, int(size))
        title = f"{simulated.LAWS[law].title}, N = {int(size):,}"
        return Case(name, f"Simulated, {title}", fl.Pool(made.prob), chance=made.chance)
    task, title = REAL[name]
    scored = classifiers.ready(name, task, title)
    prob = np.asarray(scored.prob, dtype=np.float64)
    if task == "multiclass":
        prob = prob / prob.sum(axis=1, keepdims=True)
    return Case(name, title, fl.Pool(prob, task=task, decisions=scored.decisions), known=scored.labels)


def present(names: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The names whose data is here, and the others."""
    here, absent = [], []
    for name in names:
        try:
            load(name)
        except DataAbsentError:
            absent.append(name)
        else:
            here.append(name)
    return here, absent
