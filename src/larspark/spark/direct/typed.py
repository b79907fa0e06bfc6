"""The types of the columns: they follow from all values of an argument, and files that know less are written again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from larspark.spark.direct.parcels import Batches, as_batches
from larspark.spark.direct.written import Report, Target
from larspark.spark.tables import MOST_DIGITS, Seen


def schema_of(target: Target, reports: list[Report]) -> pa.Schema:
    """The schema of the table that these files make."""
    columns = zip(*(one.seen for one in reports), strict=True) if reports else [(Seen(),)] * len(target.columns)
    whole = [reduce(Seen.joined, column) for column in columns]
    kinds = [(name, _type(seen)) for name, seen in zip(target.columns, whole, strict=True)]
    return pa.schema([*kinds, *((name, pa.int64()) for name in ("from", "to", "at"))])


def _type(seen: Seen) -> pa.DataType:
    match seen.kind:
        case "bigint":
            return pa.int64()
        case "string":
            return pa.string()
    return pa.decimal128(MOST_DIGITS, seen.scale)


def fits(report: Report, schema: pa.Schema) -> bool:
    """Whether a file has the types of its table."""
    written = (pa.string() if one.spelled else pa.int64() for one in report.seen)
    return all(field.type == kind for field, kind in zip(schema, written, strict=False))


@dataclass(frozen=True)
class Converting:
    """The function for `mapInArrow` over the numbers of files: each is written again with other types."""

    files: tuple[tuple[Path, Report], ...]
    schemas: Mapping[int, pa.Schema]
    """For each predicate."""

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                folder, report = self.files[number]
                yield from as_batches([self._converted(folder, report).parcel()])

    def _converted(self, folder: Path, report: Report) -> Report:
        schema = self.schemas[report.predicate]
        path = folder / f"{uuid4().hex}.parquet"
        with pq.ParquetFile(folder / report.path) as file, pq.ParquetWriter(path, schema, store_schema=False) as writer:
            for group in range(file.num_row_groups):
                writer.write_table(pa.table(list(_cast(file.read_row_group(group), schema)), schema=schema))
        return report._replace(path=path.name)


def _cast(table: pa.Table, schema: pa.Schema) -> Iterator[pa.ChunkedArray]:
    for column, field in zip(table.columns, schema, strict=True):
        plain = column.cast(pa.string()) if pa.types.is_decimal(field.type) else column
        yield plain.cast(field.type)
