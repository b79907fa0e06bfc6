"""Options that several commands share, and what they load."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from larspark.analysis.pipeline import Analysis, analyse
from larspark.analysis.rewrites.optimise import optimise
from larspark.cli.report import report
from larspark.diagnostics import Rejected
from larspark.kinships.languages import load_program
from larspark.language.calendar import Calendar
from larspark.language.evaluate import Functions
from larspark.language.facts import Fact
from larspark.language.parser import parse_duration, parse_fact
from larspark.language.resolve import clock_of
from larspark.language.tree import Duration, Input, Program
from larspark.language.values import Value
from larspark.reasoners.protocol import Reasoner
from larspark.reasoners.registry import make_reasoner
from larspark.runtime.admission import Admission
from larspark.runtime.formats import read_background, read_backgrounds, read_stream
from larspark.runtime.formats.streams import Objection, no_objection
from larspark.runtime.functions import import_functions
from larspark.runtime.recording import Recording


def add_program_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("program", metavar="PROGRAM", help="a program file")
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


def add_stream_arguments(parser: argparse.ArgumentParser, sample_for: str = "") -> None:
    """The stream that is evaluated; or, optional, a sample of it `sample_for` something."""
    purpose = f"a sample {sample_for}: " if sample_for else ""
    parser.add_argument(
        "--stream",
        required=not sample_for,
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
        duration = parse_duration(text)
    except Rejected as rejected:
        raise argparse.ArgumentTypeError(rejected.diagnostics[0].message) from rejected
    if duration.milliseconds == 0:
        raise argparse.ArgumentTypeError("a time point has a positive length")
    return duration


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


@dataclass(frozen=True)
class Task:
    """A program that passed the analysis, with everything it is evaluated in."""

    analysis: Analysis
    background: tuple[Fact, ...]
    functions: Functions
    calendar: Calendar

    def reasoner(self, name: str, start: int) -> Reasoner:
        return make_reasoner(
            name, self.analysis, self.background, start, functions=self.functions, calendar=self.calendar
        )

    def optimised(self, rewrites: Collection[str]) -> Task:
        """The task as these rewrites leave its program; what may arrive is told by the program as written."""
        plan = optimise(self.analysis.program, rewrites)
        background, functions = self.analysis.background, self.analysis.allow_functions
        return replace(self, analysis=analyse(plan.program, background=background, allow_functions=functions).require())


def load_task(arguments: argparse.Namespace) -> Task:
    """Parse and analyse the program, read its background data; warnings go to standard error."""
    return task_of(load_program(arguments.program, arguments.clock), arguments)


def task_of(program: Program, arguments: argparse.Namespace) -> Task:
    background = load_background(arguments)
    analysis = analyse(
        program,
        clock=arguments.clock,
        constants=dict(arguments.const),
        background={fact.signature for fact in background},
        allow_functions=arguments.allow_functions,
    ).require()
    report(analysis.diagnostics, arguments.format)
    functions = import_functions(analysis.program) if arguments.allow_functions else {}
    facts = (*read_backgrounds(analysis.program), *background)
    return Task(analysis, facts, functions, calendar_of(arguments, analysis.program))


def load_background(arguments: argparse.Namespace) -> tuple[Fact, ...]:
    return tuple(fact for path in arguments.background for fact in read_background(path))


def calendar_of(arguments: argparse.Namespace, program: Program) -> Calendar:
    """Where time point 0 is: `--epoch`, or the beginning of 1970."""
    clock = clock_of(program)
    return Calendar(arguments.epoch, clock) if arguments.epoch else Calendar(clock=clock)


def load_recording(
    arguments: argparse.Namespace,
    calendar: Calendar,
    analysis: Analysis | None = None,
    objection: Objection = no_objection,
) -> Recording:
    """Read the stream onto its timeline, for a program if one is given; skipped records are counted."""
    directives = analysis.program.directives if analysis else ()
    stream = read_stream(
        arguments.stream,
        calendar=calendar,
        on_error=arguments.on_error,
        inputs=[directive for directive in directives if isinstance(directive, Input)],
        objection=_admitting(analysis) if analysis else objection,
    )
    if stream.skipped:
        report(stream.diagnostics, arguments.format)
        if arguments.format == "text":
            print(f"skipped {stream.skipped} bad record(s) of {arguments.stream}", file=sys.stderr)
    return Recording.on_timeline(stream.arrivals, tuple(arguments.timeline) if arguments.timeline else None)


def _admitting(analysis: Analysis) -> Objection:
    admission = Admission(analysis)
    return lambda fact, _: admission.objection(fact)
