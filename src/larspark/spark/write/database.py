"""Tables of a database: rows are brought beside their tables by Spark, and put in place in one transaction.

The transaction of a micro-batch also notes its number, so that one that is repeated finds it there and leaves the
tables as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from larspark.diagnostics import Diagnostic, Rejected
from larspark.spark.read.rules import without_secrets
from larspark.spark.read.tables import DRIVER_HINT
from larspark.spark.session.failures import SparkError, cause_of
from larspark.spark.stream.checkpoint import Progress, another_stream

EPOCHS = "_larspark_streams"
"""The table of the numbers of micro-batches."""
BESIDE, GOING_ON = "_new", "_open"
"""Behind the names of tables: rows that are not in place yet, and intervals that go on."""


@dataclass(frozen=True)
class Database:
    session: SparkSession
    url: str
    options: Mapping[str, str] = field(default_factory=dict)

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        """A statement whose effects are there together, or not at all."""
        with self._told():
            connection = self.session._jvm.java.sql.DriverManager.getConnection(self.url)  # type: ignore[union-attr]
            try:
                connection.setAutoCommit(False)
                yield connection.createStatement()
                connection.commit()
            finally:
                connection.close()  # what was not committed is undone

    def bring(self, rows: DataFrame | pa.Table, name: str) -> None:
        """Put rows beside a table, in place of others that may be there."""
        frame = _frame(self.session, rows) if isinstance(rows, pa.Table) else rows
        writer = frame.write.format("jdbc").option("url", self.url).options(**self.options).mode("overwrite")
        with self._told():
            writer.option("dbtable", quoted(name + BESIDE)).save()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (Py4JJavaError, *SparkError) as error:
            cause = cause_of(error)
            hint = DRIVER_HINT if "No suitable driver" in cause else "Is it running, and may the user write there?"
            message = f"The database {without_secrets(self.url)} does not take the tables: {cause}."
            raise Rejected([Diagnostic("E617", message, hint)]) from error


def replace_tables(
    database: Database, tables: Mapping[str, DataFrame], evaluations: tuple[Any, Any] | None = None
) -> None:
    """The tables of a bounded run: in place of those before, or of a part of the time, in place of its rows."""
    for name, rows in tables.items():
        database.bring(rows, name)
    with database.transaction() as statement:
        old = "" if evaluations is None else " WHERE {0} >= {1} AND {0} <= {2}".format(quoted("from"), *evaluations)
        for name, rows in tables.items():
            _put_in_place(statement, name, rows.columns, old)


@dataclass(frozen=True)
class DatabaseTables:
    """The tables of a stream; intervals that go on are in a table of their own, `alarm_open`."""

    database: Database
    stream: str
    """What the stream is known by."""
    fixed: bool = True
    _put: dict[str, pa.Table] = field(default_factory=dict)
    _replaced: set[str] = field(default_factory=set)

    def open(self) -> None:
        """`Rejected` when another stream has written the tables."""
        with self.database.transaction() as statement:
            statement.executeUpdate(f"CREATE TABLE IF NOT EXISTS {EPOCHS} (stream VARCHAR(80), epoch BIGINT)")
            found = statement.executeQuery(f"SELECT stream FROM {EPOCHS}")
            if found.next() and found.getString(1) != self.stream:
                raise another_stream(f"The stream into {without_secrets(self.database.url)}")

    def put(self, now: Progress, name: str, rows: pa.Table, *, going_on: bool = False) -> None:
        del now
        target = name + GOING_ON if going_on else name
        self._put[target] = rows
        if going_on:
            self._replaced.add(target)

    def retype(self, name: str, schema: pa.Schema) -> None:
        """Types are fixed."""

    def commit(self, now: Progress) -> None:
        given, replaced = dict(self._put), set(self._replaced)
        self._put.clear()
        self._replaced.clear()
        if self._epoch() >= now.batch:
            return
        given = {name: rows for name, rows in given.items() if len(rows) or name in replaced or now.batch == 0}
        for name, rows in given.items():
            self.database.bring(rows, name)
        with self.database.transaction() as statement:
            for name, rows in given.items():
                _put_in_place(statement, name, rows.column_names, "" if name in replaced else None)
            statement.executeUpdate(f"DELETE FROM {EPOCHS}")
            statement.executeUpdate(f"INSERT INTO {EPOCHS} VALUES ('{self.stream}', {now.batch})")

    def _epoch(self) -> int:
        with self.database.transaction() as statement:
            found = statement.executeQuery(f"SELECT epoch FROM {EPOCHS}")
            return int(found.getLong(1)) if found.next() else -1


def _frame(session: SparkSession, rows: pa.Table) -> DataFrame:
    """The rows as a DataFrame, in which timestamps without a zone stay what they are."""
    return session.createDataFrame(rows, from_arrow_schema(rows.schema, prefer_timestamp_ntz=True))


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _put_in_place(statement: Any, name: str, columns: Iterable[str], old: str | None) -> None:
    """The rows beside a table go into it, which is made if it is not there; `old` says which of its rows go."""
    listed, table, beside = ", ".join(map(quoted, columns)), quoted(name), quoted(name + BESIDE)
    statement.executeUpdate(f"CREATE TABLE IF NOT EXISTS {table} AS SELECT * FROM {beside} WHERE 1 = 0")
    if old is not None:
        statement.executeUpdate(f"DELETE FROM {table}{old}")
    statement.executeUpdate(f"INSERT INTO {table} ({listed}) SELECT {listed} FROM {beside}")
    statement.executeUpdate(f"DROP TABLE {beside}")
