"""The evaluation of a stage in a bucket, from micro-batch to micro-batch: blocks in, changes of conclusions out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from larspark.blocks import Block
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Rows
from larspark.reasoners.clingo.per_key import PerKey
from larspark.reasoners.clingo.reasoner import ClingoReasoner
from larspark.reasoners.interval.answers.conclusions import Conclusions
from larspark.reasoners.interval.answers.validity import clipped
from larspark.reasoners.interval.reasoner import IntervalReasoner
from larspark.reasoners.interval.state.coding import Coder
from larspark.reasoners.packing import pack, unpack
from larspark.reasoners.protocol import Reasoner
from larspark.spark.evaluate.columnar import CHUNK
from larspark.spark.evaluate.messages import NO_ANSWER
from larspark.spark.evaluate.pending import Pending, steps_of
from larspark.spark.evaluate.stepwise import Conclusion, Schedule, Subject, as_blocks, ended, evaluations, events
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


class SteppedEvaluation:
    """By any reasoner, one evaluation after the other.

    Where evaluations depend on those before (`#record`, several answer streams), the reasoner's own memory is part of
    the state of the bucket.
    """

    def __init__(self, work: Work, number: int, saved: bytes | None = None) -> None:
        self._work = work
        self._reasoner = work.make(number)
        self._time = work.start - 1
        self._going_on: dict[Subject, int] = {}
        """From when."""
        if saved is not None:
            remembered, self._time, self._going_on = unpack(saved)
            self._reasoner = _resumed(work, self._reasoner, remembered)

    def advance(self, blocks: Iterable[Block], until: int) -> Iterator[Block]:
        before, self._time = self._time, until
        found = list[Conclusion]()
        for time, change in evaluations(self._reasoner, Schedule(events(blocks)), before + 1, until):
            found += ended(time, change, self._going_on)
        found = [one if one.time > before else one._replace(time=-FOREVER) for one in found]
        begun = ((subject, since) for subject, since in self._going_on.items() if since > before)
        found += (Conclusion(fact, since, FOREVER, at) for (fact, at), since in begun)
        return as_blocks(found, self._work.stage.concludes)

    def tell_again(self) -> None:
        self._going_on = dict.fromkeys(self._going_on, self._time + 1)

    def snapshot(self) -> bytes:
        """All that the next evaluation depends on."""
        reasoner = self._reasoner
        assert isinstance(reasoner, IntervalReasoner | ClingoReasoner | PerKey)
        return pack((reasoner.snapshot(), self._time, self._going_on))


def _resumed(work: Work, reasoner: Reasoner, remembered: bytes) -> Reasoner:
    match reasoner:
        case IntervalReasoner():
            return work.restore(remembered)
        case ClingoReasoner() | PerKey():
            reasoner.resume(remembered)
    return reasoner
