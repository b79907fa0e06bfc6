"""Tables as inputs: of Spark's catalog, `table:plant.readings`, and of databases, `jdbc:…/plant?user=me#readings`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pyspark.sql import DataFrame, SparkSession

from larspark.diagnostics import Diagnostic, Rejected
from larspark.spark.read.rules import InputSource, without_secrets
from larspark.spark.session.failures import SparkError, cause_of

CATALOG, DATABASE = "table:", "jdbc:"
OWN = frozenset({"order", "every"})
"""Options that are not Spark's: see `spark/read/growing.py`."""


@dataclass(frozen=True)
class TableAddress:
    table: str
    url: str | None = None
    """Of the database; None: the table is one of the catalog."""

    def __str__(self) -> str:
        return f"{CATALOG}{self.table}" if self.url is None else f"{without_secrets(self.url)}#{self.table}"


def is_table(path: str) -> bool:
    return path.startswith((CATALOG, DATABASE))


def read_table_address(path: str) -> TableAddress:
    """`Rejected` when no table is named."""
    if path.startswith(CATALOG):
        found = TableAddress(path.removeprefix(CATALOG))
    else:
        url, _, table = path.partition("#")
        found = TableAddress(table, url)
    if not found.table:
        hint = "Write `table:schema.name`, or `jdbc:postgresql://host/database?user=me#name`."
        raise Rejected([Diagnostic("E607", f"`{without_secrets(path)}` names no table.", hint)])
    return found


def with_predicate(source: InputSource) -> InputSource:
    """The rows of a table are about the predicate of its name, unless something else is said."""
    table = read_table_address(source.path).table
    return replace(source, predicate=source.predicate or table.rpartition(".")[2].strip('`"'))


def table_frame(session: SparkSession, source: InputSource, query: str | None = None) -> DataFrame:
    """The rows of a table, or of a query in its database; `Rejected` when they cannot be had."""
    address = read_table_address(source.path)
    try:
        if address.url is None:
            return session.table(address.table)
        options = {name: value for name, value in source.options.items() if name not in OWN}
        reader = session.read.format("jdbc").option("url", address.url).option("preferTimestampNTZ", True)
        return reader.option("dbtable", query or address.table).options(**options).load()
    except SparkError as error:
        raise table_unreadable(address, error) from error


def table_unreadable(address: TableAddress, error: Exception) -> Rejected:
    cause = cause_of(error)
    hint = "Check the name of the table, and the catalog of the session."
    if address.url is not None:
        hint = "Check the address, the user and the table; is the database running?"
        if "No suitable driver" in cause:
            hint = DRIVER_HINT
    return Rejected([Diagnostic("E406", f"`{address}` cannot be read: {cause}.", hint)])


DRIVER_HINT = (
    "Give the database's JDBC driver with `--jars driver.jar`; for PostgreSQL, `apt install libpostgresql-jdbc-java` "
    "puts it where it is found."
)
