"""A folder with the digits pool as files, and a way to run the installed command in it."""

import contextlib
import csv
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

from fewlabels import cli
from fewlabels.demo import digits

COMMAND = Path(sys.executable).with_name("fewlabels")


@dataclass
class Folder:
    """Runs ``fewlabels`` as a person would, and labels files with the truth."""

    path: Path
    truth: dict[str, int]

    def run(self, *arguments, code=0):
        """What the command does, in this process: quick, for all that is not about processes."""
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            found = cli.run([str(one) for one in arguments])
        assert found == code, out.getvalue() + err.getvalue()
        return subprocess.CompletedProcess(arguments, found, out.getvalue(), err.getvalue())

    def installed(self, *arguments, code=0, env=None):
        """The installed command, in a process of its own."""
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **(env or {})}
        command = [str(COMMAND), *map(str, arguments)]
        done = subprocess.run(
            command, cwd=self.path, capture_output=True, text=True, env=environment, timeout=120, check=False
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    def label(self, name, until=None, wrong=()):
        """Fill in the labels of an exported CSV, from the top, as a labeller who stops after ``until`` rows."""
        with (self.path / name).open(newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows[:until]:
            row["label"] = str(self.truth[row["id"]] ^ (row["id"] in wrong))
        with (self.path / name).open("w", newline="") as file:
            out = csv.DictWriter(file, rows[0].keys())
            out.writeheader()
            out.writerows(rows)
        return rows


@pytest.fixture(scope="session")
def scores(tmp_path_factory):
    """The digits pool as the files that people have."""
    pool, truth = digits()
    folder = tmp_path_factory.mktemp("scores")
    table = pl.DataFrame(
        {
            "id": pool.ids,
            "score": pool.prob,
            "text": [f"picture {id}" for id in pool.ids.tolist()],
            "url": [f"pictures/{id}.png" for id in pool.ids.tolist()],
        }
    )
    table.write_parquet(folder / "scores.parquet")
    table.write_csv(folder / "scores.csv")
    table.write_ndjson(folder / "scores.jsonl")
    table[:900].write_parquet(folder / "part-0.parquet")
    table[900:].write_parquet(folder / "part-1.parquet")
    return folder, dict(zip(map(str, pool.ids.tolist()), truth.tolist(), strict=True))


@pytest.fixture
def here(scores, tmp_path, monkeypatch):
    folder, truth = scores
    monkeypatch.chdir(tmp_path)
    for file in folder.iterdir():
        (tmp_path / file.name).symlink_to(file)
    return Folder(tmp_path, truth)
