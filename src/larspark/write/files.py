"""Where answers are written: standard output, or a file whose ending says its format; whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from larspark.diagnostics import Diagnostic, Rejected
from larspark.write.shapes import Shape

Part = TypeVar("Part")

JSON_LINES, CSV, PARQUET = (".jsonl", ".ndjson"), (".csv",), (".parquet", ".pq")


def write_lines(lines: pa.Array, stream: BinaryIO) -> None:
    """A line for each text, in one go."""
    ended = pc.binary_join_element_wise(lines, "", "\n").cast(pa.large_string())
    if len(ended):
        stream.write(_content(ended))


def write_to_terminal(shape: Shape[Part], parts: Iterable[Part], *, as_json: bool) -> None:
    for part in parts:
        write_lines((shape.json if as_json else shape.text)(part), sys.stdout.buffer)
        sys.stdout.buffer.flush()


def write_file(shape: Shape[Part], parts: Iterable[Part], path: Path) -> int:
    """How many rows or lines were written; a run that fails leaves what was there before."""
    ending = path.suffix.lower()
    if ending not in (*JSON_LINES, *CSV, *PARQUET):
        hint = f"Files that can be written end in {', '.join((*JSON_LINES, *CSV, *PARQUET))}."
        raise Rejected([Diagnostic("E408", f"The format of `{path}` is not known.", hint)])
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    write = _json if ending in JSON_LINES else _csv if ending in CSV else _parquet
    try:
        count = write(shape, parts, beside)
        beside.replace(path)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        message = f"The file `{path}` cannot be written: {reason}."
        raise Rejected([Diagnostic("E702", message, "Check folder, permissions and space left.")]) from error
    finally:
        beside.unlink(missing_ok=True)
    return count


def _json(shape: Shape[Part], parts: Iterable[Part], path: Path) -> int:
    count = 0
    with path.open("wb") as file:
        for part in parts:
            lines = shape.json(part)
            write_lines(lines, file)
            count += len(lines)
    return count


def _csv(shape: Shape[Part], parts: Iterable[Part], path: Path) -> int:
    count = 0
    with pyarrow.csv.CSVWriter(path, shape.schema) as file:
        for part in parts:
            table = shape.table(part)
            file.write_table(table)
            count += len(table)
    return count


def _parquet(shape: Shape[Part], parts: Iterable[Part], path: Path) -> int:
    count = 0
    with pyarrow.parquet.ParquetWriter(path, shape.schema.with_metadata(shape.metadata)) as file:
        for part in parts:
            table = shape.table(part)
            if len(table):
                file.write_table(table)
            count += len(table)
    return count


def _content(texts: pa.LargeStringArray) -> memoryview:
    """The bytes of all texts, one behind the other, as Arrow keeps them."""
    _, _, content = texts.buffers()
    first, last = texts.offset, texts.offset + len(texts)
    offsets = memoryview(texts.buffers()[1]).cast("q")
    return memoryview(content)[offsets[first] : offsets[last]]
