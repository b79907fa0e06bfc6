"""Names and types that the user gives to the columns of a result."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.types import StructType

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Signature
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.write.names import table_names


def read_columns(columns: Mapping[str, str], plan: SparkPlan) -> dict[str, StructType]:
    """The columns of tables, from texts such as `machine string, value decimal(10,2)`."""
    known = table_names(plan)
    for name in columns:
        if name not in known:
            raise _wrong(f"There is no result table {name} to name the columns of.", f"There are {', '.join(known)}.")
    return {name: _read(name, known[name], text) for name, text in columns.items()}


def _read(name: str, signature: Signature, text: str) -> StructType:
    try:
        found = StructType.fromDDL(text)
    except PySparkException as error:
        raise _wrong(f"`{text}` does not say the columns of {name}.", "Say `machine string, count bigint`.") from error
    assert isinstance(found, StructType)
    if len(found) != signature.arity:
        hint = f"{name} has {signature.arity} arguments; `from`, `to` and `at` keep their names."
        raise _wrong(f"`{text}` names {len(found)} columns for {name}.", hint)
    return found


def with_columns(table: DataFrame, columns: StructType | None) -> DataFrame:
    """The table with these names and types of its arguments, which come first."""
    if columns is None:
        return table
    renamed = [
        sf.col(f"`{old}`").cast(field.dataType).alias(field.name)
        for old, field in zip(table.columns, columns, strict=False)
    ]
    return table.select(*renamed, *(f"`{name}`" for name in table.columns[len(columns) :]))


def _wrong(message: str, hint: str) -> Rejected:
    return Rejected([Diagnostic("E407", message, hint)])
