"""The columns of result tables: which type holds all values of an argument, and blocks as Arrow tables.

The values that there are decide: 64-bit integers, decimals from the first fraction on, text from the first value on
that is neither. Where types must be known before the first value, `analysis.sorts` tells them from those of the input.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.analysis.sorts import ANYTHING, MOST_DIGITS, WHOLE, Sort, sort_of_value
from larspark.blocks import Argument, Block
from larspark.blocks.arguments import compact
from larspark.blocks.spelling import ESCAPE
from larspark.language.values import normal, show_value

SURELY_SMALL = 18
"""Digits of a whole number that fits 64 bits, whatever they are."""

INTERVAL = (("from", pa.int64()), ("to", pa.int64()), ("at", pa.int64()))
CHANGE = (("at", pa.int64()), ("change", pa.string()), ("time", pa.int64()))
"""The columns behind the arguments."""


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


def sort_in(column: Argument) -> Sort:
    """The narrowest sort that has all values of a column."""
    if isinstance(column, np.ndarray):
        return sort_of_value(int(column.min())) | sort_of_value(int(column.max())) if len(column) else WHOLE
    spelled = compact(column).dictionary
    digits = pc.and_not(pc.starts_with(spelled, ESCAPE), pc.starts_with(spelled, ESCAPE * 2))
    if not pc.all(digits).as_py():
        return ANYTHING
    plain = pc.utf8_ltrim(spelled, ESCAPE + "-")
    parts = pc.split_pattern(plain, ".", max_splits=1)
    places = pc.list_value_length(parts)
    before = pc.max(pc.utf8_length(pc.list_element(parts, 0))).as_py() or 0
    fractions = pc.list_element(parts.filter(pc.equal(places, 2)), 1)
    if before > SURELY_SMALL:
        whole = pc.utf8_ltrim(spelled.filter(pc.equal(places, 1)), ESCAPE).to_pylist()
        if any(sort_of_value(int(one)).symbols for one in whole):
            return ANYTHING
    return Sort(scale=pc.max(pc.utf8_length(fractions)).as_py() or 0, digits=before)


def typed(column: Argument, kind: pa.DataType) -> pa.Array:
    """An argument as a column of a table; `pa.ArrowInvalid` for a value that its type does not hold."""
    if isinstance(column, np.ndarray):
        return cast(pa.array(column), kind)
    small = compact(column)
    plain = pc.if_else(
        pc.starts_with(small.dictionary, ESCAPE), pc.utf8_slice_codeunits(small.dictionary, 1), small.dictionary
    )
    return plain.cast(kind).take(small.indices)


def cast(column: pa.Array | pa.ChunkedArray, kind: pa.DataType) -> pa.Array | pa.ChunkedArray:
    """Numbers in a type that has room for more; numbers in text are spelled as everywhere."""
    if pa.types.is_decimal(column.type) and pa.types.is_string(kind):
        return pa.array([None if one is None else show_value(normal(one)) for one in column.to_pylist()], kind)
    if pa.types.is_decimal(kind) and not pa.types.is_decimal(column.type):
        return column.cast(pa.string()).cast(kind)  # a cast from numbers asks for room that no value needs
    return column.cast(kind)


def retyped(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The same table with other types."""
    pairs = zip(table.columns, schema, strict=True)
    return pa.table([one if one.type == field.type else cast(one, field.type) for one, field in pairs], schema=schema)


class NoRoomError(ValueError):
    """A value that a column has no room for."""


def _argument(column: Argument, field: pa.Field) -> pa.Array:
    try:
        return typed(column, field.type)
    except pa.ArrowInvalid as error:
        raise NoRoomError(f"{field.name}\t{error}") from error


def table_schema(names: Sequence[str], kinds: Sequence[pa.DataType], *, changes: bool) -> pa.Schema:
    return pa.schema([*zip(names, kinds, strict=True), *(CHANGE if changes else INTERVAL)])


def table_of(block: Block, schema: pa.Schema, *, changes: bool, signed: bool = False) -> pa.Table:
    """Conclusions as rows: arguments, `from`, `to`, `at`; as changes: `+` where an interval starts, `-` after it.

    `signed`: the block has changes, with their signs in the place of `until`.
    """
    assert block.until is not None
    arguments = [_argument(column, schema.field(place)) for place, column in enumerate(block.arguments)]
    at = pa.nulls(len(block), pa.int64()) if block.at is None else pa.array(block.at)
    if not changes:
        return pa.table([*arguments, pa.array(block.times), pa.array(block.until), at], schema=schema)
    if signed:
        signs = pa.array(np.where(block.until > 0, "+", "-"), pa.string())
        return pa.table([*arguments, at, signs, pa.array(block.times)], schema=schema)
    halves = [
        pa.table([*arguments, at, pa.repeat(sign, len(block)), pa.array(times)], schema=schema)
        for sign, times in (("+", block.times), ("-", block.until + 1))
    ]
    return pa.concat_tables(halves)
