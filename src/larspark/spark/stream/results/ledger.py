"""What is known of conclusions from micro-batch to micro-batch, as intervals and as changes.

An interval that reaches the watermark may go on. Of what lies after the watermark, early answers are told as changes,
too: a change that proves wrong is taken back by the opposite one of the same time, so that the signs up to a time point
always add up to what is known of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from larspark.blocks import Block
from larspark.intervals.tables.storage import Rows
from larspark.reasoners.interval.answers.open_intervals import Key, OpenIntervals, Told
from larspark.reasoners.interval.answers.validity import MaximalIntervals, outside_of
from larspark.spark.evaluate.messages import NO_ANSWER
from larspark.spark.evaluate.uniting import disjoint


@dataclass(frozen=True)
class Posting:
    """What a micro-batch has brought."""

    over: dict[Key, Rows]
    """Intervals that have ended, as long as possible."""
    shown: dict[Key, Rows]
    """Those that go on at the watermark; with what is known early, all that reach or follow it."""


class IntervalLedger:
    """What one micro-batch leaves to the next."""

    def __init__(self, going_on: Iterable[Told] = (), reaching: Iterable[Block] = ()) -> None:
        self.going_on = OpenIntervals(going_on)
        self._coder = self.going_on.coder
        self._reaching = _united(self._coded(reaching))
        """The intervals of all conclusions that reach the watermark."""

    def post(self, changes: Iterable[Told], ahead: Sequence[Block], before: int, watermark: int) -> Posting:
        """Enter the changes of a micro-batch that moves the watermark; `ahead` are conclusions after it."""
        self.going_on.follow(changes)
        over: dict[Key, Rows] = {}
        for key, rows in _less_void([*self._reaching.items(), *self.going_on.within(before + 1, watermark)]):
            ended = rows[:, -1] < watermark
            over[key], self._reaching[key] = rows[ended], rows[~ended]
        self.going_on.forget()
        if not ahead:
            return Posting(over, dict(self._reaching))
        return Posting(over, dict(_less_void([*self._reaching.items(), *self._coded(ahead)])))

    def reaching(self) -> list[Block]:
        return self.blocks(self._reaching)

    def blocks(self, found: dict[Key, Rows]) -> list[Block]:
        pairs = (((signature, pinned), rows) for (signature, pinned), rows in found.items() if len(rows))
        return [self._coder.block(signature, rows, pinned=pinned) for (signature, pinned), rows in pairs]

    def tell(
        self, told: Iterable[Block], posting: Posting, before: int, watermark: int, end: int
    ) -> tuple[list[Block], list[Block]]:
        """The changes that a micro-batch makes known up to `end`, after those `told` early; and those told early now.

        A change is a row of a block: its time, and its sign in the place of `until`.
        """
        earlier: dict[Key, Rows] = {}
        for key, rows in self._coded(told):
            earlier[key] = rows
        news, early = dict[Key, Rows](), dict[Key, Rows]()
        for key in {**posting.over, **posting.shown, **earlier}:
            parts = [found[key] for found in (posting.over, posting.shown) if key in found]
            width = key[0].arity + key[1] + 2
            known = _changes(np.concatenate([np.empty((0, width), np.int64), *parts]), before, end)
            news[key] = _difference(earlier.get(key, known[:0]), known)
            early[key] = known[known[:, -2] > watermark]
        return self.blocks(news), self.blocks(early)

    def _coded(self, blocks: Iterable[Block]) -> list[tuple[Key, Rows]]:
        return [((block.signature, block.at is not None), self._coder.rows(block)) for block in blocks]


def _united(found: Iterable[tuple[Key, Rows]]) -> dict[Key, Rows]:
    """Every atom with maximal intervals."""
    validity: dict[Key, MaximalIntervals] = {}
    for key, rows in found:
        if key not in validity:
            validity[key] = MaximalIntervals(rows.shape[1] - 2)
        validity[key].add(rows)
    return {key: known.all() for key, known in validity.items()}


def _less_void(found: Iterable[tuple[Key, Rows]]) -> Iterator[tuple[Key, Rows]]:
    """Every atom with maximal intervals, less the times without an answer stream."""
    united = _united(found)
    void = united.pop((NO_ANSWER, False), None)
    gaps = None if void is None else disjoint(void)
    for key, rows in united.items():
        yield key, rows if gaps is None else outside_of(rows, gaps)


def _changes(intervals: Rows, before: int, end: int) -> Rows:
    """Where intervals start and end after `before`; what reaches the `end` has not ended."""
    begun, ended = intervals[intervals[:, -2] > before], intervals[intervals[:, -1] < end]
    begun[:, -1] = 1
    ended[:, -2], ended[:, -1] = ended[:, -1] + 1, -1
    return np.concatenate((begun, ended))


def _difference(told: Rows, known: Rows) -> Rows:
    """What is to be told: what is new, and the opposite of what is no longer so."""
    if not len(told):
        return known
    weights = np.repeat([1, -1], [len(known), len(told)])
    distinct, places = np.unique(np.concatenate((known, told)), axis=0, return_inverse=True)
    summed = np.zeros(len(distinct), np.int64)
    np.add.at(summed, places.reshape(-1), weights)
    news = distinct[summed != 0]
    news[:, -1] *= summed[summed != 0]
    return np.asarray(news)
