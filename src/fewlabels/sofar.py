"""The sample as far as it is labelled: what was drawn in rounds, of which random parts have labels by now.

An item that round r draws with inclusion probability b_r (over all rounds up to r), of whose new items the share t_r
is labelled in random order, is labelled with probability

    b = sum_r t_r (b_r - b_(r-1)),

whichever round drew it: the answer is sound at any moment, not only when a round is complete.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .errors import FewlabelsError
from .maths import totals
from .sample import Sample
from .summary import Cells, Summary

Floats = NDArray[np.float64]


def labelled_part(
    sample: Sample, known: NDArray[np.bool_], rounds: NDArray[np.int64], path: Floats, earlier: Sequence[Sample]
) -> Sample:
    """The sample of the items with a label.

    ``rounds`` says which round (0, 1, ...) drew each item, ``path[r]`` its inclusion probability after round r, and
    ``earlier`` are the samples of the rounds before the last.
    """
    if known.all():
        return sample
    if len(path) == 1:
        return sample.thinned(known)
    if sample.replacement:
        raise FewlabelsError(
            "a sample drawn with replacement and then extended can only be used when all of it is labelled; "
            "label the rest, or draw another way."
        )
    shares = np.array([known[rounds == r].mean() if np.any(rounds == r) else 1.0 for r in range(len(path))])
    b = _blend(path, shares)[known]
    weight, spread = totals.poisson_weights(b)
    part = sample.thinned(known)
    return replace(
        part, inclusion=b, weight=weight, spread=spread, source=_summary([*earlier, sample], shares) or part.source
    )


def _blend(path: Floats, shares: Floats) -> Floats:
    steps = np.diff(path, axis=0, prepend=0.0)
    return np.asarray(np.minimum(np.tensordot(shares, steps, axes=1), 1.0))


def _summary(samples: Sequence[Sample], shares: Floats) -> Summary | None:
    found = [sample.summary for sample in samples]
    if any(one is None for one in found):
        return None
    labels = [one.labels for one in found if one is not None]
    items = [one.items for one in found if one is not None]
    return Summary(
        tuple(_cells(cells, shares) for cells in zip(*labels, strict=True)),
        tuple(_cells(cells, shares) for cells in zip(*items, strict=True)),
    )


def _cells(cells: Sequence[Cells], shares: Floats) -> Cells:
    """Items of a cell have nearly one score, hence nearly one inclusion probability: size / (size + sum of 1/b - 1)."""
    last = cells[-1]
    path = np.stack([last.sizes / (last.sizes + one.slack[:, 0]) for one in cells])
    b = _blend(path, shares)
    odds = np.divide(1.0 - b, b, out=np.full_like(b, np.inf), where=b > 0)
    return replace(last, slack=np.stack([last.sizes * odds, last.sizes * odds * (odds - 1.0)], axis=1))


def looks_picked(score: Floats, known: NDArray[np.bool_]) -> bool:
    """Whether the labelled items' scores differ from the others' by more than a random order would make them.

    A rank-sum statistic beyond four standard deviations: about one false alarm in 16,000 looks.

    >>> bool(looks_picked(np.arange(100.0), np.arange(100) < 40))
    True
    """
    n, m = int(known.sum()), int((~known).sum())
    if min(n, m) < 5:
        return False
    _, place, counts = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(counts) - (counts - 1) / 2)[place]
    spread = float(rank.var()) * n * m / (n + m - 1)
    off = float(rank[known].sum()) - n * (n + m + 1) / 2
    return spread > 0 and abs(off) > 4 * math.sqrt(spread)
