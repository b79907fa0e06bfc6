"""Measuring: answers are compared first, then all contestants run in turns, and CPU time is what counts."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise
from statistics import median
from time import process_time
from typing import Any

from larspark.bench.measuring.contestants import Contestant, peers, reasoners
from larspark.bench.peers.one_shot import OneShot
from larspark.bench.workloads.task import Atoms, Task
from larspark.language.facts import fact_order

CHECKED = 4
"""At how many time points of the measured stream the answers are compared."""

PATIENCE = 3.0
"""A contestant that took more CPU seconds than this for its passes so far is not asked again."""


class AnswersDiffer(Exception):
    """A contestant's answer differs; its times would mean nothing."""


@dataclass(frozen=True)
class Answers:
    """The answers at the compared time points, as a number of atoms and a hash."""

    count: int
    hash: str

    @classmethod
    def of(cls, found: Sequence[Atoms]) -> Answers:
        digest = blake2b(digest_size=8)
        for atoms in found:
            for time, fact in sorted(atoms, key=lambda atom: (atom[0], fact_order(atom[1]))):
                digest.update(f"{time} {fact}\n".encode())
            digest.update(b"\n")
        return cls(sum(map(len, found)), digest.hexdigest())


@dataclass(frozen=True)
class Measurement:
    """The times of one contestant on one task, and the ratio to each peer that ran in the same turns."""

    workload: str
    contestant: str
    is_peer: bool
    parameters: Mapping[str, float]
    atoms: int
    points: int
    """Time points of the stream."""
    answers: Answers
    us_per_point: tuple[float, ...]
    """CPU microseconds per evaluated time point, one value per repetition."""
    evaluations: int
    """Evaluated time points of one pass."""
    ratios: Mapping[str, float] = field(default_factory=dict)
    """Own time / the peer's time, of the fastest repetitions."""

    @property
    def atoms_per_point(self) -> float:
        return self.atoms / self.points

    @property
    def exhausting(self) -> bool:
        """One pass was as much as one can wait for."""
        return min(self.us_per_point) * self.evaluations > PATIENCE * 1e6

    @property
    def us_per_atom(self) -> float:
        """Of the fastest repetition."""
        return min(self.us_per_point) / self.atoms_per_point

    def as_json(self) -> dict[str, Any]:
        fastest, middle = min(self.us_per_point), median(self.us_per_point)
        return {
            "workload": self.workload,
            "contestant": self.contestant,
            "peer": self.is_peer,
            "parameters": dict(self.parameters),
            "atoms": self.atoms,
            "points": self.points,
            "us_per_atom": {
                "min": round(fastest / self.atoms_per_point, 4),
                "median": round(middle / self.atoms_per_point, 4),
            },
            "us_per_time_point": {"min": round(fastest, 3), "median": round(middle, 3)},
            "passes": [round(one, 3) for one in self.us_per_point],
            "evaluations": self.evaluations,
            "answers": {"count": self.answers.count, "hash": self.answers.hash},
            "ratio": {peer: round(ratio, 4) for peer, ratio in self.ratios.items()},
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Measurement:
        return cls(
            record["workload"],
            record["contestant"],
            record["peer"],
            record["parameters"],
            record["atoms"],
            record["points"],
            Answers(**record["answers"]),
            tuple(record["passes"]),
            record["evaluations"],
            record["ratio"],
        )


def measure(task: Task, repetitions: int = 3, only: Callable[[str], bool] = lambda _: True) -> list[Measurement]:
    """Run all contestants of a task that `only` lets take part; raises `AnswersDiffer` before a wrong one is timed."""
    running = [contestant for contestant in reasoners(task) if only(contestant.name)]
    beside = [contestant for contestant in peers(task) if only(contestant.name)]
    contestants = [*running, *beside]
    answers = compare(task, contestants)
    times: dict[str, list[float]] = {contestant.name: [] for contestant in contestants}
    for _ in range(repetitions):
        for contestant in contestants:
            done = times[contestant.name]
            if sum(done) * contestant.evaluations < PATIENCE * 1e6:
                done.append(cpu_seconds(contestant.prepare()) / contestant.evaluations * 1e6)
    peer_times = {peer.name: min(times[peer.name]) for peer in beside}
    return [
        Measurement(
            task.workload.name,
            contestant.name,
            contestant in beside,
            task.parameters.as_json(),
            task.atoms,
            len(task.steps),
            answers[contestant.name],
            tuple(times[contestant.name]),
            contestant.evaluations,
            {
                peer: min(times[contestant.name]) / other
                for peer, other in peer_times.items()
                if peer != contestant.name
            },
        )
        for contestant in contestants
    ]


def compare(task: Task, contestants: Sequence[Contestant]) -> dict[str, Answers]:
    """What each contestant answers at some time points; all must be alike, or answer streams of one program."""
    places = task.sample(CHECKED)
    found = {contestant.name: contestant.answers(places) for contestant in contestants}
    if task.workload.several_models:
        judge = OneShot(task, places)
        for name, answers in found.items():
            if not all(judge.accepts(place, answers[place]) for place in places):
                raise AnswersDiffer(f"{task.workload.name}: {name} gives something that is not an answer stream")
        return {name: Answers.of(list(answers.values())) for name, answers in found.items()}
    for first, name in pairwise(found):
        for place in places:
            if found[name][place] != found[first][place]:
                time = task.steps[place].time
                raise AnswersDiffer(f"{task.workload.name}: {name} and {first} differ at time point {time}")
    common = Answers.of(list(next(iter(found.values()), {}).values()))
    return dict.fromkeys(found, common)


def cpu_seconds(run: Callable[[], object]) -> float:
    """The CPU time of one pass, without the collector, whose turn is a matter of chance."""
    gc.collect()
    gc.disable()
    try:
        begin = process_time()
        run()
        return process_time() - begin
    finally:
        gc.enable()
