"""The pipeline on Spark: read, evaluate in partitions, write a table per derived predicate.

The output folder holds one table per shown predicate: its arguments, `from` and `to` (the evaluation times at which
the atom holds, both included), and `at` for atoms about another time point. Without --master Spark runs inside this
process on all cores; a Java comes with the installation if the machine has none.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from larspark.cli.display.waiting import waiting
from larspark.cli.options.arguments import (
    add_clock_arguments,
    add_data_arguments,
    add_program_arguments,
    prepared_of,
    read_duration,
    read_timestamp,
    read_zone,
)
from larspark.cli.options.html import add_html_argument
from larspark.cli.options.profiling import add_profile_argument, print_profile
from larspark.cli.pages.run_page import require_page, write_run_page
from larspark.cli.pages.stream_page import Tell, stream_page
from larspark.cli.pages.tick_page import add_page_argument
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.tree import Duration
from larspark.read.values.times import time_point
from larspark.runtime.durations import in_time_points
from larspark.runtime.manifest import InputFile, RunManifest
from larspark.runtime.prepared import Prepared
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_folder import run_to_folder
from larspark.spark.interface import plan_of
from larspark.spark.pipeline_file import ENDINGS, InputSource, read_pipeline
from larspark.spark.plan.describe import as_json, describe
from larspark.spark.read.following import follow_sources
from larspark.spark.session.failures import SparkError, rejected
from larspark.spark.session.session import cores, spark_session, told
from larspark.spark.session.watching import watched
from larspark.spark.stream.checkpoint import Checkpoint, Progress
from larspark.spark.stream.stream import CHECKPOINT, TableStream
from larspark.spark.stream.style import Style
from larspark.spark.write.dead_letters import DEAD_LETTERS
from larspark.spark.write.places import check_output
from larspark.translations.languages import language_of

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
        "--follow also socket://host:port, listen://host:port, mqtt://host:port/topic; several are read together",
    )
    parser.add_argument("--output", metavar="O", help="the folder for the result tables")
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
    for name, value in read_pipeline(Path(arguments.program)).items():
        said = getattr(arguments, name)
        if name == "program" or not said or said == DEFAULTS.get(name):
            try:
                setattr(arguments, name, READERS[name](value) if name in READERS else value)
            except argparse.ArgumentTypeError as error:
                message = f"The entry `{name}` cannot be {value!r}: {error}."
                raise Rejected([Diagnostic("E606", message, "See docs/spark.md for its form.")]) from error


def _explain(arguments: argparse.Namespace, prepared: Prepared) -> int:
    """The stages."""
    plan = plan_of(prepared)
    print(json.dumps(as_json(plan)) if arguments.format == "json" else "\n".join(describe(plan)))
    return 0


def _run_bounded(arguments: argparse.Namespace, prepared: Prepared) -> int:
    folder = Path(arguments.output)
    if arguments.html:
        require_page(arguments.input, arguments.table_format, arguments.changes)
    check_output(folder)
    plan = plan_of(prepared)
    session = spark_session(arguments.master)
    _progress(arguments, told(session))
    began = time.monotonic()
    with waiting(told=arguments.format == "text") as tell, watched(session, folder, tell):
        done = run_to_folder(session, plan, arguments.input, folder, _options(arguments, prepared))
    _manifest(arguments, prepared, (done.start, done.end)).write(folder)
    seconds = round(time.monotonic() - began, 2)
    refused = sum(done.refused.values())
    span = f"from {done.times.text(done.start)} to {done.times.text(done.end)}"
    _progress(arguments, f"{done.arrivals} atoms {span}, {refused} bad records")
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
        tables = {name: place for name, place in done.places.items() if name in done.rows}
        write_run_page(prepared, Path(arguments.program), arguments.input, tables, Path(arguments.html), done.profile)
        _progress(arguments, f"wrote {arguments.html}")
    if done.profile is not None:
        print_profile(done.profile, arguments.format)
    return 0


def _manifest(arguments: argparse.Namespace, prepared: Prepared, timeline: tuple[int, int] | None) -> RunManifest:
    """What the results are about, for `larspark why --run`."""
    inputs = [
        InputFile(
            one.path if "://" in one.path else str(Path(one.path).resolve()), one.predicate, one.columns, one.time
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
    output = Path(arguments.output)
    check_output(output)
    plan = plan_of(prepared)
    session = spark_session(arguments.master)
    _progress(arguments, told(session))
    journals = Checkpoint(output / CHECKPOINT).journals
    sources = _sources(arguments)
    inputs = follow_sources(session, sources, plan.vocabulary, journals)
    with stream_page(arguments, prepared, [source.name for source in sources]) as tell:
        stream = TableStream(
            plan,
            output,
            in_time_points(arguments.lateness, prepared.calendar),
            arguments.partitions or cores(session),
            tuple(sources),
            partial(_report, arguments, tell),
            Style(early=arguments.early, changes=arguments.changes),
            arguments.on_error == "stop",
            arguments.times == "points",
        )
        query = stream.start(session, inputs, once=arguments.once)
        _manifest(arguments, prepared, None).write(output)
        try:
            query.awaitTermination()
            if arguments.once:
                stream.finish(session)
        except KeyboardInterrupt:
            query.stop()
    return 0


def _sources(arguments: argparse.Namespace) -> list[InputSource]:
    return [InputSource(one) if isinstance(one, str) else one for one in arguments.input]


def _report(arguments: argparse.Namespace, tell: Tell, now: Progress) -> None:
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
