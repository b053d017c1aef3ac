"""The installed command on real files, as a person would use it."""

import contextlib
import json
import os
import pty
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fewlabels.demo import digits, value_of

from .conftest import COMMAND

PLOTS = ("intervals", "narrowing", "confusion", "calibration", "weights")


def test_from_scores_to_an_answer(here):
    plan = here.installed("plan", "scores.parquet", "--prob", "score", "--metric", "f1", "--plot", "plan.png")
    assert re.search(r"± 0.05\s+\d+\s+\d+", plan.stdout)
    assert (here.path / "plan.png").read_bytes().startswith(b"\x89PNG")

    here.installed("draw", "scores.parquet", "--metric", "f1", "--budget", "200", "-o", "study.db")
    told = here.installed("export", "study.db", "tasks.csv")
    assert "200 items in tasks.csv (csv)" in told.stdout
    rows = here.label("tasks.csv", until=100)
    assert {"id", "text", "url", "label", "labeller"} == set(rows[0])
    assert "100 labels added" in here.installed("import", "study.db", "tasks.csv").stdout

    half = here.installed("estimate", "study.db", "--metric", "f1,precision,recall,accuracy", "--level", "0.95")
    assert "100 of 200 drawn items labelled" in half.stdout
    assert "the answer is sound as long as" in half.stderr

    here.label("tasks.csv")
    assert "100 labels added, 100 known already" in here.installed("import", "study.db", "tasks.csv").stdout
    assert "0 labels added, 200 known already" in here.installed("import", "study.db", "tasks.csv").stdout
    found = json.loads(here.installed("estimate", "study.db", "--metric", "f1,accuracy", "--json").stdout)
    pool, truth = digits()
    for row in found["estimates"]:
        assert row["low"] <= value_of(pool, truth, row["metric"]) <= row["high"]
        assert row["labels"] == 200
    assert found["estimates"][0]["more"] > 0
    assert found["estimates"][1]["more"] == 0

    status = here.installed("status", "study.db")
    assert "200 of 200 drawn items labelled" in status.stdout


def test_extending_and_adaptive_rounds_keep_every_label(here):
    here.run("draw", "scores.csv", "--budget", "80", "--seed", "3", "-o", "study.db")
    here.run("export", "study.db", "a.csv")
    first = {row["id"] for row in here.label("a.csv")}
    here.run("import", "study.db", "a.csv")
    before = json.loads(here.run("estimate", "study.db", "--json").stdout)["estimates"]

    here.run("extend", "study.db", "--budget", "120")
    same = json.loads(here.run("estimate", "study.db", "--json").stdout)["estimates"]
    assert same[0]["value"] == pytest.approx(before[0]["value"], abs=1e-12)
    here.run("export", "study.db", "b.csv")
    second = {row["id"] for row in here.label("b.csv")}
    assert (len(second), first & second) == (40, set())

    told = here.run("next", "study.db", "--batch", "30", code=2)
    assert "40 drawn items have no label yet" in told.stderr
    here.run("import", "study.db", "b.csv")
    third = json.loads(here.run("next", "study.db", "--batch", "30", "--json").stdout)
    assert [row["new"] for row in third["rounds"]] == [80, 40, 30]
    assert "adaptive rounds" in here.run("extend", "study.db", "--budget", "900", code=2).stderr
    here.run("export", "study.db", "c.csv")
    here.label("c.csv", until=15)
    here.run("import", "study.db", "c.csv")
    found = json.loads(here.run("estimate", "study.db", "--json").stdout)
    assert found["estimates"][0]["labels"] == 135


def test_a_half_width_decides_the_budget(here):
    planned = json.loads(here.run("plan", "scores.parquet", "--widths", "0.1", "--level", "0.9", "--json").stdout)
    drawn = here.run("draw", "scores.parquet", "--half-width", "0.1", "--level", "0.9", "-o", "study.db", "--json")
    found = json.loads(drawn.stdout)
    assert found["drawn"] == pytest.approx(planned["widths"][0]["labels"], abs=1)
    assert (found["half_width"], found["level"]) == (0.1, 0.9)


def test_reports(here, monkeypatch):
    here.run("draw", "scores.parquet", "--budget", "60", "-o", "study.db")
    assert "nothing is labelled yet" in here.run("report", "study.db", "-o", "r.html", code=2).stderr
    here.run("export", "study.db", "tasks.csv")
    here.label("tasks.csv")
    here.run("import", "study.db", "tasks.csv")
    told = here.installed("report", "study.db", "-o", "r.html", "--plots", "figures")
    assert told.stdout.split() == [*(f"figures/{n}.png" for n in PLOTS), "r.html"]
    assert 20_000 < (here.path / "r.html").stat().st_size < 1_000_000
    assert "f1 = 0." in here.run("report", "study.db").stdout
    here.run("report", "study.db", "-o", "r.md", "--metric", "recall", "--level", "0.8")
    assert (here.path / "r.md").read_text().startswith("# recall = ")
    assert "a report ends in" in here.run("report", "study.db", "-o", "r.pdf", code=2).stderr
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (here.path / "runs").as_uri())
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    run = here.run("report", "study.db", "--mlflow").stdout.split()[-1]
    assert len(list(here.path.glob(f"runs/*/{run}/metrics/f1_ci_low"))) == 1
    assert len(list(here.path.glob(f"runs/*/{run}/artifacts/fewlabels_report.html"))) == 1


def test_a_changed_pool_is_refused(here):
    here.run("draw", "part-0.parquet", "--budget", "50", "-o", "study.db")
    told = here.run("extend", "study.db", "--budget", "80", "--pool", "scores.parquet", code=2)
    assert "fingerprint" in told.stderr
    assert told.stderr.count("\n") == 1


def test_every_way_to_read_the_same_pool(here):
    names = ["scores.parquet", "scores.csv", "scores.jsonl", "part-*.parquet"]
    prints = {
        json.loads(here.run("draw", n, "--budget", "9", "-o", f"{n[:5]}{k}.db", "--json").stdout)["fingerprint"]
        for k, n in enumerate(names)
    }
    assert len(prints) == 1


def test_contradictions_are_refused_or_kept_as_votes(here):
    here.run("draw", "scores.parquet", "--budget", "60", "-o", "study.db")
    here.run("export", "study.db", "tasks.csv")
    rows = here.label("tasks.csv")
    here.run("import", "study.db", "tasks.csv", "--labeller", "ann")
    here.label("tasks.csv", wrong={rows[4]["id"]})
    told = here.run("import", "study.db", "tasks.csv", "--labeller", "bob", code=2)
    assert f"line 6: item {rows[4]['id']} is" in told.stderr
    assert "nothing was stored" in told.stderr
    told = here.run("import", "study.db", "tasks.csv", "--labeller", "bob", "--on-conflict", "votes")
    assert "60 labels added" in told.stdout
    assert f"contradiction: line 6: item {rows[4]['id']}" in told.stderr
    assert "1 disputed" in here.run("status", "study.db").stdout
    shares = json.loads(here.run("estimate", "study.db", "--json").stdout)
    assert (shares["votes"], shares["disputed"]) == ("votes", 1)
    majority = json.loads(here.run("estimate", "study.db", "--votes", "majority", "--json").stdout)
    assert majority["estimates"][0]["labels"] == 59


def test_a_real_label_studio_export_comes_in(here):
    """The twelve tasks that a real Label Studio labelled; see tests/formats/label_studio."""
    rows = "".join(f"m-{n:03},{0.05 + 0.07 * n}\n" for n in range(12))
    (here.path / "mails.csv").write_text(f"id,score\n{rows}")
    here.run("draw", "mails.csv", "--budget", "12", "--classes", "ham,spam", "-o", "study.db")
    export = Path(__file__).parents[1] / "formats" / "label_studio" / "binary.json"
    told = here.run("import", "study.db", export, code=2)
    assert "item m-006 is" in told.stderr
    assert json.loads(here.run("status", "study.db", "--json").stdout)["labelled"] == 0
    found = json.loads(here.run("import", "study.db", export, "--on-conflict", "votes", "--json").stdout)
    assert [found[name] for name in ("added", "labelled", "skipped", "todo", "disputed")] == [12, 10, 1, 1, 1]
    again = json.loads(here.run("import", "study.db", export, "--on-conflict", "votes", "--json").stdout)
    assert (again["added"], again["unchanged"]) == (0, 12)
    here.run("export", "study.db", "back.json", "--what", "all", "--interface", "interface.xml")
    assert 'value="$text"' in (here.path / "interface.xml").read_text()
    assert '<Choice value="spam"/>' in (here.path / "interface.xml").read_text()
    here.run("draw", "mails.csv", "--budget", "12", "--classes", "ham,spam", "-o", "copy.db")
    here.run("import", "copy.db", "back.json", "--on-conflict", "votes")
    one, other = (
        json.loads(here.run("estimate", name, "--json").stdout)["estimates"] for name in ("study.db", "copy.db")
    )
    assert one == other


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["plan", "score.parquet"], "there is no file score.parquet; did you mean scores.parquet?"),
        (["plan", "scores.parquet", "--prob", "scor"], "there is no probability column 'scor'; did you mean 'score'?"),
        (["plan", "scores.parquet", "--metric", "f1_makro"], "there is no metric 'f1_makro'"),
        (["plan", "scores.parquet", "--widths", "small"], "half-widths are numbers"),
        (["plan", "scores.parquet", "--level", "95"], "the level must be between 0 and 1"),
        (["draw", "scores.parquet", "-o", "study.db"], "say either how many labels"),
        (["draw", "scores.parquet", "--budget", "0", "-o", "study.db"], "Invalid value for '--budget'"),
        (["draw", "scores.parquet", "--budget", "9", "-o", "no/study.db"], "there is no folder no"),
        (["draw", "scores.parquet", "--budget", "9", "--prob", "text", "-o", "x.db"], "probabilities must be numbers"),
        (["estimate", "scores.csv"], "cannot be read as a study"),
        (["status", "study.db"], "there is no study file study.db"),
        (["frobnicate"], "No such command 'frobnicate'"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(here, arguments, says):
    told = here.run(*arguments, code=2)
    assert says in told.stderr
    assert told.stdout == ""
    assert not (here.path / "study.db").exists()


def test_bad_input_in_a_real_process(here):
    told = here.installed("plan", "scores.parquet", "--prob", "scor", code=2)
    assert told.stderr == "Error: there is no probability column 'scor'; did you mean 'score'?\n"


def test_debug_shows_where(here):
    done = subprocess.run(
        [COMMAND, "plan", "nothing.csv", "--debug"], cwd=here.path, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "Traceback" in done.stderr


def test_help_teaches(here):
    told = here.run("--help").stdout
    commands = re.findall(r"^  (\w+)  ", told.split("Commands:")[1], re.M)
    assert commands[:3] == ["plan", "draw", "extend"]
    for command in commands:
        assert f"fewlabels {command} " in here.run(command, "--help").stdout
    assert re.fullmatch(r"fewlabels, version \d+\.\d+\.\d+\n", here.installed("--version").stdout)


def test_help_imports_little(here):
    code = "import sys; from fewlabels.cli import run; run(['--help']); print(*sys.modules, file=sys.stderr)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seen = set(told.stderr.split())
    assert not seen & {"numpy", "scipy", "polars", "matplotlib", "rich", "fewlabels.workflow"}


@pytest.mark.parametrize("library", ["click", "rich"])
def test_without_the_extra_it_says_which_to_install(library):
    hide = (
        f"import importlib.util as u; find = u.find_spec; u.find_spec = lambda n: None if n == {library!r} else find(n)"
    )
    code = f"{hide}; import sys; from fewlabels.__main__ import main; sys.exit(main())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert told.stderr == f"Error: the command line needs {library}: pip install 'fewlabels[cli]'.\n"


def test_completion(here):
    assert "_FEWLABELS_COMPLETE" in here.installed("completion", "bash").stdout
    asked = {"_FEWLABELS_COMPLETE": "bash_complete", "COMP_WORDS": "fewlabels es", "COMP_CWORD": "1"}
    assert here.installed(env=asked).stdout.strip() == "plain,estimate"


def test_no_colour_and_no_bar_where_nobody_watches(here):
    told = here.installed("plan", "scores.parquet")
    assert "\x1b" not in told.stdout + told.stderr


def on_a_terminal(here, *arguments, **environment):
    """What the installed command writes when both its outputs are a terminal."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **environment}
    with subprocess.Popen([COMMAND, *arguments], cwd=here.path, stdout=theirs, stderr=theirs, env=env) as process:
        os.close(theirs)
        text = b""
        with contextlib.suppress(OSError):  # Linux ends a closed terminal with an error
            while part := os.read(ours, 65536):
                text += part
        assert process.wait() == 0
    os.close(ours)
    return text.decode()


def test_colours_and_a_bar_on_a_terminal_and_no_colours_on_request(here):
    told = on_a_terminal(here, "plan", "scores.parquet")
    assert "\x1b[1m" in told
    assert "reading the scores" in told
    plain = on_a_terminal(here, "plan", "scores.parquet", NO_COLOR="1")
    assert not re.search(r"\x1b\[[\d;]*3\d", plain)


def test_watching_ends_when_all_is_labelled(here):
    here.run("draw", "scores.parquet", "--budget", "40", "-o", "study.db")
    here.run("export", "study.db", "tasks.csv")
    here.label("tasks.csv", until=20)
    here.run("import", "study.db", "tasks.csv")
    command = [COMMAND, "estimate", "study.db", "--watch", "--every", "0.2"]
    watcher = subprocess.Popen(command, cwd=here.path, stdout=subprocess.PIPE, text=True)
    assert watcher.stdout is not None
    lines = iter(watcher.stdout.readline, "")
    assert any("20 of 40" in line for line in lines)
    here.label("tasks.csv")
    here.run("import", "study.db", "tasks.csv")
    assert any("40 of 40" in line for line in lines)
    watcher.stdout.close()
    assert watcher.wait(timeout=30) == 0


def test_killed_imports_import_all_or_nothing(here):
    here.run("draw", "scores.parquet", "--budget", "700", "-o", "study.db")
    here.run("export", "study.db", "tasks.csv")
    here.label("tasks.csv")
    outcomes = set()
    for k in range(4):
        command = [COMMAND, "import", "study.db", "tasks.csv", "--labeller", f"l{k}"]
        importer = subprocess.Popen(command, cwd=here.path, stdout=subprocess.DEVNULL)
        time.sleep(0.3 + 0.4 * k)
        os.kill(importer.pid, signal.SIGKILL)
        importer.wait()
        with sqlite3.connect(here.path / "study.db") as db:
            (count,) = db.execute("SELECT COUNT(*) FROM labels WHERE labeller = ?", (f"l{k}",)).fetchone()
        db.close()
        outcomes.add(count)
    assert outcomes <= {0, 700}
    here.run("status", "study.db")
