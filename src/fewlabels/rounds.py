"""The rounds of a study: drawing the first, growing it, adaptive ones, and reading all of them back from the file."""

from __future__ import annotations

import base64
import math
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import adaptive as growing
from . import designs, labels, sofar
from .errors import FewlabelsError
from .maths import inclusion, permanent, totals
from .pool import Pool
from .sample import Sample, take
from .study import Item, Round
from .votes import StoredVote, Value

Floats = NDArray[np.float64]
ORDER = 0x6F72646572  # set apart from the seed of the draw, so that the order says nothing of who was drawn


@dataclass(frozen=True)
class Setup:
    """What stays the same from round to round."""

    metrics: tuple[str, ...]
    sampler: str
    seed: int


@dataclass(frozen=True, eq=False)
class Drawn:
    """A round just drawn: the whole sample by now, how its items' inclusion grew, and the design's facts."""

    sample: Sample
    order: Floats
    path: Floats
    design: dict[str, Any]
    reached: Floats | None = None

    def stored(self) -> dict[str, Any]:
        """Plain values for the study file."""
        pool = None if self.reached is None else _pack(self.reached)
        return {"sample": self.sample.to_state(), "path": self.path.tolist(), "reached": pool}


@dataclass(frozen=True, eq=False)
class Past:
    """A study's facts, rounds and votes, in memory."""

    facts: Mapping[str, Any]
    drawn: Sequence[Round]
    items: Sequence[Item]
    votes: Sequence[StoredVote]

    @property
    def setup(self) -> Setup:
        return Setup(tuple(self.facts["metrics"]), self.facts["sampler"], self.facts["seed"])

    @cached_property
    def samples(self) -> list[Sample]:
        """The sample after each round; the last is the one that counts."""
        return [Sample.from_state(one.sample["sample"]) for one in self.drawn]

    @property
    def sample(self) -> Sample:
        return self.samples[-1]

    @property
    def ids(self) -> list[str]:
        """The drawn items' ids as the file has them, aligned with the sample."""
        return [str(id) for id in self.sample.ids.tolist()]

    @property
    def path(self) -> Floats:
        """Inclusion probabilities after each round (rounds, items)."""
        return np.array(self.drawn[-1].sample["path"])

    @cached_property
    def round_of(self) -> NDArray[np.int64]:
        """Which round (0, 1, ...) drew each item of the sample."""
        known = {item.id: item.round - 1 for item in self.items}
        return np.array([known[id] for id in self.ids], dtype=np.int64)

    def until(self, count: int) -> Past:
        """The study as it was after its first ``count`` votes, for the history of an estimate."""
        return replace(self, votes=self.votes[:count])

    def answers(self, votes: str = "shares") -> tuple[list[Any], str]:
        """What is known of each item of the sample (None where nothing is), and the kind of it for `estimate`."""
        said: dict[str, list[Any]] = {}
        for vote in self.votes:
            if vote.value is not None:
                said.setdefault(vote.id, []).append(_answer(vote.value, self.facts["classes"]))
        if all(len(values) == 1 for values in said.values()):
            return [said.get(id, [None])[0] for id in self.ids], "labels"
        if votes == "majority":
            return [_majority(said.get(id, [])) for id in self.ids], "labels"
        if votes != "shares":
            raise FewlabelsError(f"votes are read as shares or by majority; got {votes!r}.")
        return [said.get(id) for id in self.ids], "votes"

    def labelled(self, votes: str = "shares") -> tuple[Sample, list[Any], str, list[str]]:
        """The sample as far as it is labelled, its labels, their kind, and what to say about it."""
        given, kind = self.answers(votes)
        known = np.array([one is not None for one in given])
        if not known.any():
            raise FewlabelsError("nothing is labelled yet; export the items, label some, and import them.")
        part = sofar.labelled_part(self.sample, known, self.round_of, self.path, self.samples[:-1])
        return part, [one for one in given if one is not None], kind, self._doubts(known)

    def _doubts(self, known: NDArray[np.bool_]) -> list[str]:
        notes = []
        if not known.all():
            notes.append(
                f"{int(known.sum())} of {len(known)} drawn items are labelled; the answer is sound as long as they "
                "were labelled in the order given, which is random."
            )
        score = lead(self.sample.prob, self.sample.decisions)
        for number in range(len(self.drawn)):
            mine = self.round_of == number
            if sofar.looks_picked(score[mine], known[mine]):
                notes.append(
                    "the labelled items differ from the ones still open more than chance allows: they were picked, "
                    "not taken in the order given, so the answer may be biased; label the rest."
                )
                break
        return notes

    def predictions(self) -> dict[str, tuple[Value, float]]:
        """What the model decided of each item, and how sure it was."""
        names = self.facts["classes"]
        found: dict[str, tuple[Value, float]] = {}
        for id, c, score in zip(
            self.ids, self.sample.decisions, lead(self.sample.prob, self.sample.decisions), strict=True
        ):
            if self.facts["task"] == "multilabel":
                found[id] = ([name for name, yes in zip(names, c, strict=True) if yes], float(score))
            elif self.facts["task"] == "multiclass":
                found[id] = (names[int(c)], float(score))
            else:
                found[id] = (names[int(c)], float(score if c else 1.0 - score))
        return found


def read(facts: Mapping[str, Any], drawn: Sequence[Round], items: Sequence[Item], votes: Sequence[StoredVote]) -> Past:
    """A study in memory."""
    return Past(facts, drawn, items, votes)


def lead(prob: Floats, decisions: NDArray[Any]) -> Floats:
    """One number an item to sort it by: the probability, that of the decided class, or the least sure label's."""
    if prob.ndim == 1:
        return prob
    if decisions.ndim == 1:
        return np.asarray(prob[np.arange(len(prob)), decisions])
    return np.asarray(np.where(decisions, prob, 1.0 - prob).min(axis=1))


def first(pool: Pool, setup: Setup, budget: float) -> Drawn:
    """The first round of a study."""
    design, b = _designed(pool, setup, budget)
    sample = design.draw(setup.seed)
    return Drawn(sample, _order(pool, sample, setup), b[sample.index][None, :], _told(pool, design, b))


def extended(pool: Pool, past: Past, budget: float) -> Drawn:
    """The first round grown to a larger budget; the same seed keeps every item that was drawn."""
    before = past.drawn[-1].design["budget"]
    if any(one.kind == "next" for one in past.drawn):
        raise FewlabelsError("this study has adaptive rounds; draw more with `fewlabels next`.")
    if budget <= before:
        raise FewlabelsError(f"the study already has a budget of {before:g} labels; extend it to more than that.")
    design, b = _designed(pool, past.setup, budget)
    sample = design.draw(past.setup.seed)
    if not set(past.sample.index.tolist()) <= set(sample.index.tolist()):
        raise FewlabelsError("the larger sample does not contain the old one; it was drawn by another version.")
    path = [one[sample.index] for one in reached(pool, past)] + [b[sample.index]]
    return Drawn(sample, _order(pool, sample, past.setup), np.stack(path), _told(pool, design, b))


def adaptive(pool: Pool, past: Past, count: int) -> Drawn:
    """A further round of ``count`` items, chosen with what the labels so far say."""
    setup = past.setup
    if designs.SAMPLERS[setup.sampler].more is None:
        raise FewlabelsError(
            f"rounds follow a stratified, priority or poisson draw; this study was drawn {setup.sampler}: enlarge it "
            "with extend."
        )
    before = reached(pool, past)
    given, kind = past.answers("majority")
    seen = labels.read(given, ids=past.ids, task=pool.task, classes=pool.classes, kind=kind)
    index = past.sample.index[seen.known]
    start = replace(
        growing.begin(pool, setup.metrics, seed=setup.seed, sampler=setup.sampler),
        index=index,
        rounds=np.zeros(len(index), dtype=np.int64),
        chances=before[-1][index],
        shares=seen.shares[seen.known],
        errors=(0.0,),
        reached=before[-1],
    )
    after = growing.step(start, count)
    b = after.reached
    every = np.union1d(past.sample.index, after.index)
    told = {"sampler": "rounds", "drawn_for": setup.metrics, "seed": setup.seed}
    sample = take(pool, every, b, totals.poisson_weights(b[every]), **told)
    value = growing.informed(start)
    facts = {
        "budget": len(every),
        "batch": count,
        "expected_value": value.expected_value,
        "expected_stderr": math.sqrt(inclusion.error(value.first, b)),
        "certain": int(np.count_nonzero(b >= 1)),
        "curve": curve(pool, b),
    }
    path = np.stack([one[every] for one in before] + [b[every]])
    return Drawn(sample, _order(pool, sample, setup), path, facts, b)


def reached(pool: Pool, past: Past) -> list[Floats]:
    """The whole pool's inclusion probabilities after each round: kept for adaptive ones, made again for the others."""
    return [
        _unpack(one.sample["reached"])
        if one.sample["reached"] is not None
        else _designed(pool, past.setup, one.design["budget"])[1]
        for one in past.drawn
    ]


def curve(pool: Pool, b: Floats, bins: int = 40) -> list[dict[str, float]]:
    """Which items are chosen: by score, how many there are and how likely each is to be drawn."""
    score = lead(pool.prob, pool.decisions)
    place = np.minimum((score * bins).astype(np.int64), bins - 1)
    count = np.bincount(place, minlength=bins)
    mean = np.bincount(place, b, minlength=bins)
    most = np.zeros(bins)
    np.maximum.at(most, place, b)
    return [
        {"from": k / bins, "to": (k + 1) / bins, "items": int(count[k]), "chance": mean[k] / count[k], "most": most[k]}
        for k in np.flatnonzero(count).tolist()
    ]


def _designed(pool: Pool, setup: Setup, budget: float) -> tuple[designs.Design, Floats]:
    """The design of a budget with the inclusion that counts, which some samplers settle by their draw."""
    design = designs.design(pool, list(setup.metrics), budget, sampler=setup.sampler)
    return design, design.inclusion if design.chances is not None else design.drawn(setup.seed)[1]


def _told(pool: Pool, design: designs.Design, b: Floats) -> dict[str, Any]:
    return {
        "budget": design.budget,
        "expected_value": design.expected_value,
        "expected_stderr": design.expected_stderr,
        "certain": int(np.count_nonzero(b >= 1)),
        "notes": list(design.notes),
        "curve": curve(pool, b),
    }


def _order(pool: Pool, sample: Sample, setup: Setup) -> Floats:
    return permanent.uniforms(pool.keys[sample.index], setup.seed ^ ORDER)


def _answer(value: str | list[str], classes: Sequence[str]) -> Any:
    return [int(name in value) for name in classes] if isinstance(value, list) else value


def _majority(values: Sequence[Any]) -> Any:
    """What most people said; None where they are split, so that the item counts as not labelled."""
    if values and isinstance(values[0], list):
        sides = [_majority(column) for column in zip(*values, strict=True)]
        return None if None in sides else sides
    ranked = Counter(values).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def _pack(values: Floats) -> str:
    return base64.b64encode(zlib.compress(values.astype("<f8").tobytes())).decode()


def _unpack(text: str) -> Floats:
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<f8")
