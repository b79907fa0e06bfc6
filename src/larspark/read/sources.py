"""From a name to chunks: files, folders, standard input; which format a file has, and whether it can be opened."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from larspark.diagnostics import Diagnostic, Rejected
from larspark.extras import require
from larspark.read.batch import ChunkMaker
from larspark.read.chunk import Chunk
from larspark.read.formats.csv_tables import read_csv
from larspark.read.formats.endings import CSV, ENDINGS, PARQUET, RDF
from larspark.read.formats.json_lines import JsonLines
from larspark.read.formats.lines import read_lines
from larspark.read.formats.parquet import read_parquet
from larspark.read.merging import merged
from larspark.read.places import at_line, not_there
from larspark.read.rules import Rules

STDIN = "-"
"""The name of standard input, which is read as JSON lines."""


def read_chunks(source: str | Path, rules: Rules, predicate: str | None = None) -> Iterator[Chunk]:
    """The chunks of a file in its order, of a folder of files merged by time, or of `-`.

    A table without the columns `predicate` or `atom` holds `predicate`, or else the one it is named after. What is
    neither CSV, Parquet nor RDF by its name is read as JSON lines: pipes and logs have all sorts of names.
    """
    if source == STDIN:
        return _read_json_lines(sys.stdin.buffer, "<stdin>", rules)
    path = Path(source)
    if path.is_dir():
        return merged([_read_file(file, rules, predicate) for file in data_files(path)])
    return _read_file(path, rules, predicate)


def data_files(folder: Path) -> list[Path]:
    """The files of a folder that can be read, in the order of their names; `Rejected` when there is none."""
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)
    if not files:
        hint = f"Files that can be read end in {', '.join(ENDINGS)}."
        message = f"The folder `{folder}` holds no data."
        raise Rejected([Diagnostic("E406", message, hint, at_line(str(folder), 1))])
    return files


def _read_file(path: Path, rules: Rules, predicate: str | None) -> Iterator[Chunk]:
    ending, name = path.suffix.lower(), path.stem if predicate is None else predicate
    try:
        if ending in PARQUET:
            yield from read_parquet(path, name, rules)
        elif ending in RDF:
            require("pyoxigraph")
            from larspark.read.formats.rdf import read_rdf  # noqa: PLC0415 - only RDF pays for its library

            yield ChunkMaker(rules).chunk(read_rdf(path, rules))
        else:
            with path.open("rb") as stream:
                read = read_csv(stream, str(path), name, rules) if ending in CSV else None
                yield from read or _read_json_lines(stream, str(path), rules)
    except FileNotFoundError as error:
        raise Rejected([not_there(path)]) from error
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else error.strerror
        message = f"The file `{path}` cannot be read: {reason}."
        hint = "Check the name and the permissions."
        raise Rejected([Diagnostic("E406", message, hint, at_line(str(path), 1))]) from error


def _read_json_lines(stream: BinaryIO, file: str, rules: Rules) -> Iterator[Chunk]:
    reader, maker = JsonLines(rules), ChunkMaker(rules)
    for lines in read_lines(stream, file):
        yield maker.chunk(reader.batch(lines))
