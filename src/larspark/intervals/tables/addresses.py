"""Tables and columns passed to compiled code by their address.

Handing over a numba list from Python costs a microsecond, more than a small step does inside; a number costs nothing.
Inside, taking a column out of a list counts references, which costs more than a look into it. Whoever passes an address
keeps the list or the column itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array
from numba.typed.listobject import ll_list_type

from larspark.intervals.compiled import inlined, kernel
from larspark.intervals.tables.lists import Bytes, Pool, Tables
from larspark.intervals.tables.storage import Column, Rows, Table
from larspark.intervals.tables.table import uncovered
from larspark.intervals.tables.watch import valid_keys

_list_of: Any = types.ListType  # numba carries no types for what follows
_structure: Any = cgutils.create_struct_proxy
_populate: Any = populate_array
_null: Any = cgutils.get_null_value
_is_null: Any = cgutils.is_null

_COLUMN: Any = types.Array(types.int64, 1, "C")
_BYTES: Any = types.Array(types.uint8, 1, "C")
_TABLE = _list_of(_COLUMN)
_TABLES = _list_of(_TABLE)
_ROWS: Any = types.Array(types.int64, 2, "C")
_POOL = _list_of(_ROWS)


@intrinsic
def _address(_: Any, table: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (given,) = arguments
        held = _structure(signature.args[0])(context, builder, value=given)
        return builder.ptrtoint(held.meminfo, ir.IntType(64))

    return types.int64(table), generate


def _list_at(kind: Any) -> Any:
    """The list of this type that lives at an address, without counting that it is used."""

    @intrinsic
    def found(_: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            held = _structure(kind)(context, builder)
            counted = builder.inttoptr(arguments[0], cgutils.voidptr_t)
            content = context.nrt.meminfo_data(builder, counted)
            held.data = builder.load(builder.bitcast(content, ll_list_type.as_pointer()))
            held.meminfo = _null(held.meminfo.type)
            return held._getvalue()

        return kind(types.int64), generate

    return found


table_at, tables_at, pool_at = _list_at(_TABLE), _list_at(_TABLES), _list_at(_POOL)


@intrinsic
def _column_at(_: Any, address: Any, size: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _array(_COLUMN, context, builder, *arguments)

    return _COLUMN(types.int64, types.int64), generate


@intrinsic
def _bytes_at(_: Any, address: Any, size: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _array(_BYTES, context, builder, *arguments)

    return _BYTES(types.int64, types.int64), generate


@intrinsic
def _column_of(_: Any, state: Any, which: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        state, which = arguments
        words = builder.inttoptr(state, ir.IntType(64).as_pointer())
        place = builder.mul(which, which.type(2))
        address = builder.load(builder.gep(words, [place]))
        size = builder.load(builder.gep(words, [builder.add(place, place.type(1))]))
        return _array(_COLUMN, context, builder, address, size)

    return _COLUMN(types.int64, types.int64), generate


@intrinsic
def _rows_at(_: Any, address: Any, count: Any, width: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _array(_ROWS, context, builder, *arguments)

    return _ROWS(types.int64, types.int64, types.int64), generate


@intrinsic
def _start_of(_: Any, rows: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ptrtoint(context.make_array(rows)(context, builder, arguments[0]).data, ir.IntType(64))

    return types.int64(rows), generate


@intrinsic
def _is_lent(_: Any, rows: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _is_null(builder, context.make_array(rows)(context, builder, arguments[0]).meminfo)

    return types.boolean(rows), generate


def _array(kind: Any, context: Any, builder: Any, address: Any, *shape: Any) -> Any:
    array = context.make_array(kind)(context, builder)
    word, width = ir.IntType(64), kind.dtype.bitwidth
    data, step = builder.inttoptr(address, ir.IntType(width).as_pointer()), word(width // 8)
    strides = [step] if len(shape) == 1 else [builder.mul(shape[1], step), step]
    _populate(array, data=data, shape=list(shape), strides=strides, itemsize=step, meminfo=None)
    return array._getvalue()


column_at = cast("Callable[[int, int], Column]", _column_at)
"""The column at an address, of a size. Kernels take columns in hundreds of places, too many to compile `carray` in."""

bytes_at = cast("Callable[[int, int], Bytes]", _bytes_at)

column_of = cast("Callable[[int, int], Column]", _column_of)
"""The column whose address and size are this pair of words of the state at an address."""

rows_at = cast("Callable[[int, int, int], Rows]", _rows_at)
"""The rows at an address: how many, and how wide."""

start_of = cast("Callable[[Rows | Bytes], int]", _start_of)
"""Where rows or bytes lie."""

is_lent = cast("Callable[[Rows], bool]", _is_lent)
"""Whether somebody else keeps the rows."""


@inlined
def borrowed(column: Column) -> Column:
    """A column that somebody else keeps in the meantime: its references are not counted."""
    return column_at(start_of(column), column.shape[0])


@inlined
def borrowed_rows(rows: Rows) -> Rows:
    """The same for rows."""
    return rows_at(start_of(rows), rows.shape[0], rows.shape[1])


@kernel
def address_of(table: Table | Tables | Pool) -> int:
    """Where a table, or a list of tables or of rows, lives as long as it is held."""
    return _address(table)  # type: ignore[call-arg]


@kernel
def uncovered_at(address: int, rows: Rows) -> Rows:
    return uncovered(table_at(address), rows)


@kernel
def valid_keys_at(address: int, time: int) -> Rows:
    return valid_keys(table_at(address), time)
