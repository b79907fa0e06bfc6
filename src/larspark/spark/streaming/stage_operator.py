"""A stage as an operator: hands the parcels of the stage to its buckets, and passes on the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyspark.sql import Row

from larspark.spark.streaming.bucket import Bucket
from larspark.spark.streaming.log import Segment
from larspark.spark.streaming.parcels import Parcel
from larspark.spark.streaming.shelf import Shelf
from larspark.spark.streaming.task import StageTask

_AT_WORK: dict[str, dict[tuple[int, int], Bucket]] = {}
"""The buckets in the memory of this worker process, by run, stage and number."""

RUNS = 8
"""Runs whose buckets a worker process remembers."""


@dataclass(frozen=True)
class StageOperator:
    task: StageTask
    run: str
    """Tells queries apart that share a worker process."""

    def __call__(self, label: int, rows: Iterator[Row], shelf: Shelf) -> Iterator[Row]:
        own: list[Parcel] = []
        for row in rows:
            parcel = Parcel(*row)
            if parcel.stage == self.task.stage:
                own.append(parcel)
            else:
                yield row
        if own:
            bucket = _at_work(self.run, self.task, self.task.labels.index(label))
            for parcel in bucket.step(own, ShelfStore(shelf)):
                yield Row(**parcel._asdict())


@dataclass(frozen=True)
class ShelfStore:
    """The log of a bucket on a shelf."""

    shelf: Shelf

    def head(self) -> str | None:
        found = self.shelf.get("head")
        return None if found is None else found.decode()

    def set_head(self, text: str) -> None:
        self.shelf.put("head", text.encode())

    def snapshot(self) -> bytes | None:
        return self.shelf.get("snapshot")

    def set_snapshot(self, data: bytes) -> None:
        self.shelf.put("snapshot", data)

    def segment(self, number: int) -> Segment | None:
        found = self.shelf.get(f"segment {number}")
        return None if found is None else Segment.load(found)

    def put(self, number: int, segment: Segment) -> None:
        self.shelf.put(f"segment {number}", segment.dump())

    def drop(self, number: int) -> None:
        self.shelf.remove(f"segment {number}")


def _at_work(run: str, task: StageTask, number: int) -> Bucket:
    if run not in _AT_WORK:
        while len(_AT_WORK) >= RUNS:
            del _AT_WORK[next(iter(_AT_WORK))]
        _AT_WORK[run] = {}
    buckets = _AT_WORK[run]
    if (task.stage, number) not in buckets:
        buckets[task.stage, number] = Bucket(task, number)
    return buckets[task.stage, number]
