"""The table of records that cannot be used: why, what they say, and where they come from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame

from larspark.blocks import Block
from larspark.blocks.packing import pack_table, unpack_table
from larspark.diagnostics import Diagnostic
from larspark.read.chunk import Refused
from larspark.spark.evaluate.messages import OTHERS, Batches, as_batches
from larspark.spark.write.files import Report

DEAD_LETTERS = "_dead_letters"
LATE = "E412"
NUMBER = -9
"""In the place of a predicate."""
SCHEMA = pa.schema([(name, pa.string()) for name in ("objection", "record", "source")])
COLUMNS = ", ".join(f"{name} string" for name in SCHEMA.names)


def letters_of(refused: Iterable[Refused]) -> pa.Table:
    told = [one.diagnostic for one in refused]
    columns = [
        [f"{one.code}: {one.message}" for one in told],
        [one.record for one in refused],
        [one.origin.file if one.origin else None for one in told],
    ]
    return pa.table([pa.array(column, pa.string()) for column in columns], schema=SCHEMA)


def late_letters(late: Iterable[tuple[str, Block]], watermark: int) -> pa.Table:
    """Atoms, with their sources, for time points that are final."""
    rows: list[tuple[str, str, str]] = []
    told = f"{LATE}: The atom arrives late; everything up to {watermark} is final."
    for source, block in late:
        for time, fact in zip(block.times.tolist(), block.facts(), strict=True):
            record = {"time": time} if block.signature == OTHERS else {"time": time, "atom": str(fact)}
            rows.append((told, json.dumps(record, ensure_ascii=False), source.partition("\t")[0]))
    columns = list(zip(*rows, strict=True)) or [()] * 3
    return pa.table([pa.array(column, pa.string()) for column in columns], schema=SCHEMA)


def packed_letters(refused: Iterable[Refused]) -> bytes:
    return pack_table(letters_of(refused))


def as_diagnostic(objection: str, record: str) -> Diagnostic:
    """What is said about a bad record that stops a run."""
    code, _, message = objection.partition(": ")
    told = f"{message.rstrip('.')}, in the record {record[:200]}."
    return Diagnostic(code, told, "Correct it, or run with `--on-error skip`.")


def open_letters(batches: Batches) -> Batches:
    """The function for `mapInArrow` that makes rows of the table."""
    for table in _tables(batches):
        yield from table.to_batches()


@dataclass(frozen=True)
class LetterFiles:
    """The function for `mapInArrow` that writes them; a task writes one file."""

    folder: Path

    def __call__(self, batches: Batches) -> Batches:
        path, rows = self.folder / f"{uuid4().hex}.parquet", 0
        writer = None
        for table in _tables(batches):
            writer = writer or pq.ParquetWriter(path, SCHEMA, store_schema=False)
            writer.write_table(table)
            rows += len(table)
        if writer is not None:
            writer.close()
            yield from as_batches([Report(NUMBER, path.name, rows, ()).message()])


def told_letters(letters: DataFrame) -> tuple[tuple[str, str, str | None], ...]:
    """The same, of a DataFrame."""
    return tuple((row["objection"], row["record"] or "", row["source"]) for row in letters.toLocalIterator())


def letters_in(folder: Path) -> Iterator[tuple[str, str, str | None]]:
    """The objections, records and sources of a table in Parquet files."""
    for path in sorted(folder.glob("*.parquet")) if folder.is_dir() else ():
        yield from letters_of_file(path)


def letters_of_file(path: Path) -> Iterator[tuple[str, str, str | None]]:
    """None where nothing was refused, which leaves no file."""
    if path.is_file():
        columns = pq.read_table(path).to_pydict()
        yield from zip(*(columns[name] for name in SCHEMA.names), strict=True)


def _tables(batches: Batches) -> Iterator[pa.Table]:
    """The contents of messages, or contents without anything about them."""
    for batch in batches:
        yield from (unpack_table(content.as_buffer()) for content in batch.column("content"))
