"""Changes of conclusions, and the intervals they make.

A change is a row of a block: a conclusion begins and goes on (`until` is FOREVER), one which went on has ended (`times`
is -FOREVER), or both. So what goes on for long is told twice, however many micro-batches it lasts. Several partitions
may conclude the same, so that what goes on is known by its source, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import numpy as np

from larspark.blocks import Block
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.answers.validity import MaximalIntervals, clipped
from larspark.reasoners.interval.state.coding import Coder
from larspark.reasoners.interval.state.dictionary import Dictionary

Key: TypeAlias = tuple[Signature, bool]
"""A predicate, and whether its atoms are pinned to time points."""
Told: TypeAlias = tuple[str, Block]
"""A block, and who says it."""


class OpenIntervals:
    """Conclusions that go on, and those that have ended since they were last asked for."""

    def __init__(self, told: Iterable[Told] = ()) -> None:
        self._dictionary = Dictionary()
        self.coder = Coder(self._dictionary)
        self._validity: dict[Key, MaximalIntervals] = {}
        """The first column is the source."""
        self.follow(told)

    def follow(self, changes: Iterable[Told]) -> None:
        for source, block in changes:
            key = (block.signature, block.at is not None)
            rows = self.coder.rows(block)
            rows = np.column_stack((np.full(len(rows), self._dictionary.encode(source)), rows))
            if key not in self._validity:
                self._validity[key] = MaximalIntervals(rows.shape[1] - 2)
            ends = rows[:, -2] == -FOREVER
            ending = rows[ends]
            ending[:, -2], ending[:, -1] = ending[:, -1] + 1, FOREVER
            self._validity[key].remove(ending)
            self._validity[key].add(rows[~ends])

    def within(self, first: int, last: int) -> Iterator[tuple[Key, Rows]]:
        """What holds between two evaluations, without its source, cut off there."""
        for key, validity in self._validity.items():
            rows = clipped(validity.all(), first, last)
            if len(rows):
                yield key, rows[:, 1:]

    def blocks_within(self, first: int, last: int) -> Iterator[Block]:
        for (signature, pinned), rows in self.within(first, last):
            yield self.coder.block(signature, rows, pinned=pinned)

    def forget(self) -> None:
        """What has ended is of no more use."""
        for key, validity in self._validity.items():
            kept = MaximalIntervals(validity.width)
            rows = validity.all()
            kept.add(rows[rows[:, -1] >= FOREVER])
            self._validity[key] = kept

    def told(self) -> Iterator[Told]:
        """What goes on, as it was told."""
        for (signature, pinned), validity in self._validity.items():
            rows = validity.all()
            for code in np.unique(rows[:, 0]).tolist():
                own = rows[rows[:, 0] == code, 1:]
                yield str(self._dictionary.decode(code)), self.coder.block(signature, own, pinned=pinned)
