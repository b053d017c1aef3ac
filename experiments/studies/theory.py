"""The paper's theory on the real pools: BS against IS, label counts, saturation, predicted errors, bias, trust."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments import core, engine, plans, problems, repeat
from fewlabels.maths import inclusion

from .toxic import FRACTIONS as TOXIC_FRACTIONS

POOLS = {"mnist8": "f1", "newsgroups_binary": "f1", "toxic6": "f1_micro"}
TRUSTS = (1.0, 0.99, 0.9, 0.7, 0.5)
TRUST_AT = (0.02, 0.05, 0.1, 0.25)
TRUST_RUNS = 1000
PRINTED_CASES = 2000


def measure(setting: repeat.Setting) -> dict[str, Any]:
    """All checks, pool by pool."""
    pools = {name: one_pool(problems.load(name, setting.out), metric, setting) for name, metric in POOLS.items()}
    return {"pools": pools, "printed": printed(setting.seed)}


def one_pool(problem: problems.Problem, metric: str, setting: repeat.Setting) -> dict[str, Any]:
    """Predictions and measurements for one pool, with the paper's samplers drawn for ``metric``."""
    labels = plans.counts(problem, TOXIC_FRACTIONS if problem.name == "toxic6" else plans.FRACTIONS)
    chosen = {sampler: plans.plan(problem, sampler, metric, labels) for sampler in ("importance", "poisson")}
    h, d = core.deviations(problem, metric), core.true_deviations(problem, metric)
    curves = repeat.studied(problem, chosen, (metric,), setting, f"Theory, {problem.name}")
    q = h / inclusion.total(h)
    draws = [inclusion.draws_for(q, float(count)) for count in labels]
    b = [inclusion.poisson(h, float(count)) for count in labels]
    return {
        "metric": metric,
        "size": problem.size,
        "truth": core.truth(problem, metric),
        "labels": labels,
        "draws": draws,
        "distinct": {"importance": curves["importance"]["labels"], "poisson": curves["poisson"]["labels"]},
        "expected": {
            "poisson": [inclusion.error(h, one) for one in b],
            "importance": [inclusion.error_of_draws(h, q, many) for many in draws],
        },
        "linearised": {
            "poisson": [inclusion.error(d, one) for one in b],
            "importance": [inclusion.error_of_draws(d, q, many) for many in draws],
        },
        "measured": {sampler: curves[sampler][metric]["mse"] for sampler in chosen},
        "measured_se": {sampler: curves[sampler][metric]["mse_se"] for sampler in chosen},
        "estimated": {sampler: curves[sampler][metric]["predicted"] for sampler in chosen},
        "bounds": bounds(problem.size, labels, draws),
        "saturation": saturation(h),
        "bias": bias(problem, metric, b, curves["poisson"][metric], setting.runs),
        "trust": trust(problem, metric, setting),
        "few": few(problem, metric, int(labels[0]), setting),
    }


def bounds(size: int, labels: np.ndarray, draws: list[float]) -> dict[str, Any]:
    """Two bounds on E_BS / E_IS at equal distinct labels: the paper's last line, and the line before it.

    The last line puts M_BS = M_IS. But M_BS falls short of M_IS by about M_IS^2 / 2N, as much as half of the gain.
    """
    many = np.asarray(draws)
    return {"printed": 1.0 - many / size, "exact": (1.0 / labels - 1.0 / size) * many}


def saturation(h: np.ndarray) -> dict[str, float]:
    """Where the first b reaches 1: by the paper's condition, and by asking for b at every whole budget."""
    low, high = 1, len(h)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if inclusion.poisson(h, float(middle)).max() >= 1 else (middle + 1, high)
    return {"predicted": inclusion.saturation(h), "found": low, "share": inclusion.saturation(h) / len(h)}


def bias(
    problem: problems.Problem, metric: str, b: list[np.ndarray], curve: dict[str, Any], runs: int
) -> dict[str, Any]:
    """The estimator's bias: measured, as the paper prints it, and from the second derivative of the metric."""
    right, printed_too = zip(*(core.biases(problem, metric, one) for one in b), strict=True)
    return {
        "measured": curve["bias"],
        "se": np.sqrt(np.asarray(curve["mse"]) / runs),
        "printed": printed_too,
        "right": right,
    }


def few(problem: problems.Problem, metric: str, labels: int, setting: repeat.Setting) -> dict[str, Any]:
    """The smallest size again, four times as often: does the random size of a Bernoulli sample cost anything?

    ``near`` is the squared error of those samples whose size is the expected one, give or take a third of a standard
    deviation, over that of all.
    """
    arrays = {}
    for sampler in ("poisson", "importance"):
        plan = plans.plan(problem, sampler, metric, [labels])
        cells = repeat.cells(problem, plan, (metric,), setting, 4 * setting.runs, errors=False)
        found = engine.joined(engine.run(cells, setting.out, setting.jobs, f"Few labels, {problem.name}"))
        arrays[sampler] = ((found["value"][:, 0, 0] - core.truth(problem, metric)) ** 2, found["distinct"][:, 0])
    (squares, sizes), (others, _) = arrays["poisson"], arrays["importance"]
    near = squares[np.abs(sizes - labels) <= max(1.0, sizes.std() / 3)]
    relative = [x.std() / np.sqrt(len(x)) / x.mean() for x in (squares, others, near)]
    ratio, conditional = squares.mean() / others.mean(), near.mean() / squares.mean()
    return {
        "labels": labels,
        "runs": 4 * setting.runs,
        "ratio": ratio,
        "ratio_se": ratio * np.hypot(*relative[:2]),
        "near": conditional,
        "near_se": conditional * relative[2],
    }


def trust(problem: problems.Problem, metric: str, setting: repeat.Setting) -> dict[str, Any]:
    """Root mean squared error of Bernoulli sampling for different lambda."""
    labels = plans.counts(problem, TRUST_AT)
    chosen = {str(value): plans.plan(problem, "poisson", metric, labels, value) for value in TRUSTS}
    runs = min(setting.runs, TRUST_RUNS)
    found = repeat.studied(problem, chosen, (metric,), setting, f"Trust, {problem.name}", errors=False, runs=runs)
    return {"at": TRUST_AT, "rmse": {value: np.sqrt(found[value][metric]["mse"]) for value in found}}


def printed(seed: int) -> dict[str, Any]:
    """Algorithm 3 as it is printed, on random deviations: how often its b sum to the budget, and what that costs."""
    rng = np.random.default_rng(seed)
    right, none, cost = 0, 0, []
    for _ in range(PRINTED_CASES):
        h = rng.lognormal(sigma=rng.uniform(0.1, 2.0), size=int(rng.integers(5, 200)))
        budget = int(rng.integers(1, len(h) + 1))
        try:
            b = inclusion.poisson_printed(h, budget)
        except ValueError:
            none += 1
            continue
        right += bool(abs(b.sum() - budget) < 1e-6 and b.max() <= 1 + 1e-9)
        cost.append(abs(b.sum() - budget))
    return {"cases": PRINTED_CASES, "right": right, "none": none, "largest_gap": max(cost)}
