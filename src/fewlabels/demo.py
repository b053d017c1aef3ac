"""The main job from start to end on an embedded pool: "is it an 8?" on scikit-learn's bundled digits.

``python -m fewlabels.demo`` plans, draws, labels with the known answers, estimates, and puts the truth and what uniform
sampling would have given with as many labels beside it.
"""

from __future__ import annotations

import math
import sys

import numpy as np
from numpy.typing import NDArray

from . import Pool, design, estimate, labels_needed, metrics

METRICS = ("f1", "precision", "recall", "accuracy")
TRAINED_ON = 250  # few enough that the model makes mistakes worth finding


def digits() -> tuple[Pool, NDArray[np.int64]]:
    """A pool of digits scored by a small model that was trained on other ones, and the true labels."""
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LogisticRegression

    pictures, digit = load_digits(return_X_y=True)
    truth = (digit == 8).astype(np.int64)
    order = np.random.default_rng(0).permutation(len(truth))
    train, rest = order[:TRAINED_ON], np.sort(order[TRAINED_ON:])
    model = LogisticRegression(C=1.0, max_iter=1000).fit(pictures[train] / 16.0, truth[train])
    prob = model.predict_proba(pictures[rest] / 16.0)[:, 1]
    return Pool(prob, ids=rest), truth[rest]


def spread(pool: Pool, truth: NDArray[np.int64], name: str, budget: int, sampler: str, draws: int = 400) -> float:
    """The root mean squared error of many studies of one size."""
    exact = value_of(pool, truth, name)
    plan = design(pool, "f1", budget, sampler=sampler)
    like = "paper" if sampler == "uniform" else None
    found = [estimate(drawn := plan.draw(seed), truth[drawn.index], name, like=like).value for seed in range(draws)]
    return math.sqrt(float(np.mean((np.array(found) - exact) ** 2)))


def value_of(pool: Pool, truth: NDArray[np.int64], name: str) -> float:
    """The metric with everything labelled."""
    table = np.zeros((1, 2, 2))
    np.add.at(table[0], (truth, pool.decisions.astype(np.int64)), 1.0)
    return float(metrics.get(name, "binary").value(table))


def main(budget: int = 200) -> None:
    try:
        pool, truth = digits()
    except ModuleNotFoundError:
        print("Error: the demo needs scikit-learn: pip install 'fewlabels[demo]'.", file=sys.stderr)
        raise SystemExit(2) from None
    print(f"Pool: {len(pool)} pictures of digits; is it an 8? The model says so {int(pool.decisions.sum())} times.\n")
    print("Plan, before any label (standard error of F1 -> labels):")
    for stderr in (0.05, 0.03, 0.02):
        need = labels_needed(pool, "f1", stderr=stderr)
        even = labels_needed(pool, "f1", stderr=stderr, sampler="uniform", like="paper")
        print(f"  {stderr:.2f}  ->  {need:4d} labels, with uniform sampling {even:4d}")
    sample = design(pool, "f1", budget).draw(seed=0)
    found = estimate(sample, truth[sample.index], METRICS)
    print(f"\nDrawn and labelled: {len(sample)} of {len(pool)} pictures.\n")
    heads = f"{'metric':10} {'estimate':>8}   {'95% interval':17} {'truth':>6}   {'typical error':>13}"
    print(f"  {heads}  {'uniform, same labels':>20}")
    for name, one in found.items():
        low, high = one.interval(0.95)
        ours, plain = (spread(pool, truth, name, len(sample), sampler) for sampler in ("stratified", "uniform"))
        print(
            f"  {name:10} {one.value:8.3f}   {low:.3f} to {high:.3f}    {value_of(pool, truth, name):6.3f}   "
            f"{ours:13.3f}  {plain:20.3f}"
        )
    print("\n(typical error: root mean squared error over 400 studies of this size)")


if __name__ == "__main__":
    main()
