"""Conclusions written by the worker that draws them, and reports of the files, of which the driver keeps some.

A task that Spark repeats writes under other names; whoever's report arrives has written the files that count.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from larspark.analysis.typing.sorts import Sort
from larspark.blocks import Block
from larspark.language.facts import Signature
from larspark.spark.evaluate.messages import BEFORE_ALL, DRIVER, Message, MessageKind
from larspark.write.columns import arrow_type, sort_in
from larspark.write.tables import table_of, table_schema
from larspark.write.times import POINTS, TimeWriter


@dataclass(frozen=True)
class TableTarget:
    """Where the conclusions about a predicate are written."""

    number: int
    folder: Path
    columns: tuple[str, ...]
    """The names of the arguments."""
    changes: bool = False
    """Rows are changes instead of intervals."""
    times: TimeWriter = POINTS
    """How times are written."""
    known: tuple[Sort, ...] = ()
    """What is known of each argument before any value."""


class Report(NamedTuple):
    """A file that has been written, or rows that have been handed out."""

    predicate: int
    path: str
    """The name of the file."""
    rows: int
    sorts: tuple[Sort, ...]
    """What the columns of the arguments hold."""

    def message(self) -> Message:
        """Addressed to the driver."""
        told = self._replace(sorts=tuple(map(astuple, self.sorts)))  # type: ignore[arg-type]
        return Message(DRIVER, 0, BEFORE_ALL, MessageKind.REPORT, self.predicate, json.dumps(told).encode())

    @classmethod
    def read(cls, content: bytes) -> Report:
        predicate, path, rows, sorts = json.loads(content)
        return cls(predicate, path, rows, tuple(Sort(*one) for one in sorts))


@dataclass(frozen=True)
class FileOutput:
    """Shown conclusions in files."""

    targets: Mapping[Signature, TableTarget]

    def tables(self, signatures: frozenset[Signature]) -> TableFiles:
        return TableFiles({one: self.targets[one] for one in signatures})


class TableFiles:
    """Conclusions in files: an argument is a column of whole numbers as long as it can be, and then of text."""

    def __init__(self, targets: Mapping[Signature, TableTarget]) -> None:
        self._files = {signature: _Files(target) for signature, target in targets.items()}

    def add(self, block: Block) -> Iterator[Message]:
        self._files[block.signature].add(block)
        return iter(())

    def close(self) -> Iterator[Message]:
        """Finish all files, and report them."""
        for files in self._files.values():
            yield from (report.message() for report in files.close())


class _Files:
    """The files of one predicate in one partition, one after the other."""

    def __init__(self, target: TableTarget) -> None:
        self._target = target
        self._kinds: list[pa.DataType | None] = [None] * len(target.columns)
        self._writer: pq.ParquetWriter | None = None
        self._path = Path()
        self._rows = 0
        self._sorts: list[Sort] = []
        self._reports: list[Report] = []

    def add(self, block: Block) -> None:
        sorts = [sort_in(column) for column in block.arguments]
        target = self._target
        kinds = [
            old if old == pa.string() else file_type(known, sort, target.times)
            for old, known, sort in zip(self._kinds, target.known, sorts, strict=True)
        ]
        if kinds != self._kinds:
            self._end()
            self._kinds = [*kinds]
        schema = table_schema(target.columns, kinds, target.times, changes=target.changes)
        table = table_of(block, schema, target.times, changes=target.changes)
        if self._writer is None:
            self._path = self._target.folder / f"{uuid4().hex}.parquet"
            self._writer = pq.ParquetWriter(self._path, schema, store_schema=False)
        self._writer.write_table(table)
        self._rows += len(table)
        self._sorts = [old | new for old, new in zip(self._sorts or sorts, sorts, strict=True)]

    def close(self) -> list[Report]:
        self._end()
        return self._reports

    def _end(self) -> None:
        """Finish the file that is being written, if there is one."""
        if self._writer is not None:
            self._writer.add_key_value_metadata(self._target.times.metadata)
            self._writer.close()
            self._reports.append(Report(self._target.number, self._path.name, self._rows, tuple(self._sorts)))
            self._writer, self._rows, self._sorts = None, 0, []


def file_type(known: Sort, values: Sort, times: TimeWriter) -> pa.DataType:
    """The type that a worker writes, which knows its own values only: what is known, or whole numbers, or text."""
    if not known.open:
        return arrow_type(known, times) if known.holding(values) == known else pa.string()
    return pa.int64() if values.whole else pa.string()
