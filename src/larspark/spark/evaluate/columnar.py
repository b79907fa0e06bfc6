"""A partition evaluated by the interval reasoner, a span of time after the other and without a step per row in Python.

Messages come in the order of time and conclusions leave when they are final, so that a partition holds what its windows
still see, however long the history is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from larspark.blocks import Block
from larspark.intervals.tables.storage import Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.answers.conclusions import END, Conclusions
from larspark.reasoners.interval.answers.validity import clipped
from larspark.reasoners.interval.engine.engine import IntervalEngine
from larspark.reasoners.interval.reasoner import IntervalReasoner
from larspark.reasoners.interval.state.coding import Coder
from larspark.reasoners.interval.state.profile import Profile
from larspark.spark.evaluate.messages import NO_ANSWER, ROWS, Received, named
from larspark.spark.evaluate.passing import PastEngine
from larspark.spark.evaluate.pending import Pending, steps_of
from larspark.spark.plan.work import Work

CHUNK = 1 << 15
"""Arrivals per step of the engine: enough to pay for the step, few enough that what has expired is soon forgotten."""


def evaluate_columnar(
    work: Work,
    number: int,
    messages: Iterable[Received],
    tell: Callable[[IntervalEngine, int], None],
    profile: Profile | None = None,
) -> Iterator[Block]:
    """The conclusions of a partition, as they become final; `tell` hears how far it is, and how many atoms are read.

    Where there is a `profile`, it takes what each rule costs.
    """
    part = work.parts[number]
    work = replace(work, begin=part.begin, end=part.end)
    reasoner = work.make(part.bucket)
    assert isinstance(reasoner, IntervalReasoner)
    engine, coder = reasoner.engine, Coder(reasoner.engine.dictionary)
    engine.tables.profile = profile
    names, pending, final = named(work.numbers), Pending(coder), _Final(work, engine, coder)
    past = PastEngine.of(work, reasoner)
    for message in messages:
        if pending.count + past.count >= CHUNK and message.first > engine.time + 1:
            yield from _advanced(engine, pending, past, message.first - 1, final)
            tell(engine, engine.arrived + past.arrived)
        block = message.block(names)
        (past if past.takes(block) else pending).add(block)
    yield from _advanced(engine, pending, past, work.end, final)
    tell(engine, engine.arrived + past.arrived)
    if profile is not None:
        profile.close(engine.network, engine.tables)
    final.take(END)
    yield from final.blocks(1)
    past.close()
    yield from past.blocks(1)


def _advanced(engine: IntervalEngine, pending: Pending, past: PastEngine, last: int, final: _Final) -> Iterator[Block]:
    """Everything up to a time."""
    past.advance(last)
    yield from past.blocks(CHUNK)
    for step in steps_of(pending.before(last + 1), last, engine, CHUNK):
        changes = engine.advance(step.until, step.arrivals, step.concluded)
        final.conclusions.follow(changes, step.first, step.until)
        final.take(step.until)
        yield from final.blocks(ROWS)


class _Final:
    """What a partition has concluded and not yet handed out; only evaluations from `begin` to `end` are wanted."""

    def __init__(self, work: Work, engine: IntervalEngine, coder: Coder) -> None:
        self._begin, self._end = work.begin, work.end
        self._coder = coder
        self._waiting: dict[tuple[Signature, bool], list[Rows]] = defaultdict(list)
        self.conclusions = Conclusions(engine, work.stage.concludes)

    def take(self, until: int) -> None:
        """The intervals that have ended before `until`."""
        for signature, pinned, rows in self.conclusions.ended(until):
            if len(rows):
                self._waiting[signature or NO_ANSWER, pinned].append(clipped(rows, self._begin, self._end))

    def blocks(self, least: int) -> Iterator[Block]:
        """By predicate, as soon as there are so many rows."""
        for (signature, pinned), parts in self._waiting.items():
            if sum(map(len, parts)) >= least:
                rows = np.concatenate(parts)
                parts.clear()
                yield self._coder.block(signature, rows, pinned=pinned)
