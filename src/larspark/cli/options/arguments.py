"""Options that several commands share, and what they load."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from larspark.cli.display.report import report
from larspark.cli.options.refused import refused_file
from larspark.diagnostics import Diagnostic, Rejected, refuse_warnings
from larspark.language.calendar import Calendar, TimeForm
from larspark.language.parser import parse_fact
from larspark.language.tree import Duration, Program
from larspark.language.values import Value
from larspark.read import Rules
from larspark.runtime.atoms import time_of
from larspark.runtime.durations import positive_duration
from larspark.runtime.prepared import Prepared, prepare, zone_of
from larspark.translations.languages import language_of, load_program

if TYPE_CHECKING:
    from larspark.read import Chunk
    from larspark.runtime.findings.account import Account
    from larspark.runtime.recording import OpenRecording, Recording
    from larspark.write.times import TimeWriter


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
    parser.add_argument(
        "--timezone",
        type=read_zone,
        metavar="ZONE",
        help="the zone of timestamps that name none, over #timezone: Europe/Vienna (default: that of --epoch, or UTC)",
    )
    add_times_argument(parser)


def add_times_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--times",
        choices=("as-given", "points"),
        default="as-given",
        help="times leave as timestamps where they came so or --epoch is given (the default), or as time points",
    )


def add_data_arguments(parser: argparse.ArgumentParser) -> None:
    """What belongs to the data wherever it comes from."""
    parser.add_argument(
        "--timeline",
        nargs=2,
        type=read_time,
        metavar=("T0", "T1"),
        help="first and last time point, or timestamps (default: those of the data)",
    )
    parser.add_argument(
        "--background",
        action="append",
        default=[],
        metavar="B",
        help="facts that always hold: CSV, Parquet, JSON lines or facts as text",
    )


def add_strict_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--strict", action="store_true", help="warnings about the program and its data are errors")


def add_stream_arguments(parser: argparse.ArgumentParser, sample_for: str = "", *, optional: bool = False) -> None:
    """The stream that is evaluated; or, optional, a sample of it `sample_for` something."""
    purpose = f"a sample {sample_for}: " if sample_for else ""
    parser.add_argument(
        "--stream",
        "--input",
        dest="stream",
        required=not sample_for and not optional,
        metavar="S",
        help=f"{purpose}JSON lines, CSV or Parquet; - is standard input",
    )
    add_data_arguments(parser)
    parser.add_argument(
        "--on-error", choices=("stop", "skip"), default="stop", help="what to do at a bad record (default: stop)"
    )
    add_strict_argument(parser)
    add_clock_arguments(parser)


def read_duration(text: str) -> Duration:
    try:
        return positive_duration(text)
    except Rejected as rejected:
        found = rejected.diagnostics[0]
        raise argparse.ArgumentTypeError(f"{found.message} {found.hint}") from rejected


def read_timestamp(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError("an ISO-8601 timestamp, such as 2026-01-31T08:00:00Z") from error


def read_zone(text: str) -> tzinfo:
    try:
        return zone_of(text)
    except Rejected as rejected:
        found = rejected.diagnostics[0]
        raise argparse.ArgumentTypeError(f"{found.message} {found.hint}") from rejected


def read_time(text: str) -> int | datetime:
    """A time point, or a moment that `settle_times` turns into one."""
    if text.isdecimal():
        return int(text)
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        message = f"`{text}` is neither a time point, such as 36, nor a timestamp, such as 2026-01-31T08:00:00Z"
        raise argparse.ArgumentTypeError(message) from error


def settle_times(arguments: argparse.Namespace, calendar: Calendar) -> None:
    """Moments on the command line become time points."""
    if getattr(arguments, "at", None) is not None:
        arguments.at = time_of(arguments.at, calendar)
    if getattr(arguments, "timeline", None):
        arguments.timeline = [time_of(one, calendar) for one in arguments.timeline]


def times_of(arguments: argparse.Namespace, calendar: Calendar, recorded: TimeForm = TimeForm.POINTS) -> TimeWriter:
    """How times leave: as they came, unless time points are wanted."""
    from larspark.write.times import TimeWriter  # noqa: PLC0415 - only answers pay for columns

    wanted = arguments.times == "as-given"
    return TimeWriter(calendar, max(calendar.form, recorded) if wanted else TimeForm.POINTS)


def answer_times(arguments: argparse.Namespace, prepared: Prepared, recorded: TimeForm) -> TimeWriter:
    """The same with the arguments that are times, by what the program tells."""
    times = times_of(arguments, prepared.calendar, recorded)
    if not times.stamped:
        return times
    return replace(times, places=prepared.time_places)


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
    tell_findings(prepared.warnings, arguments)
    return prepared


def loaded_program(path: str, arguments: argparse.Namespace) -> Program:
    """The program of a file among several; what its translation changes goes to standard error."""
    loaded = load_program(path, arguments.clock)
    tell_findings(loaded.changes, arguments)
    return loaded.program


def described_of(arguments: argparse.Namespace, program: Program | None = None) -> Prepared:
    """The program of the command line (or this one) in its meaning and background, right or wrong."""
    is_yaml = program is None and Path(arguments.program).suffix.lower() in (".yml", ".yaml")
    if is_yaml and language_of(arguments.program) is None:
        hint = f"Ask `larspark run {arguments.program} --explain`, or name the program file itself."
        raise Rejected([Diagnostic("E606", f"`{arguments.program}` is a pipeline file, not a program.", hint)])
    prepared = prepare(
        Path(arguments.program) if program is None else program,
        clock=arguments.clock,
        epoch=arguments.epoch,
        timezone=arguments.timezone,
        constants=dict(arguments.const),
        background=map(Path, arguments.background),
        allow_functions=arguments.allow_functions,
    )
    settle_times(arguments, prepared.calendar)
    return prepared


def account_of(prepared: Prepared) -> Account:
    from larspark.runtime.findings.account import Account  # noqa: PLC0415 - only data pays for columns

    return Account(prepared.analysis, prepared.calendar)


def _counted(chunks: Iterable[Chunk], account: Account) -> Iterator[Chunk]:
    """The same chunks, of which the account takes note."""
    for chunk in chunks:
        account.take(chunk.blocks)
        yield chunk


def tell_findings(findings: Sequence[Diagnostic], arguments: argparse.Namespace) -> None:
    """Warnings about data, with --strict they are errors; and notes, which never are."""
    if getattr(arguments, "strict", False):
        refuse_warnings(findings)
    report(findings, arguments.format)


def load_recording(arguments: argparse.Namespace, prepared: Prepared, rules: Rules | None = None) -> Recording:
    """Read the stream onto its timeline, as the program takes it unless `rules` decide; skipped are counted."""
    with opened_recording(arguments, prepared, rules) as recording:
        return recording.read()


@contextmanager
def opened_recording(
    arguments: argparse.Namespace, prepared: Prepared, rules: Rules | None = None, account: Account | None = None
) -> Iterator[OpenRecording]:
    """The same while it is read; at the end, those that were skipped are told, and what is odd about the data."""
    from larspark.read import CheckedChunks, read_chunks  # noqa: PLC0415 - only data pays for columns
    from larspark.runtime.recording import OpenRecording  # noqa: PLC0415

    account = account_of(prepared) if account is None and rules is None else account
    with refused_file(arguments, prepared.rules) as refused:
        chunks = read_chunks(arguments.stream, rules or prepared.rules)
        reading = CheckedChunks(chunks, arguments.on_error, refused.take)
        taken = reading if account is None else _counted(reading, account)
        recording = OpenRecording.on_timeline(taken, tuple(arguments.timeline) if arguments.timeline else None)
        yield recording
    if account is not None:
        tell_findings(account.findings(max(recording.form, prepared.calendar.form)), arguments)
    if reading.skipped:
        report(reading.diagnostics, arguments.format)
        if arguments.format == "text":
            print(f"skipped {reading.skipped} bad record(s) of {arguments.stream}", file=sys.stderr)
