"""Conclusions about one atom from several partitions, united; and times without an answer stream, taken out.

Messages come in the order in which intervals begin, so that an interval leaves as soon as nothing can make it longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from larspark.blocks import Block
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.answers.conclusions import END
from larspark.reasoners.interval.answers.validity import MaximalIntervals, outside_of
from larspark.reasoners.interval.state.coding import Coder
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.spark.evaluate.messages import MessageKind, Received
from larspark.spark.evaluate.pending import Coded, Key, Pending

ROWS = 1 << 15
"""So many rows are united at once."""


def unite(messages: Iterator[Received], names: Mapping[int, Signature]) -> Iterator[Block]:
    """Every atom with maximal intervals, less the times without an answer stream."""
    coder = Coder(Dictionary())
    pending = Pending(coder)
    validity: dict[Key, MaximalIntervals] = {}
    void = np.empty((0, 2), np.int64)
    for message in messages:
        if message.kind is MessageKind.VOID:
            told = message.block(names)
            assert told.until is not None
            void = disjoint(np.concatenate((void, np.column_stack((told.times, told.until)))))
            continue
        if pending.count >= ROWS:
            _unite(pending.before(message.first), validity)
            yield from _ended(validity, void, message.first - 1, coder)
        pending.add(message.block(names))
    _unite(pending.before(FOREVER), validity)
    yield from _ended(validity, void, END, coder)


def _unite(ready: Mapping[Key, Coded], validity: dict[Key, MaximalIntervals]) -> None:
    for (kind, signature), coded in ready.items():
        key, rows = (kind, signature), coded.rows
        if kind is MessageKind.ARRIVAL:  # the output shows arriving atoms of predicates that rules derive as well
            key, rows = (MessageKind.NOW, signature), np.column_stack((rows, coded.times, coded.times))
        if key not in validity:
            validity[key] = MaximalIntervals(rows.shape[1] - 2)
        validity[key].add(rows)


def _ended(validity: Mapping[Key, MaximalIntervals], void: Rows, until: int, coder: Coder) -> Iterator[Block]:
    for (kind, signature), known in validity.items():
        rows = outside_of(known.ended(until), void)
        if len(rows):
            yield coder.block(signature, rows, pinned=kind is MessageKind.AT)


def disjoint(spans: Rows) -> Rows:
    """The same times in intervals that are as long as possible, in order."""
    joined = MaximalIntervals(0)
    joined.add(spans)
    found = joined.ended(END)
    return found[np.argsort(found[:, 0])]
