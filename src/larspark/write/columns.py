"""Arguments as columns of tables: which type holds all values, and the values in it.

Where nothing else is known, the values that there are decide: 64-bit integers, decimals from the first fraction on,
text from the first value on that is neither. `analysis.sorts` tells what is known beforehand.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.analysis.typing.sorts import ANYTHING, BOOLEAN, FLOATING, MOST_DIGITS, WHOLE, Sort, sort_of_value
from larspark.blocks import Argument
from larspark.blocks.arguments import compact
from larspark.blocks.spelling import ESCAPE
from larspark.language.values import normal, show_value
from larspark.write.times import POINTS, TimeWriter

SURELY_SMALL = 18
"""Digits of a whole number that fits 64 bits, whatever they are."""


def sort_of_arrow(kind: pa.DataType) -> Sort:
    """What the values of a column are, as far as its type tells."""
    if pa.types.is_dictionary(kind):
        return sort_of_arrow(kind.value_type)
    if pa.types.is_boolean(kind):
        return BOOLEAN
    if pa.types.is_integer(kind):
        return WHOLE
    if pa.types.is_floating(kind):
        return FLOATING
    if pa.types.is_decimal(kind):
        return Sort(scale=kind.scale, digits=kind.precision - kind.scale)
    return ANYTHING


def arrow_type(sort: Sort, times: TimeWriter = POINTS) -> pa.DataType:
    if sort.form == "time":
        return times.kind
    if sort.form == "boolean":
        return pa.bool_()
    if sort.whole:
        return pa.int64()
    if sort.floating and not sort.symbols:
        return pa.float64()
    return pa.decimal128(MOST_DIGITS, sort.scale) if sort.decimal else pa.string()


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


def typed(column: Argument, kind: pa.DataType, times: TimeWriter = POINTS) -> pa.Array:
    """An argument as a column of a table; `pa.ArrowInvalid` for a value that its type does not hold."""
    if isinstance(column, np.ndarray):
        return times.column(column) if pa.types.is_timestamp(kind) else cast(pa.array(column), kind)
    small = compact(column)
    plain = small.dictionary
    escaped = pc.starts_with(plain, ESCAPE)
    if pc.any(escaped).as_py():
        plain = pc.if_else(escaped, pc.utf8_slice_codeunits(plain, 1), plain)
    found = plain.cast(kind)
    in_place = len(found) == len(small) and (small.indices.to_numpy() == np.arange(len(small))).all()
    return found if in_place else found.take(small.indices)


def cast(column: pa.Array | pa.ChunkedArray, kind: pa.DataType) -> pa.Array | pa.ChunkedArray:
    """Numbers in a type that has room for more; numbers in text are spelled as everywhere."""
    if pa.types.is_decimal(column.type) and pa.types.is_string(kind):
        return pa.array([None if one is None else show_value(normal(one)) for one in column.to_pylist()], kind)
    if pa.types.is_decimal(kind) and not pa.types.is_decimal(column.type):
        return column.cast(pa.string()).cast(kind)  # a cast from numbers asks for room that no value needs
    return column.cast(kind)
