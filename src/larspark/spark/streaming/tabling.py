"""The last operator of a stream of DataFrames: changes of conclusions become rows that are final, each told once.

An interval is told when it has ended; as a change log, where it begins and where it ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import Row

from larspark.spark.streaming.delivery import Delivery, Style
from larspark.spark.streaming.ledger import Ledger, no_changes, post, tell
from larspark.spark.streaming.log import Head
from larspark.spark.streaming.parcels import Parcel, packed, unpacked
from larspark.spark.streaming.shelf import Shelf
from larspark.spark.streaming.timeline import Patience

TABLED = "payload binary"
"""The schema of what comes out: many rows in one cell."""


@dataclass(frozen=True)
class Tabling:
    """What the operator does with the parcels of a micro-batch."""

    width: int
    patience: Patience
    style: Style
    stream: str
    """Whose state this is."""

    def __call__(self, label: int, rows: Iterator[Row], shelf: Shelf) -> Iterator[Row]:
        del label
        found = self.step((Parcel(*row) for row in rows), shelf)
        if len(found):
            yield Row(payload=packed(found))

    def step(self, parcels: Iterable[Parcel], shelf: Shelf) -> pa.Table:
        """Intervals that have ended, or changes that have not been told."""
        delivery, width = Delivery.of(parcels), self.width
        saved = shelf.get("head")
        head = Head.load(None if saved is None else saved.decode())
        head.check(self.stream)
        before = head.timeline
        timeline = before.moved(delivery.pulses, self.patience)
        empty = Ledger.empty(width)
        ledger = Ledger(_load(shelf, "going on", empty.going_on), _load(shelf, "open", empty.open))
        posting = post(ledger, delivery.changes, delivery.ahead, before.watermark, timeline.watermark, width)
        found = posting.over
        if self.style.changes:
            told = _load(shelf, "told", no_changes(width))
            end = max(timeline.seen or -1, timeline.watermark) if self.style.early else timeline.watermark
            found, left = tell(told, posting, before.watermark, timeline.watermark, end)
            _save(shelf, "told", left)
        _save(shelf, "going on", posting.ledger.going_on)
        _save(shelf, "open", posting.ledger.open)
        shelf.put("head", Head(timeline, stream=self.stream).dump().encode())
        return found


def _load(shelf: Shelf, name: str, nothing: pa.Table) -> pa.Table:
    data = shelf.get(name)
    return unpacked(data) if data else nothing


def _save(shelf: Shelf, name: str, table: pa.Table) -> None:
    """Nothing is written of a table that stays empty."""
    if len(table) or shelf.get(name):
        shelf.put(name, packed(table) if len(table) else b"")
