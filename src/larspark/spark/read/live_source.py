"""Live sources as Spark sees them: the offset is a line number of the journal, and a batch is a range of lines.

The receiver and the journal live in the process that Spark runs beside the driver for the length of the query. The
lines of a batch travel inside its partitions, so that executors need neither the journal nor the network.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadLimit, ReadMaxRows, SupportsTriggerAvailableNow
from pyspark.sql.types import StructType

from larspark.read.live.addresses import read_address
from larspark.read.live.journal import Journal
from larspark.read.live.receivers import receiver_of
from larspark.read.live.receiving import Receiver

FORMAT = "larspark"
SCHEMA = "value string, source string, block bigint, place bigint"
PARTITION_ROWS = 10_000
MOST_ROWS, MOST_BYTES = 100_000, 1 << 28
"""Defaults: lines per micro-batch, and bytes of the journal."""
IDLE = 2.0
"""Seconds of silence after which everything that is there has been read."""


class JournalLines(InputPartition):
    """A part of a batch: its lines, from the line with this number on."""

    def __init__(self, first: int, lines: Sequence[str]) -> None:
        super().__init__(first)
        self.first = first
        self.lines = lines


class LiveSource(DataSource):
    """The Spark format of live sources; `path` is the address, `journal` the folder for what has been received."""

    @classmethod
    def name(cls) -> str:
        return FORMAT

    def schema(self) -> str:
        return SCHEMA

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802 - Spark's interface
        return JournalReader(dict(self.options))


class JournalReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Gives out the lines of the journal; the receiver starts with the first question for new ones."""

    def __init__(self, options: dict[str, str]) -> None:
        self._options = {name.lower(): value for name, value in options.items()}
        self._address = read_address(self._options["path"])
        self._journal: Journal | None = None
        self._receiver: Receiver | None = None
        self._target: int | None = None

    def initialOffset(self) -> dict[str, int]:  # noqa: N802
        return {"line": 0}

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        return ReadMaxRows(int(self._options.get("maxrowspertrigger", MOST_ROWS)))

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        """Everything that is there: until the sender ends, or falls silent."""
        receiver = self._receive()
        idle = float(self._options.get("idle", IDLE))
        while not receiver.ended and receiver.quiet < idle:
            receiver.check()
            time.sleep(0.05)
        receiver.stop()
        self._target = self._open().end

    def latestOffset(self, start: dict[str, int], limit: ReadLimit) -> dict[str, int]:  # noqa: N802
        receiver = self._receive()
        receiver.check()
        if self._open().end < start["line"]:
            message = f"{self._options['journal']} has lost what {self._address} had sent, up to line {start['line']}"
            raise LookupError(message)
        end = self._open().end if self._target is None else self._target
        if isinstance(limit, ReadMaxRows):
            end = min(end, start["line"] + limit.max_rows)
        return {"line": max(end, start["line"])}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> Sequence[InputPartition]:
        lines = self._open().read(start["line"], end["line"]) if start != end else []
        return [
            JournalLines(start["line"] + first, lines[first : first + PARTITION_ROWS])
            for first in range(0, len(lines), PARTITION_ROWS)
        ]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        assert isinstance(partition, JournalLines)
        count = len(partition.lines)
        columns = {
            "value": pa.array(partition.lines, pa.string()),
            "source": pa.array([str(self._address)] * count, pa.string()),
            "block": pa.nulls(count, pa.int64()),
            "place": pa.array(range(partition.first, partition.first + count), pa.int64()),
        }
        yield pa.RecordBatch.from_pydict(columns)

    def commit(self, end: dict[str, int]) -> None:
        self._open().forget(end["line"])

    def stop(self) -> None:
        if self._journal is not None:
            self._journal.close()
        if self._receiver is not None:
            self._receiver.stop()

    def _open(self) -> Journal:
        if self._journal is None:
            most_bytes = int(self._options.get("maxbytes", MOST_BYTES))
            self._journal = Journal(Path(self._options["journal"]), most_bytes)
        return self._journal

    def _receive(self) -> Receiver:
        if self._receiver is None:
            receiver = receiver_of(self._address, self._options, self._open())
            receiver.start()
            self._receiver = receiver
        return self._receiver
