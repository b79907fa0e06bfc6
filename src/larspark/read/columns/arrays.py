"""Arrow arrays as Python and numpy see them."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Numbers
from larspark.read.values.values import Unreadable

Rows: TypeAlias = npt.NDArray[np.bool_]
"""Of each row, whether it is meant."""

Bytes: TypeAlias = npt.NDArray[np.uint8]

_EXACT = {32: 2.0**24, 64: 2.0**53}
"""Whole floating-point numbers below, by their bits, have no other digits than their shortest ones."""


def is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def plain_array(column: pa.Array) -> pa.Array:
    """The values themselves, whatever keeps them short; texts may stay in a dictionary."""
    if isinstance(column, pa.ExtensionArray):
        return column
    if pa.types.is_run_end_encoded(column.type):
        return pc.run_end_decode(column)
    if pa.types.is_dictionary(column.type) and not is_text(column.type.value_type):
        return column.dictionary_decode()
    if pa.types.is_string_view(column.type):  # as polars keeps texts; few functions know it
        return column.cast(pa.string())
    return column


def numbers_of(column: pa.Array) -> Numbers:
    """The numbers of a column without gaps, in memory that may be changed."""
    return np.array(column.to_numpy(), np.int64)


def whole_numbers(column: pa.Array) -> Numbers:
    """The numbers of a column in 64 bits, zero in its gaps; Arrow says which one does not fit."""
    if not pa.types.is_int64(column.type):
        column = column.cast(pa.int64())
    return numbers_of(column.fill_null(0) if column.null_count else column)


def given_rows(column: pa.Array) -> Rows:
    """Which rows of a column are no gaps."""
    if pa.types.is_nested(column.type) or column.null_count:
        return true_rows(column.is_valid())
    return np.ones(len(column), np.bool_)


def floats_of(column: pa.Array) -> tuple[npt.NDArray[np.float64], Rows]:
    """The floating-point numbers of a column, and which are whole to the last digit; gaps are not."""
    floats = np.asarray(column.fill_null(0.5).to_numpy(), np.float64)
    return floats, (np.abs(floats) < _EXACT[column.type.bit_width]) & (np.floor(floats) == floats)


def true_rows(mask: pa.Array) -> Rows:
    return np.array(mask.fill_null(False).to_numpy(zero_copy_only=False), np.bool_)


def objects_or_texts(column: pa.Array) -> pa.Array | list[object]:
    """A column of texts as it is if each of them can be read, anything else as objects."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if is_text(column.type) and not column.null_count:
        texts = column.cast(pa.string())
        try:
            texts.validate(full=True)
        except pa.ArrowInvalid:  # bytes that are not UTF-8
            return objects(texts)
        return texts
    return objects(column)


def objects(column: pa.Array) -> list[object]:
    """The values as Python has them; of floating-point numbers the shortest digits that mean them."""
    if pa.types.is_float32(column.type) or pa.types.is_float16(column.type):
        digits = map(str, column.to_numpy(zero_copy_only=False))
        return [
            float(text) if valid else None for text, valid in zip(digits, column.is_valid().to_pylist(), strict=True)
        ]
    try:
        found: list[object] = column.to_pylist()
    except (ValueError, OverflowError, pa.ArrowException):
        return [_object(value) for value in column]
    return found


def _object(value: pa.Scalar) -> object:
    try:
        return value.as_py()
    except UnicodeDecodeError:
        return Unreadable("bytes that are not UTF-8 text")
    except (ValueError, OverflowError, pa.ArrowException):
        return Unreadable(f"a {value.type} that no calendar has")


def texts_between(content: bytes, begins: Numbers, ends: Numbers) -> pa.Array:
    """The texts that stand between these places."""
    lengths = ends - begins
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    places = np.repeat(begins - offsets[:-1], lengths) + np.arange(offsets[-1])
    letters = np.frombuffer(content, np.uint8)[places]
    found = pa.Array.from_buffers(pa.large_string(), len(begins), [None, pa.py_buffer(offsets), pa.py_buffer(letters)])
    return found.cast(pa.string())
