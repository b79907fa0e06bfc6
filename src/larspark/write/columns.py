"""Arguments as columns of tables that other tools read: the type follows from the sort of the values."""

from __future__ import annotations

from functools import reduce
from operator import or_

import numpy as np
import pyarrow as pa

from larspark.analysis.sorts import MOST_DIGITS, WHOLE, Sort, sort_of_value
from larspark.blocks import Argument
from larspark.blocks.spelling import read_spelling
from larspark.language.values import Value, show_value


def sort_in(column: Argument) -> Sort:
    """The sort of the values that a column has."""
    if isinstance(column, np.ndarray):
        ends = (column.min(), column.max()) if len(column) else ()
        return reduce(or_, (sort_of_value(int(value)) for value in ends), WHOLE)
    return reduce(or_, (sort_of_value(read_spelling(text)) for text in column.dictionary.to_pylist()), WHOLE)


def arrow_type(sort: Sort) -> pa.DataType:
    if sort.whole:
        return pa.int64()
    if sort.floating and not sort.symbols:
        return pa.float64()
    return pa.decimal128(MOST_DIGITS, sort.scale) if sort.decimal else pa.string()


def typed(column: Argument, sort: Sort) -> pa.Array:
    """An argument as a column; `pa.ArrowInvalid` for a value that its type does not hold."""
    kind = arrow_type(sort)
    if isinstance(column, np.ndarray):
        numbers = pa.array(column)
        # A cast from numbers to decimals asks for room that no value needs.
        return numbers.cast(pa.string()).cast(kind) if pa.types.is_decimal(kind) else numbers.cast(kind)
    shown = [_shown(read_spelling(text)) for text in column.dictionary.to_pylist()]
    return pa.array(shown, pa.string()).cast(kind).take(column.indices)


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else show_value(value)
