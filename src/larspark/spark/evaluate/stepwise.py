"""A partition evaluated time point by time point, by any reasoner."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from larspark.analysis.partitioning.stage_program import DELIVERED, PINNED
from larspark.blocks import Block
from larspark.blocks.arguments import columns_of
from larspark.language.facts import Fact, Signature
from larspark.reasoners.protocol import Change, Foreseeing, Reasoner
from larspark.spark.evaluate.messages import NO_ANSWER, Received, named
from larspark.spark.plan.work import Work


class Conclusion(NamedTuple):
    """An interval: the evaluations from `time` to `until`; no fact: no answer stream there."""

    fact: Fact | None
    time: int
    until: int
    at: int | None = None


Subject: TypeAlias = tuple[Fact | None, int | None]
"""What goes on: a fact at the evaluation time, one at a time point, or (None) that there is no answer stream."""

Event: TypeAlias = tuple[int, int, Fact]
"""A fact that is given to the reasoner at every time point from the first to the second."""


def evaluate_stepwise(work: Work, number: int, messages: Iterable[Received]) -> Iterator[Block]:
    """The conclusions of a partition."""
    names = named(work.numbers)
    given = events([message.block(names) for message in messages])
    yield from as_blocks(conclusions(work.make(number), given, work.begin, work.end), work.stage.concludes)


def events(blocks: Iterable[Block]) -> list[Event]:
    """Arrivals, and conclusions of earlier stages under their delivered names, in the order of arrival."""
    placed: list[tuple[int, int, Event]] = []
    for block in blocks:
        times = block.times.tolist()
        if block.until is None:
            order = [0] * len(times) if block.order is None else block.order.tolist()
            given = zip(times, order, block.facts(), strict=True)
            placed += ((time, place, (time, time, fact)) for time, place, fact in given)
            continue
        delivered = zip(times, block.until.tolist(), _delivered(block), strict=True)
        placed += ((time, -1, (time, until, fact)) for time, until, fact in delivered)
    placed.sort(key=lambda one: one[:2])
    return [event for *_, event in placed]


def _delivered(block: Block) -> Iterator[Fact]:
    if block.at is None:
        return (Fact(DELIVERED + fact.predicate, fact.args) for fact in block.facts())
    pairs = zip(block.facts(), block.at.tolist(), strict=True)
    return (Fact(PINNED + fact.predicate, (*fact.args, at)) for fact, at in pairs)


class Schedule:
    """What is given at each time point, asked for one after the other; an interval is not spelled out."""

    def __init__(self, given: Iterable[Event]) -> None:
        self._begins: dict[int, list[Event]] = defaultdict(list)
        for event in given:
            self._begins[event[0]].append(event)
        self._times = deque(sorted(self._begins))
        self._going_on: list[Event] = []

    def at(self, time: int) -> list[Fact]:
        """The facts of a time point, later than those asked for before."""
        self._going_on = [event for event in self._going_on if event[1] >= time]
        while self._times and self._times[0] <= time:
            self._going_on += self._begins.pop(self._times.popleft())
        return [fact for _, _, fact in self._going_on]

    def after(self, time: int) -> int | None:
        """The next time point at which something is given."""
        if any(last > time for _, last, _ in self._going_on):
            return time + 1
        return self._times[0] if self._times else None


def evaluations(reasoner: Reasoner, schedule: Schedule, first: int, last: int) -> Iterator[tuple[int, Change]]:
    """Advance from `first` to `last`, past the time points at which nothing can change."""
    time = first
    while time <= last:
        yield time, reasoner.advance(time, schedule.at(time))
        change = reasoner.next_change() if isinstance(reasoner, Foreseeing) else time + 1
        time = min((one for one in (change, schedule.after(time)) if one is not None), default=last + 1)


def conclusions(reasoner: Reasoner, given: Iterable[Event], begin: int, end: int) -> Iterator[Conclusion]:
    """Advance through the time points from `begin` to `end`, and join what stays true to intervals."""
    going_on: dict[Subject, int] = {}
    for time, change in evaluations(reasoner, Schedule(given), begin, end):
        yield from ended(time, change, going_on)
    for (fact, at), since in going_on.items():
        yield Conclusion(fact, since, end, at)


def ended(time: int, change: Change, going_on: dict[Subject, int]) -> Iterator[Conclusion]:
    """What has ended before an evaluation; what begins with it joins what is going on, with the time."""
    gone: list[Subject] = [
        *((fact, None) for fact in change.disappeared),
        *((fact, at) for at, fact in change.unpinned),
    ]
    new: list[Subject] = [*((fact, None) for fact in change.appeared), *((fact, at) for at, fact in change.pinned)]
    nothing: Subject = (None, None)
    if change.consistent and nothing in going_on:
        gone.append(nothing)
    elif not change.consistent and nothing not in going_on:
        new.append(nothing)
    for fact, at in gone:
        yield Conclusion(fact, going_on.pop((fact, at)), time - 1, at)
    going_on.update(dict.fromkeys(new, time))


def as_blocks(found: Iterable[Conclusion], wanted: frozenset[Signature]) -> Iterator[Block]:
    """Conclusions about some predicates, and times without an answer stream."""
    together: dict[tuple[Signature, bool], list[Conclusion]] = defaultdict(list)
    for one in found:
        signature = NO_ANSWER if one.fact is None else one.fact.signature
        if signature in wanted or one.fact is None:
            together[signature, one.at is not None].append(one)
    for (signature, pinned), rows in together.items():
        times, until = (np.array([getattr(one, name) for one in rows], np.int64) for name in ("time", "until"))
        arguments = columns_of((one.fact.args if one.fact else () for one in rows), signature.arity)
        yield Block(signature, times, arguments, until, np.array([one.at for one in rows]) if pinned else None)
