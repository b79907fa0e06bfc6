"""A stage as a stateful operator of Spark: keyed by bucket, state in Spark's state store (RocksDB)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from larspark.spark.streaming.bucket import Bucket
from larspark.spark.streaming.log import Segment
from larspark.spark.streaming.parcels import Parcel
from larspark.spark.streaming.task import StageTask

_AT_WORK: dict[str, dict[tuple[int, int], Bucket]] = {}
"""The buckets in the memory of this worker process, by run, stage and number."""

RUNS = 2
"""Runs whose buckets a worker process remembers."""


class StageProcessor(StatefulProcessor):
    """Hands the parcels of a stage to its buckets, and passes on the others."""

    def __init__(self, task: StageTask, run: str) -> None:
        self._task = task
        self._run = run

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._store = SparkStore(handle)

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
        del timerValues
        own: list[Parcel] = []
        for row in rows:
            parcel = Parcel(*row)
            if parcel.stage == self._task.stage:
                own.append(parcel)
            else:
                yield row
        if own:
            bucket = _at_work(self._run, self._task, self._task.labels.index(key[0]))
            for parcel in bucket.step(own, self._store):
                yield Row(**parcel._asdict())

    def close(self) -> None: ...


class SparkStore:
    """The state of the current key."""

    def __init__(self, handle: StatefulProcessorHandle) -> None:
        self._head = handle.getValueState("head", "text string")
        self._snapshot = handle.getValueState("snapshot", "data binary")
        self._segments = handle.getMapState("segments", "number long", "version string, payload binary")

    def head(self) -> str | None:
        found = self._head.get()
        return None if found is None else str(found[0])

    def set_head(self, text: str) -> None:
        self._head.update((text,))

    def snapshot(self) -> bytes | None:
        found = self._snapshot.get()
        return None if found is None else bytes(found[0])

    def set_snapshot(self, data: bytes) -> None:
        self._snapshot.update((data,))

    def segment(self, number: int) -> Segment | None:
        found = self._segments.getValue((number,))
        return None if found is None else Segment(found[0], bytes(found[1]))

    def put(self, number: int, segment: Segment) -> None:
        self._segments.updateValue((number,), tuple(segment))

    def drop(self, number: int) -> None:
        self._segments.removeKey((number,))


def _at_work(run: str, task: StageTask, number: int) -> Bucket:
    if run not in _AT_WORK:
        while len(_AT_WORK) >= RUNS:
            del _AT_WORK[next(iter(_AT_WORK))]
        _AT_WORK[run] = {}
    buckets = _AT_WORK[run]
    if (task.stage, number) not in buckets:
        buckets[task.stage, number] = Bucket(task, number)
    return buckets[task.stage, number]
