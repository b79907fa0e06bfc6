"""The evaluation of a stage in a bucket, from micro-batch to micro-batch: blocks in, changes of conclusions out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from larspark.blocks import Block
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Rows
from larspark.language.facts import Fact
from larspark.reasoners.clingo.per_key import PerKey
from larspark.reasoners.clingo.reasoner import ClingoReasoner
from larspark.reasoners.interval.answers.conclusions import Conclusions
from larspark.reasoners.interval.answers.validity import clipped
from larspark.reasoners.interval.reasoner import IntervalReasoner
from larspark.reasoners.interval.state.coding import Coder
from larspark.reasoners.packing import pack, unpack
from larspark.reasoners.protocol import Change, Reasoner
from larspark.spark.evaluate.columnar import CHUNK
from larspark.spark.evaluate.messages import NO_ANSWER
from larspark.spark.evaluate.pending import Pending, steps_of
from larspark.spark.evaluate.stepwise import Conclusion, Schedule, as_blocks, evaluations, events
from larspark.spark.plan.work import Work


class StageEvaluation(Protocol):
    """A running stage."""

    def advance(self, blocks: Iterable[Block], until: int) -> Iterator[Block]:
        """Evaluate up to `until`, with what lies after the last call's end; the changes (see `open_intervals`)."""
        ...

    def tell_again(self) -> None:
        """Tell what goes on once more, as if it began with the next evaluation."""
        ...


class IntervalEvaluation:
    """By the interval reasoner."""

    def __init__(self, work: Work, number: int) -> None:
        reasoner = work.make(number)
        assert isinstance(reasoner, IntervalReasoner)
        self._engine = reasoner.engine
        self._coder = Coder(self._engine.dictionary)
        self._conclusions = Conclusions(self._engine, work.stage.concludes)
        self._again = False

    def advance(self, blocks: Iterable[Block], until: int) -> Iterator[Block]:
        before = self._engine.time
        pending = Pending(self._coder)
        for block in blocks:
            pending.add(block)
        for step in steps_of(pending.before(until + 1), until, self._engine, CHUNK):
            changes = self._engine.advance(step.until, step.arrivals, step.concluded)
            self._conclusions.follow(changes, step.first, step.until)
        for signature, pinned, rows in self._conclusions.since(before):
            changed = _changed(rows, before, until, again=self._again)
            if len(changed):
                yield self._coder.block(signature or NO_ANSWER, changed, pinned=pinned)

    def tell_again(self) -> None:
        self._again = True


def _changed(rows: Rows, before: int, until: int, *, again: bool) -> Rows:
    """What is new about intervals after an evaluation: their beginning, their end, or both."""
    begun = clipped(rows[rows[:, -2] <= until], before + 1 if again else -FOREVER)
    known, goes_on = begun[:, -2] <= before, begun[:, -1] >= until
    begun[known, -2], begun[goes_on, -1] = -FOREVER, FOREVER
    return begun[~(known & goes_on)]


Subject: TypeAlias = tuple[Fact | None, int | None]
"""What goes on: a fact at the evaluation time, one at a time point, or (None) that there is no answer stream."""


@dataclass
class StageStanding:
    """Where a stage stands after an evaluation."""

    time: int
    since: dict[Subject, int] = field(default_factory=dict)
    """What goes on, and from when."""


class SteppedEvaluation:
    """By any reasoner, one evaluation after the other.

    Where evaluations depend on those before (`#record`, several answer streams), the reasoner's own memory is part of
    the state of the bucket.
    """

    def __init__(self, work: Work, number: int, saved: bytes | None = None) -> None:
        self._work = work
        self._reasoner = work.make(number)
        self._standing = StageStanding(work.start - 1)
        if saved is not None:
            remembered, time, since = unpack(saved)
            self._standing = StageStanding(time, since)
            self._reasoner = _resumed(work, self._reasoner, remembered)

    def advance(self, blocks: Iterable[Block], until: int) -> Iterator[Block]:
        schedule = Schedule(events(blocks))
        before, found = self._standing.time, list[Conclusion]()
        for time, change in evaluations(self._reasoner, schedule, before + 1, until):
            found += self._ended(time, change, before)
        self._standing.time = until
        begun = ((subject, since) for subject, since in self._standing.since.items() if since > before)
        found += (Conclusion(fact, since, FOREVER, at) for (fact, at), since in begun)
        return as_blocks(found, self._work.stage.concludes)

    def tell_again(self) -> None:
        self._standing.since = dict.fromkeys(self._standing.since, self._standing.time + 1)

    def snapshot(self) -> bytes:
        """All that the next evaluation depends on."""
        reasoner = self._reasoner
        assert isinstance(reasoner, IntervalReasoner | ClingoReasoner | PerKey)
        return pack((reasoner.snapshot(), self._standing.time, self._standing.since))

    def _ended(self, time: int, change: Change, before: int) -> list[Conclusion]:
        """What has ended before an evaluation; what begins with it is noted."""
        ended: list[Subject] = [*((fact, None) for fact in change.disappeared), *_pairs(change.unpinned)]
        begun: list[Subject] = [*((fact, None) for fact in change.appeared), *_pairs(change.pinned)]
        nothing: Subject = (None, None)
        if change.consistent and nothing in self._standing.since:
            ended.append(nothing)
        elif not change.consistent and nothing not in self._standing.since:
            begun.append(nothing)
        found = []
        for fact, at in ended:
            since = self._standing.since.pop((fact, at))
            found.append(Conclusion(fact, since if since > before else -FOREVER, time - 1, at))
        self._standing.since.update(dict.fromkeys(begun, time))
        return found


def _pairs(pinned: Iterable[tuple[int, Fact]]) -> Iterator[Subject]:
    return ((fact, at) for at, fact in pinned)


def _resumed(work: Work, reasoner: Reasoner, remembered: bytes) -> Reasoner:
    match reasoner:
        case IntervalReasoner():
            return work.restore(remembered)
        case ClingoReasoner() | PerKey():
            reasoner.resume(remembered)
    return reasoner
