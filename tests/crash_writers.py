"""Kills writers of a study at random moments and counts; run by test_study.py in a process of its own.

Each writer is forked from this single-threaded process (no start-up cost), appends labels for ever and
writes each label it was acknowledged to a pipe. It is killed with SIGKILL after a random time; then
the study must open, pass SQLite's integrity check, and hold every acknowledged label, and no part of a batch.
"""

import json
import os
import random
import select
import signal
import sys
import time
from pathlib import Path

from fewlabels.study import Item, Round, Study
from fewlabels.votes import Vote


def write_for_ever(path: Path, writer: str, pipe: int) -> None:
    with Study.open(path) as study:
        n = 0
        while True:
            batch = [Vote(f"i{(n + k) % 50}", f"{writer}-{n + k}", writer) for k in range(1 + n % 3)]
            study.record(batch, "replace" if n % 2 else "votes")
            os.write(pipe, "".join(f"{row.value}\n" for row in batch).encode())
            n += len(batch)


def create_for_ever(path: Path, writer: str, pipe: int) -> None:
    items = [Item(f"i{k}", k / 300) for k in range(300)]
    for n in range(10**9):
        target = path.with_name(f"{writer}-{n}.db")
        Study.create(target, {"n": n}, Round("draw", {}, {}), items).close()
        os.write(pipe, f"{target.name}\n".encode())


def killed(task, path: Path, writers: list[str], seconds: float, after_first: bool) -> list[str]:
    """What the writers were acknowledged before all were killed, some time after their start or a first answer."""
    read, write = os.pipe()
    children = []
    for writer in writers:
        child = os.fork()
        if child == 0:
            os.close(read)
            try:
                task(path, writer, write)
            finally:
                os._exit(1)
        children.append(child)
    os.close(write)
    if after_first:
        select.select([read], [], [], 30)
    time.sleep(seconds)
    for child in children:
        os.kill(child, signal.SIGKILL)
    for child in children:
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            raise SystemExit("a writer ended by itself: writing failed")
    with os.fdopen(read) as acknowledged:
        return acknowledged.read().split()


def main(folder: Path, kills: int, seed: int) -> None:
    rng = random.Random(seed)
    path = folder / "study.db"
    Study.create(path, {"n": 1}, Round("draw", {}, {}), [Item(f"i{k}", k / 50) for k in range(50)]).close()
    expected: set[str] = set()
    done = lost = partial = created = acknowledged = 0
    while done < kills:
        if rng.random() < 0.1:
            names = killed(create_for_ever, path, [f"c{done}"], rng.uniform(0, 0.03), rng.random() < 0.5)
            for file in folder.glob(f"c{done}-*.db"):
                with Study.open(file) as study:
                    partial += len(study.items()) != 300
            lost += sum(not (folder / name).exists() for name in names)
            created += len(names)
            done += 1
            continue
        writers = [f"w{done}", f"w{done + 1}"][: rng.choice([1, 2])]
        known = killed(write_for_ever, path, writers, rng.uniform(0, 0.03), rng.random() < 0.5)
        acknowledged += len(known)
        expected |= set(known)
        done += len(writers)
        with Study.open(path) as study:
            if study._db.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise SystemExit("the file is damaged")
            values = {row.value for row in study.labels(history=True)}
            lost += len(expected - values)
            partial += partial_batches(values)
        if len(values) > 1500:  # start afresh, so that the check after each kill stays cheap
            expected.clear()
            path = folder / f"study-{done}.db"
            items = [Item(f"i{k}", k / 50) for k in range(50)]
            Study.create(path, {"n": 1}, Round("draw", {}, {}), items).close()
    told = {"kills": done, "acknowledged": acknowledged, "created": created, "lost": lost, "partial": partial}
    print(json.dumps(told))


def partial_batches(values: set[str]) -> int:
    """Batches of which only a part is there; a writer's batches have sizes that follow from their start."""
    count: dict[str, int] = {}
    for value in values:
        writer = value.split("-")[0]
        count[writer] = count.get(writer, 0) + 1
    bad = 0
    for total in count.values():
        n = 0
        while n < total:
            n += 1 + n % 3
        bad += n != total
    return bad


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
