"""A stream: micro-batches of arrivals, answers final at the watermark, the same rows as a bounded run of the same data.

An intake is packed and routed, goes through one stateful operator per stage, and ends in a sink that writes tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from larspark.spark.pipeline_file import Source
from larspark.spark.plan import Plan
from larspark.spark.streaming.chain import Chain, session_settings, with_input
from larspark.spark.streaming.checkpoint import Checkpoint, Progress
from larspark.spark.streaming.delivery import FINAL, Style
from larspark.spark.streaming.ending import silence, sources_of, with_endings
from larspark.spark.streaming.sink import Sink
from larspark.spark.streaming.timeline import Patience
from larspark.spark.write.places import check_output, mark_output

CHECKPOINT = "_checkpoint"


@dataclass(frozen=True)
class Stream:
    """A program over a stream, into a folder of tables."""

    plan: Plan
    output: Path
    lateness: int = 0
    """How many time points late an atom may arrive."""
    buckets: int = 2
    inputs: tuple[Source, ...] = ()
    """Where the records come from, when their intake says so."""
    report: Callable[[Progress], None] = lambda _: None
    style: Style = FINAL

    @property
    def checkpoint(self) -> Checkpoint:
        return Checkpoint(self.output / CHECKPOINT)

    def start(self, intake: DataFrame, *, once: bool = False) -> StreamingQuery:
        """Follow a streaming intake; `once`: until everything that is there now has been read."""
        check_output(self.output)
        mark_output(self.output)
        inputs = [one.name for one in self.inputs]
        settings = {"lateness": self.lateness, "buckets": self.buckets, "tables": asdict(self.style), "inputs": inputs}
        self.checkpoint.open(self.plan, **settings)
        session = intake.sparkSession
        chain = Chain(self.plan, self.buckets, self._patience, max(1, len(self.inputs)), self.style.early)
        width = self.plan.vocabulary.width
        parcels = chain.parcels(with_endings(with_input(intake), width, self.checkpoint.endings))
        sink = Sink(self.plan, self.output, self.checkpoint, self._patience, self.report, self.style)
        writer = parcels.writeStream.outputMode("append").foreachBatch(sink.write)
        writer = writer.option("checkpointLocation", str(self.checkpoint.of_spark))
        wanted = {**session_settings(self.buckets), "spark.sql.streaming.noDataMicroBatches.enabled": "false"}
        with _settings(session, wanted):
            return writer.trigger(availableNow=True).start() if once else writer.start()

    def finish(self, session: SparkSession) -> None:
        """The end of the data: evaluate up to the latest time seen. Atoms of that time would now be late."""
        before = self.checkpoint.last()
        if before.seen is not None and before.seen > before.watermark:
            self.checkpoint.say_ended(before)
            quiet = silence(session, sources_of(self.checkpoint.of_spark), self.plan.vocabulary.width)
            self.start(quiet, once=True).awaitTermination()

    @property
    def _patience(self) -> Patience:
        return Patience(self.lateness, tuple(number for number, one in enumerate(self.inputs) if one.awaited))


@contextmanager
def _settings(session: SparkSession, wanted: dict[str, str]) -> Iterator[None]:
    """A query takes the settings of the session when it starts; afterwards the session has its own again."""
    before = {name: session.conf.get(name, None) for name in wanted}
    for name, value in wanted.items():
        session.conf.set(name, value)
    try:
        yield
    finally:
        for name, earlier in before.items():
            session.conf.unset(name) if earlier is None else session.conf.set(name, earlier)
