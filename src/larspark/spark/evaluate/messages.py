"""What Spark carries between tasks: a packed block of one predicate in one binary cell, addressed to a partition.

Handing rows to Python one by one is what makes Spark dear for an engine; a message has up to 131,072 of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import IntEnum
from typing import NamedTuple, TypeAlias

import pyarrow as pa

from larspark.analysis.partitioning import stage_program
from larspark.blocks import Block
from larspark.blocks.packing import pack, unpack
from larspark.language.facts import Signature

SCHEMA = "stage int, part int, first bigint, kind int, predicate int, content binary, source string"
KINDS = (pa.int32(), pa.int32(), pa.int64(), pa.int32(), pa.int32(), pa.binary(), pa.string())
"""The schema of messages."""

ROWS = 1 << 17
"""Rows of a message, at most."""

DRIVER, OUTPUT = -1, -2
"""Instead of a stage: messages that the driver collects, and blocks that become rows of result tables."""

BEFORE_ALL = -1
"""The time of messages that come before all data."""

OTHER, NONE = -1, -2
"""The numbers of the predicates that the program does not know (only tuple windows notice them), and of none."""
OTHERS = Signature(stage_program.OTHERS, 0)
NO_ANSWER = Signature("no answer stream:", 0)
"""Invented predicates; none can be written without quotes."""

Batches: TypeAlias = Iterator[pa.RecordBatch]


class MessageKind(IntEnum):
    """What a message, or a row of it, says."""

    SEED = 0
    """Nothing; it makes sure that a partition without data is evaluated, too, and has its number as predicate."""
    ARRIVAL = 1
    """The atom arrives at `time`."""
    NOW = 2
    """At the evaluations from `time` to `until` the atom holds at the evaluation time."""
    AT = 3
    """At the evaluations from `time` to `until` the atom holds at the time point `at`, another one than that."""
    VOID = 4
    """At the evaluations from `time` to `until` there is no answer stream."""
    REPORT = 6
    """Something for the driver: a file that has been written, or what a task has read."""
    SAMPLE = 7
    """Some of the rows that a stage is sent: times and buckets."""
    REFUSED = 8
    """Bad records, with the reason."""
    HEARD = 9
    """In a stream: how far the inputs are."""
    LATE = 10
    """In a stream: atoms for time points that are final."""
    EARLY = 11
    """In a stream: conclusions after the watermark, from what has come so far; they replace all earlier ones."""
    NOTICED = 12
    """For the driver: which rules have fired, and what was noticed about arrivals."""
    COUNTED = 13
    """In a stream: what each rule has given."""
    KEPT = 14
    """In a stream: how many arrivals a bucket keeps, and how many of them can matter."""


class Message(NamedTuple):
    stage: int
    part: int
    """The partition of the stage."""
    first: int
    """The earliest time in it; a partition opens its messages in this order."""
    kind: int
    predicate: int
    content: bytes | None = None
    source: str | None = None
    """In a stream: the file of an arrival, or who concludes something."""


def kind_of(block: Block) -> MessageKind:
    if block.until is None:
        return MessageKind.ARRIVAL
    if block.signature == NO_ANSWER:
        return MessageKind.VOID
    return MessageKind.NOW if block.at is None else MessageKind.AT


def messages_of(block: Block, stage: int, part: int, predicate: int, rows: int | None = None) -> Iterator[Message]:
    """Rows in the order of time, addressed; a message has at most so many."""
    for piece in block.cut(rows or ROWS):
        yield Message(stage, part, int(piece.times[0]), kind_of(block), predicate, pack(piece))


def as_batches(messages: Iterable[Message]) -> Batches:
    """One by one, so that a worker holds no more than one at a time."""
    for message in messages:
        cells = [pa.array([cell], kind) for cell, kind in zip(message, KINDS, strict=True)]
        yield pa.record_batch(cells, Message._fields)


class Received(NamedTuple):
    """A message as it comes out of Spark."""

    part: int
    first: int
    kind: MessageKind
    predicate: int
    content: pa.Buffer | None
    source: str | None = None

    @classmethod
    def of(cls, message: Message) -> Received:
        content = None if message.content is None else pa.py_buffer(message.content)
        return cls(message.part, message.first, MessageKind(message.kind), message.predicate, content, message.source)

    def block(self, names: Mapping[int, Signature]) -> Block:
        """The rows; `names` are the predicates by their numbers."""
        return unpack(self.content, names[self.predicate])


def received(batches: Batches) -> Iterator[Received]:
    for batch in batches:
        contents = batch.column("content")
        names = ("part", "first", "kind", "predicate", "source")
        keys = zip(*(batch.column(name).to_pylist() for name in names), strict=True)
        for place, (part, first, kind, predicate, source) in enumerate(keys):
            content = contents[place]
            yield Received(
                part, first, MessageKind(kind), predicate, content.as_buffer() if content.is_valid else None, source
            )


def numbered(signatures: Iterable[Signature]) -> dict[Signature, int]:
    """Predicates as messages know them."""
    return {signature: number for number, signature in enumerate(sorted(signatures))} | {OTHERS: OTHER, NO_ANSWER: NONE}


def named(numbers: Mapping[Signature, int]) -> dict[int, Signature]:
    return {number: signature for signature, number in numbers.items()}


def known(block: Block, numbers: Mapping[Signature, int]) -> Block:
    """Atoms of predicates that the program does not know are only counted."""
    if block.signature in numbers:
        return block
    return replace(block, signature=OTHERS, arguments=())
