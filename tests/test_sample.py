"""Samples: frozen, self-contained, the same after a trip through a file."""

import dataclasses
import json

import numpy as np
import pytest

import fewlabels as fl

RNG = np.random.default_rng(0)
PROB = RNG.beta(0.5, 2, size=300)
TRUTH = RNG.random(300) < PROB
POOLS = {
    "binary": (fl.Pool(PROB, ids=[f"n{n}" for n in range(300)], classes=("no", "yes")), "f1"),
    "multilabel": (fl.Pool(RNG.random((120, 3)), task="multilabel"), "f1_macro"),
    "multiclass": (fl.Pool(RNG.dirichlet(np.ones(3), 120), task="multiclass", classes=("a", "b", "c")), "accuracy"),
}


def labels_for(sample):
    """Some labels, the same for the same items."""
    rng = np.random.default_rng(1)
    if sample.task == "multilabel":
        return (rng.random((sample.size, 3)) < 0.4)[sample.index].astype(int)
    return [sample.classes[k] for k in rng.integers(0, len(sample.classes), sample.size)[sample.index]]


@pytest.mark.parametrize("like", [None, "paper"])
@pytest.mark.parametrize("sampler", ["poisson", "priority", "stratified", "importance", "uniform"])
@pytest.mark.parametrize("task", POOLS)
def test_a_file_keeps_everything(task, sampler, like):
    pool, metric = POOLS[task]
    sample = fl.design(pool, metric, 40, sampler=sampler, like=like).draw(seed=1)
    again = fl.Sample.from_state(json.loads(json.dumps(sample.to_state())))
    assert again.ids.tolist() == sample.ids.tolist()
    assert again.classes == sample.classes
    assert repr(again) == repr(sample)
    for field in dataclasses.fields(sample):
        if isinstance(getattr(sample, field.name), np.ndarray):
            np.testing.assert_array_equal(getattr(again, field.name), getattr(sample, field.name))
            assert getattr(again, field.name).dtype == getattr(sample, field.name).dtype
    given = labels_for(sample)
    one, two = (fl.estimate(s, given, metric, like=like) for s in (sample, again))
    assert (one.value, one.variance, one.interval(0.9)) == (two.value, two.variance, two.interval(0.9))


@pytest.mark.parametrize("sampler", ["poisson", "uniform"])
def test_a_file_from_before_there_were_groups_is_read(sampler):
    sample = fl.design(POOLS["binary"][0], "f1", 40, sampler=sampler).draw(seed=1)
    state = {name: value for name, value in sample.to_state().items() if name != "group"}
    np.testing.assert_array_equal(fl.Sample.from_state(state).group, sample.group)


def test_a_sample_cannot_be_changed():
    sample = fl.design(POOLS["binary"][0], "f1", 40).draw(seed=0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        sample.size = 3


def test_a_sample_tells_of_its_items():
    pool = POOLS["binary"][0]
    design = fl.design(pool, "f1", 40)
    sample = design.draw(seed=0)
    assert len(sample) == len(sample.index) == len(set(sample.index.tolist()))
    assert np.all(np.diff(sample.index) > 0)
    np.testing.assert_array_equal(sample.inclusion, design.inclusion[sample.index])
    np.testing.assert_array_equal(sample.prob, pool.prob[sample.index])
    np.testing.assert_array_equal(sample.decisions, pool.decisions[sample.index])
    np.testing.assert_array_equal(sample.ids, pool.ids[sample.index])
    np.testing.assert_allclose(sample.weight * sample.inclusion, 1)
    assert (sample.size, sample.task, sample.seed, sample.drawn_for) == (300, "binary", 0, ("f1",))


def test_draws_count_repetitions():
    sample = fl.design(POOLS["binary"][0], "f1", 200, sampler="importance", like="paper").draw(seed=0)
    assert sample.counts.sum() == 200
    assert sample.counts.max() > 1
    assert len(sample) < 200


@pytest.mark.parametrize("sampler", ["priority", "stratified", "uniform"])
def test_fixed_sizes_are_kept(sampler):
    for budget in (1, 17, 299, 300, 500):
        for seed in range(5):
            assert len(fl.design(POOLS["binary"][0], "f1", budget, sampler=sampler).draw(seed=seed)) == min(budget, 300)


def test_everything_in_the_sample_is_a_census():
    assert fl.design(POOLS["binary"][0], "f1", 300).draw(seed=0).complete
    assert not fl.design(POOLS["binary"][0], "f1", 200).draw(seed=0).complete


def test_ids_that_are_tuples_come_back_from_a_file_as_tuples():
    pool = fl.Pool(PROB, ids=[("part", n) for n in range(300)])
    sample = fl.design(pool, "f1", 40).draw(seed=0)
    again = fl.Sample.from_state(json.loads(json.dumps(sample.to_state())))
    told = dict.fromkeys(sample.ids.tolist(), 1)
    assert fl.estimate(again, told, "f1").value == fl.estimate(sample, told, "f1").value
