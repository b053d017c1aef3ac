"""Designs: belief, deviations, floors, blindness, predicted errors, and what is refused."""

import math

import numpy as np
import pytest
from oracles import label_vectors, slope, subsets, table

import fewlabels as fl
from fewlabels import belief, designs, metrics, planning, recipes
from fewlabels.maths import inclusion

RNG = np.random.default_rng(0)
PROB = RNG.beta(0.5, 2, size=300)
GRID = RNG.beta(0.5, 2, size=(200, 3))
SHARES = RNG.dirichlet([3, 1, 0.5, 0.5], size=200)
POOLS = {
    "binary": fl.Pool(PROB),
    "multilabel": fl.Pool(GRID, task="multilabel"),
    "multiclass": fl.Pool(SHARES, task="multiclass"),
}
FIRST = {"binary": "f1", "multilabel": "f1_macro", "multiclass": "f1_macro"}
EVERY = [(task, name) for task in POOLS for name in metrics.names(task)]


def test_the_paper_belief_mixes_towards_an_even_chance():
    np.testing.assert_allclose(belief.smoothed(POOLS["binary"], 0.9, "even").chances(), 0.9 * PROB + 0.05)
    np.testing.assert_allclose(belief.smoothed(POOLS["multilabel"], 0.8, "even").chances(), 0.8 * GRID + 0.1)
    np.testing.assert_allclose(belief.smoothed(POOLS["multiclass"], 0.9, "even").chances(), 0.9 * SHARES + 0.1 / 4)


def test_belief_towards_the_mean_expects_no_more_positives_than_the_model():
    for task, prob in (("binary", PROB), ("multilabel", GRID), ("multiclass", SHARES)):
        found = belief.smoothed(POOLS[task], 0.7, "mean").chances()
        np.testing.assert_allclose(found, 0.7 * prob + 0.3 * prob.mean(axis=0))
        np.testing.assert_allclose(found.mean(axis=0), prob.mean(axis=0))


@pytest.mark.parametrize("towards", ["even", "mean"])
@pytest.mark.parametrize("task", POOLS)
def test_expected_tables_of_a_belief_are_sums_over_items(task, towards):
    pool = POOLS[task]
    faith = belief.smoothed(pool, 0.85, towards)
    chances = faith.chances()
    expected = np.zeros(faith.tables.shape)
    for n in range(len(pool)):
        if task == "multiclass":
            expected[0, :, pool.decisions[n]] += chances[n]
        else:
            for k, (p, c) in enumerate(zip(np.atleast_1d(chances[n]), np.atleast_1d(pool.decisions[n]), strict=True)):
                expected[k, :, int(c)] += (1 - p, p)
    np.testing.assert_allclose(faith.tables, expected, rtol=1e-10, atol=1e-12)


def test_your_own_belief():
    own = RNG.random(300)
    found = fl.design(POOLS["binary"], "f1", 30, belief=own, like="paper")
    trusted = fl.design(fl.Pool(own, decisions=POOLS["binary"].decisions), "f1", 30, trust=1.0, like="paper")
    np.testing.assert_allclose(found.inclusion, trusted.inclusion)


@pytest.mark.parametrize(("task", "name"), EVERY)
def test_the_budget_is_kept_and_nothing_is_left_out(task, name):
    found = fl.design(POOLS[task], name, 40)
    assert math.fsum(found.inclusion) == pytest.approx(40, rel=1e-9)
    assert found.inclusion.min() > 0
    assert found.inclusion.max() <= 1
    assert found.blind == ()
    assert found.notes == ()


@pytest.mark.parametrize("name", ["f1", "precision", "recall", "specificity", "accuracy", "jaccard"])
def test_paper_deviations_by_hand(name):
    """h_n^2 = sum over y of p_a(y) (f - F g)^2, b = min(1, kappa h), straight from the paper's equations."""
    f, g = {
        "f1": (lambda c, y: c * y, lambda c, y: 0.5 * c + 0.5 * y),
        "precision": (lambda c, y: c * y, lambda c, y: c),
        "recall": (lambda c, y: c * y, lambda c, y: y),
        "specificity": (lambda c, y: (1 - c) * (1 - y), lambda c, y: 1 - y),
        "accuracy": (lambda c, y: 1 if c == y else 0, lambda c, y: 1),
        "jaccard": (lambda c, y: c * y, lambda c, y: max(c, y)),
    }[name]
    pa = 0.9 * PROB + 0.05
    decided = (PROB > 0.5).astype(int)
    pairs = list(zip(pa, decided.tolist(), strict=True))
    value = sum(p * f(c, 1) + (1 - p) * f(c, 0) for p, c in pairs) / sum(
        p * g(c, 1) + (1 - p) * g(c, 0) for p, c in pairs
    )
    h = [math.sqrt(p * (f(c, 1) - value * g(c, 1)) ** 2 + (1 - p) * (f(c, 0) - value * g(c, 0)) ** 2) for p, c in pairs]
    found = fl.design(POOLS["binary"], name, 40, like="paper")
    assert found.expected_value == pytest.approx(value)
    np.testing.assert_allclose(found.inclusion, inclusion.poisson(np.array(h), 40), rtol=1e-7, atol=1e-12)
    drawn = fl.design(POOLS["binary"], name, 40, like="paper", sampler="importance")
    np.testing.assert_allclose(drawn.chances, np.array(h) / sum(h), rtol=1e-7, atol=1e-12)


def test_the_predicted_error_is_the_mean_over_believed_labels():
    """E over labels from the belief, and over all samples, of the squared error of the linearised metric."""
    prob = np.array([0.1, 0.3, 0.45, 0.6, 0.8, 0.95])
    pool = fl.Pool(prob)
    found = fl.design(pool, "f1", 3, like="paper")
    pa = 0.9 * prob + 0.05
    gradient = slope(metrics.get("f1", "binary").value, belief.smoothed(pool, 0.9, "even").tables)
    expected = 0.0
    for chance, y in label_vectors(pa):
        d = np.array([gradient[0, y[n], int(c)] for n, c in enumerate(pool.decisions)])
        for likely, s in subsets(found.inclusion):
            expected += chance * likely * (np.sum(d[s] / found.inclusion[s]) - d.sum()) ** 2
    assert found.expected_stderr == pytest.approx(math.sqrt(expected), rel=1e-5)


@pytest.mark.parametrize("sampler", ["poisson", "importance", "uniform"])
def test_predicted_errors_hold_when_the_belief_is_true(sampler):
    """4,000 repetitions with labels drawn from the belief: the root mean squared error within 12%."""
    prob = np.random.default_rng(3).beta(0.6, 2, size=1500)
    pool = fl.Pool(prob)
    found = fl.design(pool, "f1", 300, sampler=sampler, belief=prob, like="paper")
    rng = np.random.default_rng(4)
    errors = []
    for seed in range(400):
        truth = rng.random(1500) < prob
        census = float(metrics.get("f1", "binary").value(table(truth, pool.decisions)))
        sample = found.draw(seed=seed)
        errors.append(fl.estimate(sample, truth[sample.index], "f1", like="paper").value - census)
    assert math.sqrt(np.mean(np.square(errors))) == pytest.approx(found.expected_stderr, rel=0.12)


def biased_metrics(pool, seen):
    """The metrics that some label vector shows to be off when the items outside ``seen`` are never drawn."""
    found = set()
    for name in metrics.names("binary"):
        metric = metrics.get(name, "binary", zero_division=np.nan)
        for _, y in label_vectors(np.full(len(pool), 0.5)):
            census = float(metric.value(table(y, pool.decisions)))
            limit = float(metric.value(table(y[seen], pool.decisions[seen])))
            if not math.isnan(census) and (math.isnan(limit) or abs(census - limit) > 1e-9):
                found.add(name)
                break
    return found


@pytest.mark.parametrize("name", metrics.names("binary"))
def test_blind_names_exactly_the_metrics_that_are_biased(name):
    pool = fl.Pool([0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8])
    found = fl.design(pool, name, 2, like="paper")
    seen = found.inclusion > 0
    if seen.all():
        assert found.blind == ()
        assert name != "precision"
    else:
        assert set(found.blind) == biased_metrics(pool, seen)
        assert "precision" not in found.blind
        assert str(np.count_nonzero(~seen)) in found.notes[0]


def test_a_precision_sample_without_a_floor_warns_whoever_asks_for_recall():
    pool = fl.Pool([0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8])
    sample = fl.design(pool, "precision", 2, like="paper").draw(seed=1)
    labels = np.ones(len(sample))
    for name in ("recall", "sensitivity", "mcc", "f2", fl.metrics.ratio("mine", lambda c, y: c * y, lambda c, y: y)):
        with pytest.warns(fl.FewlabelsWarning, match="be served by this sample"):
            fl.estimate(sample, labels, name, like="paper")
    assert fl.estimate(sample, labels, "precision", like="paper").notes == ()


def test_a_floor_makes_recall_from_a_precision_design_unbiased():
    pool = fl.Pool([0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8])
    b = fl.design(pool, "precision", 3, like="paper", floor=0.2).inclusion
    assert b.min() > 0
    y = np.array([0, 1, 0, 1, 1, 0, 1])
    mean = sum(chance * table(y[s], pool.decisions[s], 1 / b[s]) for chance, s in subsets(b))
    np.testing.assert_allclose(mean, table(y, pool.decisions), rtol=1e-9)


@pytest.mark.parametrize("task", POOLS)
def test_several_metrics_share_a_design_fairly(task):
    names = {"binary": ["f1", "precision", "recall"]}.get(task, ["f1_macro", "precision_macro", "recall_macro"])
    together = fl.design(POOLS[task], names, 15, like="paper")
    for name in names:
        value = recipes.worth(POOLS[task], name, like="paper")
        alone = inclusion.poisson(value.h, 15)
        used = value.h > 0

        def spread(b, h=value.h, used=used):
            return np.sum(h[used] ** 2 / b[used])

        assert spread(together.inclusion) <= len(names) * spread(alone) * (1 + 1e-9)


def test_weights_lean_towards_a_metric():
    def error(weights):
        b = fl.design(POOLS["binary"], ["precision", "recall"], 20, weights=weights, like="paper").inclusion
        h = recipes.worth(POOLS["binary"], "precision", like="paper").h
        return np.sum(h[h > 0] ** 2 / b[h > 0])

    assert error([10, 1]) < error([1, 1]) < error([1, 10])


def test_the_printed_way_is_another_one():
    pool = POOLS["multilabel"]
    with pytest.raises(fl.FewlabelsError, match="paper"):
        fl.design(fl.Pool([0.2, 0.7, 0.9]), "f1", 3, like="printed")
    printed, right = (fl.design(pool, "f1_macro", 20, like=like, sampler="importance") for like in ("printed", "paper"))
    assert not np.allclose(printed.chances, right.chances)


@pytest.mark.parametrize("like", [None, "paper"])
def test_uniform(like):
    found = fl.design(POOLS["binary"], "f1", 60, sampler="uniform", like=like)
    assert np.ptp(found.inclusion) == 0
    sample = found.draw(seed=1)
    if like is None:
        assert len(sample) == 60
        assert found.inclusion[0] == pytest.approx(60 / 300)
    else:
        assert sample.counts.sum() == 60
        assert found.inclusion[0] == pytest.approx(1 - (1 - 1 / 300) ** 60)


def test_inclusion_of_importance_draws_by_simulation():
    """pi_n against the share of 3,000 draws that touched item n: chi-squared over 12 items."""
    found = fl.design(fl.Pool(PROB[:12]), "f1", 8, sampler="importance", like="paper")
    seen = np.zeros(12)
    for seed in range(3000):
        seen[found.draw(seed=seed).index] += 1
    pi = found.inclusion
    assert np.all(np.abs(seen - 3000 * pi) < 4.5 * np.sqrt(3000 * pi * (1 - pi)))
    assert found.expected_labels == pytest.approx(seen.sum() / 3000, rel=0.02)
    assert planning.equivalent_draws(found, found.expected_labels) == pytest.approx(8, rel=1e-6)


def test_certain_items_and_saturation():
    found = fl.design(POOLS["binary"], "f1", 150, like="paper")
    assert found.certain == np.count_nonzero(found.inclusion == 1) > 0
    assert found.saturates_at < 150
    below = fl.design(POOLS["binary"], "f1", found.saturates_at * 0.999, like="paper")
    assert below.certain == 0


def test_every_item_when_the_budget_is_the_pool_or_more():
    for budget in (300, 301, 10_000):
        assert fl.design(POOLS["binary"], "f1", budget).certain == 300


@pytest.mark.parametrize("prob", [np.full(50, 0.3), np.full(50, 0.7), np.zeros(50), np.ones(50)])
@pytest.mark.parametrize("like", [None, "paper"])
@pytest.mark.parametrize("name", ["f1", "precision", "recall", "specificity", "accuracy", "mcc"])
def test_scores_that_are_all_equal(prob, like, name):
    found = fl.design(fl.Pool(prob), name, 10, like=like)
    np.testing.assert_allclose(found.inclusion, 0.2, rtol=1e-9)
    assert len(found.draw(seed=0)) > 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"budget": 0}, "at least 1"),
        ({"budget": -3}, "at least 1"),
        ({"budget": float("nan")}, "at least 1"),
        ({"budget": float("inf")}, "at least 1"),
        ({"budget": "many"}, "at least 1"),
        ({"metric": "presicion"}, "did you mean precision"),
        ({"metric": []}, "at least one metric"),
        ({"metric": "f1_macro"}, "binary"),
        ({"sampler": "poison"}, "did you mean poisson"),
        ({"like": "papers"}, "did you mean paper"),
        ({"trust": 1.5}, "trust must be between 0 and 1"),
        ({"trust": float("nan")}, "trust must be between 0 and 1"),
        ({"floor": -0.1}, "floor must be between 0 and 1"),
        ({"belief": [0.5, 0.5]}, "they must agree"),
        ({"belief": np.full(300, np.nan)}, "between 0 and 1"),
        ({"belief": np.full(300, 1.5)}, "between 0 and 1"),
        ({"metric": ["f1", "recall"], "weights": [1]}, "2 numbers"),
        ({"metric": ["f1", "recall"], "weights": [-1, 2]}, "2 numbers"),
        ({"metric": ["f1", "recall"], "weights": [0, 0]}, "2 numbers"),
        ({"metric": fl.metrics.smooth("odd", lambda t: float("nan"))}, "no finite slope"),
    ],
)
def test_every_mistake_has_its_sentence(options, words):
    with pytest.raises(fl.FewlabelsError, match=words) as told:
        fl.design(**{"pool": POOLS["binary"], "metric": "f1", "budget": 30, **options})
    assert "\n" not in str(told.value)
    assert str(told.value).endswith(".")


@pytest.mark.parametrize("seed", [None, "a", 1.5])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(fl.FewlabelsError, match="seed"):
        fl.design(POOLS["binary"], "f1", 30).draw(seed=seed)


def test_every_sampler_is_known_to_the_laws():
    assert set(designs.SAMPLERS) == {
        "poisson",
        "priority",
        "stratified",
        "importance",
        "uniform",
        "uniform_with_replacement",
    }


@pytest.mark.parametrize("sampler", ["stratified", "poisson", "priority"])
def test_what_could_not_be_drawn_can_be_anything(sampler):
    """A sample that looks at predicted positives only rules out nothing of recall; of precision it knows all it can."""
    pool = fl.Pool(np.random.default_rng(0).beta(0.2, 3, 5000))
    sample = fl.design(pool, "precision", 40, floor=0, sampler=sampler).draw(seed=0)
    labels = sample.prob > 0.7
    with pytest.warns(fl.FewlabelsWarning, match="recall cannot be served"):
        assert fl.estimate(sample, labels, "recall").interval(0.9) == (0.0, 1.0)
    low, high = fl.estimate(sample, labels, "precision").interval(0.9)
    assert 0 < low < high < 1
