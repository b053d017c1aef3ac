"""Work on long arrays in pieces that stay in the processor's cache."""

from __future__ import annotations

from collections.abc import Iterator

CHUNK = 32_768  # 256 KiB of float64: a few of them fit the second-level cache


def slices(length: int, size: int = CHUNK) -> Iterator[slice]:
    """Consecutive slices that cover ``range(length)``.

    >>> list(slices(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    for start in range(0, length, size):
        yield slice(start, min(start + size, length))
