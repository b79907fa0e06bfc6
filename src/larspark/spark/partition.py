"""What runs inside a Spark partition: rows in, conclusions out, as Arrow batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import pyarrow as pa

from larspark.spark.rows import Kind
from larspark.spark.work import Work

Batches: TypeAlias = Iterator[pa.RecordBatch]


def partition_function(work: Work) -> Callable[[Batches], Batches]:
    """The function for `mapInArrow`; rows come in the order of arrival, with a seed that numbers the partition."""

    def evaluate(batches: Batches) -> Batches:
        parts = [batch for batch in batches if batch.num_rows]
        if parts:
            yield from evaluate_partition(work, pa.Table.from_batches(parts)).to_batches()

    return evaluate


def evaluate_partition(work: Work, table: pa.Table) -> pa.Table:
    """The conclusions that follow from the rows of one partition."""
    seeds = table.filter(pa.compute.equal(table.column("kind"), int(Kind.SEED)))
    number = seeds.column("time")[0].as_py()
    if work.reasoner == "interval" and not work.stage.records:
        from larspark.spark.columnar import evaluate_columnar  # noqa: PLC0415 - compiles kernels

        return evaluate_columnar(work, number, table)
    from larspark.spark.stepwise import evaluate_stepwise  # noqa: PLC0415

    return evaluate_stepwise(work, number, table)
