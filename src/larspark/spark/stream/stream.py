"""A stream: micro-batches of arrivals, answers final at the watermark, the same rows as a bounded run of the same data.

Inputs are read and routed, go through one stateful operator per stage, and end in a sink that writes tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from larspark.language.calendar import TimeForm
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.read.inputs import FrameInput
from larspark.spark.read.rules import InputSource
from larspark.spark.session.workers import hand_out_kernels
from larspark.spark.stream.chain import StageChain, session_settings, with_endings
from larspark.spark.stream.checkpoint import Checkpoint, Progress
from larspark.spark.stream.ending import silence, sources_of
from larspark.spark.stream.results.sink import TableSink
from larspark.spark.stream.results.tables import FINAL, FolderTables, StreamTables, Style
from larspark.spark.stream.watermark import Waiting
from larspark.spark.write.names import argument_names, table_names, write_manifest
from larspark.write.places import check_output, mark_output
from larspark.write.times import TimeWriter

CHECKPOINT = "_checkpoint"


@dataclass(frozen=True)
class TableStream:
    """A program over a stream, into a folder of tables."""

    plan: SparkPlan
    output: Path
    lateness: int = 0
    """How many time points late an atom may arrive."""
    buckets: int = 2
    sources: tuple[InputSource, ...] = ()
    """Where the records come from, when it is known."""
    report: Callable[[Progress], None] = lambda _: None
    style: Style = FINAL
    strict: bool = False
    """Whether a bad record ends the stream."""
    points: bool = False
    """Times leave as time points, however they came."""
    tables: StreamTables | None = None
    """Where the rows go, if not into the folder."""
    counting: bool = False
    """Whether it is counted what each rule gives."""

    @property
    def checkpoint(self) -> Checkpoint:
        return Checkpoint(self.output / CHECKPOINT)

    def start(self, session: SparkSession, inputs: Sequence[FrameInput], *, once: bool = False) -> StreamingQuery:
        """Follow streaming inputs; `once`: until everything that is there now has been read."""
        check_output(self.output)
        mark_output(self.output)
        hand_out_kernels(session, self.plan)
        names = [one.name for one in self.sources]
        settings = {"lateness": self.lateness, "buckets": self.buckets, "tables": asdict(self.style), "inputs": names}
        self.checkpoint.open(self.plan, **settings)
        chain = StageChain(
            self.plan, self.buckets, self._waiting, self.style.early, strict=self.strict, counting=self.counting
        )
        addresses = chain.addresses(session)
        read = with_endings(chain.read(inputs, addresses), self.checkpoint.endings, addresses)
        calendar = self.plan.calendar
        form = self.checkpoint.form(max([calendar.form, *(one.form for one in inputs)]))
        times = TimeWriter(calendar, TimeForm.POINTS if self.points else form)
        columns = {name: argument_names(self.plan, one) for name, one in table_names(self.plan).items()}
        write_manifest(self.output, self.plan, times, columns)
        tables = self.tables or FolderTables(self.output)
        sink = TableSink(self.plan, tables, self.checkpoint, self._waiting, self.report, self.style, times)
        writer = chain.evaluated(read).writeStream.outputMode("append").foreachBatch(sink.write)
        writer = writer.option("checkpointLocation", str(self.checkpoint.of_spark))
        wanted = {**session_settings(self.buckets), "spark.sql.streaming.noDataMicroBatches.enabled": "false"}
        with _settings(session, wanted):
            return writer.trigger(availableNow=True).start() if once else writer.start()

    def finish(self, session: SparkSession) -> None:
        """The end of the data: evaluate up to the latest time seen. Atoms of that time would now be late."""
        before = self.checkpoint.last()
        if before.seen is not None and before.seen > before.watermark:
            self.checkpoint.say_ended(before)
            quiet = silence(session, sources_of(self.checkpoint.of_spark))
            self.start(session, quiet, once=True).awaitTermination()

    @property
    def _waiting(self) -> Waiting:
        return Waiting(self.lateness, tuple(number for number, one in enumerate(self.sources) if one.awaited))


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
