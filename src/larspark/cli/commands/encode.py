"""The answer set program that the clingo reasoner solves at a time point.

Window atoms `_wN` are defined by range rules over `_spanN`, the first and last time point of the window; an atom at
time u has u as its last argument. Calls with `@` are computed by larspark, where clingo's 32-bit integers would not do.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from larspark.analysis.analysis import Analysis
from larspark.analysis.formulas.lower_formulas import as_plain
from larspark.cli.options.arguments import (
    add_program_arguments,
    add_stream_arguments,
    load_recording,
    prepared_of,
    read_time,
)
from larspark.reasoners.clingo.encoding import encoded_at
from larspark.reasoners.jtms.increments import IncrementalProgram, Increments, ticks_of
from larspark.runtime.recording import Recording

EXAMPLE = """\
  larspark encode examples/transport.lars --stream examples/transport.jsonl --at 42
  larspark encode program.lars --stream events.jsonl --at 42 --increment
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser)
    add_stream_arguments(parser)
    parser.add_argument(
        "--increment",
        action="store_true",
        help="instead, the rules of the incremental encoding that the time point removes and adds, with expiration",
    )
    parser.add_argument("--at", type=read_time, metavar="T", help="the time point (default: the end of the timeline)")


def run(arguments: argparse.Namespace) -> int:
    prepared = prepared_of(arguments)
    recording = load_recording(arguments, prepared)
    prepared.analysis.require("clingo")
    analysis, background = as_plain(prepared.analysis, prepared.background)
    at = recording.end if arguments.at is None else arguments.at
    if arguments.increment:
        text = "\n".join(_increments(analysis, recording, at))
    else:
        text = encoded_at(analysis, background, recording.arrivals, recording.start, at)
    if arguments.format == "json":
        text = json.dumps({"time": at, "program": text.splitlines()}, ensure_ascii=False)
    print(text)
    return 0


def _increments(analysis: Analysis, recording: Recording, at: int) -> Iterator[str]:
    """Every tick of the time point: `-` a rule that has expired, `+` a new one and when it will."""
    program = IncrementalProgram(Increments(analysis, recording.start))
    for tick, signal in ticks_of(recording.arrivals, recording.start, at):
        removed, added = program.advance(tick, signal)
        if tick.time == at:
            yield f"% tick ({tick.time},{tick.count}){f': {signal}' if signal else ''}"
            yield from (f"- {rule}" for rule in removed)
            yield from (f"+ {rule}  % until {expiration}" for rule, expiration in added)
