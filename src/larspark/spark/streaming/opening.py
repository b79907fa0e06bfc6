"""From packed rows to the columns of a table, whose types are known before the first row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from larspark.analysis.sorts import Sort
from larspark.diagnostics import Diagnostic, Rejected
from larspark.spark.evaluate.messages import Batches
from larspark.spark.streaming.columns import spark_type, typed, with_change, with_interval
from larspark.spark.streaming.parcels import unpacked


@dataclass(frozen=True)
class Opening:
    """The function for `mapInArrow` that makes rows of a table."""

    name: str
    arguments: Mapping[str, Sort]
    changes: bool

    @property
    def schema(self) -> str:
        times = "at bigint, change string, time bigint" if self.changes else "`from` bigint, `to` bigint, at bigint"
        cells = [f"`{name}` {spark_type(sort)}" for name, sort in self.arguments.items()]
        return ", ".join([*cells, times])

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for payload in batch.column("payload").to_pylist():
                yield from self._opened(unpacked(payload)).to_batches()

    def _opened(self, rows: pa.Table) -> pa.Table:
        found = {
            name: self._cells(rows, place, name, sort) for place, (name, sort) in enumerate(self.arguments.items())
        }
        return with_change(found, rows) if self.changes else with_interval(found, rows)

    def _cells(self, rows: pa.Table, place: int, name: str, sort: Sort) -> pa.ChunkedArray:
        try:
            return typed(rows.column(f"n{place}"), rows.column(f"s{place}"), sort)
        except pa.ArrowInvalid as error:
            message = f"A value of the column `{name}` of {self.name} is no {spark_type(sort)}: {error}."
            hint = f"Say another type with `columns={{'{self.name}': '{name} string, …'}}`."
            raise Rejected([Diagnostic("E613", message, hint)]) from error
