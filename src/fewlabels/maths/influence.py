"""Influences: the gradient of a metric at the totals, times an item's contribution to them.

d_n(y) = sum_k G[k, y_k, c_nk], with G = dF/dT. Under a belief p the labels of an item are independent of each other, so
its mean and variance are sums over the labels: h_n^2 = E d_n^2 = sum_k Var d_nk + (sum_k E d_nk)^2.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .chunks import slices

Floats = NDArray[np.float64]

_STEP = 1e-30


def gradient(function: Callable[[NDArray[np.complex128]], NDArray[np.complex128]], at: Floats) -> Floats:
    """dF/dT by the complex step: exact to rounding. ``function`` takes a leading axis of many T at once.

    >>> gradient(lambda t: t[..., 0] / t[..., 1], np.array([1.0, 2.0]))
    array([ 0.5 , -0.25])
    """
    steps = np.eye(at.size).reshape(at.size, *at.shape)
    return np.asarray(np.imag(function(at + 1j * _STEP * steps)) / _STEP).reshape(at.shape)


def gradient_by_differences(function: Callable[[Floats], float], at: Floats) -> Floats:
    """dF/dT by central differences, for functions that the complex step cannot enter; good to about 1e-9."""
    scale = np.maximum(np.abs(at), 1e-3 * max(float(np.max(np.abs(at))), 1e-300))
    out = np.empty(at.size)
    for j in range(at.size):
        step = np.zeros(at.size)
        step[j] = 1e-5 * scale.flat[j]
        move = step.reshape(at.shape)
        # A five-point stencil: its error is of fourth order, so a step this long still gives nine digits.
        out[j] = (
            8 * (function(at + move) - function(at - move)) - (function(at + 2 * move) - function(at - 2 * move))
        ) / (12 * step[j])
    return out.reshape(at.shape)


def curvature(slope: Callable[[Floats], Floats], at: Floats, directions: Floats) -> Floats:
    """z' H z for each direction z, H the second derivative of the metric: differences of the exact gradient."""
    scale = 1e-4 * max(float(np.sum(np.abs(at))) / at.size, 1e-300)
    out = np.empty(len(directions))
    for j, z in enumerate(directions):
        out[j] = np.sum(z * (slope(at + scale * z) - slope(at - scale * z))) / (2 * scale)
    return out


def moments(p: Floats, c: NDArray[np.integer] | NDArray[np.bool_], slope: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of d_n under the belief p (shapes as in ``totals.expected_tables``)."""
    if p.ndim == 2 and c.ndim == 1:
        d = slope[0].T[c]  # (n, C): d_n(y)
        mean = np.einsum("ny,ny->n", p, d)
        return mean, np.maximum(np.einsum("ny,ny->n", p, d * d) - mean * mean, 0.0)
    columns = slope.shape[0]
    chance, chosen = p.reshape(len(p), columns), c.reshape(len(p), columns).astype(np.intp)
    which = np.arange(columns)
    zero, step = slope[which, 0, chosen], (slope[:, 1] - slope[:, 0])[which, chosen]
    return (zero + chance * step).sum(axis=1), (chance * (1 - chance) * step * step).sum(axis=1)


def deviations(
    p: Floats,
    c: NDArray[np.integer] | NDArray[np.bool_],
    slope: Floats,
    scale: float = 1.0,
    shift: float | Floats = 0.0,
    model_share: float = 1.0,
    printed: bool = False,
) -> Floats:
    """h_n under the belief ``scale * p + shift``, for a whole pool.

    ``model_share`` is the part of the squared mean that stays: 1 for plain weighted totals, 0 where the estimate itself
    takes the mean away. ``printed`` leaves out the products of different labels, as the paper's macro formula does.
    """
    h = np.empty(len(p))
    if p.ndim == 1 and isinstance(shift, float):
        return _deviations_binary(p, c, slope, scale, shift, model_share, h)
    for part in slices(len(p), 4096):
        belief = scale * p[part] + shift
        if printed and c.ndim == 2:
            columns = [moments(belief[:, k], c[part, k], slope[k : k + 1]) for k in range(slope.shape[0])]
            h[part] = np.sqrt(sum(var + mean * mean for mean, var in columns))
        else:
            mean, var = moments(belief, c[part], slope)
            h[part] = np.sqrt(var + model_share * mean * mean)
    return h


def lift_rarer(h: Floats, c: NDArray[np.integer] | NDArray[np.bool_], slope: Floats, wrong: float) -> None:
    """h_n >= sqrt(e (1 - e)) |d(1) - d(0)| for the rarer of two decisions, e = ``wrong``; in place.

    >>> h = np.array([0.1, 0.1, 0.1])
    >>> lift_rarer(h, np.array([0, 0, 1]), np.array([[[0.0, 0.0], [1.0, 2.0]]]), 0.1)
    >>> h.round(2)
    array([0.1, 0.1, 0.6])
    """
    positive = int(np.count_nonzero(c))
    rarer = int(2 * positive < len(c))
    least = math.sqrt(wrong * (1.0 - wrong)) * abs(float(slope[0, 1, rarer] - slope[0, 0, rarer]))
    for part in slices(len(h)):
        np.maximum(h[part], least, out=h[part], where=np.equal(c[part], rarer))


def _deviations_binary(
    p: Floats,
    c: NDArray[np.integer] | NDArray[np.bool_],
    slope: Floats,
    scale: float,
    shift: float,
    model_share: float,
    h: Floats,
) -> Floats:
    """The same for one label, where h^2 is a quadratic in p for each decision: a few passes in cache, no branches."""
    (d0n, d0p), (d1n, d1p) = slope[0]

    def quadratic(zero: float, one: float) -> Floats:
        # E d^2 less the part of (E d)^2 that goes, with pa = scale p + shift: as a + b p + c p^2.
        step, square = one - zero, one * one - zero * zero
        mean0, mean1 = zero + shift * step, scale * step
        gone = 1.0 - model_share
        return np.array(
            [
                zero * zero + shift * square - gone * mean0 * mean0,
                scale * square - 2 * gone * mean0 * mean1,
                -gone * mean1 * mean1,
            ]
        )

    negative, positive = quadratic(d0n, d1n), quadratic(d0p, d1p)
    change = positive - negative
    order = 1 if model_share == 1.0 else 2
    for part in slices(len(p)):
        x, chosen, out = p[part], c[part], h[part]
        np.multiply(chosen, change[order], out=out)
        out += negative[order]
        for power in range(order - 1, -1, -1):
            out *= x
            out += chosen * change[power]
            out += negative[power]
        np.maximum(out, 0.0, out=out)
        np.sqrt(out, out=out)
    return h


def observed(labels: Floats, decisions: NDArray[np.int64], slope: Floats) -> Floats:
    """d_n = sum_k sum_y L[n, k, y] G[k, y, c_nk] for labels (or residuals) L."""
    picked = slope[np.arange(slope.shape[0])[None, :], :, decisions]  # (n, K, C)
    return np.asarray(np.einsum("nky,nky->n", labels, picked))


def observed_square(labels: Floats, decisions: NDArray[np.int64], slope: Floats) -> Floats:
    """E d_n^2 when the label itself is drawn from the distribution L, label by label."""
    picked = slope[np.arange(slope.shape[0])[None, :], :, decisions]
    mean = np.einsum("nky,nky->nk", labels, picked)
    second = np.einsum("nky,nky->nk", labels, picked * picked)
    return np.asarray((second - mean * mean).sum(axis=1) + mean.sum(axis=1) ** 2)


def agreement(p: Floats, c: NDArray[np.integer] | NDArray[np.bool_]) -> Floats:
    """The chance that an item is as decided: in its one class, or in all of its labels if they are independent.

    >>> agreement(np.array([[0.9, 0.2]]), np.array([[True, False]])).round(2)
    array([0.72])
    """
    if c.ndim == 1:
        return np.asarray(p[np.arange(len(p)), c])
    return np.asarray(np.where(c, p, 1.0 - p).prod(axis=1))
