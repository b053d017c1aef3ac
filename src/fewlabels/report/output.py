"""One dictionary of results into files: a page, Markdown, JSON, plain text, pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fewlabels.errors import FewlabelsError

from . import page, plots, words

KINDS = {".html": "page", ".htm": "page", ".md": "Markdown", ".json": "JSON", ".txt": "text"}


def everything(found: Mapping[str, Any], target: Path | None, folder: Path | None) -> list[str]:
    """Write what was asked for; returns the names of the files."""
    made = []
    if folder is not None:
        made += [str(path) for path in pictures(found, folder)]
    if target is not None:
        write(found, target, folder)
        made.append(str(target))
    return made


def write(found: Mapping[str, Any], target: Path, folder: Path | None = None) -> None:
    """A report in the form that the file's ending names; Markdown shows the pictures in ``folder``."""
    kind = KINDS.get(target.suffix.lower())
    if kind is None:
        raise FewlabelsError(f"a report ends in {', '.join(KINDS)}; got {target}.")
    if not target.parent.is_dir():
        raise FewlabelsError(f"cannot write {target}: there is no folder {target.parent}; make it first.")
    made = {
        "page": lambda: html(found),
        "Markdown": lambda: markdown(found, _beside(target, folder)),
        "JSON": lambda: json.dumps(dict(found), indent=2, ensure_ascii=False) + "\n",
        "text": lambda: text(found) + "\n",
    }[kind]()
    target.write_text(made, encoding="utf-8")


def html(found: Mapping[str, Any]) -> str:
    """The page, with its pictures inside."""
    figures = {name: plots.drawn(make, found) for name, make in plots.PLOTS.items()}
    return page.page(found, {name: plots.svg(one, name) for name, one in figures.items() if one is not None})


def pictures(found: Mapping[str, Any], folder: Path) -> list[Path]:
    """A PNG of each plot."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name, make in plots.PLOTS.items():
        figure = plots.drawn(make, found)
        if figure is not None:
            made.append(folder / f"{name}.png")
            plots.save(figure, made[-1])
    return made


def _beside(target: Path, folder: Path | None) -> dict[str, str]:
    if folder is None:
        return {}
    shown = {name: folder / f"{name}.png" for name in plots.PLOTS}
    root = target.parent.resolve()
    return {
        name: (path.resolve().relative_to(root).as_posix() if path.resolve().is_relative_to(root) else str(path))
        for name, path in shown.items()
        if path.is_file()
    }


def markdown(found: Mapping[str, Any], shown: Mapping[str, str]) -> str:
    """For a wiki, a pull request, a model card."""
    parts = [f"# {words.headline(found)}", words.lead(found), *[f"> {note}" for note in words.notes(found)]]
    parts.append(_grid(words.columns(found), words.rows(found)))
    parts += [f"![{words.CAPTIONS[name]}]({path})" for name, path in shown.items()]
    if found["by_class"]:
        parts += ["## By class", _grid(["class", "precision", "recall", "F1"], words.by_class(found))]
    facts = "\n".join(f"- {name}: {value}" for name, value in words.made(found))
    parts += ["## How the numbers were made", facts, "## How to cite", *words.cite(found)]
    return "\n\n".join(parts) + "\n"


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def text(found: Mapping[str, Any]) -> str:
    """For a terminal or a log."""
    head, rows = words.columns(found), words.rows(found)
    widths = [max(len(row[n]) for row in [head, *rows]) for n in range(len(head))]

    def line(row: Sequence[str]) -> str:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        return "  ".join(cells)

    table = "\n".join([line(head), line(["-" * width for width in widths]), *map(line, rows)])
    facts = "\n".join(f"{name}: {value}" for name, value in words.made(found))
    said = "\n".join(f"note: {note}" for note in words.notes(found))
    return "\n\n".join(part for part in (words.headline(found), words.lead(found), table, said, facts) if part)
