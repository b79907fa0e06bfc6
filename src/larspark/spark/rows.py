"""The one row that travels through the pipeline: an arrival, or a conclusion with its interval.

Arguments are pairs of columns: whole numbers in `n0, n1, …`, everything else in `s0, s1, …`. So no value is spelled and
parsed again on the way, and 64-bit numbers enter and leave a partition as they are.
"""

from __future__ import annotations

import zlib
from decimal import Decimal

from pyspark.sql import Column
from pyspark.sql import functions as sf
from pyspark.sql.types import IntegerType, LongType, StringType, StructField, StructType

from larspark.language.values import Value, normal
from larspark.spark.evaluate.messages import BEFORE_ALL, OTHER, Kind

__all__ = ["BEFORE_ALL", "OTHER", "Kind"]

ESCAPE = "\0"
"""Starts a text that is not a symbol as it stands: digits follow, or a symbol that starts like this itself."""

SMALLEST, LARGEST = -(2**63), 2**63 - 1


def row_schema(width: int) -> StructType:
    """The schema of rows whose atoms have up to `width` arguments."""
    fields = [StructField(name, IntegerType(), False) for name in ("kind", "predicate")]
    fields += [StructField(name, LongType(), True) for name in ("time", "until", "at")]
    for place in range(width):
        fields += [StructField(f"n{place}", LongType(), True), StructField(f"s{place}", StringType(), True)]
    return StructType(fields)


def row_columns(width: int) -> list[str]:
    return row_schema(width).fieldNames()


def cell_columns(width: int) -> list[str]:
    """The columns of the arguments."""
    return [f"{cell}{place}" for place in range(width) for cell in "ns"]


def to_cells(value: Value) -> tuple[int | None, str | None]:
    """A value as its two cells."""
    if isinstance(value, str):
        return None, ESCAPE + value if value.startswith(ESCAPE) else value
    if isinstance(value, int) and SMALLEST <= value <= LARGEST:
        return value, None
    return None, f"{ESCAPE}{value:f}" if isinstance(value, Decimal) else f"{ESCAPE}{value}"


def from_text(text: str) -> Value:
    """The value of a text cell."""
    if not text.startswith(ESCAPE):
        return text
    inner = text[1:]
    return inner if inner.startswith(ESCAPE) else normal(Decimal(inner))


def bucket(value: Value, buckets: int) -> int:
    """The partition to which a key belongs; `bucket_column` says the same in Spark."""
    number, text = to_cells(value)
    return zlib.crc32((str(number) if text is None else text.removeprefix(ESCAPE)).encode()) % buckets


def bucket_column(place: int, buckets: int) -> Column:
    """The partition of a row by its argument at `place`."""
    number, text = sf.col(f"n{place}"), sf.col(f"s{place}")
    spelled = sf.coalesce(
        number.cast("string"), sf.when(text.startswith(ESCAPE), sf.expr(f"substring(s{place}, 2)")), text
    )
    return sf.pmod(sf.crc32(spelled.cast("binary")), sf.lit(buckets)).cast("int")
