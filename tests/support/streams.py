"""A stream without Spark: parcels are carried in plain Python, and buckets run as they do there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq

from larspark.language.facts import Fact
from larspark.language.values import normal, show_value
from larspark.spark.cells import encode_values
from larspark.spark.intake import INPUT, PLACE, REFUSED
from larspark.spark.plan import Plan
from larspark.spark.rows import OTHER, Kind, row_columns
from larspark.spark.streaming.bucket import Bucket
from larspark.spark.streaming.checkpoint import Checkpoint
from larspark.spark.streaming.delivery import FINAL, Delivery, Style
from larspark.spark.streaming.log import Segment
from larspark.spark.streaming.packing import Packing
from larspark.spark.streaming.parcels import Parcel
from larspark.spark.streaming.sink import Sink
from larspark.spark.streaming.stream import CHECKPOINT
from larspark.spark.streaming.tabling import Tabling
from larspark.spark.streaming.task import stage_tasks
from larspark.spark.streaming.timeline import Patience
from larspark.spark.write.names import file_name, table_names
from support.interval_rows import Row

Arrival = tuple[int, Fact]
Change = tuple[str, tuple[object, ...], int | None, int]
"""Predicate, arguments, at, time."""
LATEST = 1 << 60


class MemoryStore:
    """The state of a bucket, as the state store of Spark keeps it."""

    def __init__(self) -> None:
        self._head: str | None = None
        self._snapshot: bytes | None = None
        self.segments: dict[int, Segment] = {}

    def head(self) -> str | None:
        return self._head

    def set_head(self, text: str) -> None:
        self._head = text

    def snapshot(self) -> bytes | None:
        return self._snapshot

    def set_snapshot(self, data: bytes) -> None:
        self._snapshot = data

    def segment(self, number: int) -> Segment | None:
        return self.segments.get(number)

    def put(self, number: int, segment: Segment) -> None:
        self.segments[number] = segment

    def drop(self, number: int) -> None:
        del self.segments[number]


class PlainStream:
    """Micro-batches through all stages; every bucket may find itself in any of several worker processes."""

    def __init__(
        self,
        plan: Plan,
        output: Path,
        lateness: int,
        buckets: int,
        random: Random,
        style: Style = FINAL,
        sinks: int = 1,
    ) -> None:
        self._plan = plan
        self._random = random
        labels = tuple(range(100, 100 + buckets))
        patience = Patience(lateness)
        self._tasks = stage_tasks(plan, buckets, patience, labels, style.early, sinks)
        routes = self._tasks[0].routes if self._tasks else ()
        self._packing = Packing(routes, labels, plan.vocabulary.width, 1, LATEST, sinks)
        self._stores: dict[tuple[int, int], MemoryStore] = {}
        self._workers: list[dict[tuple[int, int], Bucket]] = [{}, {}, {}]
        self.checkpoint = Checkpoint(output / CHECKPOINT)
        self.checkpoint.open(plan)
        self._sink = Sink(plan, output, self.checkpoint, patience, lambda _: None, style)
        self._batch = -1

    def feed(self, part: Sequence[Arrival], ended: bool = False) -> None:
        """One micro-batch, read by one or two tasks."""
        cut = self._random.randint(0, len(part))
        parcels: list[Parcel] = []
        for reader, (begin, piece) in enumerate(((0, part[:cut]), (cut, part[cut:]))):
            if piece or (ended and not reader):
                parcels += self._packing.parcels(self._intake(piece, begin, ended and not reader), reader)
        for task in self._tasks:
            own = [parcel for parcel in parcels if parcel.stage == task.stage]
            parcels = [parcel for parcel in parcels if parcel.stage != task.stage]
            for label in {parcel.bucket for parcel in own}:
                number = task.labels.index(label)
                given = [parcel for parcel in own if parcel.bucket == label]
                self._random.shuffle(given)
                parcels += self._bucket(task.stage, number).step(given, self._store(task.stage, number))
        self._batch += 1
        self._finish(parcels)

    def _finish(self, parcels: list[Parcel]) -> None:
        for _ in range(self._random.randint(1, 2)):  # once more after a crash
            self._sink.take(Delivery.of(parcels), self._batch)

    def state_size(self) -> int:
        """How many segments there are in all buckets."""
        return sum(len(store.segments) for store in self._stores.values())

    def _store(self, stage: int, number: int) -> MemoryStore:
        return self._stores.setdefault((stage, number), MemoryStore())

    def _bucket(self, stage: int, number: int) -> Bucket:
        worker = self._random.choice(self._workers)
        if self._random.random() < 0.2:
            worker.clear()
        return worker.setdefault((stage, number), Bucket(self._tasks[stage], number))

    def _intake(self, part: Sequence[Arrival], begin: int, ended: bool) -> pa.Table:
        numbers, width = self._plan.vocabulary.numbers, self._plan.vocabulary.width
        known = [fact if fact.signature in numbers else None for _, fact in part]
        count = len(part)
        columns = [
            pa.array([int(Kind.ARRIVAL)] * count, pa.int32()),
            pa.array([numbers[fact.signature] if fact else OTHER for fact in known], pa.int32()),
            pa.array([time for time, _ in part], pa.int64()),
            *(pa.nulls(count, pa.int64()) for _ in ("until", "at")),
            *encode_values([fact.args if fact else () for fact in known], width),
            pa.array(["file"] * count, pa.string()),
            pa.nulls(count, pa.int64()),
            pa.array(range(begin, begin + count), pa.int64()),
            *(pa.nulls(count, pa.string()) for _ in REFUSED),
            pa.array([0] * count, pa.int32()),
        ]
        table = pa.table(columns, names=[*row_columns(width), *PLACE, *REFUSED, INPUT])
        if ended:
            end = {name: [int(Kind.END) if name == "kind" else None] for name in table.column_names}
            table = pa.concat_tables([table, pa.table(end, schema=table.schema)])
        return table


class MemoryShelf:
    """The state of the last operator."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def get(self, name: str) -> bytes | None:
        return self._kept.get(name)

    def put(self, name: str, data: bytes) -> None:
        self._kept[name] = data

    def remove(self, name: str) -> None:
        del self._kept[name]


class PlainFrames(PlainStream):
    """The same, with the end of a stream of DataFrames."""

    def __init__(
        self, plan: Plan, output: Path, lateness: int, buckets: int, random: Random, style: Style = FINAL
    ) -> None:
        super().__init__(plan, output, lateness, buckets, random, style, buckets)
        self._tabling = Tabling(plan.vocabulary.width, Patience(lateness), style, "a stream")
        self._shelves: dict[int, MemoryShelf] = {}
        self.found: list[pa.Table] = []

    def _finish(self, parcels: list[Parcel]) -> None:
        super()._finish(parcels)
        for label in {parcel.bucket for parcel in parcels}:
            own = [parcel for parcel in parcels if parcel.bucket == label]
            self.found.append(self._tabling.step(own, self._shelves.setdefault(label, MemoryShelf())))


def rows_in(plan: Plan, output: Path) -> set[Row]:
    """The rows of the tables; none is there twice."""
    found: set[Row] = set()
    for name, one in table_names(plan).items():
        folder = output / file_name(name)
        for path in folder.glob("*.parquet") if folder.exists() else ():
            for row in pq.read_table(path).to_pylist():
                *args, first, last, at = row.values()
                assert (one.predicate, tuple(args), first, last, at) not in found
                found.add((one.predicate, tuple(args), first, last, at))
    return as_text(found)


def as_text(rows: Iterable[Row]) -> set[Row]:
    """Rows with all arguments as text, since the columns of a stream may be numbers or text."""
    return {(name, tuple(map(text, args)), first, last, at) for name, args, first, last, at in rows}


def changes_in(plan: Plan, output: Path) -> dict[Change, int]:
    """The signs of the change log, added up by atom and time; what was told early and taken back is not there."""
    found: Counter[Change] = Counter()
    for one in plan.shown:
        folder = output / one.predicate
        for path in folder.glob("*.parquet") if folder.exists() else ():
            for row in pq.read_table(path).to_pylist():
                *args, at, sign, time = row.values()
                found[one.predicate, tuple(map(text, args)), at, time] += 1 if sign == "+" else -1
    return {change: count for change, count in found.items() if count}


def as_changes(rows: Iterable[Row], end: int) -> dict[Change, int]:
    """The change log of intervals; what reaches the end has not ended."""
    found: dict[Change, int] = {}
    for name, args, first, last, at in as_text(rows):
        found[name, args, at, first] = 1
        if last < end:
            found[name, args, at, last + 1] = -1
    return found


def text(value: object) -> str:
    return value if isinstance(value, str) else show_value(normal(value))  # type: ignore[arg-type]
