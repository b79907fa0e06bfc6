"""Keep a program current while atoms arrive, and write what holds.

Input lines are `a(1); b(x)`, `@36 a(1); b(x)` with a time point, or JSON objects as in recorded streams. The first
line decides: with times, time passes as the lines say; without, by the wall clock. The run ends with its input, or
with Ctrl-C, and says on standard error what it did. Options are those of the Ticker engine, and some more.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TypeVar

from larspark.analysis.pipeline import Analysis
from larspark.cli.arguments import (
    add_meaning_arguments,
    prepared_of,
    read_duration,
    read_time_point,
    read_timestamp,
)
from larspark.cli.outlook import add_outlook_arguments
from larspark.cli.tick_disagreement import describe
from larspark.cli.tick_goals import Goals, stamping_of
from larspark.cli.tick_log import LEVELS, log_to_standard_error
from larspark.cli.tick_page import Watch, add_page_argument, page_beside, stay, unwatched
from larspark.diagnostics import Rejected
from larspark.kinships.languages import load_program
from larspark.language.tree import Duration, Program
from larspark.read.rules import no_objection
from larspark.reasoners.protocol import Reasoner
from larspark.reasoners.registry import REASONERS
from larspark.runtime.prepared import Prepared
from larspark.runtime.tick.agreement import AgreeingReasoner, Disagreement
from larspark.runtime.tick.clock import Pace, WallClock
from larspark.runtime.tick.engine import TickEngine
from larspark.runtime.tick.output import Filter, Output, no_filter, only_inferences, only_predicates
from larspark.runtime.tick.renderings import ModelJson, ModelText, Rendering, changes_as_json, changes_as_text
from larspark.runtime.tick.runner import Runner, Setup, TimeFrom
from larspark.runtime.tick.sinks import Sink, Slow, SocketSink, StreamSink
from larspark.runtime.tick.sources import FilesSource, SocketSource, Source, stdin_source
from larspark.runtime.tick.timing import read_timing

EXAMPLE = """\
  larspark tick -p examples/machines.lars -i examples/machines.jsonl
  larspark tick -p examples/foresight/overheating.lars -i examples/foresight/overheating.jsonl --foresee 'alarm(X)'
  larspark tick -p core.lars,domain.lars -c 250ms -e time -i stdin,socket:9999 -o socket:9998 --format json
"""

INCREMENTAL = "incremental"
"""The name Ticker gives to its default reasoner; here, the first of these that takes the program."""
PREFERENCE = ("interval", "jtms", "answer-update", "clingo")

Parsed = TypeVar("Parsed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    reasoners = (INCREMENTAL, *REASONERS)
    add("-p", "--program", type=_listed, required=True, metavar="FILE,…", help="files with rules, read as one program")
    add("-r", "--reasoner", choices=reasoners, default=INCREMENTAL, help="default: the fastest that takes the program")
    add("-f", "--filter", type=_filter, default="none", metavar="none|inferences|PREDICATE,…", help="what is written")
    add(
        "-c",
        "--clock",
        type=read_duration,
        metavar="D",
        help="length of a time point (default: #clock, or 1s)",
    )
    add(
        "-e",
        "--outputEvery",
        type=_checked(_every),
        default="change",
        metavar="change|signal|time|Nsignals|D",
        help="when: on every change (default), after every or N signals, at every time point or after a duration",
    )
    add("-i", "--input", type=_endpoints, default=["stdin"], metavar="SOURCE,…", help="stdin, socket:PORT or files")
    add("-o", "--output", type=_endpoints, default=["stdout"], metavar="SINK,…", help="stdout, socket:PORT or files")
    add("-l", "--logLevel", choices=tuple(LEVELS), default="warn", help="what is told on standard error")
    add("--print", choices=("model", "changes"), default="model", help="write what holds (default) or what changed")
    add("--time", choices=tuple(TimeFrom), default=TimeFrom.AUTO, help="where times come from (default: auto)")
    add("--start", type=read_time_point, metavar="T0", help="first time point (default: that of the first line, or 0)")
    add(
        "--epoch",
        type=read_timestamp,
        metavar="TIMESTAMP",
        help="when time point 0 is (default: the beginning of 1970)",
    )
    add(
        "--speed",
        type=_checked(_speed),
        metavar="X",
        help="replay times X times as fast (default: as fast as possible)",
    )
    add("--background", action="append", default=[], metavar="FILE", help="more background data")
    add("--agree", type=_pair, metavar="R1,R2", help="run two reasoners and stop where they differ")
    add("--slow", choices=tuple(Slow), help="slow consumers lose lines, or hold up reasoning (default: sockets drop)")
    add(
        "--buffer",
        type=_checked(_lines),
        default=10_000,
        metavar="N",
        help="lines a consumer may lag behind (default: 10000)",
    )
    add("--host", default="127.0.0.1", help="address that sockets listen on (default: 127.0.0.1)")
    add("--once", action="store_true", help="a socket source ends when its last client has left")
    add("--foresee", action="append", default=[], metavar="GOAL", help="also what this atom may come to; repeatable")
    add_page_argument(parser)
    add_outlook_arguments(parser, forget=0)
    add_meaning_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    prepared = prepared_of(arguments, merged([load_program(path, arguments.clock) for path in arguments.program]))
    clock = prepared.calendar.clock
    timing = read_timing(arguments.outputEvery, clock)
    keep = output_filter(arguments.filter, prepared.analysis)
    reasoner = partial(_reasoner, arguments, prepared)
    goals = Goals.of(arguments, prepared, timing)

    def engine(start: int, write: Callable[[Output], None], watch: Watch = unwatched) -> TickEngine:
        seen = watch(reasoner(start), start)
        return TickEngine(seen, start, timing, keep, write, goals.lookout(start) if goals else None)

    engine(0, lambda _: None)  # what refuses the program says so before any port is opened
    log_to_standard_error(arguments.logLevel, arguments.format)
    with page_beside(arguments, prepared, chosen_reasoner(arguments.reasoner, prepared.analysis)) as watch:
        runner = Runner(
            Setup(
                engine=partial(engine, watch=watch),
                admission=prepared.admission,
                clock=WallClock(clock, arguments.start or 0),
                pace=Pace(clock, arguments.speed),
                sources=_sources(arguments, prepared),
                sinks=_sinks(arguments),
                render=_rendering(arguments),
                time_from=TimeFrom(arguments.time),
                stamping=stamping_of(goals),
                start=arguments.start,
            )
        )
        return _supervised(runner, arguments)


def _supervised(runner: Runner, arguments: argparse.Namespace) -> int:
    """Ctrl-C and a polite kill end the run like the end of input; asked twice, at once."""

    def on_signal(_signal: int, _frame: FrameType | None) -> None:
        if runner.stopping:
            raise KeyboardInterrupt
        runner.stop()

    signal.signal(signal.SIGINT, on_signal)
    signal.signal(signal.SIGTERM, on_signal)
    status = 0
    try:
        runner.run()
    except Disagreement as disagreement:
        print(describe(disagreement, arguments.format), file=sys.stderr)
        status = 1
    if arguments.page is not None and not runner.stopping:
        stay(lambda: runner.stopping)
    summary = runner.close()
    if arguments.logLevel != "none":
        print(json.dumps(summary.as_dict()) if arguments.format == "json" else summary, file=sys.stderr)
    return status


# -- the parts of a run ----------------------------------------------------------------------------


def merged(programs: Sequence[Program]) -> Program:
    """Several files as one program."""
    return Program(
        tuple(rule for program in programs for rule in program.rules),
        tuple(directive for program in programs for directive in program.directives),
    )


def _reasoner(arguments: argparse.Namespace, prepared: Prepared, start: int) -> Reasoner:
    names = arguments.agree or [chosen_reasoner(arguments.reasoner, prepared.analysis)]
    reasoners = {name: prepared.reasoner(name, start) for name in names}
    return AgreeingReasoner(reasoners) if len(reasoners) == 2 else reasoners[names[0]]


def chosen_reasoner(name: str, analysis: Analysis) -> str:
    if name != INCREMENTAL:
        return name
    return next((option for option in PREFERENCE if not analysis.accepts[option]), PREFERENCE[0])


def output_filter(value: str | list[str], analysis: Analysis) -> Filter:
    match value:
        case "none":
            return no_filter(analysis.intensional, analysis.shown)
        case "inferences":
            return only_inferences(analysis.intensional)
        case _:
            return only_predicates(value)


def _rendering(arguments: argparse.Namespace) -> Rendering:
    as_json = arguments.format == "json"
    if arguments.print == "changes":
        return changes_as_json if as_json else changes_as_text
    return ModelJson() if as_json else ModelText()


def _sources(arguments: argparse.Namespace, prepared: Prepared) -> list[Source]:
    # What the program objects to is decided when a signal has its time, which may be one of its arguments.
    rules = replace(prepared.rules, live=True, located=True, ordered=False, objection=no_objection)
    sources: list[Source] = []
    files: list[Path] = []
    for name in arguments.input:
        if name == "stdin":
            sources.append(stdin_source(rules))
        elif (port := _port(name)) is not None:
            sources.append(SocketSource(arguments.host, port, rules, once=arguments.once))
        else:
            files.append(Path(name))
    return [*sources, FilesSource(files, rules)] if files else sources


def _sinks(arguments: argparse.Namespace) -> list[Sink]:
    sinks: list[Sink] = []
    for name in arguments.output:
        port = _port(name)
        if port is not None:
            slow = Slow(arguments.slow or Slow.DROP)
            sinks.append(SocketSink(arguments.host, port, arguments.buffer, slow))
        else:
            stream = sys.stdout.buffer if name == "stdout" else Path(name).open("wb")  # noqa: SIM115 - the sink closes it
            slow = Slow(arguments.slow or Slow.WAIT)
            sinks.append(StreamSink(stream, arguments.buffer, slow, owned=name != "stdout"))
    return sinks


# -- reading arguments -----------------------------------------------------------------------------


def _listed(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def _endpoints(text: str) -> list[str]:
    names = _listed(text)
    wrong = [name for name in names if name.startswith("socket:") and _port(name) is None]
    if wrong:
        raise argparse.ArgumentTypeError(f"`{wrong[0]}` is not socket:PORT")
    return names


def _filter(text: str) -> str | list[str]:
    return text if text in ("none", "inferences") else _listed(text)


def _pair(text: str) -> list[str]:
    names = _listed(text)
    if len(names) != 2 or not set(names) <= set(REASONERS) or names[0] == names[1]:
        raise argparse.ArgumentTypeError(f"two different ones of {', '.join(REASONERS)}")
    return names


def _port(name: str) -> int | None:
    kind, _, number = name.partition(":")
    return int(number) if kind == "socket" and number.isdigit() and int(number) < 1 << 16 else None


def _speed(text: str) -> float:
    speed = float(text)
    if not speed > 0:
        raise ValueError("a positive number")
    return speed


def _lines(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise ValueError("a positive number of lines")
    return int(text)


def _checked(read: Callable[[str], Parsed]) -> Callable[[str], Parsed]:
    """The reader's own words in the error message."""

    def checked(text: str) -> Parsed:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        except Rejected as rejected:
            raise argparse.ArgumentTypeError(rejected.diagnostics[0].message) from rejected

    return checked


def _every(text: str) -> str:
    read_timing(text, Duration(1, "ms"))  # whether it fits the clock is known only with the program
    return text
