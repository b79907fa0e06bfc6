"""The end of the data: a last micro-batch that makes everything final, without asking the sources for more.

Its message comes from a source of its own, a folder of the checkpoint, so that it has its place in the order of
micro-batches. The other sources of the query are replaced by silent ones, which stay at the offset where they are:
a socket is not called again, and what has been added to a folder in the meantime waits for the next run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.types import StructType

from larspark.read import Chunk
from larspark.spark.evaluate.messages import Batches
from larspark.spark.read.inputs import FrameInput

FORMAT = "larspark-silence"


def silence(session: SparkSession, sources: int) -> list[FrameInput]:
    """As many inputs, none of which has anything to say."""
    session.dataSource.register(SilentSource)
    return [FrameInput(session.readStream.format(FORMAT).load(), NothingRead(), "") for _ in range(sources)]


class NothingRead:
    """Reads nothing."""

    def chunks(self, batches: Batches) -> Iterator[Chunk]:
        del batches
        return iter(())


def sources_of(checkpoint: Path) -> int:
    """How many sources a query has, the folder of endings aside: its last offsets follow a version and a header."""
    offsets = [path for path in (checkpoint / "offsets").iterdir() if path.name.isdigit()]
    latest = max(offsets, key=lambda path: int(path.name))
    return len(latest.read_text().splitlines()) - 3


class SilentSource(DataSource):
    """The Spark format of sources that stay where they are."""

    @classmethod
    def name(cls) -> str:
        return FORMAT

    def schema(self) -> str:
        return "value string"

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802 - Spark's interface
        return SilentReader()


class SilentReader(DataSourceStreamReader):
    def initialOffset(self) -> dict[str, int]:  # noqa: N802
        return {"silence": 0}

    def latestOffset(self, start: dict[str, int], limit: Any) -> dict[str, int]:  # noqa: N802
        return start

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> Sequence[InputPartition]:
        return []

    def read(self, partition: InputPartition) -> Iterator[Any]:
        return iter(())
