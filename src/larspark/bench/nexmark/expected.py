"""What the queries answer by SQLite, which computes them anew whenever it is asked: others are compared with it."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

import pyarrow as pa

from larspark.bench.nexmark.answers import Row, in_order
from larspark.bench.nexmark.catalogue import SIDE, NexmarkQuery
from larspark.bench.nexmark.generator import GeneratedEvents, tables


def moment(time: int) -> datetime:
    return datetime.fromtimestamp(time / 1000, UTC)


def database_of(stream: GeneratedEvents) -> sqlite3.Connection:
    """All events, the side table, and the functions that the texts ask."""
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
    database.create_function("day_of", 1, lambda time: f"{moment(time):%Y-%m-%d}")
    database.create_function("hour_of", 1, lambda time: moment(time).hour)
    database.create_function("minute_of", 1, lambda time: moment(time).minute)
    database.create_function("split_part", 3, lambda text, mark, place: text.split(mark)[place - 1])
    return database


def expected_rows(database: sqlite3.Connection, query: NexmarkQuery, now: int | None = None) -> list[Row]:
    """The rows about all events, or those of a time, in order."""
    return in_order(database.execute(query.sql) if now is None else database.execute(query.sql, {"now": now}))
