"""Who takes part: the reasoners and their peers, behind one small interface."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property
from importlib.util import find_spec
from typing import Protocol, cast

from larspark.bench.measuring.interval import IntervalChunks
from larspark.bench.peers.one_shot import OneShot
from larspark.bench.workloads.task import Args, Atoms, Task
from larspark.reasoners.protocol import Reasoner

NAMES = ("live", "replay", "facts", "clingo", "jtms", "jtms-ticks", "answer-update", "hand", "polars", "literal")
"""The interval reasoner live, in replay, and fed with facts; the other reasoners; the peers."""

SAMPLE = 8
"""How many time points a contestant without memory evaluates: they cost the same whatever came before."""

SAMPLED_ATOMS = 60_000
"""How many atoms these windows may hold together."""


class Contestant(Protocol):
    """One way to compute a task."""

    name: str
    evaluations: int
    """How many time points one pass evaluates."""

    def prepare(self) -> Callable[[], object]:
        """Build everything that is not measured; the function returned is one pass and used once."""
        ...

    def answers(self, places: Iterable[int]) -> dict[int, Atoms]:
        """The answers after the steps at these places."""
        ...


class ByHandPass:
    """The hand-written Python of the workload, per time point."""

    name = "hand"

    def __init__(self, task: Task) -> None:
        self._task = task
        self.evaluations = len(task.steps)

    @cached_property
    def _arrived(self) -> list[tuple[int, dict[str, list[Args]]]]:
        steps = []
        for time, facts in self._task.steps:
            by_predicate: dict[str, list[Args]] = defaultdict(list)
            for fact in facts:
                by_predicate[fact.predicate].append(cast(Args, fact.args))
            steps.append((time, dict(by_predicate)))
        return steps

    def prepare(self) -> Callable[[], object]:
        assert self._task.workload.by_hand is not None
        state, steps = self._task.workload.by_hand(self._task.parameters), self._arrived

        def run() -> None:
            for time, arrived in steps:
                state.step(time, arrived)

        return run

    def answers(self, places: Iterable[int]) -> dict[int, Atoms]:
        assert self._task.workload.by_hand is not None
        state, wanted = self._task.workload.by_hand(self._task.parameters), set(places)
        found = {}
        for place, (time, arrived) in enumerate(self._arrived):
            state.step(time, arrived)
            if place in wanted:
                found[place] = frozenset(state.answer())
        return found


class PerTimePoint:
    """A reasoner through the interface that all of them share: facts in, changes out, at every time point."""

    def __init__(self, task: Task, reasoner: str, name: str | None = None) -> None:
        self._task, self._name, self.name = task, reasoner, name or reasoner
        self.evaluations = len(task.steps)

    def _reasoner(self) -> Reasoner:
        return self._task.prepared.reasoner(self._name, self._task.start)

    def prepare(self) -> Callable[[], object]:
        reasoner, steps = self._reasoner(), self._task.steps

        def run() -> None:
            for time, facts in steps:
                reasoner.advance(time, facts)

        return run

    def answers(self, places: Iterable[int]) -> dict[int, Atoms]:
        reasoner, wanted = self._reasoner(), set(places)
        found = {}
        for place, (time, facts) in enumerate(self._task.steps):
            reasoner.advance(time, facts)
            if place in wanted:
                (stream,) = reasoner.answer().answer_streams
                now = ((time, fact) for fact in stream.now)
                found[place] = frozenset((*now, *((at, fact) for at, facts in stream.at.items() for fact in facts)))
        return found


class PerTick(PerTimePoint):
    """The same, evaluated after every arrival and after every step of time (push reading)."""

    def __init__(self, task: Task, reasoner: str) -> None:
        super().__init__(task, reasoner, f"{reasoner}-ticks")

    def prepare(self) -> Callable[[], object]:
        reasoner, steps = self._reasoner(), self._task.steps

        def run() -> None:
            for time, facts in steps:
                reasoner.advance(time)
                for fact in facts:
                    reasoner.advance(time, (fact,))

        return run


def reasoners(task: Task) -> list[Contestant]:
    """The reasoners measured on a workload; the interval reasoner live and in large chunks."""
    found: list[Contestant] = []
    for name in task.workload.reasoners:
        if name == "interval":
            found += [
                IntervalChunks(task, "live", 1),
                IntervalChunks(task, "replay", max(1, len(task.steps) // 4)),
                PerTimePoint(task, "interval", "facts"),
            ]
        else:
            found.append(PerTimePoint(task, name))
        if name == "jtms":
            found.append(PerTick(task, name))
    return found


def peers(task: Task) -> list[Contestant]:
    """What the reasoners are compared with on a workload."""
    found: list[Contestant] = []
    if task.workload.by_hand is not None:
        found.append(ByHandPass(task))
    places = _sample(task)
    if task.workload.recompute is not None and find_spec("polars"):
        from larspark.bench.peers.frames import DataFrames  # noqa: PLC0415 - polars is optional

        found.append(DataFrames(task, places))
    if task.workload.one_shot:
        found.append(OneShot(task, places))
    return found


def _sample(task: Task) -> list[int]:
    inside = task.atoms / len(task.steps) * (task.parameters.window + 1)
    return task.sample(max(2, min(SAMPLE, int(SAMPLED_ATOMS / max(1, inside)))))
