"""Files of lines: JSON lines and CSV, cut into pieces that workers read side by side."""

from __future__ import annotations

import csv
import mmap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from larspark.read import Chunk, Rules
from larspark.read.batch import ChunkMaker
from larspark.read.formats.csv_tables import csv_chunks
from larspark.read.formats.json_lines import JsonLines
from larspark.read.formats.lines import BYTE_ORDER_MARK, Lines, cut_lines
from larspark.spark.evaluate.messages import Batches
from larspark.spark.plan.plan import ProgramVocabulary
from larspark.spark.read.rules import InputSource, checked_layout, predicate_of, rules_for

SIZE = 1 << 24
"""Bytes of a piece, about."""

LINES = SIZE // 2
"""Bytes of lines that are read at once: the more, the fewer words have to be looked at again."""


@dataclass(frozen=True)
class LinePiece:
    """The JSON lines of a file that begin between two places."""

    path: str
    rules: Rules
    begin: int
    end: int

    def chunks(self) -> Iterator[Chunk]:
        maker, reader = ChunkMaker(self.rules), JsonLines(self.rules)
        content = lines_between(self.path, self.begin, self.end).removeprefix(BYTE_ORDER_MARK)
        return (maker.chunk(reader.batch(lines)) for lines in cut_lines(content, self.path, LINES))


@dataclass(frozen=True)
class LineRows:
    """Reads JSON lines that Spark hands over, in the column `value`."""

    name: str
    rules: Rules

    def chunks(self, batches: Batches) -> Iterator[Chunk]:
        maker, reader = ChunkMaker(self.rules), JsonLines(self.rules)
        for batch in batches:
            texts = (text.replace("\n", " ") for text in batch.column("value").to_pylist() if text)
            yield maker.chunk(reader.batch(Lines("\n".join(texts).encode(), self.name, 1)))


def json_pieces(files: Sequence[Path], rules: Rules) -> Iterator[LinePiece]:
    for path in files:
        for begin, end in _cut(path):
            yield LinePiece(str(path.absolute()), rules, begin, end)


@dataclass(frozen=True)
class CsvPiece:
    """The lines of a CSV file that begin between two places, under the header of the file."""

    path: str
    header: bytes
    """The first line."""
    predicate: str
    rules: Rules
    begin: int
    end: int

    def chunks(self) -> Iterator[Chunk]:
        header = [Lines(self.header.removeprefix(BYTE_ORDER_MARK), self.path, 1)] if self.begin else []
        content = lines_between(self.path, self.begin, self.end)
        content = content if self.begin else content.removeprefix(BYTE_ORDER_MARK)
        lines = chain(header, cut_lines(content, self.path, LINES, 1 + len(header)))
        return csv_chunks(lines, self.path, self.predicate, self.rules)


def csv_pieces(files: Sequence[Path], source: InputSource, vocabulary: ProgramVocabulary) -> Iterator[CsvPiece]:
    for path in files:
        header = _header(path)
        names = next(csv.reader([header.decode("utf-8-sig", "surrogateescape")]), [])
        if names:  # otherwise the reader says what is wrong
            checked_layout(pa.schema([(name.strip(), pa.string()) for name in names]), source, vocabulary)
        rules, predicate = rules_for(source, vocabulary), predicate_of(source)
        for begin, end in [(0, path.stat().st_size)] if _has_quotes(path) else _cut(path):
            yield CsvPiece(str(path.absolute()), header, predicate, rules, begin, end)


def _header(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.readline()


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
        first, last = (_next_line(file, place) for place in (begin, end))
        file.seek(first)
        return file.read(last - first)


def _next_line(file: BinaryIO, place: int) -> int:
    """Where the first line begins that does not begin before a place."""
    if not place:
        return 0
    file.seek(place - 1)
    file.readline()
    return file.tell()
