"""Timestamps in nanoseconds, as pandas writes them to Parquet: Spark reads numbers, which are made times again."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as sf

from larspark.read.formats.endings import PARQUET
from larspark.read.formats.parquet import opened

AS_NUMBERS = "spark.sql.legacy.parquet.nanosAsLong"


def nanosecond_times(session: SparkSession, folder: Path) -> dict[str, Column]:
    """The columns of the files in a folder that have such times, as times; the session is set to read them."""
    files = sorted(one for one in folder.rglob("*") if one.suffix.lower() in PARQUET and one.name[0] not in "._")
    fields: list[pa.Field] = []
    if files:
        with opened(files[0]) as file:
            fields = list(file.schema_arrow)
    found = {field.name: _time(field) for field in fields if field.type in (pa.timestamp("ns"), _zoned(field))}
    if found:
        session.conf.set(AS_NUMBERS, "true")
    return found


def _zoned(field: pa.Field) -> pa.DataType | None:
    return pa.timestamp("ns", field.type.tz) if pa.types.is_timestamp(field.type) and field.type.tz else None


def _time(field: pa.Field) -> Column:
    micros = f"(`{field.name}` div 1000)"
    if field.type.tz:
        return sf.expr(f"timestamp_micros({micros})").alias(field.name)
    seconds = f"CAST({micros} AS DECIMAL(20, 0)) / 1000000"
    return sf.expr(f"TIMESTAMP_NTZ'1970-01-01 00:00:00' + make_dt_interval(0, 0, 0, {seconds})").alias(field.name)
