"""Runs a document: its Python blocks and its ``$ fewlabels`` commands, in order, and shows what they print.

A block of output stands under what printed it: after a Python block as a ``text`` block, inside a console block below
its command. ``python -m tests.cli.documents`` writes the present output, and the tutorial's pictures, into the
documents; the test compares.
"""

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from fewlabels import cli

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENTS = ("tutorial.md", "cli.md")
BLOCK = re.compile(r"^```(python|console|console run)\n(.*?)^```\n(?:\n```text\n.*?^```\n)?", re.M | re.S)
PICTURES = {"plan": "plan.png", "narrowing": "figures/narrowing.png", "weights": "figures/weights.png"}


def played(text: str) -> str:
    """The document with the output that its blocks have now; runs in the working directory."""
    names: dict[str, object] = {}

    def play(match: re.Match[str]) -> str:
        kind, body = match.groups()
        if kind != "python":
            return f"```{kind}\n{commands(body)}```\n"
        printed = output(lambda: exec(compile(body, "document", "exec"), names))
        return f"```python\n{body}```\n" + (f"\n```text\n{printed}```\n" if printed else "")

    return BLOCK.sub(play, text)


def commands(body: str) -> str:
    """Each ``$ fewlabels`` line with what it prints; other lines without a ``$`` before them are left alone."""
    asked = [line for line in body.splitlines() if line.startswith("$ ")]
    if not asked:
        return body
    told = ""
    for line in asked:
        name, *arguments = shlex.split(line[2:])
        assert name == "fewlabels", line
        told += f"{line}\n" + output(lambda given=arguments: check(cli.run(given)))
    return told


def check(code: int) -> None:
    if code != 0:
        raise RuntimeError(f"the command ended with exit code {code}")


def output(run) -> str:
    """What is printed, without what differs from day to day and at the ends of lines."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            run()
        except Exception as error:
            raise RuntimeError(out.getvalue() + err.getvalue()) from error
    told = re.sub(r"\d{4}-\d\d-\d\d([ T])\d\d:\d\d", r"2026-01-01\g<1>12:00", out.getvalue() + err.getvalue())
    lines = [line.rstrip() for line in told.splitlines()]
    return "".join(f"{line}\n" for line in lines).strip("\n") + ("\n" if any(lines) else "")


def photograph(page: Path, target: Path) -> None:
    """A picture of the page's top, if there is a browser."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        print("no browser: the picture of the report stays as it is", file=sys.stderr)
        return
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
    command = [browser, *options, "--window-size=1000,1180", f"--screenshot={target}", page.as_uri()]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def main() -> None:
    for name in DOCUMENTS:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            text = played((DOCS / name).read_text(encoding="utf-8"))
            if name == "tutorial.md":
                for picture, file in PICTURES.items():
                    shutil.copy(file, DOCS / "figures" / f"tutorial_{picture}.png")
                photograph(Path("report.html").resolve(), DOCS / "figures" / "tutorial_report.png")
        (DOCS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
