"""Result tables of Spark as rows to compare."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from pyspark.sql import DataFrame

from larspark.language.values import normal
from support.interval_rows import Row


def as_rows(tables: dict[str, DataFrame]) -> set[Row]:
    return {
        (name, tuple(row)[:-3], row["from"], row["to"], row["at"])
        for name, table in tables.items()
        for row in table.collect()
    }


def spelled(rows: Iterable[Row]) -> set[Row]:
    """Columns with numbers and texts are text, and columns with whole and other numbers are decimals."""
    return {(name, tuple(map(_spell, args)), first, last, at) for name, args, first, last, at in rows}


def _spell(value: object) -> str:
    return str(normal(value) if isinstance(value, Decimal) else value)
