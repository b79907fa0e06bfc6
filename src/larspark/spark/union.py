"""Conclusions about one atom from several partitions, united; and times without an answer stream, taken out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import Rows, content, new_table
from larspark.intervals.table import absorb, remove
from larspark.language.facts import Signature
from larspark.spark.cells import numbers_of
from larspark.spark.partition import Batches
from larspark.spark.plan import Plan
from larspark.spark.rows import Kind, row_columns, row_schema


def united(plan: Plan, conclusions: DataFrame, buckets: int, cut: frozenset[Signature] = frozenset()) -> DataFrame:
    """The shown conclusions, every atom with maximal intervals; those of `cut` were drawn for spans of time apart."""
    numbers, width = plan.vocabulary.numbers, plan.vocabulary.width
    shown = shown_conclusions(plan, conclusions)
    void = void_times(plan, conclusions)
    if void:
        return combined(shown, void, width, buckets)
    scattered = plan.scattered | (cut & frozenset(plan.shown))
    if not scattered:
        return shown
    apart = sf.col("predicate").isin([numbers[one] for one in scattered])
    return shown.where(~apart).unionByName(combined(shown.where(apart), [], width, buckets))


def shown_conclusions(plan: Plan, conclusions: DataFrame) -> DataFrame:
    numbers = [plan.vocabulary.numbers[one] for one in plan.shown]
    return conclusions.where(sf.col("predicate").isin(numbers) & (sf.col("kind") != int(Kind.VOID)))


def void_times(plan: Plan, conclusions: DataFrame) -> list[tuple[int, int]]:
    """The intervals without an answer stream."""
    if not plan.may_be_void:
        return []
    found = conclusions.where(sf.col("kind") == int(Kind.VOID)).select("time", "until").distinct().collect()
    return [(row["time"], row["until"]) for row in found]


def inputs_as_conclusions(plan: Plan, arrivals: DataFrame) -> DataFrame:
    """The output shows arriving atoms of predicates that rules derive as well (`#input`)."""
    both: list[Signature] = sorted(plan.analysis.intensional & plan.analysis.extensional)
    numbers = [plan.vocabulary.numbers[one] for one in both]
    rows = arrivals.where(sf.col("predicate").isin(numbers)).select(*row_columns(plan.vocabulary.width))
    return rows.withColumns({"kind": sf.lit(int(Kind.NOW)), "until": sf.col("time")})


def combined(rows: DataFrame, void: Sequence[tuple[int, int]], width: int, buckets: int) -> DataFrame:
    """Every atom with maximal intervals, less the times in `void`."""
    names = row_columns(width)
    keys = [name for name in names if name not in ("time", "until")]
    return rows.repartition(buckets, *keys).mapInArrow(_combining(void, width), row_schema(width))


def _combining(void: Sequence[tuple[int, int]], width: int) -> Callable[[Batches], Batches]:
    def combine(batches: Batches) -> Batches:
        parts = [batch for batch in batches if batch.num_rows]
        if parts:
            yield from combine_rows(pa.Table.from_batches(parts), void, width).to_batches()

    return combine


def combine_rows(table: pa.Table, void: Sequence[tuple[int, int]], width: int) -> pa.Table:
    """The rows of each atom with maximal intervals, less the times in `void`."""
    keys = [name for name in row_columns(width) if name not in ("time", "until")]
    spelled = {name: table.column(name).combine_chunks().dictionary_encode() for name in keys}
    codes = [numbers_of(pa.chunked_array([pc.fill_null(spelled[name].indices, -1)])) for name in keys]
    rows = np.column_stack((*codes, numbers_of(table.column("time")), numbers_of(table.column("until"))))
    joined = new_table(len(keys), [])
    absorb(joined, np.ascontiguousarray(rows), -FOREVER)
    for first, last in void:
        known: Rows = content(joined)
        known[:, -2] = np.maximum(known[:, -2], first)
        known[:, -1] = np.minimum(known[:, -1], last)
        remove(joined, np.ascontiguousarray(known[known[:, -2] <= known[:, -1]]))
    left: Rows = content(joined)
    columns = {name: _taken(spelled[name], left[:, place]) for place, name in enumerate(keys)}
    columns |= {"time": pa.array(left[:, -2]), "until": pa.array(left[:, -1])}
    return pa.table([columns[name] for name in row_columns(width)], names=row_columns(width))


def _taken(spelled: pa.DictionaryArray, codes: Rows) -> pa.Array:
    return spelled.dictionary.take(pa.array(codes, mask=codes < 0))
