"""Tasks that read a micro-batch: what they find becomes messages, and every bucket hears how far the inputs are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import pyarrow as pa
from pyspark import TaskContext

from larspark.blocks import Block
from larspark.diagnostics import Diagnostic
from larspark.read import Chunk, Refused
from larspark.spark.evaluate.messages import BEFORE_ALL, Batches, Message, MessageKind, as_batches, known
from larspark.spark.evaluate.routing import Route
from larspark.spark.read.arrivals import RowReader, placed
from larspark.spark.session.workers import keep_loaded
from larspark.spark.stream.buckets.bucket import addressed
from larspark.spark.stream.watermark import Heard
from larspark.spark.write.dead_letters import packed_letters

FILE, BLOCK = "larspark file", "larspark block"
"""Columns that say where the rows of files come from."""


class BadRecordError(ValueError):
    """A record that ends the stream; `failures` reads the message."""


@dataclass(frozen=True)
class Addresses:
    """Where what is read goes."""

    routes: tuple[Route, ...]
    """To all stages."""
    labels: tuple[int, ...]
    results: int
    """The number of the stage after all others, where conclusions end."""
    sinks: int
    """In how many places they end."""

    def heard(self, heard: Heard) -> Iterator[Message]:
        """To all buckets of all stages."""
        places = [(stage, route.buckets) for stage, route in enumerate(self.routes)]
        for stage, buckets in [*places, (self.results, self.sinks)]:
            for label in self.labels[:buckets]:
                yield Message(stage, label, BEFORE_ALL, MessageKind.HEARD, 0, heard.dump())


@dataclass(frozen=True)
class StreamReading:
    """The function for `mapInArrow` over the rows of an input."""

    reader: RowReader
    name: str
    """Of the input."""
    number: int
    inputs: int
    """How many inputs there are."""
    addresses: Addresses
    latest: int
    """Time points from here on cannot be evaluated."""
    ordered: bool
    """Whether the order of arrival matters anywhere."""
    strict: bool = False
    """Whether a bad record ends the stream."""

    def __call__(self, batches: Batches) -> Batches:
        given = (batch for batch in batches if batch.num_rows)
        first = next(given, None)
        if first is not None:
            context = TaskContext.get()
            task = context.partitionId() if context else 0
            yield from as_batches(self.messages(chain([first], given), task))
        keep_loaded(self)

    def messages(self, batches: Batches, task: int) -> Iterator[Message]:
        """Everything that one task reads of a micro-batch."""
        found = _ReadSoFar(self)
        for source, chunk in self._chunks(batches):
            yield from found.take(source, chunk, task)
        heard: list[int | None] = [None] * self.inputs
        heard[self.number] = found.latest
        yield from self.addresses.heard(Heard(found.first, tuple(heard), atoms=found.atoms, came=dict(found.came)))

    def _chunks(self, batches: Batches) -> Iterator[tuple[str, Chunk]]:
        """The chunks of a task with the file they come from; a chunk is read from one batch."""
        sources: list[str] = []

        def given() -> Iterator[pa.RecordBatch]:
            for batch in batches:
                for source, part in _by_file(batch):
                    sources.append(self.name if source is None else source)
                    yield part

        for place, chunk in enumerate(self.reader.chunks(given())):
            yield sources[place], chunk


@dataclass
class _ReadSoFar:
    """What a task has read so far."""

    reading: StreamReading
    first: int | None = None
    latest: int | None = None
    atoms: int = 0
    came: Counter[str] = field(default_factory=Counter)

    def take(self, source: str, chunk: Chunk, task: int) -> Iterator[Message]:
        addresses, refused = self.reading.addresses, list(chunk.refused)
        for one in chunk.blocks:
            block, beyond = placed(one, task, ordered=self.reading.ordered).split(self.reading.latest)
            refused += _too_late(beyond, self.reading.latest)
            if not len(block):
                continue
            self.atoms += len(block)
            self.came[f"{one.signature.predicate}/{one.signature.arity}"] += len(block)
            self.first = min(int(block.times[0]), int(block.times[0]) if self.first is None else self.first)
            self.latest = max(int(block.times[-1]), -1 if self.latest is None else self.latest)
            for route in addresses.routes:
                block = known(block, route.numbers)
                if block.signature in route.keys:
                    number = route.numbers[block.signature]
                    for bucket, part in route.parts(block):
                        label = addresses.labels[bucket]
                        yield addressed(part, route.stage, label, MessageKind.ARRIVAL, number, source)
        if refused and self.reading.strict:
            told = refused[0]
            raise BadRecordError(f"{told.diagnostic.code}: {told.diagnostic.message} Record: {told.record}")
        if refused:
            letters = packed_letters(refused)
            yield Message(addresses.results, addresses.labels[0], BEFORE_ALL, MessageKind.REFUSED, 0, letters)


def _too_late(beyond: Block, latest: int) -> list[Refused]:
    message = f"The time is not before {latest}, up to which time points are counted."
    refused = Diagnostic("E411", message, "Choose a coarser clock, or a later epoch.")
    pairs = zip(beyond.times.tolist(), beyond.facts(), strict=True)
    return [Refused(refused, f"{fact} at {time}", 0) for time, fact in pairs]


def _by_file(batch: pa.RecordBatch) -> Iterator[tuple[str | None, pa.RecordBatch]]:
    """The rows of each file and block, without the columns that tell them."""
    if FILE not in batch.schema.names:
        yield None, batch
        return
    rows = batch.drop_columns([FILE, BLOCK])
    files, blocks = (batch.column(name).dictionary_encode() for name in (FILE, BLOCK))
    codes = np.column_stack([np.asarray(one.indices.fill_null(-1).to_numpy(), np.int64) for one in (files, blocks)])
    begins = np.flatnonzero(np.append(True, (codes[1:] != codes[:-1]).any(axis=1))).tolist()
    for begin, end in zip(begins, [*begins[1:], len(batch)], strict=True):
        file, block = batch.column(FILE)[begin].as_py(), batch.column(BLOCK)[begin].as_py()
        yield f"{file}\t{block or 0:020d}", rows.slice(begin, end - begin)


@dataclass(frozen=True)
class EndReading:
    """The function for `mapInArrow` over messages that the data has ended."""

    addresses: Addresses

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            if batch.num_rows:
                yield from as_batches(self.addresses.heard(Heard(ended=True)))
