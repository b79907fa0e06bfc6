"""The rows of a Parquet file that a question is about: row groups of other times are not read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from larspark.diagnostics import Origin
from larspark.language.facts import Signature
from larspark.language.values import Value
from larspark.read.batch import ChunkMaker
from larspark.read.chunk import Chunk
from larspark.read.columns.arrays import is_text, plain_array, true_rows
from larspark.read.columns.layout import RowLayout
from larspark.read.columns.time_columns import times_of
from larspark.read.formats.parquet import damaged, opened
from larspark.read.formats.tables import BATCH, RowPlaces, read_batch
from larspark.read.places import at_line
from larspark.read.rules import Rules

Pattern: TypeAlias = tuple[Value | None, ...]
Mask: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class RowSelection:
    """From `first` to `last` the atoms that fit a pattern, and from `near` to `until` all."""

    first: int
    last: int
    near: int
    until: int
    patterns: Mapping[Signature, Collection[Pattern]]


@dataclass(frozen=True)
class ChosenRows:
    """Rows that do not follow each other, by their numbers in the file."""

    rows: RowPlaces
    chosen: npt.NDArray[np.int64]

    def origin(self, row: int) -> Origin:
        return self.rows.origin(int(self.chosen[row]))

    def text(self, row: int) -> str:
        return self.rows.text(int(self.chosen[row]))


def read_selected(path: Path, predicate: str, rules: Rules, selection: RowSelection) -> Iterator[Chunk]:
    """The chunks of the rows that are asked for; their lines are the numbers of the rows."""
    file, maker, number = str(path), ChunkMaker(rules), 1
    with opened(path) as table:
        layout, names = _layout(table, path, predicate, rules)
        try:
            for group in range(table.num_row_groups):
                count = table.metadata.row_group(group).num_rows
                span = _span(table, group, layout, names, rules)
                if span is not None and (span[1] < selection.first or span[0] > selection.last):
                    maker.pass_over(span[1])
                    number += count
                    continue
                for batch in table.iter_batches(BATCH, row_groups=[group], columns=names):
                    yield _chosen(batch, layout, rules, maker, selection, RowPlaces(batch, file, number))
                    number += len(batch)
        except (pa.ArrowException, OSError) as error:
            raise damaged(path, error) from error


def time_span(path: Path, predicate: str, rules: Rules) -> tuple[int, int] | None:
    """The first and the last time of a file, None if it has no rows."""
    with opened(path) as table:
        layout, names = _layout(table, path, predicate, rules)
        if layout.time is None:
            return None
        spans: list[tuple[int, int]] = []
        for group in range(table.num_row_groups):
            known = _span(table, group, layout, names, rules)
            if known is None:
                column = table.read_row_group(group, columns=[names[layout.time]]).column(0)
                points = times_of(column.combine_chunks(), rules.calendar).points
                known = (int(points.min()), int(points.max())) if len(points) else None
            if known is not None:
                spans.append(known)
    return (min(first for first, _ in spans), max(last for _, last in spans)) if spans else None


def time_of_row(path: Path, predicate: str, rules: Rules, row: int) -> int | None:
    """The time of a row, counted from 1; None if there is none."""
    with opened(path) as table:
        layout, names = _layout(table, path, predicate, rules)
        before = 0
        for group in range(table.num_row_groups if layout.time is not None else 0):
            count = table.metadata.row_group(group).num_rows
            if before < row <= before + count:
                column = table.read_row_group(group, columns=[names[layout.time or 0]]).column(0)
                return int(times_of(column.combine_chunks(), rules.calendar).points[row - before - 1])
            before += count
    return None


def _layout(table: pq.ParquetFile, path: Path, predicate: str, rules: Rules) -> tuple[RowLayout, list[str]]:
    names = table.schema_arrow.names
    needed = RowLayout.of(names, predicate, rules, at_line(str(path), 1)).needed
    chosen = [names[place] for place in needed]
    return RowLayout.of(chosen, predicate, rules, at_line(str(path), 1)), chosen


def _span(
    table: pq.ParquetFile, group: int, layout: RowLayout, names: list[str], rules: Rules
) -> tuple[int, int] | None:
    """The times of a row group as the file's statistics tell them, None if they do not."""
    if layout.time is None:
        return None
    name = names[layout.time]
    kind = table.schema_arrow.field(name).type
    if not (pa.types.is_integer(kind) or pa.types.is_timestamp(kind)):
        return None
    metadata = table.metadata.row_group(group)
    for place in range(metadata.num_columns):
        column = metadata.column(place)
        if column.path_in_schema == name:
            found = column.statistics
            if found is None or not found.has_min_max or found.null_count:
                return None
            times = times_of(pa.array([found.min, found.max], kind), rules.calendar)
            return None if times.faults else (int(times.points[0]), int(times.points[1]))
    return None


def _chosen(
    batch: pa.RecordBatch,
    layout: RowLayout,
    rules: Rules,
    maker: ChunkMaker,
    selection: RowSelection,
    places: RowPlaces,
) -> Chunk:
    column = pa.nulls(len(batch)) if layout.time is None else batch.column(layout.time)
    times = times_of(column, rules.calendar, live=rules.live).points
    inside = (selection.first <= times) & (times <= selection.last)
    keep = (selection.near <= times) & (times <= selection.until)
    rest = inside & ~keep
    if rest.any():
        keep |= rest & _fitting(batch, layout, selection)
    rows = np.flatnonzero(keep)
    found = read_batch(batch.take(pa.array(rows)), layout, rules, ChosenRows(places, rows))
    return maker.chunk_of(found, rows, times)


def _fitting(batch: pa.RecordBatch, layout: RowLayout, selection: RowSelection) -> Mask:
    """The rows that may fit a pattern; where a column does not tell, they do."""
    keep = np.zeros(len(batch), np.bool_)
    for signature, patterns in selection.patterns.items():
        own = _of_predicate(batch, layout, signature)
        if own is None:
            continue
        for pattern in patterns:
            fits = own.copy()
            if layout.atom is None:
                for place, value in zip(layout.arguments, pattern, strict=False):
                    if value is not None:
                        fits &= _equal(plain_array(batch.column(place)), value)
            keep |= fits
    return keep


def _of_predicate(batch: pa.RecordBatch, layout: RowLayout, signature: Signature) -> Mask | None:
    if layout.atom is not None:
        texts = plain_array(batch.column(layout.atom))
        return true_rows(pc.match_substring(texts, signature.predicate)) if is_text(texts.type) else _all(batch)
    if layout.named is not None:
        return _equal(plain_array(batch.column(layout.named)), signature.predicate)
    fitting = signature == Signature(layout.predicate, len(layout.arguments))
    return _all(batch) if fitting else None


def _all(batch: pa.RecordBatch) -> Mask:
    return np.ones(len(batch), np.bool_)


def _equal(column: pa.Array, value: Value) -> Mask:
    """Where the column has the value, or may have it in another spelling."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    same_kind = is_text(column.type) if isinstance(value, str) else pa.types.is_integer(column.type)
    if not same_kind or not isinstance(value, str | int):
        return np.ones(len(column), np.bool_)
    return true_rows(pc.equal(column, pa.scalar(value, column.type)).fill_null(True))
