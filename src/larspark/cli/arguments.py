"""Options that several commands share, and what they load."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from larspark.cli.report import report
from larspark.diagnostics import Rejected
from larspark.language.parser import parse_fact
from larspark.language.tree import Duration, Program
from larspark.language.values import Value
from larspark.read import Rules
from larspark.runtime.durations import positive_duration
from larspark.runtime.prepared import Prepared, prepare

if TYPE_CHECKING:
    from larspark.runtime.recording import OpenRecording, Recording


def add_program_arguments(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    parser.add_argument("program", metavar="PROGRAM", nargs="?" if optional else None, help="a program file")
    add_meaning_arguments(parser)


def add_meaning_arguments(parser: argparse.ArgumentParser) -> None:
    """What a program leaves open."""
    parser.add_argument(
        "--const",
        action="append",
        default=[],
        type=_constant,
        metavar="NAME=VALUE",
        help="set a #const, over the program's own value",
    )
    parser.add_argument("--allow-functions", action="store_true", help="let #function run Python code of the program")


def add_clock_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--clock", type=read_duration, metavar="D", help="the length of a time point, over #clock: 1s, 250ms"
    )
    parser.add_argument(
        "--epoch",
        type=read_timestamp,
        metavar="TIMESTAMP",
        help="when time point 0 is (default: the beginning of 1970)",
    )


def add_data_arguments(parser: argparse.ArgumentParser) -> None:
    """What belongs to the data wherever it comes from."""
    parser.add_argument(
        "--timeline",
        nargs=2,
        type=read_time_point,
        metavar=("T0", "T1"),
        help="first and last time point (default: those of the data)",
    )
    parser.add_argument(
        "--background",
        action="append",
        default=[],
        metavar="B",
        help="facts that always hold: CSV, Parquet, JSON lines or facts as text",
    )


def add_stream_arguments(parser: argparse.ArgumentParser, sample_for: str = "", *, optional: bool = False) -> None:
    """The stream that is evaluated; or, optional, a sample of it `sample_for` something."""
    purpose = f"a sample {sample_for}: " if sample_for else ""
    parser.add_argument(
        "--stream",
        required=not sample_for and not optional,
        metavar="S",
        help=f"{purpose}JSON lines, CSV or Parquet; - is standard input",
    )
    add_data_arguments(parser)
    parser.add_argument(
        "--on-error", choices=("stop", "skip"), default="stop", help="what to do at a bad record (default: stop)"
    )
    add_clock_arguments(parser)


def read_duration(text: str) -> Duration:
    try:
        return positive_duration(text)
    except Rejected as rejected:
        raise argparse.ArgumentTypeError(rejected.diagnostics[0].message) from rejected


def read_timestamp(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError("an ISO-8601 timestamp, such as 2026-01-31T08:00:00Z") from error


def read_time_point(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("a time point is a natural number")
    return int(text)


def _constant(text: str) -> tuple[str, Value]:
    """`k=5` read as the atom `k(5)`: the language's own reading of names and values."""
    name, separator, value = text.partition("=")
    try:
        fact = parse_fact(f"{name.strip()}({value})")
    except Rejected as rejected:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE: {rejected.diagnostics[0].message}") from rejected
    if not separator or len(fact.args) != 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return fact.predicate, fact.args[0]


def prepared_of(arguments: argparse.Namespace, program: Program | None = None) -> Prepared:
    """The program, ready to run; its warnings go to standard error."""
    prepared = described_of(arguments, program).require()
    report(prepared.warnings, arguments.format)
    return prepared


def described_of(arguments: argparse.Namespace, program: Program | None = None) -> Prepared:
    """The program of the command line (or this one) in its meaning and background, right or wrong."""
    return prepare(
        Path(arguments.program) if program is None else program,
        clock=arguments.clock,
        epoch=arguments.epoch,
        constants=dict(arguments.const),
        background=map(Path, arguments.background),
        allow_functions=arguments.allow_functions,
    )


def load_recording(arguments: argparse.Namespace, prepared: Prepared, rules: Rules | None = None) -> Recording:
    """Read the stream onto its timeline, as the program takes it unless `rules` decide; skipped are counted."""
    with opened_recording(arguments, prepared, rules) as recording:
        return recording.read()


@contextmanager
def opened_recording(
    arguments: argparse.Namespace, prepared: Prepared, rules: Rules | None = None
) -> Iterator[OpenRecording]:
    """The same while it is read; at the end, those that were skipped are told."""
    from larspark.read import Reading, read_chunks  # noqa: PLC0415 - only data pays for columns
    from larspark.runtime.recording import OpenRecording  # noqa: PLC0415

    reading = Reading(read_chunks(arguments.stream, rules or prepared.rules), arguments.on_error)
    yield OpenRecording.on_timeline(reading, tuple(arguments.timeline) if arguments.timeline else None)
    if reading.skipped:
        report(reading.diagnostics, arguments.format)
        if arguments.format == "text":
            print(f"skipped {reading.skipped} bad record(s) of {arguments.stream}", file=sys.stderr)
