"""What Spark carries: many rows of one predicate in one binary cell, in the order of time, addressed to a partition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

from larspark.spark.direct.columns import Argument, Numbers
from larspark.spark.rows import BEFORE_ALL, Kind

SCHEMA = "stage int, part int, first bigint, kind int, predicate int, content binary"
KINDS = (pa.int32(), pa.int32(), pa.int64(), pa.int32(), pa.int32(), pa.binary())
"""The schema of parcels."""

PARCEL = 1 << 17
"""Rows of a parcel, at most."""

REPORTS = -1
"""The stage to which reports of files are addressed: the driver."""

Batches: TypeAlias = Iterator[pa.RecordBatch]


class Parcel(NamedTuple):
    stage: int
    part: int
    """The partition of the stage."""
    first: int
    """The earliest time in it; a partition opens its parcels in this order."""
    kind: int
    predicate: int
    content: bytes | None = None


def seed(stage: int, part: int) -> Parcel:
    """The first parcel of a partition: it makes sure that one without data is evaluated, too."""
    return Parcel(stage, part, BEFORE_ALL, Kind.SEED, part)


@dataclass(frozen=True)
class Content:
    """Rows of one predicate and kind in the order of time; see `rows.Kind` for what they say."""

    times: Numbers
    arguments: tuple[Argument, ...]
    until: Numbers | None = None
    at: Numbers | None = None
    order: Numbers | None = None
    """The place of each arrival among all, where a window counts them."""

    def taken(self, rows: Numbers | slice) -> Content:
        until, at, order = (None if one is None else one[rows] for one in (self.until, self.at, self.order))
        return Content(self.times[rows], tuple(_taken(one, rows) for one in self.arguments), until, at, order)

    def packed(self) -> bytes:
        named = {"times": self.times, "until": self.until, "at": self.at, "order": self.order}
        numbers = {name: _narrow(column) for name, column in named.items() if column is not None}
        cells = [_narrow(one) if isinstance(one, np.ndarray) else compact(one) for one in self.arguments]
        names = [*numbers, *(f"argument {place}" for place in range(len(cells)))]
        batch = pa.record_batch([*numbers.values(), *cells], names=names)
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        return bytes(sink.getvalue())


def unpacked(content: pa.Buffer) -> Content:
    batch = pa.ipc.open_stream(content).read_next_batch()
    named = dict(zip(batch.schema.names, batch.columns, strict=True))
    numbers = {name: _wide(named.pop(name)) for name in ("times", "until", "at", "order") if name in named}
    arguments = (one if pa.types.is_dictionary(one.type) else _wide(one) for one in named.values())
    return Content(arguments=tuple(arguments), **numbers)


def as_batches(parcels: Iterable[Parcel]) -> Batches:
    """One by one, so that a worker holds no more than one at a time."""
    for parcel in parcels:
        cells = [pa.array([cell], kind) for cell, kind in zip(parcel, KINDS, strict=True)]
        yield pa.record_batch(cells, Parcel._fields)


class Opened(NamedTuple):
    """A parcel as it comes out of Spark."""

    first: int
    kind: Kind
    predicate: int
    content: pa.Buffer


def opened(batches: Batches) -> Iterator[Opened]:
    for batch in batches:
        contents = batch.column("content")
        keys = zip(*(batch.column(name).to_pylist() for name in ("first", "kind", "predicate")), strict=True)
        for place, (first, kind, predicate) in enumerate(keys):
            yield Opened(first, Kind(kind), predicate, contents[place].as_buffer())


def compact(column: pa.DictionaryArray) -> pa.DictionaryArray:
    """The same texts with a dictionary that has no others."""
    indices = column.indices.to_numpy()
    used = np.zeros(len(column.dictionary), np.bool_)
    used[indices] = True
    places = np.cumsum(used) - 1
    return pa.DictionaryArray.from_arrays(_narrow(places[indices]), column.dictionary.filter(pa.array(used)))


def _taken(column: Argument, rows: Numbers | slice) -> Argument:
    if isinstance(column, np.ndarray):
        return column[rows]
    return pa.DictionaryArray.from_arrays(column.indices.to_numpy()[rows], column.dictionary)


def _narrow(numbers: Numbers) -> pa.Array:
    """The same numbers in as few bytes as all of them need."""
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    kinds = (np.dtype(name) for name in ("int8", "int16", "int32", "int64"))
    return pa.array(numbers.astype(next(k for k in kinds if np.iinfo(k).min <= low and high <= np.iinfo(k).max)))


def _wide(column: pa.Array) -> Numbers:
    return np.asarray(column.to_numpy(), np.int64)
