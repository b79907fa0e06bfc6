"""What the tables of a stream show, and where rows go, micro-batch by micro-batch; repeating one changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from larspark.spark.stream.checkpoint import Progress
from larspark.spark.write.dead_letters import DEAD_LETTERS
from larspark.spark.write.names import file_name
from larspark.write.places import replace_table
from larspark.write.tables import retyped

OPEN = "open.parquet"
"""In a table: intervals that go on."""


@dataclass(frozen=True)
class Style:
    """Intervals up to the watermark, unless it is said otherwise."""

    early: bool = False
    """Up to the latest time seen; what lies after the watermark may be corrected."""
    changes: bool = False
    """Where intervals start and end."""


FINAL = Style()


class StreamTables(Protocol):
    @property
    def fixed(self) -> bool:
        """Whether columns have their types before the first row."""
        ...

    def put(self, now: Progress, name: str, rows: pa.Table, *, going_on: bool = False) -> None:
        """The rows of a micro-batch; of what goes on, those of the last one are there."""
        ...

    def retype(self, name: str, schema: pa.Schema) -> None:
        """Give all rows that are there other types."""
        ...

    def commit(self, now: Progress) -> None:
        """All rows of a micro-batch have been put."""
        ...


@dataclass(frozen=True)
class FolderTables:
    """A folder for each table, a file for each micro-batch."""

    folder: Path
    fixed: bool = False

    def put(self, now: Progress, name: str, rows: pa.Table, *, going_on: bool = False) -> None:
        if name == DEAD_LETTERS and not len(rows):
            return
        replace_table(self.folder / file_name(name) / (OPEN if going_on else f"{now.name}.parquet"), rows)

    def retype(self, name: str, schema: pa.Schema) -> None:
        for path in sorted((self.folder / file_name(name)).glob("*.parquet")):
            replace_table(path, retyped(pq.read_table(path), schema))

    def commit(self, now: Progress) -> None:
        """Files are in their places already."""
