"""A stage whose evaluations depend on those before: `#record`, and programs with several answer streams.

Time goes on point by point, and the reasoner's own memory (what was recorded, which answer stream was kept) is part of
the state of the bucket.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa

from larspark.intervals.sets import FOREVER
from larspark.language.facts import Fact
from larspark.reasoners.clingo.reasoner import ClingoReasoner
from larspark.reasoners.interval.reasoner import IntervalReasoner
from larspark.reasoners.packing import pack, unpack
from larspark.reasoners.protocol import Change, Reasoner
from larspark.spark.evaluate.per_key import PerKey
from larspark.spark.rows import Kind
from larspark.spark.stepwise import Conclusion, Schedule, as_table, evaluations, events
from larspark.spark.work import Work

Subject = tuple[Kind, Fact | None, int | None]
"""What goes on: a fact at the evaluation time, one at a time point, or that there is no answer stream."""


@dataclass
class Standing:
    """Where a stage stands after an evaluation."""

    time: int
    since: dict[Subject, int] = field(default_factory=dict)
    """What goes on, and from when."""


class SteppedEvaluation:
    """By any reasoner, one evaluation after the other."""

    def __init__(self, work: Work, number: int, saved: bytes | None = None) -> None:
        self._work = work
        self._reasoner = work.make(number)
        self._standing = Standing(work.start - 1)
        if saved is not None:
            remembered, time, since = unpack(saved)
            self._standing = Standing(
                time, {(Kind(kind), fact, at): begun for (kind, fact, at), begun in since.items()}
            )
            self._reasoner = _resumed(work, self._reasoner, remembered)

    def advance(self, table: pa.Table, until: int) -> pa.Table:
        schedule = Schedule(events(self._work, table))
        before, found = self._standing.time, list[Conclusion]()
        for time, change in evaluations(self._reasoner, schedule, before + 1, until):
            found += self._changed(time, change, before)
        self._standing.time = until
        begun = ((subject, since) for subject, since in self._standing.since.items() if since > before)
        found += (Conclusion(kind, fact, since, FOREVER, at) for (kind, fact, at), since in begun)
        wanted = self._work.stage.concludes
        return as_table([one for one in found if one.fact is None or one.fact.signature in wanted], self._work)

    def begin_telling(self) -> None:
        self._standing.since = dict.fromkeys(self._standing.since, self._standing.time + 1)

    def snapshot(self) -> bytes:
        """All that the next evaluation depends on."""
        reasoner = self._reasoner
        assert isinstance(reasoner, IntervalReasoner | ClingoReasoner | PerKey)
        since = {(int(kind), fact, at): begun for (kind, fact, at), begun in self._standing.since.items()}
        return pack((reasoner.snapshot(), self._standing.time, since))

    def _changed(self, time: int, change: Change, before: int) -> list[Conclusion]:
        """What has ended before an evaluation."""
        ended: list[Subject] = [(Kind.NOW, fact, None) for fact in change.disappeared]
        ended += ((Kind.AT, fact, at) for at, fact in change.unpinned)
        begun: list[Subject] = [(Kind.NOW, fact, None) for fact in change.appeared]
        begun += ((Kind.AT, fact, at) for at, fact in change.pinned)
        void: Subject = (Kind.VOID, None, None)
        if change.consistent and void in self._standing.since:
            ended.append(void)
        elif not change.consistent and void not in self._standing.since:
            begun.append(void)
        found = []
        for kind, fact, at in ended:
            since = self._standing.since.pop((kind, fact, at))
            found.append(Conclusion(kind, fact, since if since > before else -FOREVER, time - 1, at))
        self._standing.since.update(dict.fromkeys(begun, time))
        return found


def _resumed(work: Work, reasoner: Reasoner, remembered: bytes) -> Reasoner:
    match reasoner:
        case IntervalReasoner():
            return work.restore(remembered)
        case ClingoReasoner() | PerKey():
            reasoner.resume(remembered)
    return reasoner
