"""Cells of work: seeded, kept on disk when finished, run on all cores, and never run twice.

A cell is one function call with a key. Its random numbers come from its own entropy alone, so neither the
number of processes nor an interruption changes a digit; its file appears by renaming, so a killed run leaves
whole cells.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

Arrays = Mapping[str, NDArray[Any]]

CHUNK = 250  # repetitions in one cell: a few seconds of work, so little is lost when a run is killed


@dataclass(frozen=True)
class Cell:
    """``work(*arguments, rng)`` gives arrays; ``key`` says everything that the result depends on.

    ``entropy`` names the random numbers: cells that share it compare designs on the same uniforms.
    """

    key: Mapping[str, Any]
    entropy: tuple[Any, ...]
    work: Callable[..., Arrays]
    arguments: tuple[Any, ...]

    @property
    def digest(self) -> str:
        """The name of the cell's file: a hash of the key."""
        return hashlib.blake2b(json.dumps(self.key, sort_keys=True).encode(), digest_size=12).hexdigest()

    def rng(self) -> np.random.Generator:
        """The generator that the cell's entropy names."""
        return np.random.default_rng(int(hashed(*self.entropy), 16))


def hashed(*parts: Any) -> str:
    """A short stable hash of arrays, texts and numbers, for keys."""
    state = hashlib.blake2b(digest_size=8)
    for part in parts:
        if isinstance(part, np.ndarray):
            state.update(str((part.dtype, part.shape)).encode() + np.ascontiguousarray(part).tobytes())
        else:
            state.update(repr(part).encode())
    return state.hexdigest()


def chunks(runs: int) -> list[tuple[int, int]]:
    """``(number, repetitions)`` of the cells that make up ``runs``.

    >>> chunks(600)
    [(0, 250), (1, 250), (2, 100)]
    """
    return [(k, min(CHUNK, runs - start)) for k, start in enumerate(range(0, runs, CHUNK))]


def run(cells: Sequence[Cell], out: Path, jobs: int, title: str) -> list[Arrays]:
    """The arrays of every cell, in order; those that are on disk are read, the others computed and kept."""
    folder = out / "cells"
    folder.mkdir(parents=True, exist_ok=True)
    missing = [cell for cell in cells if not _file(folder, cell).is_file()]
    with _progress(title, len(cells), len(cells) - len(missing)) as advance:
        for _ in _compute(missing, folder, jobs):
            advance()
    return [_read(_file(folder, cell)) for cell in cells]


def _compute(cells: Sequence[Cell], folder: Path, jobs: int) -> Iterator[None]:
    if jobs <= 1 or len(cells) <= 1:
        for cell in cells:
            _finish(cell, folder)
            yield
        return
    with ProcessPoolExecutor(min(jobs, len(cells)), mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(_finish, cell, folder) for cell in cells}
        try:
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()
                    yield
        finally:
            for future in waiting:
                future.cancel()


def _file(folder: Path, cell: Cell) -> Path:
    return folder / f"{cell.digest}.npz"


def _finish(cell: Cell, folder: Path) -> None:
    with threadpool_limits(1):
        arrays = cell.work(*cell.arguments, cell.rng())
    path = _file(folder, cell)
    partial = path.with_suffix(f".{os.getpid()}.npz")
    np.savez(partial, **arrays)
    partial.replace(path)


def _read(path: Path) -> Arrays:
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def joined(parts: Iterable[Arrays]) -> dict[str, NDArray[Any]]:
    """The repetitions of several cells, one after the other."""
    parts = list(parts)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


@contextmanager
def _progress(title: str, total: int, done: int) -> Iterator[Callable[[], None]]:
    """A progress bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=total, completed=done)
        yield lambda: bar.advance(task)
