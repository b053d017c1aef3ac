"""What the numbers say: one place for every ratio that the table and the pictures show. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .score import geometric, labels_for

OURS = "fewlabels"
OUR_WAYS = (OURS, "fewlabels_poisson", "fewlabels_rounds", "fewlabels_no_floor")
AGAIN = 3  # times as many repetitions where a lost cell is played again
NOTHING = 1e-12  # a mean squared error that is rounding
GOOD = {"90": (0.88, 0.94), "95": (0.93, 0.97)}


@dataclass(frozen=True)
class Findings:
    """Cells by (peer, pool, metric, budget), with what is asked of them."""

    results: dict[str, Any]

    @cached_property
    def cells(self) -> dict[tuple[str, str, str, int], dict[str, Any]]:
        return {(c["peer"], c["pool"], c["metric"], c["budget"]): c for c in self.results["cells"]}

    @property
    def budgets(self) -> list[int]:
        return self.results["settings"]["budgets"]

    @property
    def peers(self) -> list[dict[str, Any]]:
        return self.results["peers"]

    def pools(self, simulated: bool | None = None, metric: str = "f1") -> list[dict[str, Any]]:
        return [
            pool
            for pool in self.results["pools"]
            if metric in pool["values"] and (simulated is None or pool["simulated"] == simulated)
        ]

    def has(self, peer: str, pool: str, metric: str = "f1") -> bool:
        return (peer, pool, metric, self.budgets[0]) in self.cells

    def curve(self, peer: str, pool: str, metric: str = "f1") -> list[float]:
        return [self.cells[peer, pool, metric, budget]["mse"] for budget in self.budgets]

    def labels(self, peer: str, pool: str, metric: str = "f1", than: str = OURS) -> float:
        """Labels that `peer` needs for the error of `than`, its own = 1; geometric mean over the budgets.

        Budgets at which `than` has no error (every item that counts is labelled) say nothing; nan if none is left.
        """
        mine, curve = self.curve(than, pool, metric), self.curve(peer, pool, metric)
        pairs = [(b, m) for b, m in zip(self.budgets, mine, strict=True) if m > NOTHING]
        needed = [labels_for(m, self.budgets, curve) / b for b, m in pairs]
        return geometric(needed) if needed else float("nan")

    def overall(self, peer: str, simulated: bool | None = None, metric: str = "f1") -> tuple[float, float] | None:
        """Geometric mean of `labels` over pools and the standard error of its logarithm."""
        names = [pool["name"] for pool in self.pools(simulated, metric) if self.has(peer, pool["name"], metric)]
        needed = {name: self.labels(peer, name, metric) for name in names}
        needed = {name: value for name, value in needed.items() if np.isfinite(value)}
        if not needed:
            return None
        noise, count = 0.0, 0
        for name in needed:
            for budget in self.budgets:
                pair = [self.cells[one, name, metric, budget] for one in (peer, OURS)]
                if pair[1]["mse"] > NOTHING:
                    count += 1
                    noise += sum((cell["mse_se"] / max(cell["mse"], NOTHING)) ** 2 for cell in pair)
        return geometric(list(needed.values())), float(np.sqrt(noise)) / count

    def error_ratio(self, peer: str, than: str, simulated: bool | None, metric: str = "f1") -> list[float]:
        """Squared error of `peer` over that of `than` in every cell."""
        return [
            self.cells[peer, pool["name"], metric, budget]["mse"]
            / self.cells[than, pool["name"], metric, budget]["mse"]
            for pool in self.pools(simulated, metric)
            if self.has(peer, pool["name"], metric) and self.has(than, pool["name"], metric)
            for budget in self.budgets
        ]

    def losses(self, metric: str, noise: float = 2.0, ours: str = OURS) -> Iterator[dict[str, Any]]:
        """Cells where a peer's squared error is below that of `ours` by more than `noise` standard errors."""
        for (peer, pool, found, budget), cell in self.cells.items():
            mine = self.cells.get((ours, pool, metric, budget))
            if peer in OUR_WAYS or found != metric or mine is None:
                continue
            spread = float(np.hypot(cell["mse_se"], mine["mse_se"]))
            if mine["mse"] - cell["mse"] > noise * spread:
                yield {"peer": peer, "pool": pool, "budget": budget, "ours": mine, "theirs": cell}

    def again(self, metric: str, pool: str, budget: int, peer: str) -> tuple[float, float, int] | None:
        """A lost cell played again: their squared error over ours, its standard error, and the repetitions."""
        for row in self.results.get("again", ()):
            if (row["metric"], row["pool"], row["budget"], row["peer"]) == (metric, pool, budget, peer):
                ours, theirs = row["ours"], row["theirs"]
                ratio = theirs["mse"] / max(ours["mse"], NOTHING)
                parts = [one["mse_se"] / max(one["mse"], NOTHING) for one in (ours, theirs)]
                return ratio, ratio * float(np.hypot(*parts)), ours["repetitions"]
        return None

    def first(self, metric: str, noise: float = 2.0, ours: str = OURS) -> tuple[int, int]:
        """Cells in which nobody beats `ours` by more than noise, and all cells."""
        mine = {(pool, budget) for (peer, pool, found, budget) in self.cells if peer == ours and found == metric}
        lost = {(loss["pool"], loss["budget"]) for loss in self.losses(metric, noise, ours)}
        return len(mine - lost), len(mine)

    def coverage(self, peer: str, level: str, metric: str | None = "f1") -> list[float]:
        return [
            cell[f"coverage{level}"]
            for (name, _, found, _), cell in self.cells.items()
            if name == peer and metric in (found, None) and cell[f"coverage{level}"] is not None
        ]

    def width(self, peer: str, level: str, metric: str = "f1") -> float | None:
        """Mean width over ours, geometric mean over the cells that both have."""
        name, ratios = f"width{level}", []
        for (found, pool, measured, budget), cell in self.cells.items():
            mine = self.cells.get((OURS, pool, measured, budget))
            if found == peer and measured == metric and mine and cell[name] and mine[name]:
                ratios.append(cell[name] / mine[name])
        return geometric(ratios) if ratios else None

    def bounds(self, metric: str) -> dict[tuple[str, int], float]:
        return {(b["pool"], b["budget"]): b["mse"] for b in self.results["bounds"] if b["metric"] == metric}
