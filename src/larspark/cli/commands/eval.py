"""The answer streams of a program over a recorded stream, at every time point.

At each evaluated time point t the program is evaluated on the data up to t. `now` lists the derived atoms that
hold at t, `at` those that hold at another time point; a program without an answer stream at t says so.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from larspark.cli.display.answers import in_order, stream_as_json, stream_as_text
from larspark.cli.display.plan import add_rewrites_argument
from larspark.cli.options.arguments import (
    account_of,
    add_program_arguments,
    add_stream_arguments,
    answer_times,
    load_recording,
    opened_recording,
    prepared_of,
    read_time,
)
from larspark.cli.options.html import add_html_argument
from larspark.cli.options.profiling import add_profile_argument, profiled
from larspark.cli.options.refused import add_refused_argument
from larspark.diagnostics import Diagnostic, Rejected
from larspark.reasoners.protocol import Answer
from larspark.reasoners.registry import DEFAULT, REASONERS
from larspark.runtime.pointwise import Wanted, evaluate

if TYPE_CHECKING:
    from larspark.runtime.recording import OpenRecording
    from larspark.write.times import TimeWriter

EXAMPLE = """\
  larspark eval examples/transport.lars --stream examples/transport.jsonl
  larspark eval examples/transport.lars --stream examples/transport.jsonl --as intervals
  larspark eval examples/transport.lars --stream examples/transport.jsonl --html report.html
  larspark eval program.lars --stream - --timeline 0 50 --at 42 --models all --format json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser)
    add_stream_arguments(parser)
    parser.add_argument("--at", type=read_time, metavar="T", help="evaluate at this time point only")
    parser.add_argument("--ticks", action="store_true", help="evaluate after every arriving atom, not per time point")
    parser.add_argument(
        "--models", type=_models, default=1, metavar="1|N|all", help="how many answer streams (default: 1)"
    )
    parser.add_argument(
        "--reasoner", default=DEFAULT, metavar="R", help=f"one of {', '.join(REASONERS)} (default: {DEFAULT})"
    )
    parser.add_argument(
        "--as",
        dest="shape",
        choices=("points", "changes", "intervals"),
        default="points",
        help="every time point (the default), only what changes, or one line per atom and stretch of time",
    )
    add_refused_argument(parser)
    parser.add_argument("--output", metavar="FILE", help="write to a file instead: .jsonl, .csv or .parquet")
    add_html_argument(parser)
    parser.add_argument("--draw", metavar="FILE.svg", help="write a picture of it")
    add_profile_argument(parser)
    add_rewrites_argument(parser, "--optimise", "rewrite the program before it is evaluated (see check --plan)")


def _models(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError("a positive number, or `all`")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    if arguments.html or arguments.draw:
        _write_pictures(arguments)
        return 0
    prepared = prepared_of(arguments)
    evaluated = prepared.optimised(arguments.optimise) if arguments.optimise else prepared
    wanted = Wanted(prepared.analysis.shown, arguments.at, arguments.ticks, arguments.models)
    several = wanted.ticks or wanted.models != 1
    if several and (arguments.shape != "points" or arguments.output):
        message = f"With --as {arguments.shape} and in files there is one answer stream at every time point."
        raise Rejected([Diagnostic("E705", message, "Leave out --ticks and --models, or print --as points.")])
    if not several:
        from larspark.cli.display.eval_blocks import write_answers  # noqa: PLC0415 - single answers pay for no columns
        from larspark.runtime.findings.unfired import fired_rules  # noqa: PLC0415

        account = account_of(prepared)
        with opened_recording(arguments, prepared, account=account) as recording:
            reasoner = write_answers(evaluated, _from_the_asked_time(recording, arguments), wanted, arguments)
            if arguments.at is None and not arguments.optimise:
                account.fired = fired_rules(reasoner)
        return 0
    read = load_recording(arguments, prepared)
    reasoner = evaluated.reasoner(arguments.reasoner, read.start)
    show = as_json if arguments.format == "json" else as_text
    times = answer_times(arguments, prepared, read.form)
    with profiled(reasoner, arguments):
        for answer in evaluate(reasoner, read, wanted):
            print(show(answer, times))
    return 0


def _from_the_asked_time(recording: OpenRecording, arguments: argparse.Namespace) -> OpenRecording:
    """Without data, nothing happened before the time that is asked for."""
    if recording.empty and not arguments.timeline and arguments.at is not None:
        return replace(recording, start=arguments.at, end=arguments.at)
    return recording


def _write_pictures(arguments: argparse.Namespace) -> None:
    from larspark.cli.options.draw import draw_evaluation  # noqa: PLC0415 - only pictures pay for explanations
    from larspark.cli.pages.eval_page import write_evaluation  # noqa: PLC0415

    if arguments.ticks or arguments.models != 1 or arguments.at is not None or arguments.output:
        message = "A picture shows one answer stream at every time point."
        raise Rejected([Diagnostic("E705", message, "Leave out --at, --ticks, --models and --output with it.")])
    if arguments.html:
        write_evaluation(arguments)
    if arguments.draw:
        draw_evaluation(arguments)


def as_json(answer: Answer, times: TimeWriter) -> str:
    streams = [stream_as_json(stream, times.text, times.atom) for stream in in_order(answer.answer_streams)]
    told = times.text(answer.time) if times.stamped else answer.time
    tick = {} if answer.count is None else {"count": answer.count}
    return json.dumps({"time": told, **tick, "answer_streams": streams}, ensure_ascii=False)


def as_text(answer: Answer, times: TimeWriter) -> str:
    label = times.text(answer.time) if answer.count is None else f"{times.text(answer.time)} #{answer.count}"
    if not answer.answer_streams:
        return f"{label}: no answer stream"
    several = len(answer.answer_streams) > 1
    lines = []
    for number, stream in enumerate(in_order(answer.answer_streams), 1):
        choice = f" ({number})" if several else ""
        lines.append(f"{label}{choice}: {stream_as_text(stream, times.text, times.atom)}")
    return "\n".join(lines)
