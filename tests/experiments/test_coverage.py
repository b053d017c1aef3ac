"""Intervals hold where they are promised to, measured on a small seeded grid; and the page says what was measured.

Tolerance: three standard errors of the simulation. With RUNS repetitions at a true coverage of 0.88 one standard error
is sqrt(0.88 x 0.12 / RUNS) = 0.027, so a cell fails below 0.80; the mean of all cells has three times smaller errors.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fewlabels as fl
from experiments import cases, engine, marks
from experiments.__main__ import main
from experiments.pages import choose as choose_page
from experiments.pages import coverage as page
from experiments.studies import choose, coverage

RUNS = 150
DOCS = Path(__file__).parents[2] / "docs"
GRID = list(itertools.product(("calibrated/10000", "over/10000"), ("f1", "recall"), (50, 200)))


def measured(pool: str, metric: str, labels: int, runs: int = RUNS) -> dict[str, Any]:
    place = coverage.Place(pool, metric, str(labels), labels, runs)
    return coverage.row(place, coverage.repeat(place, runs, np.random.default_rng(5)))


@pytest.fixture(scope="module")
def grid() -> dict[tuple[str, str, int], dict[str, Any]]:
    return {place: measured(*place) for place in GRID}


def error(coverage: float, runs: int) -> float:
    return math.sqrt(coverage * (1 - coverage) / runs)


@pytest.mark.parametrize("place", GRID, ids=str)
def test_90_per_cent_intervals_hold(place: tuple[str, str, int], grid: dict[Any, Any]) -> None:
    ours = grid[place]["ours"]
    assert ours["cover90"] >= 0.88 - 3 * error(0.88, RUNS)
    assert ours["cover95"] >= 0.93 - 3 * error(0.93, RUNS)
    assert ours["cover95"] >= ours["cover90"]
    assert min(ours["lower95"], ours["upper95"]) >= 0.93 - 3 * error(0.93, RUNS)


def test_intervals_are_no_wider_than_they_must_be(grid: dict[Any, Any]) -> None:
    seen = [one["ours"]["cover90"] for one in grid.values()]
    assert np.mean(seen) <= 0.94 + 3 * error(0.94, RUNS * len(seen))
    for one in grid.values():
        assert one["ours"]["width90"] < 2 * 1.645 * 1.6 * one["ours"]["rmse"]


def test_labels_that_defy_their_scores_are_answered_for() -> None:
    """One label in a hundred is flipped, and of 300 most samples meet none of those that matter."""
    ours = measured("flipped/10000", "f1", 300)["ours"]
    assert ours["cover90"] >= 0.88 - 3 * error(0.88, RUNS)
    assert ours["cover95"] >= 0.93 - 3 * error(0.93, RUNS)


def test_the_papers_beta_fails_with_few_labels_and_rare_positives(grid: dict[Any, Any]) -> None:
    assert grid["calibrated/10000", "f1", 50]["paper"]["cover90"] < 0.88 - 3 * error(0.88, RUNS)


def test_one_item_decides_where_narrower_limits_hold_too_rarely() -> None:
    """Whole items: limits of 0.5 to 0.7 hold a truth of 0.5 and of 0.7, and an item less at either end loses one."""
    arrays = {name: np.full(2, 0.6) for name in coverage.COLUMNS} | {
        "low90": np.full(2, 0.5),
        "high90": np.full(2, 0.7),
    }
    found = coverage.judged(np.array([0.5, 0.7]), arrays | {"step": np.full(2, 0.1)})
    assert (found["cover90"], found["narrower90"]) == (1.0, 0.5)


def test_a_step_is_what_one_item_moves() -> None:
    """Accuracy of 2,000 items moves by 1/2,000, whatever the sample."""
    case = cases.load("over/2000")
    sample = fl.design(case.pool, "accuracy", 60).draw(seed=1)
    found = fl.estimate(sample, case.labels(np.random.default_rng(3))[sample.index], "accuracy")
    assert coverage.step(found) == pytest.approx(1 / 2000)


def test_a_cell_counts_what_held() -> None:
    seen = {"labels": [9, 11], "value": [0.4, 0.6], "low90": [0.3, 0.55], "high90": [0.6, 0.7], "low95": [0.2, 0.4]}
    seen |= {"high95": [0.7, 0.9], "at_least": [0.3, 0.55], "at_most": [0.6, 0.7], "defined": [1, 0]}
    arrays = {name: np.array(one, float) for name, one in (seen | {"whole": [0.5, 0.6], "step": [0.2, 0.2]}).items()}
    found = coverage.judged(np.array([0.5, 0.5]), arrays)
    assert (found["cover90"], found["cover95"], found["lower95"], found["upper95"]) == (0.5, 1.0, 0.5, 1.0)
    assert found["width90"] == pytest.approx(0.225)
    assert found["rmse"] == pytest.approx(0.1)
    assert (found["labels"], found["undefined"], found["bias"], found["settled"]) == (10, 0.5, 0, 0.5)
    assert found["narrower90"] == 0.5


def test_the_band_allows_for_noise_and_no_more() -> None:
    """With 150 repetitions two standard errors are 0.049 at 0.9, 0.061 at 0.83 and 0.067 at 0.79."""
    rows = [
        {"runs": 150, "ours": {"cover90": held, "width90": 0.1, "settled": 0.0}}
        for held in (0.9, 0.83, 0.79, 0.97, 1.0)
    ]
    found = page.shares(rows, "ours", "cover90")
    assert found == pytest.approx({"mean": 0.898, "in": 0.2, "nearly": 0.6, "below": 0.2, "above": 0.2})


def test_the_page_tells_where_one_item_decides() -> None:
    rows = [
        {"runs": 400, "title": title, "budget": budget}
        | {"ours": {"cover90": 1.0, "width90": 0.1, "settled": 0.5, "narrower90": narrower}}
        for narrower, title, budget in ((0.8, "a", "N/2"), (0.99, "b", "20"), (0.99, "b", "N/2"))
    ]
    told = page.whole_items(rows)
    assert "Of the 3 cells" in told
    assert "in 1 of them" in told
    assert "By labels they are 20 (1) and N/2 (2); by pool most are b (2) and a (1)." in told
    assert page.whole_items([]) == ""


def test_what_is_known_exactly_is_no_interval() -> None:
    ours = {"cover90": 1.0, "width90": 0.0, "settled": 0.5}
    known = {"runs": 100, "ours": ours, "paper": {"cover90": 1.0, "width90": 0.01}}
    assert page.open_cells([known], "ours") == []
    assert page.open_cells([known], "paper") == [known]


def test_where_the_value_is_the_truth_coverage_says_nothing() -> None:
    ours = {"cover90": 1.0, "width90": 0.1, "settled": 0.95}
    row = {"runs": 100, "ours": ours, "paper": {"cover90": 0.8, "width90": 0.01}}
    assert page.open_cells([row], "ours") == page.open_cells([row], "paper") == []
    assert (page.settled_count([row]), page.closed_count([row])) == (1, 0)
    assert page.open_cells([row | {"ours": ours | {"settled": 0.94}}], "ours")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command on a grid of a few cells, without the real pools."""
    monkeypatch.setattr(coverage, "LAWS", ("over",))
    monkeypatch.setattr(coverage, "SIZES", (2_000,))
    monkeypatch.setattr(coverage, "BUDGETS", ("20", "N/2", "0.95 N"))
    monkeypatch.setattr(cases, "present", lambda names: ([], list(names)))


@pytest.mark.usefixtures("few")
def test_the_command_writes_numbers_figure_and_page_and_runs_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, docs = tmp_path / "out", tmp_path / "docs"
    arguments = ["coverage", "--runs", "3", "--out", str(out), "--jobs", "1", "--publish", str(docs)]
    docs.mkdir()
    (docs / choose_page.PAGE).write_text(marks.mark("coverage"))
    assert main(arguments) == 0
    found = json.loads((docs / "coverage.json").read_text())
    assert marks.parts((docs / choose_page.PAGE).read_text())["coverage"].strip() == page.glance(found["cells"]).strip()
    assert {(row["budget"], row["labels"]) for row in found["cells"]} == {("20", 20), ("N/2", 1000), ("0.95 N", 1900)}
    assert {row["metric"] for row in found["cells"]} == set(coverage.BINARY)
    words = (docs / "coverage.md").read_text()
    assert words == page.text(found) == (out / "coverage.md").read_text()
    assert "Not here, so left out: er_abt_buy_svm" in words
    assert (docs / "figures" / "coverage.png").stat().st_size > 5000

    def never(*_: object) -> None:
        raise AssertionError("a kept cell was run again")

    monkeypatch.setattr(engine, "_finish", never)
    assert main(arguments) == 0
    assert json.loads((out / "coverage.json").read_text()) == found


@pytest.mark.usefixtures("few")
def test_cells_are_known_by_their_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    place = coverage.Place("over/2000", "f1", "20", 20, 5)
    before = coverage.cells(place, 0)[0].digest
    assert coverage.cells(place, 0)[0].digest == before
    assert coverage.cells(place, 1)[0].digest != before
    monkeypatch.setattr(coverage, "WAYS", {"ours": "paper", "paper": "paper"})
    assert coverage.cells(place, 0)[0].digest != before


def test_variants_share_seeds_and_labels() -> None:
    one, four = (choose.Place("under/10000", 60, choose.ROUNDS[name]) for name in ("one_exact", "four"))
    arrays = [choose.repeat(place, 3, np.random.default_rng(1)) for place in (one, four)]
    assert np.array_equal(arrays[0]["truth"], arrays[1]["truth"])
    assert (arrays[0]["labels"] == 60).all()
    assert (arrays[1]["labels"] == 60).all()
    assert not np.array_equal(arrays[0]["value"], arrays[1]["value"])


def test_importance_gets_as_many_distinct_labels() -> None:
    place = choose.Place("over/10000", 300, choose.SAMPLERS["importance"])
    assert choose.repeat(place, 10, np.random.default_rng(1))["labels"].mean() == pytest.approx(300, rel=0.06)


def test_published_tables_are_those_of_the_published_numbers() -> None:
    text = (DOCS / choose_page.PAGE).read_text()
    assert marks.filled(text, choose_page.tables(DOCS)) == text
    names = {match["name"] for match in marks.MARKED.finditer(text)}
    assert names == set(choose_page.tables(DOCS))
    assert (DOCS / "coverage.md").read_text() == page.text(json.loads((DOCS / "coverage.json").read_text()))


def test_no_number_of_the_page_is_typed_by_hand() -> None:
    """Words outside the tables and code may name settings and budgets, never a measured ratio, share or width."""
    text = marks.MARKED.sub("", (DOCS / choose_page.PAGE).read_text())
    text = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
    assert not re.findall(r"\d+(?:\.\d+)? times|\d\.\d\d\d", text)
