"""The command line, and what it says when it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
import sklearn.datasets

from experiments import data
from experiments.__main__ import EXPERIMENTS, main


def test_list_names_every_experiment(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    shown = capsys.readouterr().out
    assert [line.split()[0] for line in shown.splitlines()] == list(EXPERIMENTS)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["mnst"], "no experiment is named 'mnst'; see --list."),
        ([], "name an experiment; see --list."),
        (["mnist", "--runs", "0"], "--runs and --jobs must be at least 1."),
    ],
)
def test_mistakes_end_with_2_and_one_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", ["mnist", "newsgroups", "toxic"])
def test_absent_data_is_named_with_what_to_do(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_network(*_: object, **__: object) -> None:
        raise OSError("no network")

    monkeypatch.setenv("FEWLABELS_DATA", str(tmp_path))
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", no_network)
    monkeypatch.setattr(sklearn.datasets, "fetch_20newsgroups", no_network)
    assert main([name, "--out", str(tmp_path / "out")]) == 1
    assert "FEWLABELS_DATA" in capsys.readouterr().err


def test_a_data_folder_that_is_none_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FEWLABELS_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(data.DataAbsentError, match="not a folder"):
        data.folder()


def test_the_fetchers_serve_where_the_folder_has_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Bunch:
        data = ("one text", "another")
        target = (1, 0)
        target_names = ("a", "b")

    monkeypatch.setenv("FEWLABELS_DATA", str(tmp_path))
    monkeypatch.setattr(sklearn.datasets, "fetch_20newsgroups", lambda **_: Bunch)
    texts, labels, groups = data.newsgroups("test")
    assert (texts, labels.tolist(), groups) == (["one text", "another"], [1, 0], ("a", "b"))
