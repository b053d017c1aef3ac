"""The contest itself, cell by cell; a finished cell is kept and not run again until its code changes."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
import time
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from . import bound, score
from .findings import AGAIN, OURS, Findings
from .protocol import Answer, Case, Peer

ROOT = Path(__file__).resolve().parents[2]
TRIALS = 5
DIGITS = 9  # of an answer that fewlabels is known by
KEPT = ROOT / "out" / "peers"


def run(
    peers: Sequence[Peer],
    pools: Sequence[Case],
    metrics: Sequence[str],
    budgets: Sequence[int],
    repetitions: int,
    finished: bool = False,
) -> dict[str, Any]:
    """All cells, or with `finished` only those that are already there."""
    cells = []
    todo = [(m, c, p) for m in metrics for c in pools for p in peers if plays(p, c, m)]
    start = time.perf_counter()
    for at, (metric, case, peer) in enumerate(todo, 1):
        cells += cell(peer, case, metric, budgets, peer.repetitions(metric, repetitions), finished)
        print(f"{at}/{len(todo)} {time.perf_counter() - start:6.0f} s  {metric} {case.name} {peer.key}", flush=True)
    return {
        "machine": machine(),
        "versions": versions(peers),
        "settings": {"budgets": list(budgets), "repetitions": repetitions, "metrics": list(metrics)},
        "seconds": sum(c["cell_seconds"] for c in cells) / len(budgets),
        "peers": [entry(peer) for peer in peers],
        "pools": [about(case) for case in pools],
        "bounds": list(bounds(pools, metrics, budgets)),
        "cells": cells,
    }


def again(
    results: dict[str, Any], peers: Sequence[Peer], pools: Sequence[Case], finished: bool = False
) -> list[dict[str, Any]]:
    """Every lost cell played again, by fewlabels and by who won it, with other seeds and more of them."""
    found, repetitions, rows = Findings(results), results["settings"]["repetitions"], []
    who, where = {peer.key: peer for peer in peers}, {case.name: case for case in pools}
    for metric in results["settings"]["metrics"]:
        for loss in found.losses(metric):
            both = []
            for key in (OURS, loss["peer"]):
                about = (who[key], where[loss["pool"]], metric, [loss["budget"]], AGAIN * repetitions)
                both += cell(*about, finished, first=repetitions)
            if len(both) == 2:
                told = {name: loss[name] for name in ("peer", "pool", "budget")}
                rows.append({**told, "metric": metric, "ours": both[0], "theirs": both[1]})
                print(f"again: {metric} {loss['pool']} {loss['budget']} {loss['peer']}", flush=True)
    return rows


def plays(peer: Peer, case: Case, metric: str) -> bool:
    """The multi-class pool has accuracy only, the simulated pools F1 only."""
    suits = metric == "accuracy" if case.multiclass else metric == "f1" or case.chance is None
    return suits and metric in peer.metrics


def cell(
    peer: Peer,
    case: Case,
    metric: str,
    budgets: Sequence[int],
    repetitions: int,
    finished: bool = False,
    first: int = 0,
) -> list[dict[str, Any]]:
    """All budgets of one peer, pool and metric, kept or run. Times are the processor's: load does not matter."""
    known = fingerprint(peer, case, metric, budgets, repetitions, first)
    kept = place(peer.key, case.name, metric, known)
    if kept.exists():
        return json.loads(kept.read_text())
    if finished:
        return []
    begun = time.process_time()
    contestant = peer.prepare(case, metric, budgets)
    prepared = time.process_time() - begun
    view = case.view(metric)
    answers, truth = [], []
    begun = time.process_time()
    for repetition in range(first, first + repetitions):
        labels = case.labels(repetition)
        truth.append(view.value(labels))
        answers.append(contestant(labels.__getitem__, repetition))
    spent = time.process_time() - begun
    rows = [
        {"peer": peer.key, "pool": case.name, "metric": metric, "budget": budget}
        | score.summary([answer[budget] for answer in answers], np.array(truth))
        | {"prepare_seconds": prepared, "seconds": spent / repetitions, "cell_seconds": prepared + spent}
        | {"fingerprint": known}
        for budget in budgets
    ]
    keep(kept, rows)
    return rows


def place(peer: str, pool: str, metric: str, known: str) -> Path:
    """Where a finished cell is kept."""
    return KEPT / f"{peer}-{pool}-{metric}-{known}.json"


def keep(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}.partial")  # two contests may share the folder
    partial.write_text(json.dumps(rows))
    partial.replace(path)


def restore(results: dict[str, Any]) -> None:
    """Cells of an earlier contest, put back where finished ones are kept; their fingerprints say who still plays so."""
    replayed = [row[side] for row in results.get("again", ()) for side in ("ours", "theirs")]
    found: dict[Path, list[dict[str, Any]]] = {}
    for row in [*results["cells"], *replayed]:
        path = place(row["peer"], row["pool"], row["metric"], row["fingerprint"])
        found.setdefault(path, []).append(row)
    for path, rows in found.items():
        if not path.exists():
            keep(path, rows)


def fingerprint(peer: Peer, case: Case, metric: str, budgets: Sequence[int], repetitions: int, first: int = 0) -> str:
    """Everything that a cell's numbers depend on: adapter, version, pool, size of the experiment.

    fewlabels changes daily in places that do not matter here, so it is known by what it does: its answers in the
    first repetitions of this very cell.
    """
    here = Path(__file__).parent
    module = Path(sys.modules[peer.prepare.__module__].__file__ or "")
    files = [module, here / "protocol.py", here / "score.py"]
    if peer.distribution is None:
        files += sorted((ROOT / "experiments" / "baselines").glob("*.py"))
    told = (peer.key, version(peer), list(budgets), repetitions, *([first] if first else []))
    digest = hashlib.sha256(repr(told).encode())
    if peer.distribution == "fewlabels":
        digest.update(trial(peer, case, metric, budgets).encode())
    for file in files:
        digest.update(file.read_bytes())
    for array in (case.prob, case.decisions, case.known, case.chance):
        digest.update(b"" if array is None else np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


def trial(peer: Peer, case: Case, metric: str, budgets: Sequence[int]) -> str:
    contestant = peer.prepare(case, metric, budgets)
    answers = [contestant(case.labels(repetition).__getitem__, repetition) for repetition in range(TRIALS)]
    return repr([told(answer) for one in answers for answer in one.values()])


def told(answer: Answer) -> tuple[Any, ...]:
    """An answer without its last digits, which differ with the number of threads that add it up."""
    limits = {level: np.round(ends, DIGITS).tolist() for level, ends in sorted(answer.intervals.items())}
    return round(answer.value, DIGITS), answer.labels, limits


def version(peer: Peer) -> str | None:
    return None if peer.distribution is None else metadata.version(peer.distribution)


def versions(peers: Iterable[Peer]) -> dict[str, str]:
    names = {peer.distribution for peer in peers if peer.distribution} | {"numpy", "scipy", "scikit-learn"}
    return {name: metadata.version(name) for name in sorted(names)}


def machine() -> dict[str, Any]:
    model = platform.processor() or platform.machine()
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        lines = [line for line in facts.read_text().splitlines() if line.startswith("model name")]
        model = lines[0].split(":", 1)[1].strip() if lines else model
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
    }


def entry(peer: Peer) -> dict[str, Any]:
    words = {name: getattr(peer, name) for name in ("key", "title", "settings", "source", "added")}
    return words | {"version": version(peer), "distribution": peer.distribution}


def about(case: Case) -> dict[str, Any]:
    values = {}
    for metric in ("accuracy",) if case.multiclass else ("f1", "accuracy", "precision", "recall"):
        values[metric] = float(np.mean([case.view(metric).value(case.labels(r)) for r in range(5)]))
    positives = None if case.multiclass else float(np.mean(case.labels(0)))
    facts = {"name": case.name, "title": case.title, "note": case.note, "size": len(case.prob)}
    return facts | {"positives": positives, "simulated": case.chance is not None, "values": values}


def bounds(pools: Sequence[Case], metrics: Sequence[str], budgets: Sequence[int]) -> Iterable[dict[str, Any]]:
    for case in pools:
        for metric in set(metrics) & {"f1"} if case.chance is not None else ():
            for budget in budgets:
                yield {
                    "pool": case.name,
                    "metric": metric,
                    "budget": budget,
                    "mse": bound.bound(case, metric, budget),
                }
