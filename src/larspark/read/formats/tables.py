"""Tables in memory: Arrow tables and batches, pandas and polars frames, dictionaries of columns."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Numbers
from larspark.diagnostics import Diagnostic, Origin
from larspark.language.facts import Signature
from larspark.language.tree import ColumnType
from larspark.read.batch import ChunkMaker, PredicateColumns, RecordColumns
from larspark.read.chunk import Chunk
from larspark.read.columns.arrays import (
    given_rows,
    is_text,
    numbers_of,
    objects,
    objects_or_texts,
    plain_array,
    true_rows,
)
from larspark.read.columns.atoms import grouped, read_atoms
from larspark.read.columns.layout import RowLayout
from larspark.read.columns.time_columns import Times, times_of
from larspark.read.columns.value_columns import Cells, typed_cells
from larspark.read.places import Places, at_line
from larspark.read.rules import Rules
from larspark.read.values.values import NotAValue, bad_cell, from_object, in_column

Table: TypeAlias = Any
"""A pyarrow Table or RecordBatch, a pandas or polars DataFrame, or a dictionary of columns."""

ToCells: TypeAlias = Callable[[pa.Array], Cells]
"""How the values of a column without a declared type are read."""

BATCH = 1 << 18
"""Rows that are read at once."""


def chunks_of_table(
    table: Table, rules: Rules, predicate: str = "", *, name: str | None = None, first: int = 0
) -> Iterator[Chunk]:
    """The chunks of a table that holds `predicate`, unless its columns say otherwise; `first` is the first `order`.

    Refused rows are placed at row numbers, counted from 1, of a source called `name`.
    """
    arrow = to_arrow(table)
    file = predicate if name is None else name
    layout = RowLayout.of(arrow.schema.names, predicate, rules, at_line(file, 1))
    maker = ChunkMaker(rules, first)
    number = 1
    for batch in arrow.to_batches(max_chunksize=BATCH):
        yield maker.chunk(read_batch(batch, layout, rules, RowPlaces(batch, file, number)))
        number += len(batch)


def to_arrow(table: Table) -> pa.Table:
    """The table as Arrow has it."""
    if isinstance(table, pa.Table):
        return table
    if isinstance(table, pa.RecordBatch):
        return pa.Table.from_batches([table])
    if isinstance(table, Mapping):
        return pa.table(dict(table))
    pandas = sys.modules.get("pandas")  # who has such a frame has imported it
    if pandas is not None and isinstance(table, pandas.DataFrame):  # an index with a name is a column like others
        return pa.Table.from_pandas(table, preserve_index=any(name is not None for name in table.index.names))
    if hasattr(table, "__arrow_c_stream__"):  # polars and whoever else speaks Arrow
        return pa.table(table)
    raise TypeError(f"a table is needed, not {type(table).__name__}")


@dataclass(frozen=True)
class RowPlaces:
    """Rows by number; as texts they are JSON objects."""

    batch: pa.RecordBatch
    file: str
    first: int

    def origin(self, row: int) -> Origin:
        return at_line(self.file, self.first + row)

    def text(self, row: int) -> str:
        cells = (objects(column.slice(row, 1))[0] for column in self.batch.columns)
        return json.dumps(dict(zip(self.batch.schema.names, cells, strict=True)), default=str, ensure_ascii=False)


def read_batch(
    batch: pa.RecordBatch,
    layout: RowLayout,
    rules: Rules,
    places: Places,
    to_cells: ToCells = typed_cells,
) -> RecordColumns:
    """The records of some rows, laid out as in the whole table."""
    times = _times(batch, layout, rules)
    columns = _ArgumentColumns(rules, to_cells)
    if layout.atom is not None:
        parts, faults = _atoms(batch.column(layout.atom))
    elif layout.named is not None:
        parts, faults = _named(batch, layout, columns)
    else:
        signature = Signature(layout.predicate, len(layout.arguments))
        names = [batch.schema.names[place] for place in layout.arguments]
        part, faults = columns.part(signature, [batch.column(place) for place in layout.arguments], None, names)
        parts = [part]
    return RecordColumns(times.points, tuple(parts), places, {**times.faults, **faults}, times.form)


def _times(batch: pa.RecordBatch, layout: RowLayout, rules: Rules) -> Times:
    if not rules.timed:
        return Times(np.zeros(len(batch), np.int64))
    column = pa.nulls(len(batch)) if layout.time is None else batch.column(layout.time)
    return times_of(column, rules.calendar, live=rules.live)


@dataclass(frozen=True)
class _ArgumentColumns:
    """Makes arguments of columns."""

    rules: Rules
    to_cells: ToCells

    def part(
        self, signature: Signature, columns: Sequence[pa.Array], rows: Numbers | None, names: Sequence[str]
    ) -> tuple[PredicateColumns, dict[int, Diagnostic]]:
        """One predicate from its columns; the first cell that is wrong is told."""
        said = self.rules.typed.get(signature)
        kinds = said.types if said else (None,) * len(columns)
        cells = [self._cells(column, kind) for column, kind in zip(columns, kinds, strict=True)]
        faults: dict[int, Diagnostic] = {}
        for place, one in reversed([*enumerate(cells)]):
            for row, fault in one.faults.items():
                found = in_column(fault, names[place]) if place < len(names) else fault
                faults[row if rows is None else int(rows[row])] = found
        return PredicateColumns(signature, tuple(one.column for one in cells), rows), faults

    def _cells(self, column: pa.Array, kind: ColumnType | None) -> Cells:
        if kind is ColumnType.TIME and pa.types.is_timestamp(column.type):
            found = times_of(column, self.rules.calendar)
            return Cells(found.points, found.faults)
        # Texts are read as the type says, by the one rule for all sources.
        as_they_are = kind in (ColumnType.TEXT, ColumnType.BOOLEAN, ColumnType.TIME)
        return (typed_cells if as_they_are else self.to_cells)(column)


def _atoms(column: pa.Array) -> tuple[list[PredicateColumns], dict[int, Diagnostic]]:
    texts, faults = _texts(column)
    found = read_atoms(texts)
    return list(found.parts), {**found.faults, **faults}


def _named(
    batch: pa.RecordBatch, layout: RowLayout, arguments: _ArgumentColumns
) -> tuple[list[PredicateColumns], dict[int, Diagnostic]]:
    texts, faults = _texts(batch.column(layout.named))
    names = texts.dictionary_encode()
    columns = [plain_array(batch.column(place)) for place in layout.arguments]
    lists = len(columns) == 1 and _is_list(columns[0].type)
    named = () if lists else tuple(batch.schema.names[place] for place in layout.arguments)
    arities = _lengths(columns[0]) if lists else _arities(columns, len(batch))
    codes = numbers_of(names.indices)
    parts: list[PredicateColumns] = []
    for _, rows in grouped(codes * (1 + int(arities.max(initial=0))) + arities):
        arity = int(arities[rows[0]])
        signature = Signature(names.dictionary[int(codes[rows[0]])].as_py(), arity)
        inside = [column.take(pa.array(rows)) for column in columns]
        part, wrong = arguments.part(signature, _spread(inside[0], arity) if lists else inside[:arity], rows, named)
        parts.append(part)
        faults = {**wrong, **faults}
    return parts, faults


def _arities(columns: Sequence[pa.Array], rows: int) -> Numbers:
    """How many cells of each row are arguments: the empty ones at its end are none."""
    found = np.zeros(rows, np.int64)
    for place, column in enumerate(columns, 1):
        given = given_rows(column)
        if is_text(column.type):
            given &= true_rows(pc.not_equal(column, ""))
        found[given] = place
    return found


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _lengths(column: pa.Array) -> Numbers:
    return numbers_of(pc.list_value_length(column).fill_null(0))


def _spread(lists: pa.Array, arity: int) -> list[pa.Array]:
    """Lists of one length as columns."""
    flat = lists.flatten()
    return [flat.take(pa.array(np.arange(place, len(flat), arity))) for place in range(arity)]


def _texts(column: pa.Array) -> tuple[pa.Array, dict[int, Diagnostic]]:
    """A column as texts, and what is wrong with the rows that have none."""
    found = objects_or_texts(plain_array(column))
    faults: dict[int, Diagnostic] = {}
    if not isinstance(found, list):
        return found, faults
    for row, value in enumerate(found):
        try:
            found[row] = value if isinstance(value, str) else str(from_object(value))
        except NotAValue as reason:
            found[row], faults[row] = "", bad_cell(reason)
    return pa.array(found, pa.string()), faults
