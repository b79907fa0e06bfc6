"""Files of lines: JSON lines and CSV, cut into pieces that workers read side by side."""

from __future__ import annotations

import csv
import mmap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from larspark.diagnostics import Diagnostic, Rejected
from larspark.read import Chunk, Rules, at_line
from larspark.read.batch import Judge
from larspark.read.json_lines import JsonLines
from larspark.read.layout import Layout
from larspark.read.lines import Lines, read_lines
from larspark.read.tables import RowPlaces, read_batch
from larspark.read.value_columns import text_cells
from larspark.spark.evaluate.messages import Batches
from larspark.spark.pipeline_file import Source
from larspark.spark.read.rules import checked_layout, predicate_of, rules_for
from larspark.spark.vocabulary import Vocabulary

SIZE = 1 << 24
"""Bytes of a piece, about."""
LINES = 1 << 16
"""Lines that are read at once."""


@dataclass(frozen=True)
class LinePiece:
    """The JSON lines of a file that begin between two places."""

    path: str
    rules: Rules
    begin: int
    end: int

    def chunks(self) -> Iterator[Chunk]:
        return _json_chunks(BytesIO(lines_between(self.path, self.begin, self.end)), self.path, self.rules)


@dataclass(frozen=True)
class LineRows:
    """Reads JSON lines that Spark hands over, in the column `value`."""

    name: str
    rules: Rules

    def chunks(self, batches: Batches) -> Iterator[Chunk]:
        judge, reader = Judge(self.rules), JsonLines(self.rules)
        for batch in batches:
            texts = (text.replace("\n", " ") for text in batch.column("value").to_pylist() if text)
            yield judge.chunk(reader.batch(Lines("\n".join(texts).encode(), self.name, 1)))


def _json_chunks(stream: BinaryIO, file: str, rules: Rules) -> Iterator[Chunk]:
    judge, reader = Judge(rules), JsonLines(rules)
    for lines in read_lines(stream, file):
        yield judge.chunk(reader.batch(lines))


def json_pieces(files: Sequence[Path], rules: Rules) -> Iterator[LinePiece]:
    for path in files:
        for begin, end in _cut(path):
            yield LinePiece(str(path.absolute()), rules, begin, end)


@dataclass(frozen=True)
class CsvPiece:
    """The lines of a CSV file that begin between two places, under the header of the file."""

    path: str
    header: tuple[str, ...]
    predicate: str
    rules: Rules
    begin: int
    end: int

    def chunks(self) -> Iterator[Chunk]:
        layout, judge, row = Layout.of(self.header, self.predicate, self.rules, None), Judge(self.rules), 1
        lines = BytesIO(lines_between(self.path, self.begin, self.end))
        rows = (one for one in csv.reader(line.decode("utf-8", "replace") for line in lines) if one)
        if not self.begin:
            next(rows, None)
        while some := list(islice(rows, LINES)):
            columns = [pa.array(column, pa.string()) for column in zip(*some, strict=True)]
            batch = pa.record_batch(columns, list(self.header))
            places = RowPlaces(batch, self.path, row)
            yield judge.chunk(read_batch(batch, layout, self.rules, places, text_cells))
            row += len(some)


def csv_pieces(files: Sequence[Path], source: Source, vocabulary: Vocabulary) -> Iterator[CsvPiece]:
    for path in files:
        header = _header(path)
        checked_layout(pa.schema([(name, pa.string()) for name in header]), source, vocabulary)
        rules, predicate = rules_for(source, vocabulary), predicate_of(source)
        for begin, end in [(0, path.stat().st_size)] if _has_quotes(path) else _cut(path):
            yield CsvPiece(str(path.absolute()), header, predicate, rules, begin, end)


def _header(path: Path) -> tuple[str, ...]:
    with path.open("r", encoding="utf-8-sig", newline="") as file:
        header = next(csv.reader(file), [])
    if not header:
        message = "The file has no header line."
        raise Rejected([Diagnostic("E407", message, "Name the columns in the first line.", at_line(str(path), 1))])
    return tuple(name.strip() for name in header)


def _has_quotes(path: Path) -> bool:
    """A quoted cell may go on in the next line, so that such a file is not cut."""
    if not path.stat().st_size:
        return False
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(b'"') >= 0


def _cut(path: Path) -> Iterator[tuple[int, int]]:
    """The pieces of a file, so that a task is neither too short nor holds too much."""
    whole = path.stat().st_size
    return ((begin, min(begin + SIZE, whole)) for begin in range(0, whole, SIZE))


def lines_between(path: str, begin: int, end: int) -> bytes:
    """Whole lines; one that begins before the end is read to its own end."""
    with open(path, "rb") as file:
        if begin:
            file.seek(begin - 1)
            file.readline()
        if file.tell() >= end:
            return b""
        found = file.read(end - file.tell())
        return found if found.endswith(b"\n") else found + file.readline()
