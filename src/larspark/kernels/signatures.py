"""The types that a kernel is compiled for: one signature each, read off its annotations."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from numba import types

_types: Any = types  # numba carries no types of its own

_COLUMN, _ROWS = _types.Array(_types.int64, 1, "C"), _types.Array(_types.int64, 2, "C")
_TABLE = _types.ListType(_COLUMN)

TYPES = {
    "bool": _types.boolean,
    "int": _types.int64,
    "Column": _COLUMN,
    "Rows": _ROWS,
    "Bytes": _types.Array(_types.uint8, 1, "C"),
    "Content": _types.Array(_types.uint8, 1, "C", readonly=True),
    "Table": _TABLE,
    "Memo": _TABLE,
    "Tables": _types.ListType(_TABLE),
    "Pool": _types.ListType(_ROWS),
}
"""By the word in the annotation."""


def signatures(function: Callable[..., object]) -> Iterator[tuple[Any, ...]]:
    """Usually one; several where a parameter says `A | B`. A parameter with a default is left out by its callers."""
    parameters = inspect.signature(function).parameters.values()
    return product(*map(_choices, parameters))


def _choices(parameter: inspect.Parameter) -> list[Any]:
    if parameter.default is not inspect.Parameter.empty:
        return [_types.Omitted(parameter.default)]
    return [TYPES[word] for word in str(parameter.annotation).split(" | ")]
