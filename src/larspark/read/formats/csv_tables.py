"""CSV with a header line: many lines at once where each is plainly a row, Python's reader the others."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv

from larspark.blocks import Numbers
from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.read.batch import ChunkMaker, RecordColumns
from larspark.read.chunk import Chunk
from larspark.read.columns.arrays import Rows
from larspark.read.columns.layout import RowLayout
from larspark.read.columns.value_columns import text_cells
from larspark.read.formats.csv_cells import FEW, CellForm, ScannedCells, cell_forms
from larspark.read.formats.lines import SIZE, LinePlaces, Lines, read_lines
from larspark.read.formats.tables import read_batch
from larspark.read.places import at_line
from larspark.read.rules import Rules
from larspark.read.values.values import NotAValue, bad_cell, check_text

LONGEST = 1 << 17
"""Bytes of a plain line; in longer ones may be cells that Python's reader refuses."""


def read_csv(stream: BinaryIO, file: str, predicate: str, rules: Rules, size: int = SIZE) -> Iterator[Chunk]:
    """The chunks below the header."""
    return csv_chunks(read_lines(stream, file, size), file, predicate, rules)


def csv_chunks(blocks: Iterator[Lines], file: str, predicate: str, rules: Rules) -> Iterator[Chunk]:
    """The chunks of lines that follow each other, of which the first is the header."""
    table: CsvTable | None = None
    maker = ChunkMaker(rules)
    lines = Lines(b"", file, 1)
    following = next(blocks, None)
    while following is not None:
        lines, following = lines.followed_by(following), next(blocks, None)
        if table is None:
            header = split_rows(lines, at_most=1)
            if header.consumed.open and following is not None:
                continue  # the cell goes on in the next lines
            table = CsvTable.of(header, predicate, rules, file)
            lines = lines.after(header.consumed.lines)
        batch, rest = table.batch(lines)
        yield maker.chunk(batch)
        if rest.error is not None and (following is None or not rest.open):
            raise rest.error
        lines = lines.after(rest.lines)
    if table is None:
        raise _no_header(file)


def _no_header(file: str) -> Rejected:
    message = "The file has no header line."
    return Rejected([Diagnostic("E407", message, "Name the columns in the first line.", at_line(file, 1))])


class Consumed(NamedTuple):
    """How many of some lines are read, and why no more are."""

    lines: int
    error: Rejected | None = None
    open: bool = False
    """Whether the lines that follow may mend it: a cell goes on in them."""


class Split(NamedTuple):
    """The rows of some lines, and the number of lines up to the end of each."""

    rows: list[list[str]]
    ends: list[int]
    consumed: Consumed


def split_rows(lines: Lines, at_most: int | None = None) -> Split:
    """The cells of the rows; bytes that are not UTF-8 become lone surrogates, so that one bad cell costs one row."""
    text = (line.removesuffix(b"\n") + b"\n" for line in lines)
    reader = csv.reader((line.decode("utf-8", "surrogateescape") for line in text), strict=True)
    rows: list[list[str]] = []
    ends: list[int] = []
    try:
        for row in reader:
            rows.append(row)
            ends.append(reader.line_num)
            if len(rows) == at_most:
                break
    except csv.Error as error:
        place = at_line(lines.file, lines.first + max(reader.line_num, 1) - 1)
        message = f"The line is not CSV: {error}."
        rejected = Rejected([Diagnostic("E401", message, "Quote cells with commas or quotes.", place)])
        return Split(rows, ends, Consumed(ends[-1] if ends else 0, rejected, reader.line_num >= len(lines)))
    return Split(rows, ends, Consumed(ends[-1] if at_most and ends else len(lines)))


@dataclass(frozen=True)
class CsvTable:
    """A table with its columns known."""

    columns: int
    needed: tuple[int, ...]
    """The columns that are read."""
    names: tuple[str, ...]
    """What they are called, for messages."""
    layout: RowLayout
    """Their meaning, counted among themselves."""
    forms: tuple[CellForm, ...] | None
    """What their cells may be scanned as; None: they are not."""
    rules: Rules

    @classmethod
    def of(cls, header: Split, predicate: str, rules: Rules, file: str) -> CsvTable:
        if header.consumed.error is not None:
            raise header.consumed.error
        names = [name.strip() for name in header.rows[0]] if header.rows else []
        if not names:
            raise _no_header(file)
        needed = RowLayout.of(names, predicate, rules, at_line(file, 1)).needed
        read = tuple(names[place] for place in needed)
        shown = tuple(name.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for name in read)
        layout = RowLayout.of(read, predicate, rules, at_line(file, 1))
        return cls(len(names), needed, shown, layout, cell_forms(layout, len(needed), rules), rules)

    def batch(self, lines: Lines) -> tuple[RecordColumns, Consumed]:
        """The rows of some lines."""
        found = self._scanned(lines) or self._split(lines)
        if found is None:
            return self._singly(lines)
        counts, cells = found
        rows = np.flatnonzero(counts > 0)
        good = np.flatnonzero(counts[rows] == self.columns)
        faults = {
            int(row): self._uneven(int(counts[rows[row]])) for row in np.flatnonzero(counts[rows] != self.columns)
        }
        return self._read(cells, good, LinePlaces(lines, rows), faults), Consumed(len(lines))

    def _scanned(self, lines: Lines) -> tuple[Numbers, pa.RecordBatch] | None:
        """The number of cells of each line and the cells of the rows; nothing unless many lines have no quotes."""
        if self.forms is None or len(lines.content) < FEW or b'"' in lines.content or not _is_plain(lines):
            return None
        found = ScannedCells(lines, self.columns)
        return None if found.longest > LONGEST else (found.counts, found.batch(self.names, self.needed, self.forms))

    def _split(self, lines: Lines) -> tuple[Numbers, pa.RecordBatch] | None:
        """The same by Arrow; nothing if it is not plain that each line is a row."""
        counts = _cell_counts(lines, self.columns)
        return None if counts is None else (counts, self._cells(lines, np.flatnonzero(counts == self.columns)))

    def _cells(self, lines: Lines, places: Numbers) -> pa.RecordBatch:
        names = list(map(str, range(self.columns)))
        chosen = [names[place] for place in self.needed]
        schema = pa.schema([(name, pa.string()) for name in chosen])
        if not len(places):
            return pa.RecordBatch.from_pylist([], schema)
        content = lines.content_of(places)
        table = pyarrow.csv.read_csv(
            pa.BufferReader(content),
            pyarrow.csv.ReadOptions(use_threads=False, block_size=len(content) + 1, column_names=names),
            pyarrow.csv.ParseOptions(newlines_in_values=False),
            pyarrow.csv.ConvertOptions(column_types=schema, strings_can_be_null=False, include_columns=chosen),
        )
        return table.combine_chunks().to_batches()[0]

    def _singly(self, lines: Lines) -> tuple[RecordColumns, Consumed]:
        split = split_rows(lines)
        given = [(row, end) for row, end in zip(split.rows, split.ends, strict=True) if row]
        faults = {place: self._uneven(len(row)) for place, (row, _) in enumerate(given) if len(row) != self.columns}
        good = [place for place in range(len(given)) if place not in faults]
        cells = [[row[column] for column in self.needed] for row, _ in (given[place] for place in good)]
        for place, row in zip(good, cells, strict=True):
            for column, cell in enumerate(row):
                try:
                    check_text(cell)
                except NotAValue as reason:
                    row[column], faults[place] = "", bad_cell(reason)
        columns = zip(*cells, strict=True) if cells else ([] for _ in self.needed)
        arrays = [pa.array(column, pa.string()) for column in columns]
        schema = pa.schema([(str(place), pa.string()) for place in self.needed])
        table = pa.RecordBatch.from_arrays(arrays, schema=schema)
        batch = self._read(table, np.array(good, np.int64), RowLines(lines, [end for _, end in given]), faults)
        return batch, split.consumed

    def _read(
        self, cells: pa.RecordBatch, rows: Numbers, places: LinePlaces | RowLines, faults: dict[int, Diagnostic]
    ) -> RecordColumns:
        batch = read_batch(cells.rename_columns(self.names), self.layout, self.rules, places, text_cells)
        whole = len(rows) == len(places) and not faults
        return batch if whole else batch.among(rows, len(places), places, faults)

    def _uneven(self, cells: int) -> Diagnostic:
        message = f"The row has {cells} cells, but there are {self.columns} columns."
        return Diagnostic("E401", message, "Give every row a cell for every column.")


@dataclass(frozen=True)
class RowLines:
    """Rows that may have several lines; their place is the last of these."""

    lines: Lines
    ends: Sequence[int]

    def __len__(self) -> int:
        return len(self.ends)

    def origin(self, row: int) -> Origin:
        return self.lines.origin(self.ends[row] - 1)

    def text(self, row: int) -> str:
        begin = self.ends[row - 1] if row else 0
        inside = (self.lines.line(place) for place in range(begin, self.ends[row]))
        return b"\n".join(inside).decode("utf-8", "backslashreplace").strip("\r\n")


def _cell_counts(lines: Lines, columns: int) -> Numbers | None:
    """The number of cells of each line, none in an empty one; or nothing if it is not plain that each line is a row.

    Mostly each has one for every column. In a plain line every odd quote opens a cell, or is the second of two that
    stand for one; every even quote ends a cell, or is the first of such two.
    """
    content = lines.content
    if not content:
        return np.zeros(0, np.int64)
    if not _is_plain(lines):
        return None
    buffer, ends = np.frombuffer(content, np.uint8), lines.ends
    if b"\r" in content:
        ends = ends - ((ends > lines.starts) & (buffer[ends - 1] == ord("\r")))
    if (ends - lines.starts).max() > LONGEST:
        return None
    commas = np.flatnonzero(buffer == ord(","))
    if b'"' in content:
        quotes = np.flatnonzero(buffer == ord('"'))
        before = np.searchsorted(quotes, lines.starts)
        if (np.diff(np.append(before, len(quotes))) % 2).any() or not _well_quoted(buffer, quotes, ends):
            return None
        commas = commas[np.searchsorted(quotes, commas) % 2 == 0]
    if _are_even(commas, lines, columns):
        return np.full(len(lines), columns)
    counts = np.diff(np.append(np.searchsorted(commas, lines.starts), len(commas))) + 1
    counts[ends == lines.starts] = 0
    return counts


def _is_plain(lines: Lines) -> bool:
    """Whether all of it is text, in which lines end as they do elsewhere."""
    content = lines.content
    ended = b"\r" not in content or content.count(b"\r") == content.count(b"\r\n")
    return ended and b"\0" not in content and lines.is_text


def _are_even(commas: Numbers, lines: Lines, columns: int) -> bool:
    """Whether the commas between cells stand in lines of as many cells as there are columns, none of them empty."""
    if columns < 2 or len(commas) != len(lines) * (columns - 1):
        return False
    firsts, lasts = commas[:: columns - 1], commas[columns - 2 :: columns - 1]
    return bool((firsts >= lines.starts).all() and (lasts < lines.ends).all())


def _well_quoted(buffer: np.ndarray, quotes: Numbers, ends: Numbers) -> bool:
    """Whether quotes, of which each line has an even number, stand at the edges of cells or in pairs."""
    opening, closing = quotes[::2], quotes[1::2]
    left = np.where(opening > 0, buffer[opening - 1], ord("\n"))
    right = buffer[np.minimum(closing + 1, len(buffer) - 1)]
    at_end = np.isin(closing + 1, ends)
    opens: Rows = np.isin(left, (ord(","), ord("\n"), ord('"')))
    closes: Rows = at_end | np.isin(right, (ord(","), ord('"')))
    return bool(opens.all() and closes.all())
