"""How the rows of a call are split, as far as a worker can tell.

Spark tells a table function nothing about `PARTITION BY`. It adds a column for each expression, by which its wrapper
cuts record batches, and hands over the rows without them; so the wrapper's own variables are looked at. Without a
wrapper rows are split as they were stored: several partitions have rows exactly if one other than the first has.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import FrameType

import pyarrow as pa
from pyspark import TaskContext

DEEPEST = 8
"""Frames between the function and Spark's wrapper, at most."""


@dataclass(frozen=True)
class Partition:
    by: tuple[pa.Array, ...] = ()
    """The values of the expressions behind PARTITION BY, for each row."""
    whole: bool = False
    """Whether all rows may be in this partition."""


def partition_of(rows: pa.RecordBatch) -> Partition:
    """How the rows that a function is being given have been chosen."""
    frame: FrameType | None = sys._getframe(1)
    for _ in range(DEEPEST):
        if frame is None:
            break
        match frame.f_locals:
            case {"original_batch": pa.RecordBatch() as batch, "start_idx": int(start), "end_idx": int(end), **others}:
                places = getattr(others.get("self"), "_partition_child_indexes", [])
                return Partition(tuple(batch.column(place).slice(start, end - start) for place in places))
        frame = frame.f_back
    context = TaskContext.get()
    return Partition(whole=context is None or context.partitionId() == 0 or not len(rows))
