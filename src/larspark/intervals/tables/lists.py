"""Lists of columns and of tables, made by compiled code.

A numba list that is made, filled or read from Python compiles its methods anew in every process, which takes longer
than everything else at the start; inside kernels they come from the cache like the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba.typed import List

from larspark.intervals.compiled import kernel

Column: TypeAlias = npt.NDArray[np.int64]
Rows: TypeAlias = npt.NDArray[np.int64]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Table: TypeAlias = Any  # a numba list of columns, which has no Python type
Tables: TypeAlias = Any  # a numba list of tables
Pool: TypeAlias = Any  # a numba list of rows


def list_of_columns(columns: Iterable[Column]) -> Table:
    """A numba list of the columns."""
    first, *others = columns
    result = _columns(first)
    for column in others:
        _add_column(result, column)
    return result


def list_of_tables(tables: Iterable[Table]) -> Tables:
    """A numba list of numba lists."""
    first, *others = tables
    result = _tables(first)
    for table in others:
        _add_table(result, table)
    return result


def list_of_rows(rows: Iterable[Rows]) -> Pool:
    """A numba list of rows of any widths."""
    first, *others = rows
    result = _rows(first)
    for one in others:
        _add_rows(result, one)
    return result


@kernel
def column(columns: Table, place: int) -> Column:
    """One column of a list."""
    return columns[place]


@kernel
def _columns(first: Column) -> Table:
    result = List()
    result.append(first)
    return result


@kernel
def _add_column(columns: Table, column: Column) -> None:
    columns.append(column)


@kernel
def _tables(first: Table) -> Tables:
    result = List()
    result.append(first)
    return result


@kernel
def _add_table(tables: Tables, table: Table) -> None:
    tables.append(table)


@kernel
def _rows(first: Rows) -> Pool:
    result = List()
    result.append(first)
    return result


@kernel
def _add_rows(pool: Pool, rows: Rows) -> None:
    pool.append(rows)
