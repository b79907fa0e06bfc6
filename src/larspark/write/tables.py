"""A table for each predicate: the arguments of its atoms, and behind them when they hold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from larspark.blocks import Argument, Block
from larspark.write.columns import cast, typed
from larspark.write.times import POINTS, TimeWriter


def retyped(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The same table with other types."""
    pairs = zip(table.columns, schema, strict=True)
    return pa.table([one if one.type == field.type else cast(one, field.type) for one, field in pairs], schema=schema)


class NoRoomError(ValueError):
    """A value that a column has no room for."""


def _argument(column: Argument, field: pa.Field, times: TimeWriter) -> pa.Array:
    try:
        return typed(column, field.type, times)
    except pa.ArrowInvalid as error:
        raise NoRoomError(f"{field.name}\t{error}") from error


def table_schema(
    names: Sequence[str], kinds: Sequence[pa.DataType], times: TimeWriter = POINTS, *, changes: bool
) -> pa.Schema:
    """The arguments, and behind them when they hold."""
    if changes:
        behind = [("at", times.kind), ("change", pa.string()), ("time", times.kind)]
    else:
        behind = [("from", times.kind), ("to", times.kind), ("at", times.kind)]
    return pa.schema([*zip(names, kinds, strict=True), *behind], times.metadata)


def table_of(
    block: Block, schema: pa.Schema, times: TimeWriter = POINTS, *, changes: bool, signed: bool = False
) -> pa.Table:
    """Conclusions as rows: arguments, `from`, `to`, `at`; as changes: `+` where an interval starts, `-` after it.

    `signed`: the block has changes, with their signs in the place of `until`.
    """
    assert block.until is not None
    arguments = [_argument(column, schema.field(place), times) for place, column in enumerate(block.arguments)]
    at = times.column(block.at, len(block))
    if not changes:
        return pa.table([*arguments, times.column(block.times), times.ends(block.until), at], schema=schema)
    if signed:
        signs = pa.array(np.where(block.until > 0, "+", "-"), pa.string())
        return pa.table([*arguments, at, signs, times.column(block.times)], schema=schema)
    halves = [
        pa.table([*arguments, at, pa.repeat(sign, len(block)), times.column(moments)], schema=schema)
        for sign, moments in (("+", block.times), ("-", block.until + 1))
    ]
    return pa.concat_tables(halves)
