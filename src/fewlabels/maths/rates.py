"""Metrics as smooth functions of class counts. Everything takes leading axes and complex numbers.

Counts are K[..., 4, class] in the order TP, FP, FN, TN: for one label the counts of its positive class, for several
labels of each label, for exclusive classes of each class against the rest. Every named metric is a function of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]  # float64 or complex128: the same code serves values and their derivatives
Ratio = Callable[[Array], tuple[Array, Array]]

_ROUNDING = 1e-13  # a share of the size below this is what rounding left of zero: one item in 10^13


def counts_of(tables: Array, exclusive: bool) -> Array:
    """Class counts from confusion tables T[..., k, y, c].

    >>> counts_of(np.array([[[50.0, 3.0], [2.0, 10.0]]]), exclusive=False)[:, 0]
    array([10.,  3.,  2., 50.])
    """
    if not exclusive:
        return np.stack([tables[..., 1, 1], tables[..., 0, 1], tables[..., 1, 0], tables[..., 0, 0]], axis=-2)
    table = tables[..., 0, :, :]
    tp = np.diagonal(table, axis1=-2, axis2=-1)
    fp, fn = table.sum(axis=-2) - tp, table.sum(axis=-1) - tp
    return np.stack([tp, fp, fn, table.sum(axis=(-2, -1))[..., None] - tp - fp - fn], axis=-2)


def counts_gradient(slope: Array, exclusive: bool) -> Array:
    """The chain rule back: from dF/dcounts (4, classes) to dF/dT (labels, y, c)."""
    tp, fp, fn, tn = slope
    if not exclusive:
        return np.stack([np.stack([tn, fp], axis=-1), np.stack([fn, tp], axis=-1)], axis=-2)
    elsewhere = tn.sum()
    off = fn[:, None] + fp[None, :] + elsewhere - tn[:, None] - tn[None, :]
    np.fill_diagonal(off, tp + elsewhere - tn)
    return np.asarray(off[None])


def divide(above: Array, below: Array, otherwise: float) -> Array:
    """above / below, ``otherwise`` where below is zero."""
    defined = np.real(below) != 0
    return np.asarray(np.where(defined, above / np.where(defined, below, 1), otherwise))


def precision(k: Array) -> tuple[Array, Array]:
    return k[..., 0, :], k[..., 0, :] + k[..., 1, :]


def recall(k: Array) -> tuple[Array, Array]:
    return k[..., 0, :], k[..., 0, :] + k[..., 2, :]


def specificity(k: Array) -> tuple[Array, Array]:
    return k[..., 3, :], k[..., 3, :] + k[..., 1, :]


def jaccard(k: Array) -> tuple[Array, Array]:
    return k[..., 0, :], k[..., 0, :] + k[..., 1, :] + k[..., 2, :]


def prevalence(k: Array) -> tuple[Array, Array]:
    return k[..., 0, :] + k[..., 2, :], k.sum(axis=-2)


def f_alpha(alpha: float) -> Ratio:
    """TP / (alpha (TP + FP) + (1 - alpha)(TP + FN)): alpha = 1/2 is F1, 0 recall, 1 precision."""

    def ratio(k: Array) -> tuple[Array, Array]:
        tp, fp, fn = k[..., 0, :], k[..., 1, :], k[..., 2, :]
        return tp, tp + alpha * fp + (1 - alpha) * fn

    return ratio


def micro(ratio: Ratio, k: Array, otherwise: float) -> Array:
    """The ratio of the classes' summed counts."""
    above, below = ratio(k.sum(axis=-1, keepdims=True))
    return divide(above, below, otherwise)[..., 0]


def averaged(ratio: Ratio, k: Array, otherwise: float, weights: Array | None = None) -> Array:
    """The mean of the classes' ratios; classes where it is NaN (``otherwise``) do not count, as in scikit-learn."""
    above, below = ratio(k)
    values = divide(above, below, otherwise)
    w = np.ones_like(values) if weights is None else weights
    counted = (np.real(below) != 0) | (not np.isnan(otherwise))
    w, values = np.where(counted, w, 0), np.where(counted, values, 0)
    total = w.sum(axis=-1)
    flat = np.where(np.real(total) == 0, divide(values.sum(axis=-1), counted.sum(axis=-1), np.nan), 0)
    return np.asarray(divide((w * values).sum(axis=-1), total, 0.0) + flat)


def macro(ratio: Ratio, k: Array, otherwise: float) -> Array:
    return averaged(ratio, k, otherwise)


def weighted(ratio: Ratio, k: Array, otherwise: float) -> Array:
    """Classes weighted by how many items truly have them."""
    return averaged(ratio, k, otherwise, k[..., 0, :] + k[..., 2, :])


def macro_harmonic(k: Array, otherwise: float) -> Array:
    """The paper's macro F1: the harmonic mean of macro precision and macro recall (appendix D.3)."""
    p, r = macro(precision, k, otherwise), macro(recall, k, otherwise)
    gone = np.isnan(p) | np.isnan(r)  # no class has one of them
    p, r = np.where(gone, 1, p), np.where(gone, 1, r)
    return np.asarray(np.where(gone, np.nan, divide(2 * p * r, p + r, 0.0)))


def _margins(k: Array, exclusive: bool) -> tuple[Array, Array, Array, Array]:
    """Agreement, true and decided counts of every class, and the size; a lone positive class has a negative one."""
    tp, fp, fn, tn = k[..., 0, :], k[..., 1, :], k[..., 2, :], k[..., 3, :]
    size = (tp + fp + fn + tn)[..., 0]
    if exclusive:
        return tp.sum(axis=-1), tp + fn, tp + fp, size
    true = np.concatenate([tn + fp, tp + fn], axis=-1)
    decided = np.concatenate([tn + fn, tp + fp], axis=-1)
    return (tp + tn)[..., 0], true, decided, size


def accuracy(k: Array, exclusive: bool) -> Array:
    agree, _, _, size = _margins(k, exclusive)
    return divide(agree, size, np.nan)


def hamming(k: Array) -> Array:
    """The share of wrong labels among all labels."""
    return divide((k[..., 1, :] + k[..., 2, :]).sum(axis=-1), k.sum(axis=(-2, -1)), np.nan)


def balanced_accuracy(k: Array, exclusive: bool) -> Array:
    """The mean recall of the classes that occur."""
    if exclusive:
        return averaged(recall, k, np.nan)
    both = np.concatenate([k, k[..., [3, 2, 1, 0], :]], axis=-1)
    return averaged(recall, both, np.nan)


def matthews(k: Array, exclusive: bool) -> Array:
    """Gorodkin's R_K, which is the Matthews correlation for two classes; 0 where undefined, as in scikit-learn."""
    agree, true, decided, size = _margins(k, exclusive)
    spread = [size**2 - (margin**2).sum(axis=-1) for margin in (decided, true)]
    # Rounding leaves a little of a spread that is zero: all decisions, or all labels, of one class.
    flat = np.real(spread[0]) <= _ROUNDING * np.real(size) ** 2
    flat = flat | (np.real(spread[1]) <= _ROUNDING * np.real(size) ** 2)
    return divide(agree * size - (true * decided).sum(axis=-1), np.sqrt(np.where(flat, 0, spread[0] * spread[1])), 0.0)


def kappa(k: Array, exclusive: bool) -> Array:
    """Cohen's kappa: agreement beyond what the margins alone would give."""
    agree, true, decided, size = _margins(k, exclusive)
    chance = divide((true * decided).sum(axis=-1), size, np.nan)
    beyond = size - chance
    flat = np.abs(np.real(beyond)) <= _ROUNDING * np.real(size)
    return 1 - divide(size - agree, np.where(flat, 0, beyond), np.nan)
