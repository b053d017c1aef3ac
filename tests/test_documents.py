"""Every code block of the README and the documents runs.

Python blocks of a document run in order in one namespace (blocks with ``>>>`` are compared with the output they show).
Shell blocks run where their fence says so: ```` ```sh run ````; of a block that shows output too, the lines after ``$``
are run. All happens in an empty directory of its own.
"""

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<code>.*?)^(?P=indent)```", re.MULTILINE | re.DOTALL)
SHELLS = ("sh", "bash", "shell", "console")


@dataclass(frozen=True)
class Block:
    line: int
    language: str
    marks: tuple[str, ...]
    code: str


def blocks(text):
    """The fenced blocks of a document."""
    found = []
    for match in FENCE.finditer(text):
        language, *marks = match["info"].split() or [""]
        code = re.sub(rf"^{match['indent']}", "", match["code"], flags=re.MULTILINE)
        found.append(Block(text.count("\n", 0, match.start()) + 2, language, tuple(marks), code))
    return found


def run_python(block, name, namespace):
    if ">>>" in block.code:
        test = doctest.DocTestParser().get_doctest(block.code, namespace, name, name, block.line - 1)
        runner = doctest.DebugRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        runner.run(test, clear_globs=False)
        namespace.update(test.globs)
    else:
        exec(compile("\n" * (block.line - 1) + block.code, name, "exec"), namespace)


def run_shell(block, name, where):
    lines = block.code.splitlines()
    if any(line.startswith("$ ") for line in lines):
        lines = [line[2:] for line in lines if line.startswith("$ ")]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(lines)],
        cwd=where,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{name}, line {block.line}: {done.stdout}{done.stderr}"


def run_document(text, name, where):
    namespace = {"__name__": "__document__"}
    for block in blocks(text):
        if block.language in ("python", "py", "pycon"):
            run_python(block, name, namespace)
        elif block.language in SHELLS and "run" in block.marks:
            run_shell(block, name, where)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_block_runs(document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_document(document.read_text(encoding="utf-8"), str(document), tmp_path)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_within_the_repository_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", FENCE.sub("", document.read_text(encoding="utf-8"))):
        if "://" not in target and not target.startswith("mailto:"):
            assert (document.parent / target).exists(), f"{document.name} points to {target}"


@pytest.mark.parametrize(
    "text",
    [
        "```python\nx = 1\n```\n```python\nassert x == 2\n```\n",
        "```python\n>>> 1 + 1\n3\n```\n",
        "```sh run\nfalse\n```\n",
        "```console run\n$ python -c 'raise SystemExit(3)'\nnever seen\n```\n",
    ],
)
def test_a_block_that_fails_is_noticed(text, tmp_path):
    with pytest.raises((AssertionError, doctest.DocTestFailure)):
        run_document(text, "example", tmp_path)


def test_what_runs_and_what_does_not(tmp_path):
    text = (
        "```sh\nfalse\n```\n```json\n{]\n```\n- a list\n\n  ```python\n  y = 3\n  ```\n"
        "```python\n>>> y + 1\n4\n```\n```console run\n$ echo hello > file.txt\nshown\n```\n"
    )
    run_document(text, "example", tmp_path)
    assert (tmp_path / "file.txt").read_text() == "hello\n"
