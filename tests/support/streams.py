"""A stream without Spark: messages are carried in plain Python, and buckets run as they do there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq

from larspark.blocks import Block
from larspark.language.facts import Fact
from larspark.language.values import normal, show_value
from larspark.read import Chunk
from larspark.spark.evaluate.messages import Batches, Message, Received, named
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.stream.buckets.bucket import Bucket, MicroBatch
from larspark.spark.stream.checkpoint import Checkpoint
from larspark.spark.stream.reading import Addresses, StreamReading
from larspark.spark.stream.results.final_rows import ResultsOperator
from larspark.spark.stream.results.sink import TableSink
from larspark.spark.stream.results.tables import FINAL, FolderTables, Style
from larspark.spark.stream.stage import arriving_routes, stream_stages
from larspark.spark.stream.stream import CHECKPOINT
from larspark.spark.stream.watermark import Heard, Waiting
from larspark.spark.write.names import file_name, table_names
from support.bounded_runs import chunk_of
from support.interval_rows import Row

Arrival = tuple[int, Fact]
Change = tuple[str, tuple[object, ...], int | None, int]
"""Predicate, arguments, at, time."""
LATEST = 1 << 60


class MemoryState:
    """The state of an operator, as the state store of Spark keeps it."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def get(self, name: str) -> bytes | None:
        return self.kept.get(name)

    def put(self, name: str, data: bytes) -> None:
        self.kept[name] = data

    def remove(self, name: str) -> None:
        del self.kept[name]


class GivenChunk:
    """Reads what it is given, whatever the rows are."""

    def __init__(self, chunk: Chunk) -> None:
        self._chunk = chunk

    def chunks(self, batches: Batches) -> Iterator[Chunk]:
        for _ in batches:
            yield self._chunk


class PlainStream:
    """Micro-batches through all stages; every bucket may find itself in any of several worker processes."""

    def __init__(
        self,
        plan: SparkPlan,
        output: Path,
        lateness: int,
        buckets: int,
        random: Random,
        style: Style = FINAL,
        sinks: int = 1,
        *,
        counts: bool = False,
    ) -> None:
        self._plan = plan
        self._random = random
        labels = tuple(range(100, 100 + buckets))
        waiting = Waiting(lateness)
        self._stages = stream_stages(plan, buckets, waiting, labels, early=style.early, sinks=sinks, counts=counts)
        self._addresses = Addresses(arriving_routes(plan, buckets), labels, len(plan.stages), sinks)
        self._states: dict[tuple[int, int], MemoryState] = {}
        self._workers: list[dict[tuple[int, int], Bucket]] = [{}, {}, {}]
        self.checkpoint = Checkpoint(output / CHECKPOINT)
        self.checkpoint.open(plan)
        self._sink = TableSink(plan, FolderTables(output), self.checkpoint, waiting, lambda _: None, style)
        self._batch = -1

    def feed(self, part: Sequence[Arrival], ended: bool = False) -> None:
        """One micro-batch, read by one or two tasks."""
        cut = self._random.randint(0, len(part))
        messages: list[Message] = []
        for reader, piece in enumerate((part[:cut], part[cut:])):
            if piece:
                messages += self._read(piece, reader)
        if ended:
            messages += self._addresses.heard(Heard(ended=True))
        for stage in self._stages:
            own = [message for message in messages if message.stage == stage.stage]
            messages = [message for message in messages if message.stage != stage.stage]
            for label in {message.part for message in own}:
                number = stage.labels.index(label)
                given = [Received.of(message) for message in own if message.part == label]
                self._random.shuffle(given)
                messages += self._bucket(stage.stage, number).step(given, self._state(stage.stage, number))
        self._batch += 1
        self._finish(messages)

    def _read(self, part: Sequence[Arrival], task: int) -> list[Message]:
        reading = StreamReading(GivenChunk(chunk_of(part)), "file", 0, 1, self._addresses, LATEST, ordered=True)
        rows = pa.record_batch([pa.array([0] * len(part))], ["value"])
        return list(reading.messages(iter([rows]), task))

    def _finish(self, messages: list[Message]) -> None:
        names = named(self._plan.vocabulary.numbers)
        for _ in range(self._random.randint(1, 2)):  # once more after a crash
            self._sink.take(MicroBatch.of(map(Received.of, messages), names), self._batch)

    def state_size(self) -> int:
        """How many segments there are in all buckets."""
        return sum(name.startswith("segment") for state in self._states.values() for name in state.kept)

    def _state(self, stage: int, number: int) -> MemoryState:
        return self._states.setdefault((stage, number), MemoryState())

    def _bucket(self, stage: int, number: int) -> Bucket:
        worker = self._random.choice(self._workers)
        if self._random.random() < 0.2:
            worker.clear()
        return worker.setdefault((stage, number), Bucket(self._stages[stage], number))


class PlainFrames(PlainStream):
    """The same, with the end of a stream of DataFrames."""

    def __init__(
        self, plan: SparkPlan, output: Path, lateness: int, buckets: int, random: Random, style: Style = FINAL
    ) -> None:
        super().__init__(plan, output, lateness, buckets, random, style, buckets)
        self._results = ResultsOperator(plan.vocabulary.numbers, Waiting(lateness), style, "a stream")
        self._kept: dict[int, MemoryState] = {}
        self.found: list[Block] = []

    def _finish(self, messages: list[Message]) -> None:
        super()._finish(messages)
        for label in {message.part for message in messages}:
            own = [Received.of(message) for message in messages if message.part == label]
            self.found += self._results.step(own, self._kept.setdefault(label, MemoryState()))


def rows_in(plan: SparkPlan, output: Path) -> set[Row]:
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


def changes_in(plan: SparkPlan, output: Path) -> dict[Change, int]:
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
