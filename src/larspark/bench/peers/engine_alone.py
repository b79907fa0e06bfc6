"""The interval reasoner alone over Parquet files: no Spark, no exchange, one partition with everything in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from larspark.language.facts import Signature
from larspark.spark.partition import evaluate_partition
from larspark.spark.plan import Plan, Span
from larspark.spark.rows import BEFORE_ALL, Kind
from larspark.spark.tables import argument_names

BATCH = 1 << 16


def run_alone(plan: Plan, source: Path) -> dict[str, pa.Table]:
    """The result tables of a program with one stage."""
    rows = pa.concat_tables([_arrivals(plan, place) for place in source.iterdir()], promote_options="default")
    rows = rows.take(pc.sort_indices(rows.column("time")))
    first, last = rows.column("time")[0].as_py(), rows.column("time")[-1].as_py()
    head = {"kind": [int(Kind.SEED)], "predicate": [0], "time": [BEFORE_ALL]}
    seed = pa.table(head, schema=pa.schema([rows.schema.field(name) for name in head]))
    everything = pa.concat_tables([seed, rows], promote_options="default").combine_chunks()
    (stage,) = plan.stages
    work = plan.work(stage, Span(first, first, last), 1)
    concluded = pa.concat_tables(evaluate_partition(work, everything.to_batches(max_chunksize=BATCH)))
    return {signature.predicate: _conclusions(plan, signature, concluded) for signature in plan.shown}


def _arrivals(plan: Plan, place: Path) -> pa.Table:
    table = pq.read_table(place)
    times, *arguments = table.columns
    number = plan.vocabulary.numbers[Signature(place.stem, len(arguments))]
    marks = {"kind": int(Kind.ARRIVAL), "predicate": number}
    columns = {name: pa.array(np.full(len(table), value, np.int32)) for name, value in marks.items()}
    cells = {f"{_cell(one)}{position}": one for position, one in enumerate(arguments)}
    return pa.table({**columns, "time": times, **cells})


def _cell(column: pa.ChunkedArray) -> str:
    return "s" if pa.types.is_string(column.type) else "n"


def _conclusions(plan: Plan, signature: Signature, rows: pa.Table) -> pa.Table:
    """An argument is a number or a text in all rows of these workloads."""
    own = rows.filter(pc.equal(rows.column("predicate"), plan.vocabulary.numbers[signature]))
    cells = [
        own.column(f"s{place}") if own.column(f"n{place}").null_count else own.column(f"n{place}")
        for place in range(signature.arity)
    ]
    names = [*argument_names(plan, signature), "from", "to"]
    return pa.table([*cells, own.column("time"), own.column("until")], names=names)
