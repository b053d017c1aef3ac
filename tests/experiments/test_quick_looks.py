"""``--runs 50`` of every experiment: the paper's main findings must show even there."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.peers import table
from experiments import marks, page, problems, repeat
from experiments.__main__ import perform
from experiments.studies import ours

Quick = Callable[[str], dict[str, Any]]
SAMPLERS = ("uniform", "importance", "poisson")


def at(curve: dict[str, Any], fraction: float) -> int:
    return int(np.argmin(np.abs(np.array(curve["fraction"]) - fraction)))


def drawn(out: Path, name: str) -> None:
    for figure in page.FIGURES[name]:
        for ending in ("png", "svg"):
            assert (out / "figures" / f"{figure}.{ending}").stat().st_size > 5000


def test_mnist(quick: Quick, out: Path) -> None:
    found = quick("mnist")
    curves = found["curves"]
    assert found["about"]["size"] == 11_200
    assert found["about"]["positives"] == 1_120
    for metric in found["about"]["truth"]:
        late = at(curves["poisson"], 0.7)
        assert curves["poisson"][metric]["mse"][late] < 0.5 * curves["importance"][metric]["mse"][late]
        assert found["everything"][metric] == 0
    middle = slice(at(curves["uniform"], 0.05), at(curves["uniform"], 0.5))
    assert np.mean(curves["importance"]["f1"]["mse"][middle]) < np.mean(curves["uniform"]["f1"]["mse"][middle])
    for sampler in SAMPLERS:  # the axis counts distinct items, the same for all
        assert len(curves[sampler]["labels"]) == 20
        assert curves[sampler]["labels"] == pytest.approx(curves["poisson"]["labels"], rel=0.06, abs=3)
        assert np.mean(curves[sampler]["f1"]["coverage"][8:14]) == pytest.approx(0.9, abs=0.08)
    assert 0.2 < found["certain"]["starts"] < 0.45
    assert max(found["weights"]["importance"]["0.5"]) < 1 == max(found["weights"]["poisson"]["0.5"])
    drawn(out, "mnist")


def test_newsgroups(quick: Quick, out: Path) -> None:
    found = quick("newsgroups")
    for curves, metrics in ((found["curves"], ("f1", "recall")), (found["twenty"]["curves"], ("accuracy",))):
        for metric in metrics:
            assert curves["poisson"][metric]["mse"][-3] < 0.6 * curves["importance"][metric]["mse"][-3]
    assert len(found["groups"]["mse"]) == 20
    half = [row["poisson"][-1] / row["importance"][-1] for row in found["groups"]["mse"].values()]
    assert np.exp(np.mean(np.log(half))) < 0.9
    assert found["twenty"]["about"]["truth"]["accuracy"] == pytest.approx(0.774, abs=0.001)
    drawn(out, "newsgroups")


def test_toxic(quick: Quick, out: Path) -> None:
    found = quick("toxic")
    assert (found["about"]["size"], found["about"]["positives"]) == (600, 125)
    k = at(found["curves"]["poisson"], 0.3)
    errors = [found["curves"][sampler]["f1_micro"]["abs"][k] for sampler in ("poisson", "importance", "uniform")]
    assert errors == sorted(errors)
    assert found["starts"]["f1_micro"] < 0.15
    drawn(out, "toxic")


def test_cross(quick: Quick, out: Path) -> None:
    found = quick("cross")
    for sampler in ("poisson", "importance"):
        matrix = found[sampler]["matrix"]
        assert all(matrix[metric][metric]["ratio"] == 1 for metric in matrix)
        assert matrix["recall"]["precision"]["ratio"] > 2
        assert matrix["precision"]["recall"]["ratio"] > 1.3  # it never draws the items that were decided negative
        for row in found[sampler]["linearised"]["belief"].values():  # by its own belief every design is the best one
            assert all(ratio is None or ratio >= 0.99 for ratio in row.values())
    drawn(out, "cross")


def test_theory(quick: Quick, out: Path) -> None:
    found = quick("theory")
    for pool in found["pools"].values():
        ratio = np.array(pool["expected"]["poisson"]) / np.array(pool["expected"]["importance"])
        free = np.array(pool["labels"]) < pool["saturation"]["predicted"]
        assert np.all(ratio[free] <= np.array(pool["bounds"]["exact"])[free] + 1e-9)
        assert pool["saturation"]["found"] == math.ceil(pool["saturation"]["predicted"])
        measured, linear = np.array(pool["measured"]["poisson"]), np.array(pool["linearised"]["poisson"])
        assert np.mean(np.log(measured / linear)[6:16]) == pytest.approx(0, abs=0.4)
    assert found["printed"]["right"] < found["printed"]["cases"] / 2
    drawn(out, "theory")


def test_ours(quick: Quick, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick("toxic")
    monkeypatch.setattr(ours, "READY", {})
    monkeypatch.setattr(ours, "LABELS", (50, 200))
    perform("ours", repeat.Setting(out, 50, 0, 1))
    found = json.loads((out / "results.json").read_text())["ours"]
    pool = found["pools"]["mnist8"]
    mse = {
        name: dict(zip(np.round(c["labels"], -1), c["f1"]["mse"], strict=True)) for name, c in pool["curves"].items()
    }
    near = min(mse["poisson"], key=lambda labels: abs(labels - 200))
    assert mse["ours"][200] < mse["poisson"][near] < mse["uniform"][near] * 1.2
    assert pool["curves"]["ours"]["f1"]["coverage"][1] > 0.6
    assert pool["halves"]["rmse"]["ours_ours"] < pool["halves"]["rmse"]["paper_paper"]
    assert "What the design does" in page.section("ours", found)
    assert (out / "figures" / "error_vs_labels.png").is_file()
    assert (out / "figures" / "labels_saved.svg").is_file()


def test_the_page_tells_every_claim_with_its_verdict(quick: Quick, out: Path, tmp_path: Path) -> None:
    numbers = {name: quick(name) for name in ("toxic", "cross", "theory")}
    page.publish(numbers, out, tmp_path)
    text = (tmp_path / "results.md").read_text()
    for made in page.claims(numbers).values():
        for claim in made:
            assert (
                f"**The paper:** {claim.says}\n\n**Measured:** {claim.measured}\n\n**So it {claim.verdict}.**" in text
            )
    for name in numbers:
        for figure in page.FIGURES[name]:
            assert f"(figures/{figure}.png)" in text
            assert (tmp_path / "figures" / f"{figure}.png").is_file()
    assert "nan" not in text


def test_an_experiment_run_by_itself_leaves_the_others_on_the_page(quick: Quick, out: Path, tmp_path: Path) -> None:
    both = {name: quick(name) for name in ("toxic", "cross")}
    page.publish(both, out, tmp_path)
    whole = (tmp_path / "results.md").read_text()
    page.publish({"cross": both["cross"]}, out, tmp_path)
    assert (tmp_path / "results.md").read_text() == whole
    assert json.loads((tmp_path / "results.json").read_text()).keys() == both.keys()


def test_the_published_page_is_what_its_numbers_say() -> None:
    docs = Path(__file__).resolve().parents[2] / "docs"
    numbers = json.loads((docs / "results.json").read_text())
    published = (docs / "results.md").read_text()
    assert published == marks.filled(page.text(numbers), marks.parts(published))
    contest = json.loads((docs.parent / "benchmarks" / "peers" / "results.json").read_text())
    assert marks.parts(published)["contest"].strip() == table.glance(contest).strip()
    assert all((docs / "figures" / f"{figure}.png").is_file() for name in numbers for figure in page.FIGURES[name])


def test_a_trained_pool_is_kept(quick: Quick, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick("toxic")
    monkeypatch.setattr(problems, "MAKERS", {})
    assert problems.load("toxic6", out).size == 600
