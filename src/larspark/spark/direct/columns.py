"""Columns of Parquet files as times and arguments; what a record may hold is said in `larspark.spark.intake`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from decimal import Decimal
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from larspark.language.calendar import Calendar
from larspark.runtime.formats.times import NEVER
from larspark.spark.rows import ESCAPE

Numbers: TypeAlias = npt.NDArray[np.int64]
Argument: TypeAlias = Numbers | pa.DictionaryArray
"""Whole numbers, or cells of text."""

WHOLE = 2**62
"""Numbers from here on are spelled."""
SCALE = 37
"""Digits after the point that the intake keeps of a floating-point number."""


class Unfit(ValueError):
    """Something the intake of DataFrames has to judge: a missing value, a time that is none."""


def is_time(kind: pa.DataType, *, utc: bool) -> bool:
    """Whether times of this type are read here; without a zone they belong to that of the session."""
    if pa.types.is_timestamp(kind):
        return kind.unit != "ns" and (kind.tz is not None or utc)
    return bool(pa.types.is_signed_integer(kind))


def is_argument(kind: pa.DataType) -> bool:
    """Whether arguments of this type are read here."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    tests: tuple[Callable[[pa.DataType], bool], ...] = (
        pa.types.is_signed_integer,
        pa.types.is_string,
        pa.types.is_large_string,
        pa.types.is_boolean,
        pa.types.is_date32,
        pa.types.is_decimal128,
        pa.types.is_float64,
    )
    return any(test(kind) for test in tests)


def points(column: pa.ChunkedArray, calendar: Calendar) -> Numbers:
    """The time points of a column."""
    if column.null_count:
        raise Unfit("a record has no time")
    if pa.types.is_timestamp(column.type):
        zone = calendar.epoch.tzinfo or UTC
        epoch = int(calendar.epoch.replace(tzinfo=zone).timestamp() * 1_000_000)
        stamps = column.cast(pa.timestamp("us", column.type.tz)).cast(pa.int64()).to_numpy()
        found = (stamps - epoch) // (calendar.clock.milliseconds * 1000)
    else:
        found = column.cast(pa.int64()).to_numpy()
    if len(found) and not (found.min() >= 0 and found.max() < NEVER):
        raise Unfit("a time is no time point")
    return np.asarray(found, np.int64)


def argument(column: pa.ChunkedArray) -> Argument:
    """The arguments of a column."""
    if column.null_count:
        raise Unfit("a record lacks an argument")
    if pa.types.is_signed_integer(column.type):
        return np.asarray(column.cast(pa.int64()).to_numpy(), np.int64)
    if pa.types.is_boolean(column.type) or pa.types.is_date32(column.type):
        column = column.cast(pa.string())
    # Python sees each value once, however many rows have it.
    coded = (
        column.combine_chunks() if pa.types.is_dictionary(column.type) else column.combine_chunks().dictionary_encode()
    )
    values, kind = coded.dictionary, coded.dictionary.type
    if pa.types.is_float64(kind):
        values = pa.array([_digits(_exact(value)) for value in values.to_pylist()], pa.string())
    elif pa.types.is_decimal128(kind):
        values = pa.array([_digits(value) for value in values.to_pylist()], pa.string())
    elif pc.any(pc.starts_with(values, ESCAPE)).as_py():
        escaped = (ESCAPE + text if text.startswith(ESCAPE) else text for text in values.to_pylist())
        values = pa.array(escaped, pa.string())
    return pa.DictionaryArray.from_arrays(coded.indices.cast(pa.int32()), values.cast(pa.string()))


def _digits(value: Decimal) -> str:
    """A number as a cell of text: its digits, without zeros at the end."""
    if value != value.to_integral_value():
        return ESCAPE + f"{value:f}".rstrip("0")
    if abs(value) >= WHOLE:
        raise Unfit("a number is too large to be counted")
    return f"{ESCAPE}{int(value)}"


def _exact(value: float) -> Decimal:
    """The number that its shortest spelling means."""
    exact = Decimal(repr(value))
    if not exact.is_finite() or not exact.adjusted() < 20 or int(exact.as_tuple().exponent) < -SCALE:
        raise Unfit("a floating-point number has too many digits")
    return exact
