"""Tables complete: all files of one get the types that hold all its values, and the format that is wanted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import reduce
from operator import or_
from pathlib import Path
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from larspark.analysis.typing.sorts import ANYTHING, Sort
from larspark.spark.evaluate.messages import Batches, as_batches
from larspark.spark.write.columns import retyped, table_schema
from larspark.spark.write.files import Report, TableTarget, file_type
from larspark.write.columns import arrow_type, cast

ROWS_PER_FILE = 1 << 18


def joined_sorts(known: Sequence[Sort], reports: Sequence[Report]) -> tuple[Sort, ...]:
    """What the arguments hold, in all files together; without any value and any knowledge they are text."""
    if not reports:
        return tuple(ANYTHING if one.open else one for one in known)
    columns = zip(*(one.sorts for one in reports), strict=True)
    return tuple(one.holding(reduce(or_, column)) for one, column in zip(known, columns, strict=True))


def schema_of(target: TableTarget, reports: Sequence[Report]) -> pa.Schema:
    """The schema of the table that these files make."""
    known = [target.known_of(place) for place in range(len(target.columns))]
    kinds = [arrow_type(sort, target.times) for sort in joined_sorts(known, reports)]
    return table_schema(target.columns, kinds, target.times, changes=target.changes)


def fits(report: Report, schema: pa.Schema, target: TableTarget) -> bool:
    """Whether a file has the types of its table."""
    written = (file_type(target.known_of(place), sort, target.times) for place, sort in enumerate(report.sorts))
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


def write_table(table_format: str, path: Path, schema: pa.Schema, tables: Iterable[pa.Table]) -> None:
    """Write a file, piece by piece."""
    if table_format == "parquet":
        with pq.ParquetWriter(path, schema, store_schema=False) as writer:
            for table in tables:
                writer.write_table(retyped(table, schema))
            writer.add_key_value_metadata(schema.metadata or {})
        return
    lines_of = _csv_lines if table_format == "csv" else _json_lines
    with path.open("w", encoding="utf-8", newline="") as file:
        if table_format == "csv":
            file.write(",".join(_quoted(pa.array(schema.names)).to_pylist()) + "\n")
        for table in tables:
            file.writelines(f"{line}\n" for line in lines_of(retyped(table, schema)))


def _csv_lines(table: pa.Table) -> Iterable[str]:
    cells = (_quoted(_text(column.combine_chunks())) for column in table.columns)
    lines = pc.binary_join_element_wise(*cells, ",", null_handling="replace", null_replacement="")
    return lines.to_pylist()  # type: ignore[no-any-return]


def _text(column: pa.Array) -> pa.Array:
    if not pa.types.is_timestamp(column.type):
        return cast(column, pa.string())
    return pa.array([None if one is None else _iso(one) for one in column.to_pylist()], pa.string())


def _iso(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _quoted(texts: pa.Array) -> pa.Array:
    """What could be taken for several cells, or for a missing one, stands in quotes."""
    special = pc.match_substring_regex(texts, r'^$|[",\r\n]')
    doubled = pc.replace_substring(texts, '"', '""')
    return pc.if_else(special, pc.binary_join_element_wise('"', doubled, '"', ""), texts)


def _json_lines(table: pa.Table) -> Iterable[str]:
    for row in table.to_pylist():
        cells = (f"{json.dumps(name)}:{_json(value)}" for name, value in row.items() if value is not None)
        yield f"{{{','.join(cells)}}}"


def _json(value: object) -> str:
    if isinstance(value, datetime):
        return json.dumps(_iso(value))
    return f"{value:f}" if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)
