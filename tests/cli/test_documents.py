"""The documents run, and show what they print."""

import re

import pytest

from .documents import DOCS, DOCUMENTS, played


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_runs_and_shows_what_it_prints(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / name).read_text(encoding="utf-8")
    assert played(text) == text, "bring it up to date with: python -m tests.cli.documents"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_picture_of_a_document_exists(name):

    for picture in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", (DOCS / name).read_text(encoding="utf-8")):
        assert (DOCS / picture).is_file()
