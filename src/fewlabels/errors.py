"""What a user's mistake raises: one sentence that says what is wrong, where, and what to do."""

from __future__ import annotations

from collections.abc import Sequence


class FewlabelsError(ValueError):
    """Bad input; the message is meant to be read by the person who gave it."""


class FewlabelsWarning(UserWarning):
    """A result that stands, with something about it that its reader must know."""


def some(values: Sequence[object], limit: int = 5) -> str:
    """The first few of ``values`` in words, for an error message.

    >>> some([3, 14, 15, 92, 65, 35, 89])
    '3, 14, 15, 92, 65 and 2 more'
    """
    shown = ", ".join(str(value) for value in values[:limit])
    rest = len(values) - limit
    return f"{shown} and {rest} more" if rest > 0 else shown
