"""The tables of a stream as Arrow tables, with a type for each argument.

Where tables are files, the values that have come decide, as in a bounded run: 64-bit integers, decimals from the first
fraction on, text from the first value on that is neither; the files that are there are then written again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from larspark.analysis.sorts import ANYTHING, MOST_DIGITS, WHOLE, Sort, sort_of_value
from larspark.language.facts import Signature
from larspark.language.values import Value, normal, show_value
from larspark.spark.plan import Plan
from larspark.spark.rows import from_text
from larspark.spark.write.names import argument_names, table_names

Columns = Mapping[tuple[str, str], Sort]
"""By table and column."""


def arrow_type(sort: Sort) -> pa.DataType:
    if sort.whole:
        return pa.int64()
    if sort.floating and not sort.symbols:
        return pa.float64()
    return pa.decimal128(MOST_DIGITS, sort.scale) if sort.decimal else pa.string()


def spark_type(sort: Sort) -> str:
    if sort.whole:
        return "bigint"
    if sort.floating and not sort.symbols:
        return "double"
    return f"decimal({MOST_DIGITS},{sort.scale})" if sort.decimal else "string"


def sorts_in(plan: Plan, rows: pa.Table) -> dict[tuple[str, str], Sort]:
    """The sort of each argument, from the values that it has."""
    found: dict[tuple[str, str], Sort] = {}
    for name, signature in table_names(plan).items():
        part = of_predicate(plan, signature, rows)
        for place, column in enumerate(argument_names(plan, signature)):
            found[name, column] = _sort_in(part.column(f"n{place}"), part.column(f"s{place}"))
    return found


def _sort_in(numbers: pa.ChunkedArray, texts: pa.ChunkedArray) -> Sort:
    least, most = (pc.min_max(numbers)[key].as_py() for key in ("min", "max"))
    found = WHOLE if least is None else sort_of_value(least) | sort_of_value(most)
    for text in pc.unique(texts).to_pylist():
        if text is not None:
            found |= sort_of_value(from_text(text))
    return found


def of_predicate(plan: Plan, signature: Signature, rows: pa.Table) -> pa.Table:
    return rows.filter(pc.equal(rows.column("predicate"), plan.vocabulary.numbers[signature]))


def interval_tables(plan: Plan, rows: pa.Table, sorts: Columns) -> Iterator[tuple[str, pa.Table]]:
    """The table of each shown predicate: arguments, `from`, `to`, `at`."""
    for name, signature in table_names(plan).items():
        part = of_predicate(plan, signature, rows)
        yield name, with_interval(_arguments(plan, name, signature, part, sorts), part)


def change_tables(plan: Plan, changes: pa.Table, sorts: Columns) -> Iterator[tuple[str, pa.Table]]:
    """The same as changes: arguments, `at`, `change` (`+` where an atom begins to hold, `-` where it ends), `time`."""
    for name, signature in table_names(plan).items():
        part = of_predicate(plan, signature, changes)
        yield name, with_change(_arguments(plan, name, signature, part, sorts), part)


def with_interval(arguments: Mapping[str, pa.ChunkedArray], rows: pa.Table) -> pa.Table:
    return pa.table({**arguments, "from": rows.column("time"), "to": rows.column("until"), "at": rows.column("at")})


def with_change(arguments: Mapping[str, pa.ChunkedArray], rows: pa.Table) -> pa.Table:
    signs = pc.if_else(pc.greater(rows.column("sign"), 0), "+", "-")
    return pa.table({**arguments, "at": rows.column("at"), "change": signs, "time": rows.column("time")})


def _arguments(
    plan: Plan, name: str, signature: Signature, part: pa.Table, sorts: Columns
) -> dict[str, pa.ChunkedArray]:
    return {
        column: typed(part.column(f"n{place}"), part.column(f"s{place}"), sorts.get((name, column), ANYTHING))
        for place, column in enumerate(argument_names(plan, signature))
    }


def typed(numbers: pa.ChunkedArray, texts: pa.ChunkedArray, sort: Sort) -> pa.ChunkedArray:
    """An argument as a column; `pa.ArrowInvalid` for a value that its type does not hold."""
    kind = arrow_type(sort)
    if texts.null_count == len(texts):
        return cast(numbers, kind)
    encoded = texts.combine_chunks().dictionary_encode()
    spelled = pa.array([_shown(from_text(text)) for text in encoded.dictionary.to_pylist()], pa.string())
    of_texts = pa.chunked_array([spelled.cast(kind).take(encoded.indices)])
    return pc.coalesce(of_texts, cast(numbers, kind))


def retyped(table: pa.Table, sorts: Mapping[str, Sort]) -> pa.Table:
    """The same table with other types in these columns."""
    for place, name in enumerate(table.column_names):
        if name in sorts:
            table = table.set_column(place, name, cast(table.column(name), arrow_type(sorts[name])))
    return table


def cast(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    """Numbers in a type that has room for more; numbers in text are spelled as everywhere."""
    if pa.types.is_decimal(column.type) and pa.types.is_string(kind):
        values = [None if value is None else show_value(normal(value)) for value in column.to_pylist()]
        return pa.chunked_array([pa.array(values, pa.string())])
    if pa.types.is_integer(column.type) and pa.types.is_decimal(kind):
        return column.cast(pa.string()).cast(kind)  # a cast from numbers asks for room that no value needs
    return column.cast(kind)


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else show_value(value)
