"""Slow, plain answers to compare with: every sample, every label vector, one item at a time."""

import itertools

import numpy as np


def subsets(b):
    """Every sample of independent draws with chances ``b``: (probability, index of the drawn items)."""
    for bits in itertools.product((0, 1), repeat=len(b)):
        drawn = np.array(bits, dtype=bool)
        chance = float(np.prod(np.where(drawn, b, 1 - np.asarray(b))))
        if chance > 0:
            yield chance, np.flatnonzero(drawn)


def sequences(q, draws):
    """Every sequence of ``draws`` draws with replacement: (probability, items in the order drawn)."""
    for order in itertools.product(range(len(q)), repeat=draws):
        yield float(np.prod([q[n] for n in order])), order


def label_vectors(p):
    """Every vector of independent 0/1 labels with chances ``p`` (any shape): (probability, labels)."""
    flat = np.ravel(p)
    for bits in itertools.product((0, 1), repeat=flat.size):
        y = np.array(bits)
        yield float(np.prod(np.where(y == 1, flat, 1 - flat))), y.reshape(np.shape(p))


def table(labels, decisions, weights=None, classes=2):
    """T[label, true, decided], counted one item at a time."""
    labels, decisions = (np.atleast_2d(np.asarray(x).astype(int).T).T for x in (labels, decisions))
    weights = np.ones(len(labels)) if weights is None else weights
    out = np.zeros((labels.shape[1], classes, classes))
    for n, w in enumerate(weights):
        for k in range(labels.shape[1]):
            out[k, labels[n, k], decisions[n, k]] += w
    return out


def slope(function, at):
    """dF/dT by Richardson's extrapolation of central differences."""
    out = np.zeros(at.shape)
    for place in np.ndindex(at.shape):
        estimates = []
        for step in (1e-3, 5e-4):
            up, down = at.copy(), at.copy()
            up[place] += step
            down[place] -= step
            estimates.append((float(function(up)) - float(function(down))) / (2 * step))
        out[place] = (4 * estimates[1] - estimates[0]) / 3
    return out


def influence(gradient, labels, decisions):
    """d_n of one item: the gradient summed over the cells that it is in."""
    pairs = zip(np.ravel(labels).astype(int), np.ravel(decisions).astype(int), strict=True)
    return sum(gradient[k, y, c] for k, (y, c) in enumerate(pairs))


def mean_and_variance(outcomes):
    """Of (probability, value) pairs."""
    outcomes = list(outcomes)
    mean = sum(chance * value for chance, value in outcomes)
    return mean, sum(chance * (value - mean) ** 2 for chance, value in outcomes)
