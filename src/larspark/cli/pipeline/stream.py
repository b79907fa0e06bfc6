"""A pipeline over data that goes on, until Ctrl-C or a polite kill ends it between two looks."""

from __future__ import annotations

import argparse
import json
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from time import monotonic
from types import FrameType

from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from larspark.cli.options.arguments import tell_findings, times_of
from larspark.cli.options.metrics import served_metrics
from larspark.cli.options.refused import refused_file
from larspark.cli.pages.stream_page import Tell, stream_page
from larspark.cli.pipeline.session import manifest_of, say, session_of, sources_of
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.printing.terms import show_term
from larspark.monitoring.metrics import Metrics
from larspark.runtime.durations import in_time_points
from larspark.runtime.findings.account import Account
from larspark.runtime.prepared import Prepared
from larspark.spark.interface import plan_of
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.read.following import follow_sources, growing_tables
from larspark.spark.read.growing import copied
from larspark.spark.read.rules import InputSource
from larspark.spark.read.tables import CATALOG, is_table
from larspark.spark.session.session import cores
from larspark.spark.stream.checkpoint import Checkpoint, Progress
from larspark.spark.stream.metrics import MetricsListener, StreamMetrics
from larspark.spark.stream.results.tables import Style
from larspark.spark.stream.stream import CHECKPOINT, TableStream
from larspark.spark.write.database import Database, DatabaseTables
from larspark.spark.write.dead_letters import DEAD_LETTERS, letters_in
from larspark.write.places import check_output, mark_output
from larspark.write.times import TimeWriter

PATIENCE = 1
"""Seconds between two looks at whether a stream shall end."""


def follow(arguments: argparse.Namespace, prepared: Prepared) -> int:
    output = _stream_folder(arguments)
    check_output(output)
    plan = plan_of(prepared)
    if arguments.refused:
        arguments.on_error = "skip"
    checkpoint = Checkpoint(output / CHECKPOINT)
    sources = sources_of(arguments)
    times = partial(_times, arguments, plan, checkpoint)
    with (  # a port that is in use is told before Spark starts
        served_metrics(arguments) as metrics,
        stream_page(arguments, prepared, [one.name for one in sources]) as tell,
    ):
        session = session_of(arguments)
        growing = growing_tables(session, sources, checkpoint.journals)
        if growing:
            mark_output(output)  # their rows are copied into it before the stream begins
        lateness = in_time_points(arguments.lateness, prepared.calendar)
        with (
            copied(growing, checkpoint.of_spark, once=arguments.once),
            _figures(metrics, session, plan, sources, lateness, times) as note,
        ):
            inputs = follow_sources(session, sources, plan.vocabulary, checkpoint.journals)
            stream = TableStream(
                plan,
                output,
                lateness,
                arguments.partitions or cores(session),
                tuple(sources),
                partial(_report, arguments, (tell, note), times),
                Style(early=arguments.early, changes=arguments.changes),
                arguments.on_error == "stop",
                arguments.times == "points",
                _database_tables(arguments, session, output),
                counting=arguments.page is not None,
            )
            query = stream.start(session, inputs, once=arguments.once)
            for source in filter(_is_empty_folder, sources):
                kinds = "for CSV or Parquet, put a first file there before the stream begins"
                say(arguments, f"`{source.path}` is empty, and is taken to get JSON lines ({kinds})")
            manifest_of(arguments, prepared, None).write(output)
            if not ended(query):
                query.stop()
            elif arguments.once:
                stream.finish(session)
    tell_findings(_findings_of_stream(plan, checkpoint), arguments)
    with refused_file(arguments, prepared.rules) as file:
        for letter in letters_in(output / DEAD_LETTERS) if arguments.refused else ():
            file.take_letter(*letter)
    return 0


def _is_empty_folder(source: InputSource) -> bool:
    place = Path(source.path)
    return not source.format and place.is_dir() and not any(place.iterdir())


def ended(query: StreamingQuery) -> bool:
    """Wait for a stream: False when Ctrl-C or a polite kill came first, which must not tear up a call to the JVM."""
    asked: list[float] = []

    def on_signal(_signal: int, _frame: FrameType | None) -> None:
        asked.append(monotonic())
        if asked[-1] - asked[0] > PATIENCE:  # asked again: at once; `timeout` asks a process and its group in one go
            raise KeyboardInterrupt

    before = {one: signal.signal(one, on_signal) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        while not (ended := bool(query.awaitTermination(PATIENCE))) and not asked:
            pass
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
    return ended


def _findings_of_stream(plan: SparkPlan, checkpoint: Checkpoint) -> list[Diagnostic]:
    """What is odd about everything that has come so far."""
    now, form = checkpoint.last(), max(plan.calendar.form, checkpoint.known_form)
    span = None if now.first is None or now.seen is None else (now.first, now.seen)
    return Account.counted(plan.analysis, plan.calendar, now.fed, span).findings(form)


@contextmanager
def _figures(
    metrics: Metrics | None,
    session: SparkSession,
    plan: SparkPlan,
    sources: list[InputSource],
    lateness: int,
    times: Callable[[], TimeWriter],
) -> Iterator[Callable[[Progress], None]]:
    """What --metrics tells, after every micro-batch."""
    if metrics is None:
        yield lambda _now: None
        return
    listener = MetricsListener(metrics)
    session.streams.addListener(listener)
    try:
        yield StreamMetrics(metrics, plan, sources, lateness, times).take
    finally:
        session.streams.removeListener(listener)


def _stream_folder(arguments: argparse.Namespace) -> Path:
    """Where a stream is gone on from: beside its tables, unless these are elsewhere."""
    if arguments.output.startswith(CATALOG):
        message = "A stream into tables of the catalog is one of DataFrames."
        hint = "`reason(program, frames)['alarm'].writeStream.option('checkpointLocation', …).toTable('alarm')`."
        raise Rejected([Diagnostic("E604", message, hint)])
    if not is_table(arguments.output):
        return Path(arguments.output)
    if not arguments.checkpoint:
        message = "A stream into a database needs a folder for what it has to go on from."
        raise Rejected([Diagnostic("E606", message, "Add `--checkpoint FOLDER`.")])
    return Path(arguments.checkpoint)


def _database_tables(arguments: argparse.Namespace, session: SparkSession, folder: Path) -> DatabaseTables | None:
    if not is_table(arguments.output):
        return None
    tables = DatabaseTables(Database(session, arguments.output), Checkpoint(folder / CHECKPOINT).identity)
    tables.open()
    return tables


def _times(arguments: argparse.Namespace, plan: SparkPlan, checkpoint: Checkpoint) -> TimeWriter:
    """How times are written by now."""
    return times_of(arguments, plan.calendar, checkpoint.known_form)


def _report(
    arguments: argparse.Namespace, told: Sequence[Tell], times: Callable[[], TimeWriter], now: Progress
) -> None:
    for tell in told:
        tell(now)
    if arguments.format == "json":
        print(json.dumps({**asdict(now), "seen": now.seen}), flush=True)
        return
    print(progress_line(now, times()), flush=True)


def progress_line(now: Progress, times: TimeWriter) -> str:
    """`7 atoms; final up to 2026-03-10T08:24:00, 6 min behind; 4 intervals`."""
    dead = f", {now.refused} bad, {now.late} late" if now.refused or now.late else ""
    over = now.first is not None and now.watermark >= now.first
    final = f"final up to {times.text(now.watermark)}" if over else "nothing is final yet"
    clock = times.calendar.clock
    behind = show_term(replace(clock, amount=clock.amount * now.behind)) if times.stamped else str(now.behind)
    return f"{now.arrivals} atoms{dead}; {final}, {behind} behind; {now.rows} intervals"
