"""Every query row by row beside SQLite, which computes it anew at every end of a window."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

import pyarrow as pa
import pytest

from larspark.bench.nexmark.answers import at, in_order, intervals, of_events
from larspark.bench.nexmark.catalogue import QUERIES, SIDE, NexmarkQuery
from larspark.bench.nexmark.generator import BEGIN, GeneratedEvents, tables

MIDNIGHT = BEGIN + 86_400_000
STREAM = GeneratedEvents(3_000, rate=100, begin=MIDNIGHT - 12_000)


def _moment(time: int) -> datetime:
    return datetime.fromtimestamp(time / 1000, UTC)


def _database(stream: GeneratedEvents) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    for name, table in tables(stream).items():
        columns = table.schema.names
        plain = table.set_column(columns.index("time"), "time", table["time"].cast(pa.int64()))
        database.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        rows = zip(*(column.to_pylist() for column in plain.columns), strict=True)
        database.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", rows)
    database.execute("CREATE TABLE side (key, value)")
    database.executemany("INSERT INTO side VALUES (?, ?)", ((key, key) for key in range(SIDE)))
    database.execute("CREATE INDEX bids ON bid (auction)")
    database.create_function("day_of", 1, lambda time: f"{_moment(time):%Y-%m-%d}")
    database.create_function("hour_of", 1, lambda time: _moment(time).hour)
    database.create_function("minute_of", 1, lambda time: _moment(time).minute)
    database.create_function("split_part", 3, lambda text, mark, place: text.split(mark)[place - 1])
    return database


@pytest.mark.parametrize("query", QUERIES.values(), ids=str)
def test_sql_says_the_same_at_every_window_end(query: NexmarkQuery) -> None:
    database = _database(STREAM)
    found = intervals(query, tables(STREAM), STREAM)
    if query.by_event:
        assert of_events(found) == in_order(database.execute(query.sql))
        return
    compared = 0
    for end in range(-(-STREAM.begin // query.step) * query.step, STREAM.end + 1, query.step):
        expected = in_order(database.execute(query.sql, {"now": end}))
        assert at(found, end) == expected, f"at {_moment(end)}"
        compared += len(expected)
    assert compared > 0
