"""Python workers that are there when the first tasks want them.

Spark starts a worker when a task wants one, and what it needs is loaded only then: by the second worker when the first
stage is over, while Java waits. Here all are started at once, beside whatever is being prepared.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from threading import Thread

import pyarrow as pa
from pyspark.sql import SparkSession

from larspark.spark.session.session import cores


def start_workers(session: SparkSession) -> None:
    """Returns at once. If workers cannot be started, the first task that wants one says so."""
    Thread(target=_start, args=(session, cores(session)), daemon=True).start()


def _start(session: SparkSession, number: int) -> None:
    with suppress(Exception):
        session.range(0, number, 1, number).mapInArrow(_loading, "id bigint").collect()


def _loading(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Loads libraries and compiled code by using them."""
    from larspark.python.session import Engine  # noqa: PLC0415 - in the worker
    from larspark.spark.evaluate import stage  # noqa: F401, PLC0415

    Engine("q(X) :- p(X) [1].").advance(0, ["p(1)"])
    yield from batches
