"""The real data where it is, one output folder for all quick looks, so that each classifier is trained once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from experiments import data
from experiments.__main__ import main

RUNS = 50


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The data folder; tests that need it are skipped where it is absent."""
    found = data.folder()
    if found is None:
        pytest.skip("the real data is absent: name its folder in FEWLABELS_DATA, or put it at ../shared/data")
    return found


@pytest.fixture(scope="session")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the quick looks of this session go."""
    return tmp_path_factory.mktemp("experiments")


@pytest.fixture(scope="session")
def quick(real_data: Path, out: Path) -> Callable[[str], dict[str, Any]]:
    """``quick("mnist")``: the numbers of ``python -m experiments mnist --runs 50``, run once."""
    done: dict[str, dict[str, Any]] = {}

    def look(name: str) -> dict[str, Any]:
        if name not in done:
            assert main([name, "--runs", str(RUNS), "--out", str(out), "--jobs", "1"]) == 0
            done[name] = json.loads((out / "results.json").read_text())[name]
        return done[name]

    return look
