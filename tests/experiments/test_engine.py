"""Cells: repeatable to the last digit, the same on one process and on two, and whole after a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import engine

ROOT = Path(__file__).resolve().parents[2]


def noise(size: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {"x": rng.random((size, 3))}


def fail(size: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    raise RuntimeError("killed")


def cells(work: Any = noise) -> list[engine.Cell]:
    return [engine.Cell({"chunk": k}, (0, k), work, (5,)) for k in range(4)]


def test_one_process_and_two_give_the_same_digits(tmp_path: Path) -> None:
    one = engine.run(cells(), tmp_path / "a", 1, "")
    two = engine.run(cells(), tmp_path / "b", 2, "")
    assert all(np.array_equal(a["x"], b["x"]) for a, b in zip(one, two, strict=True))
    assert not np.array_equal(one[0]["x"], one[1]["x"])


def test_finished_cells_are_read_not_run_again(tmp_path: Path) -> None:
    first = engine.run(cells(), tmp_path, 1, "")
    again = engine.run(cells(fail), tmp_path, 1, "")
    assert all(np.array_equal(a["x"], b["x"]) for a, b in zip(first, again, strict=True))


def test_a_failed_cell_leaves_the_finished_ones_and_no_half_file(tmp_path: Path) -> None:
    mixed = [*cells()[:2], *cells(fail)[2:]]
    with pytest.raises(RuntimeError, match="killed"):
        engine.run(mixed, tmp_path, 1, "")
    assert len(list((tmp_path / "cells").glob("*.npz"))) == 2
    assert len(engine.run(cells(), tmp_path, 1, "")) == 4


def test_no_progress_bar_without_a_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    engine.run(cells(), tmp_path, 1, "title")
    assert capfd.readouterr() == ("", "")


def command(out: Path, jobs: int) -> list[str]:
    return [sys.executable, "-m", "experiments", "toxic", "--runs", "300", "--out", str(out), "--jobs", str(jobs)]


def test_a_killed_run_goes_on_and_ends_with_the_same_json(
    real_data: Path, quick: Any, out: Path, tmp_path: Path
) -> None:
    quick("toxic")  # trains the classifier once
    interrupted, whole = tmp_path / "interrupted", tmp_path / "whole"
    for folder in (interrupted, whole):
        (folder / "pools").mkdir(parents=True)
        (folder / "pools" / "toxic6.npz").write_bytes((out / "pools" / "toxic6.npz").read_bytes())
    process = subprocess.Popen(command(interrupted, 2), cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(list((interrupted / "cells").glob("*.npz"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (interrupted / "results.json").exists()
    kept = {path.name: path.stat().st_mtime_ns for path in (interrupted / "cells").glob("????????????????????????.npz")}
    assert kept
    for folder, jobs in ((interrupted, 2), (whole, 1)):
        subprocess.run(command(folder, jobs), cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    assert (interrupted / "results.json").read_bytes() == (whole / "results.json").read_bytes()
    assert all((interrupted / "cells" / name).stat().st_mtime_ns == stamp for name, stamp in kept.items())
