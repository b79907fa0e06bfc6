"""A recording driven through the interval reasoner, a span of time after the other, without a step per atom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from larspark.blocks import Block, Numbers, merge
from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.coding import Coder
from larspark.reasoners.interval.conclusions import END, Conclusions, Found
from larspark.reasoners.interval.reasoner import IntervalReasoner
from larspark.reasoners.interval.validity import clipped, outside_of
from larspark.write.points import Span


class Replay:
    """What the reasoner concludes about the shown predicates; the blocks of a chunk are in the order of time."""

    def __init__(self, reasoner: IntervalReasoner, shown: Iterable[Signature]) -> None:
        self._reasoner = reasoner
        self._coder = Coder(reasoner.dictionary)
        self._conclusions = Conclusions(reasoner.engine, shown)
        self._void = np.empty((0, 2), np.int64)
        """The intervals without an answer stream so far."""

    @property
    def void(self) -> list[tuple[int, int]]:
        """The intervals without an answer stream so far."""
        return [(int(first), int(last)) for first, last in self._void[:, -2:]]

    def points(self, chunks: Iterable[Sequence[Block]], end: int, begin: int | None = None) -> Iterator[Span]:
        """What holds at every evaluation up to `end`, or from `begin` on."""
        for first, until in self._spans(chunks, end):
            start = first if begin is None else max(first, begin)
            if start <= until:
                void = clipped(self._void, start, until)
                found = self._found(self._conclusions.since(start))
                blocks = (self._block(one, outside_of(clipped(one.rows, start, until), void)) for one in found)
                yield Span(start, until, tuple(blocks), _points_of(void))

    def changes(self, chunks: Iterable[Sequence[Block]], end: int) -> Iterator[tuple[Span, Span]]:
        """What appears and what disappears, each at the evaluation of its change."""
        for first, until in self._spans(chunks, end):
            appearing, disappearing = [], []
            for one in self._found(self._conclusions.since(first - 1)):
                rows = outside_of(clipped(one.rows, -FOREVER, until), self._void)
                begin, after = rows[:, -2], rows[:, -1] + 1
                appearing.append(self._block(one, _moved(rows, begin, begin >= first)))
                disappearing.append(self._block(one, _moved(rows, after, (after >= first) & (after <= until))))
            void = _points_of(clipped(self._void, first, until))
            yield Span(first, until, tuple(appearing), void), Span(first, until, tuple(disappearing), void)

    def intervals(self, chunks: Iterable[Sequence[Block]], end: int) -> Iterator[Block]:
        """Every shown atom with the intervals in which it holds, as they become final; none goes beyond `end`."""
        for _, until in self._spans(chunks, end):
            yield from self._ended(until, end)
        yield from self._ended(END, end)

    def _ended(self, until: int, end: int) -> Iterator[Block]:
        for one in self._found(self._conclusions.ended(until)):
            rows = outside_of(clipped(one.rows, -FOREVER, end), self._void)
            if len(rows):
                yield self._block(one, rows[np.argsort(rows[:, -2], kind="stable")])

    @staticmethod
    def _found(conclusions: Iterable[Found]) -> list[Found]:
        return [one for one in conclusions if one.signature is not None]

    def _block(self, found: Found, rows: Rows) -> Block:
        assert found.signature is not None
        return self._coder.block(found.signature, rows, pinned=found.pinned)

    def _spans(self, chunks: Iterable[Sequence[Block]], end: int) -> Iterator[tuple[int, int]]:
        reasoner = self._reasoner
        for blocks, until in complete(chunks, end):
            first = evaluated = reasoner.time + 1
            for changes in reasoner.replay(until, self._coder.arrivals(blocks)):
                self._conclusions.follow(changes, evaluated, reasoner.time)
                evaluated = reasoner.time + 1
            if first <= until:
                self._void = np.concatenate((self._void, self._conclusions.void(first, until)))
                yield first, until


def complete(chunks: Iterable[Sequence[Block]], end: int) -> Iterator[tuple[list[Block], int]]:
    """Blocks with the time up to which nothing is missing: a time point may go on in the next chunk."""
    held: list[Block] = []
    for chunk in chunks:
        blocks = _united([*held, *chunk])
        last = max((int(block.times[-1]) for block in blocks), default=-1)
        if last > end:
            yield [block.split(end + 1)[0] for block in blocks], end
            return
        parts = [block.split(last) for block in blocks]
        held = [rest for _, rest in parts if len(rest)]
        before = [part for part, _ in parts if len(part)]
        if before:
            yield before, last - 1
    yield held, end


def _united(blocks: Iterable[Block]) -> list[Block]:
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
