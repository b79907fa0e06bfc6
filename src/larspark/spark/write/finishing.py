"""Tables complete: all files of one get the types that hold all its values, and the format that is wanted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from larspark.analysis.typing.sorts import ANYTHING, Sort
from larspark.spark.evaluate.messages import Batches, as_batches
from larspark.spark.write.files import Report, TableTarget, file_type
from larspark.write.columns import arrow_type
from larspark.write.table_files import write_table
from larspark.write.tables import table_schema

ROWS_PER_FILE = 1 << 18


def joined_sorts(known: Sequence[Sort], reports: Sequence[Report]) -> tuple[Sort, ...]:
    """What the arguments hold, in all files together; without any value and any knowledge they are text."""
    if not reports:
        return tuple(ANYTHING if one.open else one for one in known)
    columns = zip(*(one.sorts for one in reports), strict=True)
    return tuple(one.holding(reduce(or_, column)) for one, column in zip(known, columns, strict=True))


def schema_of(target: TableTarget, reports: Sequence[Report]) -> pa.Schema:
    """The schema of the table that these files make."""
    kinds = [arrow_type(sort, target.times) for sort in joined_sorts(target.known, reports)]
    return table_schema(target.columns, kinds, target.times, changes=target.changes)


def fits(report: Report, schema: pa.Schema, target: TableTarget) -> bool:
    """Whether a file has the types of its table."""
    written = (file_type(*sorts, target.times) for sorts in zip(target.known, report.sorts, strict=True))
    return all(field.type == kind for field, kind in zip(schema, written, strict=False))


@dataclass(frozen=True)
class Converting:
    """The function for `mapInArrow` over the numbers of lots of files: each is written again as one file."""

    target: TableTarget
    schema: pa.Schema
    lots: tuple[tuple[Report, ...], ...]
    table_format: str = "parquet"

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from as_batches([self._converted(self.lots[number]).message()])

    def _converted(self, lot: Sequence[Report]) -> Report:
        path = self.target.folder / f"{uuid4().hex}.{self.table_format}"
        write_table(self.table_format, path, self.schema, self._tables(lot))
        return Report(self.target.number, path.name, sum(one.rows for one in lot), ())

    def _tables(self, lot: Sequence[Report]) -> Iterator[pa.Table]:
        for report in lot:
            with pq.ParquetFile(self.target.folder / report.path) as file:
                yield from (file.read_row_group(group) for group in range(file.num_row_groups))


def in_lots(reports: Sequence[Report]) -> tuple[tuple[Report, ...], ...]:
    """Files that become one when they are written again: small tables are one file."""
    lots: list[list[Report]] = []
    for report in reports:
        if not lots or sum(one.rows for one in lots[-1]) + report.rows > ROWS_PER_FILE:
            lots.append([])
        lots[-1].append(report)
    return tuple(map(tuple, lots))
