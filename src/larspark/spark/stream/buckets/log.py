"""The state of a bucket as Spark keeps it: a head, and a log with the blocks of each micro-batch as they came.

The running evaluation follows from the log, so it lives in the memory of the worker process only. A segment that
nothing needs any more is dropped; where old rows stay among others that are needed, the log is written anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

import pyarrow as pa

from larspark.blocks.packing import pack, pack_table, unpack
from larspark.language.facts import Signature
from larspark.reasoners.interval.answers.open_intervals import Told
from larspark.spark.stream.checkpoint import another_stream
from larspark.spark.stream.operators import State
from larspark.spark.stream.watermark import Timeline

SEGMENT_ROWS = 50_000
"""How many rows a segment has when the log is written anew: a few hundred kilobytes."""

_SCHEMA = pa.schema([("predicate", pa.int32()), ("source", pa.string()), ("content", pa.binary())])


def pack_all(told: Iterable[Told], numbers: Mapping[Signature, int]) -> bytes:
    """Blocks with their sources as bytes."""
    rows = [(numbers[block.signature], source, pack(block)) for source, block in told]
    columns = list(zip(*rows, strict=True)) or [()] * 3
    cells = [pa.array(one, field.type) for one, field in zip(columns, _SCHEMA, strict=True)]
    return pack_table(pa.record_batch(cells, schema=_SCHEMA))


def unpack_all(data: bytes, names: Mapping[int, Signature]) -> list[Told]:
    batch = pa.ipc.open_stream(pa.py_buffer(data)).read_next_batch()
    heads = zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True)
    contents = batch.column(2)
    return [(source, unpack(contents[place].as_buffer(), names[one])) for place, (one, source) in enumerate(heads)]


class Segment(NamedTuple):
    version: str
    """Of the history up to here."""
    payload: bytes


@dataclass(frozen=True)
class BucketHead:
    """The state of a bucket, without its log."""

    timeline: Timeline = field(default_factory=Timeline)
    first: int = 0
    """The number of the oldest segment."""
    next: int = 0
    """The number of the next one."""
    version: str = ""
    """Tells histories apart: it follows from all that has come."""
    stream: str = ""
    """Whose state this is."""
    arrived: int = 0
    """How many atoms have come, where they are counted."""

    def check(self, stream: str) -> None:
        """`Rejected` when the state is that of another stream."""
        if self.stream not in ("", stream):
            raise another_stream("The stream of this checkpoint")

    def save(self, state: State) -> None:
        state.put("head", json.dumps(asdict(self)).encode())

    @classmethod
    def load(cls, state: State) -> BucketHead:
        saved = state.get("head")
        if saved is None:
            return cls()
        data = json.loads(saved)
        timeline = data.pop("timeline")
        return cls(Timeline(timeline["first"], tuple(timeline["latest"]), timeline["watermark"]), **data)


@dataclass(frozen=True)
class BucketLog:
    """The segments of a bucket, and what a reasoner remembers beside them."""

    state: State

    def snapshot(self) -> bytes | None:
        return self.state.get("snapshot")

    def set_snapshot(self, data: bytes) -> None:
        self.state.put("snapshot", data)

    def segment(self, number: int) -> Segment | None:
        found = self.state.get(f"segment {number}")
        if found is None:
            return None
        version, _, payload = found.partition(b"\n")
        return Segment(version.decode(), payload)

    def put(self, number: int, segment: Segment) -> None:
        self.state.put(f"segment {number}", segment.version.encode() + b"\n" + segment.payload)

    def drop(self, number: int) -> None:
        self.state.remove(f"segment {number}")


def following(version: str, payload: bytes, timeline: Timeline) -> str:
    """The version after a further segment."""
    digest = hashlib.blake2b(version.encode(), digest_size=16)
    digest.update(json.dumps(asdict(timeline)).encode())
    digest.update(payload)
    return digest.hexdigest()


def pieces(told: Iterable[Told]) -> Iterator[list[Told]]:
    """The segments of a log that is written anew."""
    segment, rows = list[Told](), 0
    for source, block in told:
        for piece in block.cut(SEGMENT_ROWS):
            if rows and rows + len(piece) > SEGMENT_ROWS:
                yield segment
                segment, rows = [], 0
            segment.append((source, piece))
            rows += len(piece)
    yield segment
