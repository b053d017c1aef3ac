"""Results that show themselves in a notebook: still a plain dictionary, with a face and a data frame."""

from __future__ import annotations

import importlib.util
from html import escape
from typing import Any

from fewlabels import arrays

from . import page, plots, words


class Results(dict[str, Any]):
    """A dictionary of results; ``to_frame()`` gives its table, and a notebook shows it with its picture.

    >>> row = {"metric": "f1", "value": 0.8, "low": 0.7, "high": 0.9, "stderr": 0.05, "labels": 90, "more": 0}
    >>> found = Results(estimates=[row], level=0.95, half_width=0.1, labelled=90, drawn=100, size=1000)
    >>> "0.7000 to 0.9000" in found._repr_html_()
    True
    >>> found.to_frame()["value"].tolist()
    [0.8]
    """

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The table: a row a metric, a row a half-width of a plan, or a row a round of a study."""
        for name in ("estimates", "widths", "rounds"):
            if name in self:
                return list(self[name])
        return [dict(self)]

    def to_frame(self) -> Any:
        """The table as a pandas data frame, or a polars one where pandas is not installed."""
        return arrays.frame(self.rows)

    def _repr_html_(self) -> str:
        """What Jupyter shows."""
        if "estimates" in self:
            return page.table(words.columns(self), words.rows(self)) + f"<p>{escape(words.labelled(self))}</p>"
        if "widths" in self:
            head = ["half-width", "labels", "uniform sampling"]
            rows = [[f"±{row['half_width']:g}", f"{row['labels']:,}", f"{row['uniform']:,}"] for row in self.rows]
            picture = plots.svg(plots.planned(self), "plan") if importlib.util.find_spec("matplotlib") else ""
            return page.table(head, rows) + picture
        head = list(self.rows[0])
        return page.table(head, [[str(row.get(name, "")) for name in head] for row in self.rows])
