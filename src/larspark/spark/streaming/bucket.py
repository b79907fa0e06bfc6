"""One bucket of one stage: takes the parcels of a micro-batch, keeps what it needs, and says what has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.spark.cells import numbers_of
from larspark.spark.rows import Kind
from larspark.spark.streaming.log import Head, Segment, Store, following, pieces
from larspark.spark.streaming.parcels import ORIGIN, Content, Parcel, change_schema, joined, packed, unpacked
from larspark.spark.streaming.running import Running, as_changes, of_predicates
from larspark.spark.streaming.task import StageTask
from larspark.spark.streaming.timeline import Pulse, Timeline

SLACK = 20_000
"""How many rows more than twice the needed ones may be kept before the others are looked for."""


class Bucket:
    """A bucket in the memory of a worker process; what it does is decided by the state it is given alone."""

    def __init__(self, task: StageTask, number: int) -> None:
        self._task = task
        self._number = number
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._running = Running(self._task, self._number)
        self._segments: dict[int, pa.Table] = {}
        self._needed = 0
        """How many rows were needed when this was last looked at."""
        self._next, self._version = 0, ""

    def step(self, parcels: Iterable[Parcel], store: Store) -> Iterator[Parcel]:
        """Take what has come, and say what follows from it."""
        task, width = self._task, self._task.work.width
        before = Head.load(store.head())
        before.check(task.stream)
        self._follow(before, store)
        arrivals, changes, ahead, pulses = _opened(parcels, width)
        timeline = before.timeline.moved(pulses, task.patience)
        late = pc.less_equal(arrivals.column("time"), before.timeline.watermark)
        yield from self._told_late(arrivals.filter(late))
        accepted = of_predicates(arrivals.filter(pc.invert(late)), task.read | task.echoed).drop_columns(["source"])
        rows = joined([accepted, changes], width)
        self._running.receive(rows)
        found = self._running.advance(timeline.first, timeline.watermark)
        self._append(rows, timeline, store)
        first = self._forget(before.first, timeline, store)
        head = Head(timeline, first, self._next, self._version, task.stream)
        store.set_head(head.dump())
        yield from self._addressed(found, Content.CHANGES)
        if task.early:
            yield from self._addressed(self._look_ahead(head, ahead, store), Content.EARLY)

    # -- what is said ------------------------------------------------------------------------------

    def _told_late(self, late: pa.Table) -> Iterator[Parcel]:
        owned = of_predicates(late, self._task.owned)
        if len(owned):
            yield Parcel(len(self._task.routes), self._task.labels[0], Content.LATE, None, packed(owned))

    def _look_ahead(self, head: Head, ahead: pa.Table, store: Store) -> pa.Table:
        """What follows up to the latest time seen from all that has come so far, by an evaluation of its own."""
        first, seen = head.timeline.first, head.timeline.seen
        if first is None or seen is None or seen <= head.timeline.watermark:
            return change_schema(self._task.work.width).empty_table().drop_columns([ORIGIN])
        scout = Bucket(self._task, self._number)
        scout._follow(head, store)
        return scout._running.look_ahead(first, seen, ahead)

    def _addressed(self, found: pa.Table, content: Content) -> Iterator[Parcel]:
        """Conclusions to the later stages that read them, and to the sink."""
        if not len(found):
            return
        task = self._task
        said = as_changes(found, task.stage << 16 | self._number)
        for stage, route in enumerate(task.routes[task.stage + 1 :], task.stage + 1):
            for bucket, part in route.parts(said):
                yield Parcel(stage, task.labels[bucket], content, None, packed(part))
        void, shown = said.filter(pc.equal(said.column("kind"), int(Kind.VOID))), dict(task.sink.parts(said))
        for bucket in range(task.sink.buckets) if len(void) else shown:
            told = pa.concat_tables([shown.get(bucket, void.slice(0, 0)), void])
            yield Parcel(len(task.routes), task.labels[bucket], content, None, packed(told))

    # -- the log -----------------------------------------------------------------------------------

    def _follow(self, head: Head, store: Store) -> None:
        """Be where the state is: already, by the segments that are missing here, or by all of them.

        A worker process that has not had the last micro-batches, or had one that failed, is not where the state is.
        """
        if (self._next, self._version) == (head.next, head.version):
            return
        stepwise = not self._task.work.columnar
        known = store.segment(self._next - 1) if head.first < self._next <= head.next and not stepwise else None
        if known is None or known.version != self._version:
            self._begin_anew()
            self._next = head.first
        snapshot = store.snapshot() if stepwise else None
        if snapshot is not None:
            assert head.timeline.first is not None
            self._running.resume(head.timeline.first, head.timeline.watermark, snapshot)
        for number in range(self._next, head.next):
            segment = store.segment(number)
            assert segment is not None
            self._segments[number] = rows = unpacked(segment.payload)
            self._running.receive(rows)
        self._next, self._version = head.next, head.version
        self._running.advance(head.timeline.first, head.timeline.watermark)

    def _append(self, rows: pa.Table, timeline: Timeline, store: Store) -> None:
        payload = packed(rows)
        self._version = following(self._version, payload, timeline)
        store.put(self._next, Segment(self._version, payload))
        self._segments[self._next] = rows
        self._next += 1

    def _forget(self, first: int, timeline: Timeline, store: Store) -> int:
        """Drop what no evaluation can see any more; the number of the oldest segment left."""
        for number in [one for one in self._segments if one < first]:
            del self._segments[number]  # dropped by another process
        while first < self._next - 1 and not self._matters(self._segments[first], timeline.watermark):
            del self._segments[first]
            store.drop(first)
            first += 1
        snapshot = self._running.snapshot()
        if snapshot is not None:
            store.set_snapshot(snapshot)
        elif sum(map(len, self._segments.values())) <= 2 * self._needed + SLACK:
            return first
        kept = self._remembered(timeline.watermark)
        self._needed = len(kept)
        for number in range(first, self._next):
            store.drop(number)
        self._segments.clear()
        first = self._next
        for payload in pieces(kept):
            self._append(unpacked(payload), timeline, store)
        return first

    def _matters(self, rows: pa.Table, watermark: int) -> bool:
        """Whether a segment is needed; changes of conclusions are told once only, so they are."""
        arriving = pc.equal(rows.column("kind"), int(Kind.ARRIVAL))
        return not pc.all(arriving).as_py() or len(self._task.memory.kept(rows, watermark)) > 0

    def _remembered(self, watermark: int) -> pa.Table:
        """All that is needed of the log."""
        width = self._task.work.width
        if not self._task.work.columnar:  # the snapshot tells the rest
            return joined([self._running.pending, self._running.delivered], width)
        rows = joined(self._segments.values(), width)
        arrivals = rows.filter(pc.equal(rows.column("kind"), int(Kind.ARRIVAL)))
        return joined([self._task.memory.kept(arrivals, watermark), self._running.delivered], width)


def _opened(parcels: Iterable[Parcel], width: int) -> tuple[pa.Table, pa.Table, pa.Table, list[Pulse]]:
    """Arrivals in their order, changes, conclusions after the watermark, and what the tasks have seen."""
    found: dict[int, list[pa.Table]] = {content: [] for content in Content}
    pulses = []
    for parcel in parcels:
        if parcel.pulse is not None:
            pulses.append(Pulse.load(parcel.pulse))
        if parcel.payload is not None:
            found[parcel.content].append(unpacked(parcel.payload))
    arrivals = _in_order(found[Content.ARRIVALS], width)
    return arrivals, joined(found[Content.CHANGES], width), joined(found[Content.EARLY], width), pulses


def _in_order(parts: list[pa.Table], width: int) -> pa.Table:
    """The arrivals of a micro-batch by time, ties by their place; with their source."""
    schema = change_schema(width).append(pa.field("source", pa.string()))
    if not parts:
        return schema.empty_table()
    table = pa.concat_tables(parts)
    spelled = table.column("source").combine_chunks().dictionary_encode()
    ranks = np.argsort(np.argsort(np.array(spelled.dictionary.to_pylist(), object), kind="stable"), kind="stable")
    codes = pc.fill_null(spelled.indices, -1).to_numpy(zero_copy_only=False)
    sources = np.where(codes < 0, -1, np.append(ranks, 0)[codes])
    blocks = np.asarray(pc.fill_null(table.column("block"), -1).to_numpy(), np.int64)
    order = np.lexsort((numbers_of(table.column("place")), blocks, sources, numbers_of(table.column("time"))))
    rows = table.append_column(ORIGIN, pa.nulls(len(table), pa.int32())).select(schema.names)
    return rows.take(pa.array(order)).cast(schema)
