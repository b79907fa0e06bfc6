"""The state of a bucket as Spark keeps it: a head, and a log with the rows of each micro-batch as they came.

The running evaluation follows from the log, so it lives in the memory of the worker process only. A segment that
nothing needs any more is dropped; where old rows stay among others that are needed, the log is written anew.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import NamedTuple, Protocol

import pyarrow as pa

from larspark.spark.streaming.checkpoint import another_stream
from larspark.spark.streaming.parcels import packed
from larspark.spark.streaming.timeline import Timeline

SEGMENT_ROWS = 50_000
"""How many rows a segment has when the log is written anew: a few hundred kilobytes."""


class Segment(NamedTuple):
    version: str
    """Of the history up to here."""
    payload: bytes

    def dump(self) -> bytes:
        return self.version.encode() + b"\n" + self.payload

    @classmethod
    def load(cls, data: bytes) -> Segment:
        version, _, payload = data.partition(b"\n")
        return cls(version.decode(), payload)


class Store(Protocol):
    """Where a bucket keeps its state: Spark's state store, or something like it."""

    def head(self) -> str | None: ...

    def set_head(self, text: str) -> None: ...

    def snapshot(self) -> bytes | None: ...

    def set_snapshot(self, data: bytes) -> None: ...

    def segment(self, number: int) -> Segment | None: ...

    def put(self, number: int, segment: Segment) -> None: ...

    def drop(self, number: int) -> None: ...


@dataclass(frozen=True)
class Head:
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

    def check(self, stream: str) -> None:
        """`Rejected` when the state is that of another stream."""
        if self.stream not in ("", stream):
            raise another_stream("The stream of this checkpoint")

    def dump(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str | None) -> Head:
        if text is None:
            return cls()
        data = json.loads(text)
        timeline = data.pop("timeline")
        return cls(Timeline(timeline["first"], tuple(timeline["heard"]), timeline["watermark"]), **data)


def following(version: str, payload: bytes, timeline: Timeline) -> str:
    """The version after a further segment."""
    digest = hashlib.blake2b(version.encode(), digest_size=16)
    digest.update(json.dumps(asdict(timeline)).encode())
    digest.update(payload)
    return digest.hexdigest()


def pieces(rows: pa.Table) -> list[bytes]:
    """The segments of a log that is written anew."""
    return [packed(rows.slice(begin, SEGMENT_ROWS)) for begin in range(0, len(rows), SEGMENT_ROWS)] or [packed(rows)]
