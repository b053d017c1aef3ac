"""The pools of the contest: real ones from the data folder, and four made by a known law."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from .protocol import Case, Floats

BINARY = {
    "er_abt_buy_svm": "entity resolution",
    "tweets100k_svm": "tweets",
    "ppi_galaxies": "galaxies",
    "mnist8_mlp_weak2000": "MNIST 8",
    "ng20_bin_comp_graphics_nb": "newsgroups",
}
MULTICLASS = {"cifar10_vgg16": "CIFAR-10"}
SIZE = 10_000
HIDDEN = 0.004


def data_folder() -> Path:
    """$FEWLABELS_DATA, or shared/data beside the checkout."""
    named = os.environ.get("FEWLABELS_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[3] / "shared" / "data"
    if not (folder / "pools").is_dir():
        raise SystemExit(f"No pools in {folder}: set FEWLABELS_DATA to the folder that holds pools/.")
    return folder


def real() -> Iterator[Case]:
    for name, title in (BINARY | MULTICLASS).items():
        table = pl.read_parquet(data_folder() / "pools" / f"{name}.parquet")
        yield multiclass(name, title, table) if name in MULTICLASS else binary(name, title, table)


def binary(name: str, title: str, table: pl.DataFrame) -> Case:
    prob = table["prob"].to_numpy().astype(float)
    decided = table["pred"].to_numpy() if "pred" in table.columns else prob >= 0.5
    return Case(name, title, prob, decided.astype(np.int64), known=table["label"].to_numpy().astype(np.int64))


def multiclass(name: str, title: str, table: pl.DataFrame) -> Case:
    columns = [column for column in table.columns if column.startswith("prob_")]
    prob = table.select(columns).to_numpy().astype(float)
    prob /= prob.sum(axis=1, keepdims=True)
    label = table["label"].to_numpy()
    if label.dtype.kind not in "iu":
        place = {column.removeprefix("prob_"): k for k, column in enumerate(columns)}
        label = np.array([place[name] for name in label])
    return Case(name, title, prob, prob.argmax(axis=1), known=label.astype(np.int64))


def simulated() -> Iterator[Case]:
    """Label probabilities are logistic-normal; the scores see them straight, too sharp, too flat or not all."""
    for name, title, mean, slope, hidden, note in (
        ("sim_calibrated", "calibrated 2%", 0.02, 1.0, 0.0, "scores are the label probabilities"),
        ("sim_over", "over-confident", 0.05, 2.0, 0.0, "logits of the scores are twice the true ones"),
        ("sim_under", "under-confident", 0.05, 0.5, 0.0, "logits of the scores are half the true ones"),
        ("sim_hidden", "hidden positives", 0.02, 1.0, HIDDEN, f"{HIDDEN:.1%} more positives at any score"),
    ):
        logit = logits(mean, np.random.default_rng(20210315))
        chance = expit(logit)
        prob = expit(slope * logit)
        decisions = (prob >= 0.5).astype(np.int64)
        yield Case(name, title, prob, decisions, chance=chance + (1 - chance) * hidden, note=note)


def logits(mean: float, rng: np.random.Generator, spread: float = 4.0) -> Floats:
    """Normal logits of the given spread, shifted until the mean probability is `mean`."""
    z = spread * rng.standard_normal(SIZE)
    low, high = -30.0, 30.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if expit(z + middle).mean() < mean else (low, middle)
    return z + low


def expit(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def cases() -> list[Case]:
    return [*real(), *simulated()]
