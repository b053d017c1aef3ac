"""Odd pools, odd budgets, odd labels: an estimate may be wide, but it never breaks and never claims the impossible."""

import warnings

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

import fewlabels as fl
from fewlabels import designs, metrics

RARE = st.sampled_from([(0.1, 0.1), (0.3, 3.0), (1.0, 1.0), (5.0, 1.0)])


def scores(rng, task, size, classes, shape, kind):
    """Probabilities: spread out, all certain, all alike, or half of them zero."""
    if task == "multiclass":
        prob = rng.dirichlet(np.full(classes, shape[0]), size=size)
        return {"certain": np.eye(classes)[rng.integers(0, classes, size)], "alike": np.tile(prob[:1], (size, 1))}.get(
            kind, prob
        )
    prob = rng.beta(*shape, size=size if task == "binary" else (size, classes))
    return {
        "certain": np.round(prob),
        "alike": np.full(prob.shape, prob.ravel()[0]),
        "zeros": np.where(rng.random(prob.shape) < 0.5, 0.0, prob),
    }.get(kind, prob)


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    task=st.sampled_from(["binary", "multilabel", "multiclass"]),
    size=st.integers(1, 40),
    classes=st.integers(2, 4),
    shape=RARE,
    kind=st.sampled_from(["spread", "certain", "alike", "zeros"]),
    sampler=st.sampled_from(list(designs.SAMPLERS)),
    like=st.sampled_from([None, "paper"]),
    budget=st.integers(1, 60),
    zero_division=st.sampled_from([0, 1, np.nan]),
)
@example(345895, "multiclass", 11, 3, (5.0, 1.0), "spread", "poisson", "paper", 3, 0)  # a count of -1e-16
def test_nothing_breaks(seed, task, size, classes, shape, kind, sampler, like, budget, zero_division):
    rng = np.random.default_rng(seed)
    prob = scores(rng, task, size, classes, shape, kind)
    pool = fl.Pool(prob, task=task)
    if task == "multiclass":
        truth = rng.integers(0, classes, size)
    else:
        truth = (rng.random(prob.shape) < rng.random()).astype(int)
    names = metrics.names(task, pool.classes)
    drawn_for, *asked = rng.choice(names, 3).tolist()
    design = fl.design(pool, drawn_for, budget, sampler=sampler, like=like)
    assert np.all((design.inclusion >= 0) & (design.inclusion <= 1))
    assert design.expected_stderr >= 0
    sample = design.draw(seed=seed)
    for name in asked if len(sample) else ():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", fl.FewlabelsWarning)
            est = fl.estimate(sample, truth[sample.index], name, like=like, zero_division=zero_division)
        if np.isnan(est.value):
            assert not est.defined
            assert est.notes
            continue
        low, high = est.interval(0.9)
        bottom, top = metrics.get(name, task, pool.classes).support
        assert bottom <= low <= high <= top
        assert low - 1e-9 <= est.value <= high + 1e-9
        assert est.stderr >= 0
        assert np.isfinite(est.bias)
        assert est.metric in str(est)
        if like is None and sample.complete and est.defined:
            assert high - low < 1e-9
