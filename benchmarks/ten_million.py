"""Design, draw and estimate for ten million binary items, beside one ``np.sqrt(p, out=q)`` over the same array.

``python -m benchmarks.ten_million [--items N] [--out FILE]`` prints each step's time in such passes and its peak
memory above the input, and writes both as JSON with the machine's facts.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import fewlabels as fl
from fewlabels.pool import Pool


def best(step: Callable[[], Any], repeats: int = 5) -> float:
    """The least of several times, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return min(times)


def peak(step: Callable[[], Any]) -> int:
    """Bytes at the highest point of a step above where it began (numpy reports to tracemalloc)."""
    tracemalloc.start()
    step()
    _, highest = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return highest


def measure(items: int, budget: int) -> dict[str, Any]:
    prob = np.random.default_rng(0).beta(0.3, 3.0, size=items)
    other = np.empty_like(prob)
    unit = best(lambda: np.sqrt(prob, out=other))
    pool = Pool(prob)

    def fresh() -> Pool:
        # A pool remembers its expected totals and keys; each repetition must make them anew.
        again = Pool.__new__(Pool)
        again.__dict__.update({k: pool.__dict__[k] for k in ("prob", "decisions", "task", "classes", "_ids")})
        return again

    def planned(sampler: str | None = None) -> fl.Design:
        return fl.design(fresh(), "f1", budget, sampler=sampler)

    ready = planned()
    sample = ready.draw(seed=0)
    labels = np.random.default_rng(1).random(len(sample)) < sample.prob

    def answer() -> tuple[float, float]:
        # A sample remembers the pool's summary; each repetition must make it anew.
        return fl.estimate(planned().draw(seed=0), labels, "f1").interval(0.95)

    steps: dict[str, Callable[[], Any]] = {
        "open the pool (checks, decisions)": lambda: Pool(prob),
        "design": planned,
        "design and draw, Poisson": lambda: planned("poisson").draw(seed=0),
        "design and draw, priority": lambda: planned("priority").draw(seed=0),
        "design and draw, stratified (default)": lambda: planned().draw(seed=0),
        "a second draw, stratified": lambda: ready.draw(seed=1),
        "design, draw, estimate and interval": answer,
        "sort of the deviations (not used)": lambda: np.sort(ready.inclusion),
    }
    rows = {name: {"passes": best(step) / unit, "peak_mib": peak(step) / 2**20} for name, step in steps.items()}
    return {
        "items": items,
        "budget": budget,
        "sqrt_pass_ms": unit * 1e3,
        "input_mib": prob.nbytes / 2**20,
        "steps": rows,
        "machine": {"cores": os.cpu_count(), "python": platform.python_version(), "numpy": np.__version__},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=10_000_000)
    parser.add_argument("--budget", type=int, default=1_000)
    parser.add_argument("--out", type=Path, default=Path("out/ten_million.json"))
    options = parser.parse_args()
    result = measure(options.items, options.budget)
    print(f"{result['items']:,} items; one np.sqrt pass takes {result['sqrt_pass_ms']:.1f} ms")
    for name, row in result["steps"].items():
        print(f"{name:38} {row['passes']:6.1f} passes {row['peak_mib']:8.0f} MiB above the input")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
