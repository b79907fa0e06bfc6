"""Conclusions written by the worker that draws them, and reports of the files, of which the driver keeps some.

A task that Spark repeats writes under other names; whoever's report arrives has written the files that count.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from larspark.intervals.storage import Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.dictionary import Dictionary
from larspark.spark.conclusions import Cells
from larspark.spark.direct.parcels import REPORTS, Parcel
from larspark.spark.rows import ESCAPE, Kind
from larspark.spark.tables import Seen

GROUP = 1 << 17
"""Rows of a row group, about."""


@dataclass(frozen=True)
class Target:
    """Where the conclusions of a predicate are written."""

    number: int
    folder: Path
    columns: tuple[str, ...]
    """The names of the arguments."""


class Report(NamedTuple):
    """A file that has been written."""

    predicate: int
    path: str
    """The name of the file."""
    rows: int
    seen: tuple[Seen, ...]
    """What the columns of the arguments hold."""

    def parcel(self) -> Parcel:
        """Addressed to the driver."""
        return Parcel(REPORTS, 0, 0, Kind.END, self.predicate, json.dumps(self).encode())

    @classmethod
    def read(cls, content: bytes) -> Report:
        predicate, path, rows, seen = json.loads(content)
        return cls(predicate, path, rows, tuple(Seen(*cells) for cells in seen))


class ConclusionFiles:
    """Conclusions in files: an argument is a column of whole numbers as long as it can be, and then of text."""

    def __init__(self, dictionary: Dictionary, targets: Mapping[Signature, Target]) -> None:
        self._cells = Cells(dictionary)
        self._files = {signature: _Files(target) for signature, target in targets.items()}

    def add(self, kind: Kind, signature: Signature | None, rows: Rows) -> None:
        if signature is not None and signature in self._files and len(rows):
            at = pa.array(rows[:, -3] >> 1) if kind is Kind.AT else pa.nulls(len(rows), pa.int64())
            cells = [self._cells.of(rows[:, place]) for place in range(signature.arity)]
            self._files[signature].add(cells, [pa.array(rows[:, -2]), pa.array(rows[:, -1]), at])

    def reports(self) -> Iterator[Parcel]:
        """Finish all files."""
        for files in self._files.values():
            yield from (report.parcel() for report in files.close())


class _Files:
    """The files of one predicate in one partition, one after the other."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._spelled = [False] * len(target.columns)
        """The arguments that are written as text."""
        self._seen = [Seen()] * len(target.columns)
        self._waiting: list[pa.Table] = []
        self._writer: pq.ParquetWriter | None = None
        self._path = Path()
        self._rows = 0
        self._reports: list[Report] = []

    def add(self, cells: list[tuple[pa.Array, pa.Array]], times: list[pa.Array]) -> None:
        seen = [seen_in(numbers, texts) for numbers, texts in cells]
        spelled = [before or one.spelled for before, one in zip(self._spelled, seen, strict=True)]
        if spelled != self._spelled:
            self._end()
            self._spelled = spelled
        columns = [_text(*pair) if text else pair[0] for text, pair in zip(spelled, cells, strict=True)]
        self._waiting.append(pa.table([*columns, *times], names=[*self._target.columns, "from", "to", "at"]))
        self._seen = [before.joined(one) for before, one in zip(self._seen, seen, strict=True)]
        if sum(len(table) for table in self._waiting) >= GROUP:
            self._write()

    def close(self) -> list[Report]:
        self._end()
        return self._reports

    def _write(self) -> None:
        table = pa.concat_tables(self._waiting)
        self._waiting.clear()
        if self._writer is None:
            self._path = self._target.folder / f"{uuid4().hex}.parquet"
            self._writer = pq.ParquetWriter(self._path, table.schema, store_schema=False)
        self._writer.write_table(table)
        self._rows += len(table)

    def _end(self) -> None:
        """Finish the file that is being written, if there is one."""
        if self._waiting:
            self._write()
        if self._writer is not None:
            self._writer.close()
            self._reports.append(Report(self._target.number, self._path.name, self._rows, tuple(self._seen)))
            self._writer, self._rows, self._seen = None, 0, [Seen()] * len(self._seen)


def seen_in(numbers: pa.Array, texts: pa.Array) -> Seen:
    """What is among the cells of an argument; `tables.contents_of` asks the same of Spark."""
    whole, some = numbers.null_count < len(numbers), texts.drop_null()
    digits = pc.and_not(pc.starts_with(some, ESCAPE), pc.starts_with(some, ESCAPE * 2))
    spelled = some.filter(digits)
    if not len(spelled):
        return Seen(whole, len(some) > 0)
    fraction = pc.utf8_length(pc.replace_substring_regex(spelled, r"^.*\.", ""))
    lengths = pc.utf8_length(spelled)
    return Seen(whole, len(spelled) < len(some), pc.max(fraction).as_py(), pc.max(lengths).as_py())


def _text(numbers: pa.Array, texts: pa.Array) -> pa.Array:
    """The cells of an argument as text."""
    plain = pc.utf8_ltrim(texts, ESCAPE)
    return pc.coalesce(plain, numbers.cast(pa.string())) if texts.null_count else plain
