"""A stage as an operator: hands the messages of the stage to its buckets, and passes on the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyspark.sql import Row

from larspark.spark.evaluate.messages import Message, Received
from larspark.spark.stream.buckets.bucket import Bucket
from larspark.spark.stream.operators import State
from larspark.spark.stream.stage import StreamStage

_AT_WORK: dict[str, dict[tuple[int, int], Bucket]] = {}
"""The buckets in the memory of this worker process, by run, stage and number."""

RUNS = 8
"""Runs whose buckets a worker process remembers."""


@dataclass(frozen=True)
class StageOperator:
    stage: StreamStage
    run: str
    """Tells queries apart that share a worker process."""

    def __call__(self, label: int, rows: Iterator[Row], state: State) -> Iterator[Row]:
        own: list[Received] = []
        for row in rows:
            message = Message(*row)
            if message.stage == self.stage.stage:
                own.append(Received.of(message))
            else:
                yield row
        if own:
            bucket = _at_work(self.run, self.stage, self.stage.labels.index(label))
            for message in bucket.step(own, state):
                yield Row(**message._asdict())


def _at_work(run: str, stage: StreamStage, number: int) -> Bucket:
    if run not in _AT_WORK:
        while len(_AT_WORK) >= RUNS:
            del _AT_WORK[next(iter(_AT_WORK))]
        _AT_WORK[run] = {}
    buckets = _AT_WORK[run]
    if (stage.stage, number) not in buckets:
        buckets[stage.stage, number] = Bucket(stage, number)
    return buckets[stage.stage, number]
