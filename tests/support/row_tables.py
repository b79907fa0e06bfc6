"""Conclusions in rows, as they are compared."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from larspark.spark.cells import decode_values
from larspark.spark.plan import Plan
from support.interval_rows import Row


def decoded(plan: Plan, table: pa.Table) -> Iterable[Row]:
    for signature in plan.shown:
        number = plan.vocabulary.numbers[signature]
        part = table.filter(pa.compute.equal(table.column("predicate"), number))
        spans = zip(*(part.column(name).to_pylist() for name in ("time", "until", "at")), strict=True)
        for args, (first, last, at) in zip(decode_values(part, signature.arity), spans, strict=True):
            yield signature.predicate, args, first, last, at
