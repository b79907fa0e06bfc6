"""A recording driven through the interval reasoner, a span of time after the other, without a step per atom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from larspark.blocks import Block, Numbers, merge
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Rows
from larspark.intervals.tables.table import outside
from larspark.language.facts import Signature
from larspark.reasoners.interval.answers.conclusions import END, Conclusions, FoundRows
from larspark.reasoners.interval.answers.validity import clipped, outside_of
from larspark.reasoners.interval.engine.changes import RelationChanges
from larspark.reasoners.interval.momentary.passing import PassingArrivals
from larspark.reasoners.interval.reasoner import IntervalReasoner
from larspark.reasoners.interval.state.coding import Coder
from larspark.write.points import Span

LARGE = 1 << 12
"""Rows that are worth a step of their own rather than being copied."""


class Replay:
    """What the reasoner concludes about the shown predicates; the blocks of a chunk are in the order of time."""

    def __init__(self, reasoner: IntervalReasoner, shown: Iterable[Signature], begin: int | None = None) -> None:
        """Changes count from `begin` on: what holds before it is not told. That may be the present evaluation."""
        self._reasoner, self._shown = reasoner, frozenset(shown)
        self._coder = Coder(reasoner.dictionary)
        self._conclusions = Conclusions(reasoner.engine, self._shown)
        self._begin = -FOREVER if begin is None else begin
        self._void = np.empty((0, 2), np.int64)
        """The intervals without an answer stream so far."""
        if begin == reasoner.time:
            self._conclusions.follow(RelationChanges(), begin, begin)
            self._void = self._conclusions.void(begin, begin)

    @property
    def void(self) -> list[tuple[int, int]]:
        """The intervals without an answer stream so far."""
        return [(int(first), int(last)) for first, last in self._void[:, -2:]]

    def points(self, chunks: Iterable[Sequence[Block]], end: int | None, begin: int | None = None) -> Iterator[Span]:
        """What holds at every evaluation up to `end`, or from `begin` on."""
        for first, until in self._spans(chunks, end):
            start = first if begin is None else max(first, begin)
            if start <= until:
                void = clipped(self._void, start, until)
                found = self._found(self._conclusions.since(start))
                blocks = (self._block(one, outside_of(clipped(one.rows, start, until), void)) for one in found)
                yield Span(start, until, tuple(blocks), _points_of(void))

    def changes(self, chunks: Iterable[Sequence[Block]], end: int | None) -> Iterator[tuple[Span, Span]]:
        """What appears and what disappears, each at the evaluation of its change."""
        for first, until in self._spans(chunks, end):
            yield self._changes(first, until)

    def changes_until(self, blocks: Iterable[Block], until: int) -> tuple[Span, Span]:
        """The same in one step, in which all blocks arrive; the first evaluation is one that changes count from."""
        first = max(self._reasoner.time + 1, self._begin)
        self.step(blocks, until)
        return self._changes(first, until)

    def changes_now(self, blocks: Iterable[Block]) -> tuple[Span, Span]:
        """What changes at the present evaluation when more arrives there."""
        time, before = self._reasoner.time, self._present()
        for _ in self._reasoner.replay(time, self._coder.arrivals(blocks)):
            pass
        self._conclusions = Conclusions(self._reasoner.engine, self._shown)
        self._conclusions.follow(RelationChanges(), time, time)
        self._void = self._conclusions.void(time, time)
        after = self._present()
        pairs = [(one, other.rows) for one, other in zip(after, before, strict=True)]
        appearing = [self._block(one, outside(one.rows, rows)) for one, rows in pairs]
        disappearing = [self._block(one, outside(rows, one.rows)) for one, rows in pairs]
        void = _points_of(self._void)
        return Span(time, time, tuple(appearing), void), Span(time, time, tuple(disappearing), void)

    def held(self, since: int) -> dict[Signature, Rows]:
        """What holds at its own evaluation from a time on, with whole intervals; what ended before is forgotten."""
        found = self._found(self._conclusions.since(since))
        return {one.signature: outside_of(one.rows, self._void) for one in found if one.signature and not one.pinned}

    def void_since(self, time: int) -> Rows:
        """The intervals without an answer stream that reach a time; those before it are forgotten."""
        self._void = self._void[self._void[:, -1] >= time]
        return self._void

    def _present(self) -> list[FoundRows]:
        time = self._reasoner.time
        found = self._found(self._conclusions.since(time))
        return [one._replace(rows=outside_of(clipped(one.rows, time, time), self._void)) for one in found]

    def _changes(self, first: int, until: int) -> tuple[Span, Span]:
        appearing, disappearing = [], []
        for one in self._found(self._conclusions.since(first - 1)):
            rows = outside_of(clipped(one.rows, self._begin, until), self._void)
            begin, after = rows[:, -2], rows[:, -1] + 1
            appearing.append(self._block(one, _moved(rows, begin, begin >= first)))
            disappearing.append(self._block(one, _moved(rows, after, (after >= first) & (after <= until))))
        void = _points_of(clipped(self._void, first, until))
        return Span(first, until, tuple(appearing), void), Span(first, until, tuple(disappearing), void)

    def intervals(
        self, chunks: Iterable[Sequence[Block]], end: int | None, *, used_up: bool = False
    ) -> Iterator[Block]:
        """Every shown atom with the intervals in which it holds, as they become final; none goes beyond `end`.

        Where the reasoner is `used_up`, nobody asks it for the present afterwards: what needs no memory is taken past
        it.
        """
        passes = used_up and self._reasoner.takes_past
        passing = PassingArrivals.of(self._reasoner.engine, self._shown) if passes else None
        if passing is None:
            for _, until in self._spans(chunks, end):
                yield from self._ended(until)
            yield from self._ended(END)
            return
        for blocks, until in complete(chunks, end):
            past = [block for block in blocks if len(block) and block.signature in passing.inputs]
            others = [block for block in blocks if block.signature not in passing.inputs]
            self.step(others, until, min((int(block.times[0]) for block in past), default=FOREVER))
            yield from self._outside_void(passing.conclusions(past))
            yield from self._outside_void(passing.ended(until))
            yield from self._ended(until)
        yield from self._outside_void(passing.ended())
        yield from self._ended(END)

    def _outside_void(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Conclusions as far as there is an answer stream."""
        for block in blocks:
            if not len(self._void):
                yield block
                continue
            assert block.until is not None
            rows = outside_of(np.column_stack((np.arange(len(block)), block.times, block.until)), self._void)
            if len(rows):
                kept = replace(block.take(rows[:, 0]), times=rows[:, 1].copy(), until=rows[:, 2].copy())
                yield kept.ordered()

    def _ended(self, until: int) -> Iterator[Block]:
        for one in self._found(self._conclusions.ended(until)):
            rows = outside_of(clipped(one.rows, -FOREVER, self._reasoner.time), self._void)
            if len(rows):
                yield self._block(one, rows).ordered()

    @staticmethod
    def _found(conclusions: Iterable[FoundRows]) -> list[FoundRows]:
        return [one for one in conclusions if one.signature is not None]

    def _block(self, found: FoundRows, rows: Rows) -> Block:
        assert found.signature is not None
        return self._coder.block(found.signature, rows, pinned=found.pinned)

    def _spans(self, chunks: Iterable[Sequence[Block]], end: int | None) -> Iterator[tuple[int, int]]:
        for blocks, until in complete(chunks, end):
            first = self._reasoner.time + 1
            self.step(blocks, until)
            if first <= until:
                yield first, until

    def step(self, blocks: Iterable[Block], until: int, earliest: int = FOREVER) -> None:
        """Evaluate up to a time; what is taken past the engine arrives at `earliest` or later."""
        reasoner = self._reasoner
        first = evaluated = reasoner.time + 1
        for changes in reasoner.replay(until, self._coder.arrivals(blocks), earliest):
            self._conclusions.follow(changes, evaluated, reasoner.time)
            evaluated = reasoner.time + 1
        if first <= until:
            self._void = np.concatenate((self._void, self._conclusions.void(first, until)))


def complete(chunks: Iterable[Sequence[Block]], end: int | None) -> Iterator[tuple[list[Block], int]]:
    """Blocks with the time up to which nothing is missing: a time point may go on in the next chunk.

    They go up to `end`, or to the last arrival. What lies behind the end is read, too, so that what is wrong there is
    told.
    """
    held: list[Block] = []
    last = 0
    following = iter(chunks)
    for chunk in following:
        if held and sum(map(len, chunk)) > LARGE:  # what is held goes first, so that the chunk need not be copied
            parts = [block.split(last + 1) for block in chunk]
            chunk = [rest for _, rest in parts if len(rest)]  # noqa: PLW2901
            if chunk:
                yield united([*held, *(part for part, _ in parts)]), last
                held = []
            else:
                chunk = [part for part, _ in parts]  # noqa: PLW2901
        blocks = united([*held, *chunk])
        last = max((int(block.times[-1]) for block in blocks), default=last)
        if end is not None and last > end:
            yield [block.split(end + 1)[0] for block in blocks], end
            for _ in following:
                pass
            return
        parts = [block.split(last) for block in blocks]
        held = [rest for _, rest in parts if len(rest)]
        before = [part for part, _ in parts if len(part)]
        if before:
            yield before, last - 1
    yield held, last if end is None else end


def united(blocks: Iterable[Block]) -> list[Block]:
    """One block for each predicate."""
    by_signature: dict[Signature, list[Block]] = {}
    for block in blocks:
        if len(block):
            by_signature.setdefault(block.signature, []).append(block)
    return [merge(parts) for parts in by_signature.values()]


def _points_of(intervals: Rows) -> Numbers:
    lengths = intervals[:, -1] - intervals[:, -2] + 1
    steps = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    found: Numbers = np.repeat(intervals[:, -2], lengths) + steps
    return found


def _moved(rows: Rows, times: Numbers, chosen: npt.NDArray[np.bool_]) -> Rows:
    """The chosen rows with an interval that is one evaluation."""
    found = rows[chosen]
    found[:, -2] = found[:, -1] = times[chosen]
    return found
