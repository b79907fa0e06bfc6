"""Answers of larspark and of SQL as rows that can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

import larspark
from larspark.bench.nexmark.catalogue import SIDE, NexmarkQuery
from larspark.bench.nexmark.generator import GeneratedEvents

Row: TypeAlias = tuple[Any, ...]

_NUMBER = re.compile(r"-?\d+(\.\d+)?")
PLACES = 3
"""Decimals that are compared: averages are quotients, and floating-point numbers in SQL."""


def side_facts(query: NexmarkQuery) -> list[larspark.Fact]:
    """The background of a query."""
    return [larspark.Fact("side", (key, key)) for key in range(SIDE)] if query.with_side else []


def intervals(
    query: NexmarkQuery, tables: Mapping[str, Any], stream: GeneratedEvents, reasoner: str = "interval"
) -> pa.Table:
    """The conclusions of a query with the milliseconds `from` and `to` which they hold."""
    found = larspark.evaluate(
        query.program,
        {name: tables[name] for name in query.inputs},
        reasoner,
        timeline=(stream.begin, stream.end),
        background=side_facts(query),
        allow_functions=True,
        points=True,
    )
    return found[query.name].to_arrow().drop_columns(["at"])


def at(table: pa.Table, time: int) -> list[Row]:
    """What holds at a time, in order."""
    holding = table.filter(pc.and_(pc.less_equal(table["from"], time), pc.greater_equal(table["to"], time)))
    return in_order(_tuples(holding.drop_columns(["from", "to"])))


def of_events(table: pa.Table) -> list[Row]:
    """All rows with their time, in order; each holds at one time only."""
    assert table["from"].equals(table["to"])
    return in_order(_tuples(table.drop_columns(["to"])))


def rows_to_compare(query: NexmarkQuery, table: pa.Table, stream: GeneratedEvents) -> int:
    """How many rows SQL has for the same history, which engines without a history can be asked for as well.

    All rows of a query about events, those at the ends of all windows, or those at the end of the stream.
    """
    if query.by_event:
        return len(table)
    first, last = (table[name].cast(pa.int64()).to_numpy() for name in ("from", "to"))
    return sum(int(((first <= end) & (end <= last)).sum()) for end in query.compared_at(stream.begin, stream.end))


def in_order(rows: Iterable[Sequence[Any]]) -> list[Row]:
    """Rows with numbers that can be compared, sorted."""
    return sorted(tuple(_plain(value) for value in row) for row in rows)


def _plain(value: Any) -> Any:
    """A number wherever digits are meant: a column whose type is not known leaves as text."""
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        return value
    return round(float(value), PLACES)


def _tuples(table: pa.Table) -> Iterable[Row]:
    return zip(*(column.to_pylist() for column in table.columns), strict=True)
