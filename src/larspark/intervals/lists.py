"""Lists of columns and of tables, made by compiled code.

A numba list that is made, filled or read from Python compiles its methods anew in every process, which takes longer
than everything else at the start; inside kernels they come from the cache like the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from numba.typed import List

from larspark.intervals.compiled import kernel


def list_of_columns(columns: Iterable[npt.NDArray[np.int64]]) -> Any:
    """A numba list of the columns."""
    first, *others = columns
    result = _columns(first)
    for column in others:
        _add_column(result, column)
    return result


def list_of_tables(tables: Iterable[Any]) -> Any:
    """A numba list of numba lists."""
    first, *others = tables
    result = _tables(first)
    for table in others:
        _add_table(result, table)
    return result


@kernel
def column(columns: Any, place: int) -> npt.NDArray[np.int64]:
    """One column of a list."""
    return columns[place]


@kernel
def _columns(first: npt.NDArray[np.int64]) -> Any:
    result = List()
    result.append(first)
    return result


@kernel
def _add_column(columns: Any, column: npt.NDArray[np.int64]) -> None:
    columns.append(column)


@kernel
def _tables(first: Any) -> Any:
    result = List()
    result.append(first)
    return result


@kernel
def _add_table(tables: Any, table: Any) -> None:
    tables.append(table)
