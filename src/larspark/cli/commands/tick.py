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
from typing import TYPE_CHECKING

from larspark.analysis.pipeline import Analysis
from larspark.cli.display.tick_disagreement import describe
from larspark.cli.display.tick_log import LEVELS, log_to_standard_error
from larspark.cli.options.arguments import (
    account_of,
    add_meaning_arguments,
    add_strict_argument,
    add_times_argument,
    loaded_program,
    prepared_of,
    read_duration,
    read_time,
    read_timestamp,
    read_zone,
    tell_findings,
)
from larspark.cli.options.metrics import add_metrics_argument, served_metrics
from larspark.cli.options.outlook import add_outlook_arguments
from larspark.cli.options.profiling import add_profile_argument, profile_of, tell_profile
from larspark.cli.options.refused import add_refused_argument, refused_file
from larspark.cli.options.tick_goals import Goals, stamping_of
from larspark.cli.options.tick_values import (
    address_of,
    checked,
    endpoint_names,
    filter_of,
    input_names,
    line_count,
    listed,
    output_timing,
    port_of,
    positive_speed,
    reasoner_pair,
)
from larspark.cli.pages.tick_page import Watch, add_page_argument, page_beside, stay, unwatched
from larspark.diagnostics import Diagnostic
from larspark.language.tree import Program
from larspark.read import Chunk
from larspark.read.rules import no_objection
from larspark.reasoners.protocol import Reasoner
from larspark.reasoners.registry import REASONERS
from larspark.runtime.atoms import time_of
from larspark.runtime.findings.account import Account
from larspark.runtime.prepared import Prepared
from larspark.tick.agreement import AgreeingReasoner, Disagreement
from larspark.tick.clock import Pace, WallClock
from larspark.tick.column_lines import ChangeLines, ModelLines
from larspark.tick.columns_engine import MakeColumns, columns_engine
from larspark.tick.engine import TickEngine
from larspark.tick.intake import SignalBatch
from larspark.tick.metrics import TickMetrics
from larspark.tick.output import Filter, Output, no_filter, only_inferences, only_predicates
from larspark.tick.questions import LiveQuestions
from larspark.tick.renderings import ModelJson, ModelText, Rendering, changes_as_json, changes_as_text
from larspark.tick.runner import Runner, Setup, TimeFrom
from larspark.tick.sinks import Sink, Slow, SocketSink, StreamSink
from larspark.tick.sources import FilesSource, ReceivedSource, SignalSource, stdin_source
from larspark.tick.times import TickTimes
from larspark.tick.timing import Timing, read_timing

EXAMPLE = """\
  larspark tick -p examples/machines.lars -i examples/machines.jsonl
  larspark tick -p examples/foresight/overheating.lars -i examples/foresight/overheating.jsonl --foresee 'alarm(X)'
  larspark tick -p core.lars,domain.lars -c 250ms -e time -i stdin,socket:9999 -o socket:9998 --format json
"""

INCREMENTAL = "incremental"
"""The name Ticker gives to its default reasoner; here, the first of these that takes the program."""
PREFERENCE = ("interval", "jtms", "answer-update", "clingo")

if TYPE_CHECKING:
    from larspark.reasoners.interval.state.profile import Profile


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    reasoners = (INCREMENTAL, *REASONERS)
    add("-p", "--program", type=listed, required=True, metavar="FILE,…", help="files with rules, read as one program")
    add("-r", "--reasoner", choices=reasoners, default=INCREMENTAL, help="default: the fastest that takes the program")
    add("-f", "--filter", type=filter_of, default="none", metavar="none|inferences|PREDICATE,…", help="what is written")
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
        type=checked(output_timing),
        default="change",
        metavar="change|signal|time|Nsignals|D",
        help="when: on every change (default), after every or N signals, at every time point or after a duration",
    )
    add(
        "-i",
        "--input",
        type=input_names,
        default=["stdin"],
        metavar="SOURCE,…",
        help="stdin, files, socket:PORT, socket://HOST:PORT or mqtt://HOST/TOPIC",
    )
    add(
        "-o", "--output", type=endpoint_names, default=["stdout"], metavar="SINK,…", help="stdout, socket:PORT or files"
    )
    add("-l", "--logLevel", choices=tuple(LEVELS), default="warn", help="what is told on standard error")
    add("--print", choices=("model", "changes"), default="model", help="write what holds (default) or what changed")
    add("--time", choices=tuple(TimeFrom), default=TimeFrom.AUTO, help="where times come from (default: auto)")
    add("--start", type=read_time, metavar="T0", help="first time point (default: that of the first line, or 0)")
    add(
        "--epoch",
        type=read_timestamp,
        metavar="TIMESTAMP",
        help="when time point 0 is (default: the beginning of 1970)",
    )
    add("--timezone", type=read_zone, metavar="ZONE", help="the zone of timestamps that name none, over #timezone")
    add_times_argument(parser)
    add(
        "--speed",
        type=checked(positive_speed),
        metavar="X",
        help="replay times X times as fast (default: as fast as possible)",
    )
    add("--background", action="append", default=[], metavar="FILE", help="more background data")
    add("--agree", type=reasoner_pair, metavar="R1,R2", help="run two reasoners and stop where they differ")
    add("--slow", choices=tuple(Slow), help="slow consumers lose lines, or hold up reasoning (default: sockets drop)")
    add(
        "--buffer",
        type=checked(line_count),
        default=10_000,
        metavar="N",
        help="lines a consumer may lag behind (default: 10000)",
    )
    add("--host", default="127.0.0.1", help="address that sockets listen on (default: 127.0.0.1)")
    add_profile_argument(parser)
    add("--ask", action="store_true", help="lines `? why ATOM` and `? why-not ATOM` in the input are questions")
    add("--once", action="store_true", help="a socket source ends when its last client, or its server, has left")
    add("--foresee", action="append", default=[], metavar="GOAL", help="also what this atom may come to; repeatable")
    add_refused_argument(parser)
    add_strict_argument(parser)
    add_metrics_argument(parser)
    add_page_argument(parser)
    add_outlook_arguments(parser, forget=0)
    add_meaning_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    prepared = prepared_of(arguments, merged([loaded_program(path, arguments) for path in arguments.program]))
    clock = prepared.calendar.clock
    if arguments.start is not None:
        arguments.start = time_of(arguments.start, prepared.calendar)
    timing = read_timing(arguments.outputEvery, clock)
    keep = output_filter(arguments.filter, prepared.analysis)
    measured: list[tuple[Reasoner, Profile]] = []

    asked: list[tuple[Reasoner, int]] = []

    def reasoner(start: int) -> Reasoner:
        found = _reasoner(arguments, prepared, start)
        asked[:] = [(found, start)]
        if arguments.profile:
            measured.append((found, profile_of(found)))
        return found

    goals = Goals.of(arguments, prepared, timing)
    times = TickTimes(prepared.calendar, prepared.time_places, points=arguments.times == "points")

    def engine(
        start: int, write: Callable[[Output], None], watch: Watch = unwatched, figures: TickMetrics | None = None
    ) -> TickEngine:
        seen = watch(reasoner(start), start)
        lookout = goals.lookout(start, lambda: times.writer) if goals else None
        if figures is None:
            return TickEngine(seen, start, timing, keep, write, lookout)

        def counted(output: Output) -> None:
            figures.write(output)
            write(output)

        found = TickEngine(seen, start, timing, keep, counted, lookout, figures.arrived)
        figures.start(found, asked[-1][0], start)
        return found

    questions = LiveQuestions(prepared, arguments.format == "json")

    def ask(text: str) -> str:
        return questions.answer(text, *asked[-1])

    engine(0, lambda _: None)  # what refuses the program says so before any port is opened
    log_to_standard_error(arguments.logLevel, arguments.format)
    with (
        refused_file(arguments, prepared.rules) as refused,
        served_metrics(arguments) as metrics,
        page_beside(arguments, prepared, chosen_reasoner(arguments.reasoner, prepared.analysis)) as watch,
    ):
        step_by_step = goals is not None or arguments.page is not None or arguments.profile or arguments.ask
        wall = WallClock(clock, arguments.start or 0)
        figures = None
        if metrics is not None:
            step_by_step = True

            def behind(now: int) -> int:
                return max(0, wall.now() - now) if runner.by_wall else 0

            figures = TickMetrics(metrics, prepared, arguments.input, times, behind)

        def refuse(finding: Diagnostic, record: str) -> None:
            refused.take(finding, record)
            if figures is not None:
                figures.refuse(finding)

        account = account_of(prepared)
        runner = Runner(
            Setup(
                engine=partial(engine, watch=watch, figures=figures),
                admission=prepared.admission,
                clock=wall,
                pace=Pace(clock, arguments.speed),
                sources=_sources(arguments, prepared),
                sinks=_sinks(arguments),
                render=_stamped(_rendering(arguments, times), arguments, times),
                times=times,
                columns=None if step_by_step else _columns(arguments, prepared, times, (timing, keep)),
                time_from=TimeFrom(arguments.time),
                stamping=stamping_of(goals),
                start=arguments.start,
                ask=ask if arguments.ask else None,
                refuse=refuse,
                note=partial(_note, account),
            )
        )
        status = _supervised(runner, arguments, lambda: account.findings(times.came))
    if measured:  # the last one is the one that ran
        own, profile = measured[-1]
        tell_profile(profile, own, arguments.format)
    return status


def _note(account: Account, batch: SignalBatch) -> None:
    """Single signals are counted, tables looked at."""
    if isinstance(batch.content, Chunk):
        account.take(batch.content.blocks)
    else:
        account.rows.update(event.fact.signature for event in batch.content)


def _supervised(runner: Runner, arguments: argparse.Namespace, findings: Callable[[], list[Diagnostic]]) -> int:
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
    if arguments.logLevel != "none" or arguments.strict:
        tell_findings(findings(), arguments)
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


def _columns(
    arguments: argparse.Namespace, prepared: Prepared, times: TickTimes, written: tuple[Timing, Filter]
) -> MakeColumns | None:
    """The engine for many ticks at once, where there is one for the program."""
    if arguments.agree or chosen_reasoner(arguments.reasoner, prepared.analysis) != "interval":
        return None
    as_json = arguments.format == "json"
    kind = ChangeLines if arguments.print == "changes" else ModelLines
    return columns_engine(prepared, *written, partial(kind, lambda: times.writer, as_json=as_json))


def chosen_reasoner(name: str, analysis: Analysis) -> str:
    if name != INCREMENTAL:
        return name
    return next((option for option in PREFERENCE if not analysis.accepts[option]), PREFERENCE[0])


def output_filter(value: str | list[str], analysis: Analysis) -> Filter:
    match value:
        case "none":
            return no_filter(analysis.intensional, analysis.shown)
        case "inferences":
            return only_inferences(analysis.derived)
        case _:
            return only_predicates(value)


def _rendering(arguments: argparse.Namespace, times: TickTimes) -> Rendering:
    as_json = arguments.format == "json"
    if arguments.print == "changes":
        return partial(changes_as_json if as_json else changes_as_text, spell=times.atom)
    return ModelJson(times.atom) if as_json else ModelText(times.atom)


def _stamped(render: Rendering, arguments: argparse.Namespace, times: TickTimes) -> Rendering:
    """Where time points mean moments, with timestamps: in text instead of them, in JSON beside them."""

    def stamp(output: Output) -> str:
        if not times.writer.stamped:
            return render(output)
        point, text = str(output.tick.time), times.writer.text(output.tick.time)
        if arguments.format == "json":
            return f'{{"timestamp": "{text}", {render(output)[1:]}'
        return "\n".join(text + line.removeprefix(point) for line in render(output).split("\n"))

    return stamp


def _sources(arguments: argparse.Namespace, prepared: Prepared) -> list[SignalSource]:
    # What the program objects to is decided when a signal has its time, which may be one of its arguments.
    rules = replace(prepared.rules, live=True, located=True, ordered=False, objection=no_objection)
    sources: list[SignalSource] = []
    files: list[Path] = []
    for name in arguments.input:
        if name == "stdin":
            sources.append(stdin_source(rules))
        elif (address := address_of(name, arguments.host)) is not None:
            sources.append(ReceivedSource(name, address, rules, {}, once=arguments.once))
        else:
            files.append(Path(name))
    return [*sources, FilesSource(files, rules)] if files else sources


def _sinks(arguments: argparse.Namespace) -> list[Sink]:
    sinks: list[Sink] = []
    for name in arguments.output:
        port = port_of(name)
        if port is not None:
            slow = Slow(arguments.slow or Slow.DROP)
            sinks.append(SocketSink(arguments.host, port, arguments.buffer, slow))
        else:
            stream = sys.stdout.buffer if name == "stdout" else Path(name).open("wb")  # noqa: SIM115 - the sink closes it
            slow = Slow(arguments.slow or Slow.WAIT)
            sinks.append(StreamSink(stream, arguments.buffer, slow, owned=name != "stdout"))
    return sinks
