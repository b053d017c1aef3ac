"""Estimates of labels that are missing, wrong or nowhere: a sentence for each."""

import numpy as np
import pytest

import fewlabels as fl

RNG = np.random.default_rng(0)
PROB = RNG.beta(0.6, 2, size=400)
TRUTH = (RNG.random(400) < PROB).astype(int)
POOL = fl.Pool(PROB)


def test_missing_labels_are_named():
    sample = fl.design(POOL, "f1", 50).draw(seed=0)
    told = dict(zip(sample.ids.tolist(), TRUTH[sample.index].tolist(), strict=True))
    gone = sample.ids[[2, 7]].tolist()
    for name in gone:
        del told[name]
    with pytest.raises(
        fl.FewlabelsError, match=f'2 drawn items have no label: {gone[0]}, {gone[1]};.*missing="random"'
    ):
        fl.estimate(sample, told, "f1")
    assert fl.estimate(sample, told, "f1", missing="random").labels == len(sample) - 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"labels": [None] * 3}, "3 labels were given"),
        ({"labels": "none"}, "none of the drawn items has a label"),
        ({"missing": "drop"}, '"error" or "random"'),
        ({"like": "papr"}, "did you mean paper"),
        ({"kind": "vote"}, "did you mean votes"),
        ({"metric": "f1_macro"}, "binary"),
        ({"zero_division": 2}, "zero_division"),
    ],
)
def test_every_mistake_has_its_sentence(options, words):
    sample = fl.design(POOL, "f1", 50).draw(seed=0)
    if options.get("labels") == "none":
        options = {"labels": [None] * len(sample)}
    with pytest.raises(fl.FewlabelsError, match=words):
        fl.estimate(**{"sample": sample, "labels": TRUTH[sample.index], "metric": "f1", **options})


def test_an_empty_sample_says_so():
    nobody = fl.design(fl.Pool(np.full(500, 0.3)), "f1", 1, sampler="poisson").draw(seed=0)
    while len(nobody):
        nobody = fl.design(fl.Pool(np.full(500, 0.3)), "f1", 1, sampler="poisson").draw(seed=nobody.seed + 1)
    with pytest.raises(fl.FewlabelsError, match="sample is empty"):
        fl.estimate(nobody, [], "f1")


@pytest.mark.parametrize("level", [0, 1, -0.1, 95, float("nan")])
def test_levels_are_between_0_and_1(level):
    sample = fl.design(POOL, "f1", 50).draw(seed=0)
    est = fl.estimate(sample, TRUTH[sample.index], "f1")
    with pytest.raises(fl.FewlabelsError, match="level"):
        est.interval(level)
    with pytest.raises(fl.FewlabelsError, match="side"):
        est.interval(0.9, side="left")
