"""Tasks that read: what they find becomes messages, and the driver is told what there is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from pyspark import TaskContext

from larspark.blocks import Block
from larspark.language.calendar import TimeForm
from larspark.language.facts import Signature
from larspark.read import Chunk
from larspark.spark.evaluate.messages import (
    BEFORE_ALL,
    DRIVER,
    ROWS,
    Batches,
    Message,
    MessageKind,
    as_batches,
    known,
    messages_of,
    named,
    received,
)
from larspark.spark.evaluate.routing import Route
from larspark.spark.session.workers import keep_loaded
from larspark.spark.write.dead_letters import packed_letters

READ, DEAD = -3, -4
"""Instead of a stage: blocks that have been read and wait to be sent, and records that have been refused."""

PER_TASK = 40
"""Bits for the places of the records of one task."""


class ReadSummary(NamedTuple):
    """What a task has read."""

    rows: int
    refused: Mapping[str, int]
    """How many bad records, by the code of the reason."""
    spans: Sequence[Sequence[int]]
    """The first and the last time of each block."""
    form: int = TimeForm.POINTS
    """How times are written."""
    counts: Sequence[tuple[str, int, int]] = ()
    """Of each predicate that came: its name and arity, and rows."""

    def message(self) -> Message:
        return Message(DRIVER, 0, BEFORE_ALL, MessageKind.REPORT, 0, json.dumps(self).encode())

    @classmethod
    def read(cls, content: bytes) -> ReadSummary:
        return cls(*json.loads(content))


@dataclass(frozen=True)
class ArrivalReading:
    """What is done with the chunks of a task."""

    numbers: Mapping[Signature, int]
    routes: Sequence[Route]
    """To the stages that read arrivals, to see how heavy their partitions are."""
    sampled: int
    """One of so many rows is looked at."""
    ordered: bool
    """Whether the order of arrival matters anywhere."""

    @property
    def homes(self) -> dict[Signature, Route]:
        """Each predicate with the way to the first stage that reads it: its rows are kept as they go there."""
        return {one: route for route in reversed(self.routes) for one in route.keys}

    def messages(self, chunks: Iterable[Chunk], task: int) -> Iterator[Message]:
        refused: Counter[str] = Counter()
        spans: list[list[int]] = []
        counts: Counter[Signature] = Counter()
        homes, rows, form = self.homes, 0, TimeForm.POINTS
        for chunk in chunks:
            form = max(form, chunk.form)
            for found in chunk.blocks:
                block = placed(known(found, self.numbers), task, ordered=self.ordered)
                rows += len(block)
                counts[found.signature] += len(found)
                home = homes.get(block.signature)
                for piece in block.cut(ROWS):
                    spans.append([int(piece.times[0]), int(piece.times[-1])])
                    sent = home.messages(piece) if home else messages_of(piece, READ, 0, self.numbers[block.signature])
                    yield from (message._replace(stage=READ) for message in sent)
                yield from self._samples(block)
            if chunk.refused:
                refused.update(one.diagnostic.code for one in chunk.refused)
                yield Message(DEAD, 0, task << PER_TASK, MessageKind.REFUSED, 0, packed_letters(chunk.refused))
        told = [(one.predicate, one.arity, count) for one, count in counts.items()]
        yield ReadSummary(rows, refused, spans, form, told).message()

    def _samples(self, block: Block) -> Iterator[Message]:
        some = block.take(slice(None, None, self.sampled))
        for route in self.routes:
            if block.signature in route.keys:
                found = route.sampled(some).tobytes()
                yield Message(DRIVER, 0, BEFORE_ALL, MessageKind.SAMPLE, route.stage, found)


def placed(block: Block, task: int, *, ordered: bool) -> Block:
    """The rows in the order of time; where it matters, with their places among all that is read."""
    if not ordered:
        return replace(block, order=None).ordered()
    assert block.order is not None
    return replace(block, order=block.order + (task << PER_TASK)).ordered()


def within(block: Block, span: tuple[int, int]) -> Block:
    """The rows with times of a span, both ends included."""
    first, last = span
    return block.split(first)[1].split(last + 1)[0]


class FilePiece(Protocol):
    """A part of a file that one task reads."""

    @property
    def path(self) -> str: ...

    def chunks(self) -> Iterator[Chunk]: ...


@dataclass(frozen=True)
class PieceReading:
    """The function for `mapInArrow` over the numbers of pieces."""

    pieces: Sequence[FilePiece]
    reading: ArrivalReading

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from as_batches(self.reading.messages(self.pieces[number].chunks(), number))
        keep_loaded(self)


class RowReader(Protocol):
    """Reads the rows of a DataFrame."""

    def chunks(self, batches: Batches) -> Iterator[Chunk]: ...


@dataclass(frozen=True)
class FrameReading:
    """The function for `mapInArrow` over the rows of a DataFrame; tasks of several ones have different numbers."""

    reader: RowReader
    reading: ArrivalReading

    def __call__(self, batches: Batches) -> Batches:
        context = TaskContext.get()
        task = context.partitionId() if context else 0
        yield from as_batches(self.reading.messages(self.reader.chunks(batches), task))
        keep_loaded(self)


class Unsure(ValueError):
    """A record has to be judged that was taken for a good one."""


@dataclass(frozen=True)
class PieceSending:
    """The function for `mapInArrow` over the numbers of pieces without bad records: their rows go to a stage."""

    pieces: Sequence[tuple[int, FilePiece]]
    """With their places among all."""
    route: Route
    span: tuple[int, int]
    """Earlier times are not seen, later ones not evaluated."""
    ordered: bool

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from as_batches(self.messages(number))
        keep_loaded(self)

    def messages(self, number: int) -> Iterator[Message]:
        place, piece = self.pieces[number]
        for chunk in piece.chunks():
            if chunk.refused:
                raise Unsure(chunk.refused[0].diagnostic.message)
            for found in chunk.blocks:
                block = placed(known(found, self.route.numbers), place, ordered=self.ordered)
                yield from self.route.messages(within(block, self.span))


@dataclass(frozen=True)
class Sending:
    """The function for `mapInArrow` over blocks that have been read, from wherever they are kept to a stage."""

    route: Route
    span: tuple[int, int]
    """Earlier times are not seen, later ones not evaluated."""

    def __call__(self, batches: Batches) -> Batches:
        names = named(self.route.numbers)
        for message in received(batches):
            yield from as_batches(self.route.messages(within(message.block(names), self.span)))
        keep_loaded(self)
