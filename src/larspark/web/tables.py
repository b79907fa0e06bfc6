"""Result tables of runs on Spark as stretches of time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pyarrow.parquet as pq

from larspark.explain.evaluations.history import Stretch
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.language.values import Value, normal
from larspark.runtime.atoms import time_of


def table_stretches(predicate: str, place: Path, calendar: Calendar) -> Iterator[Stretch]:
    """The rows of a Parquet file or a folder of them: arguments, then `from`, `to`, `at`."""
    table = pq.read_table(place)
    columns = [table.column(title).to_pylist() for title in table.column_names]
    for *arguments, first, last, at in zip(*columns, strict=True):
        values = tuple(_value(cell, calendar) for cell in arguments)
        pinned = None if at is None else time_of(at, calendar)
        yield Stretch(Fact(predicate, values), pinned, time_of(first, calendar), time_of(last, calendar))


def _value(cell: object, calendar: Calendar) -> Value:
    match cell:
        case bool():
            return "true" if cell else "false"
        case datetime():
            return calendar.point(cell)
        case float():
            return normal(Decimal(repr(cell)))
        case Decimal():
            return normal(cell)
        case int() | str():
            return cell
    raise TypeError(f"{cell!r} is no value")
