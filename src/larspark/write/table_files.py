"""Files of tables: Parquet, CSV and JSON lines, written piece by piece."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from larspark.write.columns import cast
from larspark.write.tables import retyped


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
