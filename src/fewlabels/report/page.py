"""One self-contained page: no request, no script that runs, pictures inside."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from . import words

STYLE = """
:root { --ink: #1f2933; --muted: #616e7c; --line: #e4e7eb; --blue: #2563a8; --wash: #f5f7fa; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: #fff; font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 54rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
header p { margin: 0; color: var(--muted); }
h1 { margin: .2rem 0 .1rem; font-size: 2.3rem; line-height: 1.15; letter-spacing: -.02em; font-weight: 700; }
h1 small { font-size: 1.25rem; font-weight: 500; color: var(--blue); letter-spacing: 0; white-space: nowrap; }
h2 { margin: 2.8rem 0 .6rem; font-size: 1.15rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .45rem .7rem; text-align: right; border-bottom: 1px solid var(--line); }
th { font-size: .8rem; font-weight: 600; color: var(--muted); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
td:nth-child(2) { font-weight: 650; }
.facts th { text-align: left; width: 12rem; vertical-align: top; }
.facts td { text-align: left; font-weight: 400; overflow-wrap: anywhere; }
.plain td:nth-child(2) { font-weight: 400; }
.wide { overflow-x: auto; }
figure { margin: 0; }
figure svg { display: block; width: 100%; height: auto; }
figure.calibration { max-width: 27rem; }
figcaption { margin-top: .3rem; font-size: .88rem; color: var(--muted); }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 2.5rem; align-items: start; }
.note { margin: .5rem 0; padding: .6rem .9rem; border-left: 3px solid #d1661c; background: #fdf6f0; font-size: .92rem; }
.cite { padding: .8rem 1rem; background: var(--wash); font-size: .9rem; }
.cite p { margin: .2rem 0; }
@media (max-width: 44rem) { .pair { grid-template-columns: 1fr; } h1 { font-size: 1.8rem; } }
@media print { main { padding: 0; } figure, table { break-inside: avoid; } }
"""


def page(found: Mapping[str, Any], pictures: Mapping[str, str]) -> str:
    """The whole page, from the results and the pictures as SVG text."""
    first = found["estimates"][0]
    title = escape(words.headline(found))
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">',
        f"<title>{title}</title><style>{STYLE}</style></head><body><main>",
        f"<header><p>Estimated {escape(first['metric'])} of the whole pool</p>",
        f"<h1>{first['value']:.3f} <small>{first['low']:.3f} to {first['high']:.3f}</small></h1>",
        f"<p>{escape(words.lead(found))}</p></header>",
        *[f'<p class="note">{escape(note)}</p>' for note in words.notes(found)],
        _section("intervals", table(words.columns(found), words.rows(found)) + _figure("intervals", pictures)),
        _section("narrowing", _figure("narrowing", pictures)),
        _pair(found, pictures),
        _classes(found),
        _section("weights", _figure("weights", pictures)),
        f"<h2>How the numbers were made</h2>{_facts(words.made(found))}",
        '<h2>How to cite</h2><div class="cite">',
        *[f"<p>{escape(line)}</p>" for line in words.cite(found)],
        f'</div><script type="application/json" id="results">{_data(found)}</script></main></body></html>\n',
    ]
    return "\n".join(part for part in parts if part)


def _section(name: str, inside: str) -> str:
    return f"<section><h2>{words.TITLES[name]}</h2>{inside}</section>" if inside else ""


def _figure(name: str, pictures: Mapping[str, str]) -> str:
    if name not in pictures:
        return ""
    caption = f"<figcaption>{escape(words.CAPTIONS[name])}</figcaption>"
    return f'<figure class="{name}">{pictures[name]}{caption}</figure>'


def _pair(found: Mapping[str, Any], pictures: Mapping[str, str]) -> str:
    """Confusion and calibration, side by side while the table is small."""
    both = [_section(name, _figure(name, pictures)) for name in ("confusion", "calibration")]
    small = found["confusion"] is not None and len(found["confusion"]["classes"]) < 5
    return f'<div class="pair">{"".join(both)}</div>' if small else "".join(both)


def _classes(found: Mapping[str, Any]) -> str:
    rows = words.by_class(found)
    if not rows:
        return ""
    return f"<h2>By class</h2>{table(['class', 'precision', 'recall', 'F1'], rows, 'plain')}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    """A table of text cells."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    inside = f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="wide"><table class="{kind}">{inside}</table></div>'


def _facts(rows: Sequence[tuple[str, str]]) -> str:
    body = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f'<table class="facts"><tbody>{body}</tbody></table>'


def _data(found: Mapping[str, Any]) -> str:
    """The results for machines, inside the page; "<" is escaped so that no text in them can end the element."""
    kept = {key: value for key, value in found.items() if key != "source"}
    return json.dumps(kept, ensure_ascii=False).replace("<", "\\u003c")
