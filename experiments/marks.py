"""Parts of pages that are made from numbers: what stands between ``<!-- numbers: name -->`` and ``<!-- end -->``."""

from __future__ import annotations

import re
from collections.abc import Mapping

MARKED = re.compile(r"(<!-- numbers: (?P<name>\w+) -->\n)(?P<part>.*?)(<!-- end -->)", re.DOTALL)


def mark(name: str) -> str:
    """The marks of a part, with nothing between them."""
    return f"<!-- numbers: {name} -->\n<!-- end -->"


def parts(text: str) -> dict[str, str]:
    """The marked parts of a page.

    >>> parts("<!-- numbers: few -->\\nold\\n<!-- end -->")
    {'few': 'old\\n'}
    """
    return {found["name"]: found["part"] for found in MARKED.finditer(text)}


def filled(text: str, known: Mapping[str, str]) -> str:
    """The page with its parts made anew; a mark that nothing known belongs to stays as it is.

    >>> filled("<!-- numbers: few -->\\nold\\n<!-- end -->", {"few": "new"})
    '<!-- numbers: few -->\\nnew\\n<!-- end -->'
    >>> filled(mark("few"), {"few": ""}) == mark("few")
    True
    """

    def anew(found: re.Match[str]) -> str:
        part = known.get(found["name"], found["part"]).strip()
        return f"{found[1]}{part}\n{found[4]}" if part else f"{found[1]}{found[4]}"

    return MARKED.sub(anew, text)
