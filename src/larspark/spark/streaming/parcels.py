"""What travels between the operators of a stream: many rows in one binary cell, addressed to a bucket of a stage.

Spark hands rows to a Python operator one by one; packed, a micro-batch is a few parcels per bucket, and the cost per
atom is that of Arrow.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from larspark.spark.rows import row_columns

PARCEL = "stage int, bucket int, content int, pulse string, payload binary"
"""The schema of parcels; `bucket` is the label that brings it to its Spark partition."""

ORIGIN = "origin"
"""Of a change: who says it, since several buckets may conclude the same."""

Numbers: TypeAlias = npt.NDArray[np.int64]


class Content(IntEnum):
    """What a parcel holds."""

    ARRIVALS = 0
    """Atoms of a micro-batch, and the pulse of the task that read them."""
    CHANGES = 1
    """Conclusions that begin or end, from an earlier stage."""
    LATE = 2
    """Atoms for time points that are final."""
    REFUSED = 3
    """Bad records, with the reason."""
    EARLY = 4
    """Conclusions after the watermark, from what has come so far; they replace all earlier ones of this kind."""


class Parcel(NamedTuple):
    stage: int
    bucket: int
    content: int
    pulse: str | None = None
    payload: bytes | None = None


def packed(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def unpacked(payload: bytes) -> pa.Table:
    return pa.ipc.open_stream(pa.py_buffer(payload)).read_all()


def change_schema(width: int) -> pa.Schema:
    """Rows as they are kept and delivered: arrivals, and changes with their origin."""
    kinds = [pa.int32(), pa.int32(), *[pa.int64()] * 3, *[pa.int64(), pa.string()] * width, pa.int32()]
    return pa.schema(list(zip([*row_columns(width), ORIGIN], kinds, strict=True)))


def joined(tables: Iterable[pa.Table], width: int) -> pa.Table:
    schema = change_schema(width)
    return pa.concat_tables([schema.empty_table(), *(table.cast(schema) for table in tables)])
