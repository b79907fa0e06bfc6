"""From a name to chunks: files, folders, standard input; which format a file has, and whether it can be opened."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from larspark.diagnostics import Diagnostic, Rejected
from larspark.read.batch import Judge
from larspark.read.chunk import Chunk, at_line
from larspark.read.json_lines import JsonLines
from larspark.read.lines import read_lines
from larspark.read.parquet import read_parquet
from larspark.read.rules import Rules

STDIN = "-"
"""The name of standard input, which is read as JSON lines."""

JSON_LINES, CSV, PARQUET = (".jsonl", ".ndjson", ".json"), (".csv",), (".parquet", ".pq")
RDF = (".nt", ".ttl", ".nq", ".trig")
ENDINGS = (*JSON_LINES, *CSV, *PARQUET, *RDF)


def read_chunks(source: str | Path, rules: Rules) -> Iterator[Chunk]:
    """The chunks of a file in its order, of a folder of files merged by time, or of `-`.

    A table without the columns `predicate` or `atom` holds the predicate it is named after. What is neither CSV,
    Parquet nor RDF by its name is read as JSON lines: pipes and logs have all sorts of names.
    """
    if source == STDIN:
        return _read_json_lines(sys.stdin.buffer, "<stdin>", rules)
    return _read_file(Path(source), rules)


def _read_file(path: Path, rules: Rules) -> Iterator[Chunk]:
    ending = path.suffix.lower()
    try:
        if ending in PARQUET:
            yield from read_parquet(path, rules)
        else:
            with path.open("rb") as stream:
                yield from _read_json_lines(stream, str(path), rules)
    except OSError as error:
        message = f"The file `{path}` cannot be read: {error.strerror}."
        hint = "Check the name and the permissions."
        raise Rejected([Diagnostic("E406", message, hint, at_line(str(path), 1))]) from error


def _read_json_lines(stream: BinaryIO, file: str, rules: Rules) -> Iterator[Chunk]:
    reader, judge = JsonLines(rules), Judge(rules)
    for lines in read_lines(stream, file):
        yield judge.chunk(reader.batch(lines))
