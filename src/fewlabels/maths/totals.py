"""Weighted totals of confusion tables, and the one variance that every estimate ends in.

Totals are tables T[k, y, c]: how much weight lies on true class y and decision c. Binary: one table of 2 x 2;
multi-label: one for each label; multi-class: one of C x C. A label is a distribution L[n, k, y] over the classes,
one-hot where it is known; residuals L - m against a model m have the same shape, so an assisted total is made by the
same function. A sample is two numbers for each item: its weight w_n in the totals, and a_n, its share in the variance:

    T^ = sum w_n z_n,    V^ = sum a_n d_n^2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .chunks import slices

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def tables(labels: Floats, decisions: Ints, weights: Floats) -> Floats:
    """T[k, y, c] = sum_n w_n L[n, k, y] [c_nk = c].

    >>> tables(np.array([[[0.0, 1.0]], [[1.0, 0.0]]]), np.array([[1], [1]]), np.array([2.0, 3.0]))
    array([[[0., 3.],
            [0., 2.]]])
    """
    _, blocks, classes = labels.shape
    out = np.empty((blocks, classes, classes))
    for k in range(blocks):
        for y in range(classes):
            out[k, y] = np.bincount(decisions[:, k], weights * labels[:, k, y], minlength=classes)
    return out


def expected_tables(p: Floats, c: NDArray[np.integer] | NDArray[np.bool_], classes: int) -> Floats:
    """T[k, y, c] = sum_n p_nk(y) [c_nk = c] over a whole pool, in one pass.

    ``p`` is (N,) for the chance of class 1, (N, K) likewise for each label, or (N, C) for C exclusive classes, in
    which case ``c`` has one dimension and ``p`` two.
    """
    if p.ndim == 2 and c.ndim == 1:
        out = np.zeros((1, classes, classes))
        for part in slices(len(p), 4096):
            for seen in np.unique(c[part]):
                out[0, :, seen] += p[part][c[part] == seen].sum(axis=0)
        return out
    columns = 1 if p.ndim == 1 else p.shape[1]
    flat_p, flat_c = p.reshape(len(p), columns), c.reshape(len(p), columns)
    ones = np.zeros((columns, 2))  # expected label 1, by decision
    counts = np.zeros((columns, 2))
    for part in slices(len(p)):
        for k in range(columns):
            piece, chosen = flat_p[part, k], flat_c[part, k]
            positive = float(np.dot(piece, chosen))
            many = float(np.count_nonzero(chosen))
            ones[k] += (float(np.sum(piece)) - positive, positive)
            counts[k] += (len(piece) - many, many)
    return np.stack([counts - ones, ones], axis=1)


def poisson_weights(b: Floats) -> tuple[Floats, Floats]:
    """w = 1/b and a = (1/b)(1/b - 1) for items drawn independently with chance b; their labels are facts."""
    return 1.0 / b, (1.0 / b) * (1.0 / b - 1.0)


def draw_weights(q: Floats, counts: Ints, draws: int) -> tuple[Floats, Floats]:
    """w = k/(M q) and a = k/(M q)^2 for an item seen k times in M draws with replacement (paper, eq. is:error:post)."""
    return counts / (draws * q), counts / (draws * q) ** 2


def round_weights(b: Floats, rounds: Ints, shares: Floats) -> tuple[Floats, Floats]:
    """Weights for R rounds of Poisson sampling, round r over the items not yet drawn (paper, appendix E).

    T^ = sum_r share_r (sum of what earlier rounds labelled + sum over round r of z/b). The errors of the rounds are
    martingale differences, so their variances add: a = share_r^2 (1/b)(1/b - 1).
    """
    later = np.concatenate([np.cumsum(shares[::-1])[::-1][1:], [0.0]])
    w, a = poisson_weights(b)
    return shares[rounds] * w + later[rounds], shares[rounds] ** 2 * a


def variance(d: Floats, a: Floats) -> float:
    """V^ = sum a_n d_n^2."""
    return float(np.dot(a, d * d))


def centred(d: Floats, pi: Floats, group: Ints) -> Floats:
    """Influences less what settled counts take away: sqrt(n/(n-1)) (d - B pi), B = sum (1-pi)/pi d / sum (1-pi).

    The sums are over the n items of a group, such as neighbours of which as many are drawn in every sample. In
    V^ = sum a d^2 this is Hajek's variance, group by group: for one group of a simple random sample exactly the
    textbook one, for groups of a single item Poisson sampling's, since an item centred on itself would claim certainty.
    Certain items have no share and no say.
    """
    n = np.bincount(group, pi < 1.0)
    spare = np.bincount(group, 1.0 - pi)
    level = np.divide(np.bincount(group, (1.0 - pi) / pi * d), spare, out=np.zeros(len(n)), where=n > 1)
    factor = np.sqrt(np.divide(n, n - 1.0, out=np.ones(len(n)), where=n > 1))
    return np.asarray(factor[group] * (d - pi * level[group]))
