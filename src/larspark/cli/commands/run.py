"""The pipeline on Spark: read, evaluate in partitions, write a table per derived predicate.

The output folder holds one table per shown predicate: its arguments, `from` and `to` (the evaluation times at which
the atom holds, both included), and `at` for atoms about another time point. Without --master Spark runs inside this
process on all cores; a Java comes with the installation if the machine has none.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from threading import Event
from types import FrameType
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from larspark.cli.display.waiting import waiting
from larspark.cli.options.arguments import (
    add_clock_arguments,
    add_data_arguments,
    add_program_arguments,
    add_strict_argument,
    prepared_of,
    read_duration,
    read_timestamp,
    read_zone,
    tell_findings,
)
from larspark.cli.options.html import add_html_argument
from larspark.cli.options.metrics import add_metrics_argument, served_metrics
from larspark.cli.options.profiling import add_profile_argument, print_profile
from larspark.cli.options.refused import add_refused_argument, refused_file
from larspark.cli.pages.run_page import require_page, write_run_page
from larspark.cli.pages.stream_page import Tell, stream_page
from larspark.cli.pages.tick_page import add_page_argument
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import TimeForm
from larspark.language.tree import Duration
from larspark.read.values.times import time_point
from larspark.runtime.durations import in_time_points
from larspark.runtime.findings.account import Account
from larspark.runtime.manifest import InputFile, RunManifest
from larspark.runtime.prepared import Prepared
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_folder import WrittenRun, run_to_folder
from larspark.spark.bounded.to_tables import run_to_tables
from larspark.spark.interface import plan_of
from larspark.spark.pipeline_file import ENDINGS, InputSource, read_pipeline, without_secrets, wrong_entry
from larspark.spark.plan.describe import as_json, describe
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.read.following import follow_sources, growing_tables
from larspark.spark.read.growing import copied
from larspark.spark.read.tables import CATALOG, is_table
from larspark.spark.session.failures import SparkError, rejected
from larspark.spark.session.jars import jar_settings
from larspark.spark.session.session import cores, spark_session, told
from larspark.spark.session.watching import watched
from larspark.spark.stream.checkpoint import Checkpoint, Progress
from larspark.spark.stream.metrics import MetricsListener, StreamMetrics
from larspark.spark.stream.stream import CHECKPOINT, TableStream
from larspark.spark.stream.style import Style
from larspark.spark.write.database import Database, DatabaseTables
from larspark.spark.write.dead_letters import DEAD_LETTERS, letters_in
from larspark.spark.write.places import check_output, mark_output
from larspark.translations.languages import language_of

PATIENCE = 1
"""Seconds between two looks at whether a stream shall end."""

EXAMPLE = """\
  larspark run program.lars --input events.parquet --output results
  larspark run program.lars --input tram.csv --input bus.csv --output results --partitions 8
  larspark run program.lars --input events.jsonl --output results --master spark://host:7077
  larspark run program.lars --input incoming/ --output results --follow --lateness 5min
  larspark run program.lars --input mqtt://broker:1883/trams --input listen://:9000 --output results --follow
  larspark run program.lars --input events/ --output day --from 2026-03-10 --until 2026-03-11
  larspark run pipeline.yml
  larspark run program.lars --explain
"""

DEFAULTS = {"table_format": "parquet"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser)
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="S",
        help="JSON lines, CSV or Parquet: atoms, or a table named after its predicate; a folder of such files; with "
        "--follow also socket://host:port, listen://host:port, mqtt://host:port/topic; table:name of the catalog, or "
        "jdbc:…#name of a database; several are read together",
    )
    parser.add_argument("--output", metavar="O", help="where the tables go: a folder, table:schema, or jdbc:…")
    parser.add_argument("--checkpoint", metavar="FOLDER", help="with --follow into a database: where to go on from")
    parser.add_argument(
        "--jars", action="append", default=[], metavar="FILE", help="a JDBC driver, or another archive that Spark loads"
    )
    parser.add_argument("--master", metavar="M", help="the Spark master (default: all cores of this machine)")
    parser.add_argument("--partitions", type=_positive, metavar="N", help="parts of the data (default: one per core)")
    parser.add_argument("--explain", action="store_true", help="print the stages and their keys")
    parser.add_argument(
        "--table-format", choices=("parquet", "csv", "json"), default=DEFAULTS["table_format"], help="of the results"
    )
    for name, meaning in (("--from", "the first evaluation"), ("--until", "the end, which is not evaluated")):
        parser.add_argument(
            name,
            dest=name.strip("-") + "_",
            metavar="T",
            help=f"{meaning}: a time point or a timestamp; of what arrived before --from, what windows see is read",
        )
    add_refused_argument(parser)
    add_strict_argument(parser)
    parser.add_argument("--changes", action="store_true", help="write changes (+ and -) instead of intervals")
    add_html_argument(parser)
    add_data_arguments(parser)
    parser.add_argument(
        "--on-error",
        choices=("stop", "skip"),
        help="bad records stop the run, or go to the table _dead_letters (default: stop, with --follow skip)",
    )
    parser.add_argument(
        "--follow", action="store_true", help="go on with what is added to the input folders, or comes from an address"
    )
    parser.add_argument("--once", action="store_true", help="with --follow: end when everything there has been read")
    parser.add_argument(
        "--lateness", type=_span, default=0, metavar="D", help="how late an atom may arrive: 5min, or time points"
    )
    parser.add_argument(
        "--early",
        action="store_true",
        help="with --follow: also what follows up to the latest time seen; late atoms may correct it",
    )
    add_metrics_argument(parser)
    add_page_argument(parser)
    add_profile_argument(parser)
    add_clock_arguments(parser)


def _span(text: str) -> int | Duration:
    return int(text) if text.isdigit() else read_duration(text)


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError("a positive number")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    if Path(arguments.program).suffix.lower() in ENDINGS and language_of(arguments.program) is None:
        _take_from_file(arguments)
    prepared = prepared_of(arguments)
    if arguments.explain:
        return _explain(arguments, prepared)
    if not arguments.input or not arguments.output:
        print("larspark run: give --input and --output (or --explain)", file=sys.stderr)
        return 2
    try:
        return _follow(arguments, prepared) if arguments.follow else _run_bounded(arguments, prepared)
    except SparkError as error:
        raise rejected(error) from error


READERS: Mapping[str, Callable[[Any], Any]] = {
    "clock": read_duration,
    "epoch": lambda value: read_timestamp(str(value)),  # YAML makes a date of 2027-01-01
    "timezone": lambda value: read_zone(str(value)),
    "lateness": lambda value: _span(str(value)),
    "const": lambda entries: list(entries.items()),
}
"""Entries of a pipeline file that mean more than they are."""


def _take_from_file(arguments: argparse.Namespace) -> None:
    """What a pipeline file says, unless the command line says otherwise."""
    file = Path(arguments.program)
    for name, value in read_pipeline(file).items():
        said = getattr(arguments, name)
        if name == "program" or not said or said == DEFAULTS.get(name):
            try:
                setattr(arguments, name, READERS[name](value) if name in READERS else value)
            except argparse.ArgumentTypeError as error:
                message = f"The entry `{name}` cannot be {str(value)!r}: {str(error).rstrip('.')}."
                raise wrong_entry(file, name, message, "See docs/spark.md for its form.") from error


def _explain(arguments: argparse.Namespace, prepared: Prepared) -> int:
    """The stages."""
    plan = plan_of(prepared)
    print(json.dumps(as_json(plan)) if arguments.format == "json" else "\n".join(describe(plan)))
    return 0


def _run_bounded(arguments: argparse.Namespace, prepared: Prepared) -> int:
    if arguments.html:
        require_page(arguments.input, arguments.table_format, arguments.changes)
    began = time.monotonic()
    with refused_file(arguments, prepared.rules) as file:
        done = _to_tables(arguments, prepared) if is_table(arguments.output) else _to_folder(arguments, prepared)
        for letter in done.letters:
            file.take_letter(*letter)
    seconds = round(time.monotonic() - began, 2)
    refused = sum(done.refused.values())
    span = f"from {done.times.text(done.start)} to {done.times.text(done.end)}"
    _progress(arguments, f"{done.arrivals} atoms {span}, {refused} bad records")
    tell_findings(done.findings, arguments)
    empty = [name for name, count in done.rows.items() if not count]
    if empty and not done.findings:
        _progress(
            arguments, f"no rule ever fired for {', '.join(empty)} (`larspark why-not ATOM --run FOLDER` tells why)"
        )
    for note in done.notes:
        _progress(arguments, note)
    if arguments.format == "json":
        result = {"atoms": done.arrivals, "refused": refused, "from": done.start, "to": done.end}
        found = {name: {"rows": count, "path": str(done.places[name])} for name, count in done.rows.items()}
        print(json.dumps({**result, "reasons": done.refused, "seconds": seconds, "tables": found}))
    else:
        for name, count in done.rows.items():
            print(f"{count:>9}  {name}  {done.places[name]}")
        if refused:
            why = ", ".join(f"{code} {count}" for code, count in done.refused.items())
            print(f"{refused:>9}  {DEAD_LETTERS}  {done.places[DEAD_LETTERS]}  ({why})")
        print(f"done in {seconds} s")
    if arguments.html:
        tables = {name: Path(place) for name, place in done.places.items() if name in done.rows}
        write_run_page(prepared, Path(arguments.program), arguments.input, tables, Path(arguments.html), done.profile)
        _progress(arguments, f"wrote {arguments.html}")
    if done.profile is not None:
        print_profile(done.profile, arguments.format)
    return 0


def _to_folder(arguments: argparse.Namespace, prepared: Prepared) -> WrittenRun:
    folder = Path(arguments.output)
    check_output(folder)
    plan, options = plan_of(prepared), _options(arguments, prepared)
    session = _session(arguments)
    with waiting(told=arguments.format == "text") as tell, watched(session, folder, tell):
        done = run_to_folder(session, plan, arguments.input, folder, options)
    _manifest(arguments, prepared, (done.start, done.end)).write(folder)
    return done


def _to_tables(arguments: argparse.Namespace, prepared: Prepared) -> WrittenRun:
    if arguments.html or arguments.profile:
        message = "Pages and profiles are made of the tables of a folder."
        raise Rejected([Diagnostic("E604", message, "Leave out --html and --profile, or name a folder.")])
    plan, options = plan_of(prepared), _options(arguments, prepared)
    return run_to_tables(_session(arguments), plan, arguments.input, arguments.output, options)


def _session(arguments: argparse.Namespace) -> SparkSession:
    """With the archives that the inputs and the output need."""
    places = [one.path for one in _sources(arguments)] + [arguments.output]
    session = spark_session(arguments.master, jar_settings(arguments.jars, places))
    _progress(arguments, told(session))
    return session


def _manifest(arguments: argparse.Namespace, prepared: Prepared, timeline: tuple[int, int] | None) -> RunManifest:
    """What the results are about, for `larspark why --run`."""
    inputs = [
        InputFile(
            without_secrets(one.path) if "://" in one.path or is_table(one.path) else str(Path(one.path).resolve()),
            one.predicate,
            one.columns,
            one.time,
        )
        for one in _sources(arguments)
    ]
    on_error = arguments.on_error or "stop"
    return RunManifest.of(arguments.program, prepared, inputs, timeline, arguments.background, on_error)


def _options(arguments: argparse.Namespace, prepared: Prepared) -> RunOptions:
    return RunOptions(
        tuple(arguments.timeline) if arguments.timeline else None,
        arguments.partitions,
        arguments.on_error or "stop",
        arguments.table_format,
        arguments.changes,
        _evaluations(arguments, prepared),
        arguments.profile,
        arguments.times == "points",
        bool(arguments.refused),
        arguments.strict,
    )


def _evaluations(arguments: argparse.Namespace, prepared: Prepared) -> tuple[int, int] | None:
    """What --from and --until say."""
    said = (arguments.from_, arguments.until_)
    if said == (None, None):
        return None
    if None in said or arguments.timeline:
        message = "A part of the time has a beginning and an end."
        raise Rejected([Diagnostic("E615", message, "Give both --from and --until, and no --timeline.")])
    found = [time_point(one, prepared.calendar) for one in said]
    if wrong := [one for one in found if isinstance(one, Diagnostic)]:
        raise Rejected(wrong)
    begin, end = (one for one in found if isinstance(one, int))
    return begin, end - 1


def _follow(arguments: argparse.Namespace, prepared: Prepared) -> int:
    output = _stream_folder(arguments)
    check_output(output)
    plan = plan_of(prepared)
    session = _session(arguments)
    if arguments.refused:
        arguments.on_error = "skip"
    checkpoint = Checkpoint(output / CHECKPOINT)
    journals = checkpoint.journals
    sources = _sources(arguments)
    growing = growing_tables(session, sources, journals)
    if growing:
        mark_output(output)  # their rows are copied into it before the stream begins
    with (
        copied(growing, checkpoint.of_spark, once=arguments.once),
        stream_page(arguments, prepared, [one.name for one in sources]) as tell,
        _figures(arguments, session, plan, sources) as note,
    ):
        inputs = follow_sources(session, sources, plan.vocabulary, journals)
        stream = TableStream(
            plan,
            output,
            in_time_points(arguments.lateness, prepared.calendar),
            arguments.partitions or cores(session),
            tuple(sources),
            partial(_report, arguments, (tell, note)),
            Style(early=arguments.early, changes=arguments.changes),
            arguments.on_error == "stop",
            arguments.times == "points",
            _database_tables(arguments, session, output),
            counting=arguments.page is not None,
        )
        query = stream.start(session, inputs, once=arguments.once)
        _manifest(arguments, prepared, None).write(output)
        if not _ended(query):
            query.stop()
        elif arguments.once:
            stream.finish(session)
    tell_findings(_findings_of_stream(plan, checkpoint), arguments)
    with refused_file(arguments, prepared.rules) as file:
        for letter in letters_in(output / DEAD_LETTERS) if arguments.refused else ():
            file.take_letter(*letter)
    return 0


def _ended(query: StreamingQuery) -> bool:
    """Wait for a stream: False when Ctrl-C or a polite kill came first, which must not tear up a call to the JVM."""
    asked = Event()

    def on_signal(_signal: int, _frame: FrameType | None) -> None:
        if asked.is_set():
            raise KeyboardInterrupt  # asked twice: at once
        asked.set()

    before = {one: signal.signal(one, on_signal) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        while not (ended := bool(query.awaitTermination(PATIENCE))) and not asked.is_set():
            pass
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
    return ended


def _findings_of_stream(plan: SparkPlan, checkpoint: Checkpoint) -> list[Diagnostic]:
    """What is odd about everything that has come so far."""
    now, form = checkpoint.last(), max(plan.calendar.form, checkpoint.form(TimeForm.POINTS))
    span = None if now.first is None or now.seen is None else (now.first, now.seen)
    return Account.counted(plan.analysis, plan.calendar, now.fed, span).findings(form)


@contextmanager
def _figures(
    arguments: argparse.Namespace, session: SparkSession, plan: SparkPlan, sources: list[InputSource]
) -> Iterator[Callable[[Progress], None]]:
    """What --metrics tells, after every micro-batch."""
    with served_metrics(arguments) as metrics:
        if metrics is None:
            yield lambda _now: None
            return
        listener = MetricsListener(metrics)
        session.streams.addListener(listener)
        try:
            yield StreamMetrics(metrics, plan, sources, in_time_points(arguments.lateness, plan.calendar)).take
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


def _sources(arguments: argparse.Namespace) -> list[InputSource]:
    return [InputSource(one) if isinstance(one, str) else one for one in arguments.input]


def _report(arguments: argparse.Namespace, told: Sequence[Tell], now: Progress) -> None:
    for tell in told:
        tell(now)
    if arguments.format == "json":
        print(json.dumps({**asdict(now), "seen": now.seen}), flush=True)
        return
    behind = (now.seen or 0) - now.watermark
    dead = f", {now.refused} bad, {now.late} late" if now.refused or now.late else ""
    print(f"{now.arrivals} atoms{dead}; final up to {now.watermark}, {behind} behind; {now.rows} intervals", flush=True)


def _progress(arguments: argparse.Namespace, text: str) -> None:
    if arguments.format == "text":
        print(text, file=sys.stderr)
