"""Parquet, by batches of rows; only the columns that are needed are read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from larspark.diagnostics import Diagnostic, Rejected
from larspark.read.batch import ChunkMaker
from larspark.read.chunk import Chunk
from larspark.read.columns.layout import RowLayout
from larspark.read.formats.tables import RowPlaces, read_batch
from larspark.read.places import at_line
from larspark.read.rules import Rules

BATCH = 1 << 16
"""Rows that are read at once: so few that the memory of one batch is there for the next."""


def read_parquet(path: Path, predicate: str, rules: Rules) -> Iterator[Chunk]:
    """The chunks of a file; the line of an origin is the number of the row."""
    file = str(path)
    maker, number = ChunkMaker(rules), 1
    with opened(path) as table:
        names = table.schema_arrow.names
        needed = RowLayout.of(names, predicate, rules, at_line(file, 1)).needed
        chosen = [names[place] for place in needed]
        layout = RowLayout.of(chosen, predicate, rules, at_line(file, 1))
        try:
            for batch in table.iter_batches(BATCH, columns=chosen, use_threads=False):
                yield maker.chunk(read_batch(batch, layout, rules, RowPlaces(batch, file, number)))
                number += len(batch)
        except (pa.ArrowException, OSError) as error:
            raise damaged(path, error) from error


def opened(path: Path) -> pq.ParquetFile:
    """The file; `Rejected` when it is none."""
    try:
        file = pq.ParquetFile(path, pre_buffer=False)  # what is read ahead would all be kept
        file.schema_arrow.names  # noqa: B018 - names that are no text are found only now
    except FileNotFoundError:
        raise  # told like any other file that is not there
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise damaged(path, error) from error
    return file


def damaged(path: Path, error: Exception) -> Rejected:
    message = f"The file is not Parquet: {str(error).splitlines()[0].rstrip('.')}."
    return Rejected([Diagnostic("E406", message, "Check the file and its ending.", at_line(str(path), 1))])
