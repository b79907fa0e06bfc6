"""What runs inside a Spark partition: rows in, conclusions out, as Arrow batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TypeAlias

import pyarrow as pa

from larspark.spark.rows import Kind
from larspark.spark.settling import settle
from larspark.spark.work import Work

Batches: TypeAlias = Iterator[pa.RecordBatch]


def partition_function(work: Work) -> Callable[[Batches], Batches]:
    """The function for `mapInArrow`; rows come in the order of arrival, the first is a seed."""

    def evaluate(batches: Batches) -> Batches:
        for table in evaluate_partition(work, (batch for batch in batches if batch.num_rows)):
            yield from table.to_batches()
        settle(work)

    return evaluate


def evaluate_partition(work: Work, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """The conclusions that follow from the rows of one partition; its seed has the number of the partition."""
    given = iter(batches)
    opening = next(given, None)
    if opening is None:
        return
    assert opening.column("kind")[0].as_py() == Kind.SEED
    number = opening.column("predicate")[0].as_py()
    everything = chain([opening], given)
    if work.columnar:
        from larspark.spark.columnar import evaluate_columnar  # noqa: PLC0415 - compiles kernels

        yield from evaluate_columnar(work, number, everything)
        return
    from larspark.spark.stepwise import evaluate_stepwise  # noqa: PLC0415

    yield evaluate_stepwise(work, number, pa.Table.from_batches(list(everything)))
