"""What may still become true: for a goal, the answers that are certain and those that lack something.

At every time point of a recorded stream: which instances of the goal may hold, when, the evidence seen so far and
the facts still needed. A Temporal Datalog program (pinned atoms only, or `#temporal`) is answered as in the theory of
hypothetical answers; any other plain program is looked ahead for `--horizon` time points.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from larspark.analysis.pipeline import analyse
from larspark.cli.arguments import (
    add_program_arguments,
    add_stream_arguments,
    calendar_of,
    load_background,
    load_recording,
)
from larspark.hypothetical.foresight import Foresight, Outlook, Prospect
from larspark.hypothetical.online import Options
from larspark.hypothetical.picture import draw_svg, draw_text
from larspark.hypothetical.temporal_datalog import is_temporal_datalog
from larspark.kinships.languages import load_program
from larspark.language.parser import parse_fact
from larspark.language.resolve import resolve
from larspark.language.values import Value, json_value
from larspark.runtime.formats import read_backgrounds
from larspark.runtime.recording import Recording

EXAMPLE = """\
  larspark foresee examples/foresight/turbines.lars --goal 'malf(X,T)' --stream examples/foresight/turbines.jsonl
  larspark foresee examples/foresight/overheating.lars --goal 'shutdown(X)' --horizon 6 --draw --at 4 \\
      --stream examples/foresight/overheating.jsonl
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser)
    add_stream_arguments(parser)
    parser.add_argument("--goal", required=True, metavar="ATOM", help="what to watch for: 'malf(X,T)', '@T malf(X)'")
    parser.add_argument("--at", type=int, metavar="T", help="report at this time point only")
    parser.add_argument(
        "--horizon", type=_natural, default=10, metavar="N", help="how many time points to look ahead (default: 10)"
    )
    parser.add_argument("--limit", type=_natural, metavar="N", help="report the N nearest answers per time point")
    parser.add_argument("--bound", type=_natural, metavar="N", help="how often a recursive predicate may call itself")
    parser.add_argument("--delay", type=_natural, default=0, metavar="N", help="how late facts may arrive (default: 0)")
    parser.add_argument(
        "--forget", type=_natural, metavar="N", help="drop certain answers N time points later (default: keep them)"
    )
    parser.add_argument(
        "--constants", type=_constants, metavar="A,B", help="all object constants there are, where that matters"
    )
    parser.add_argument("--draw", action="store_true", help="draw each report as a timeline")
    parser.add_argument("--svg", metavar="FILE", help="write the last report as a picture")


def _natural(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("a natural number")
    return int(text)


def _constants(text: str) -> tuple[Value, ...]:
    return parse_fact(f"constants({text})").args


def run(arguments: argparse.Namespace) -> int:
    foresight, recording = _load(arguments)
    last = recording.end if arguments.at is None else arguments.at
    prospects: list[Prospect] = []
    time = recording.start
    for time, facts in recording.time_points(last):
        foresight.advance(time, facts)
        if arguments.at in (None, time):
            prospects = foresight.prospects()
            print(_report(time, prospects, arguments))
    if arguments.svg:
        Path(arguments.svg).write_text(draw_svg(prospects, time), encoding="utf-8")
    return 0


def _load(arguments: argparse.Namespace) -> tuple[Foresight, Recording]:
    """The program is read as Temporal Datalog or as LARS; only the latter passes through the analysis."""
    options = Options(arguments.bound, arguments.forget, arguments.delay, arguments.constants)
    outlook = Outlook(arguments.horizon, arguments.limit, options)
    program = load_program(arguments.program, arguments.clock)
    background = load_background(arguments)
    analysis = None
    if is_temporal_datalog(program):
        resolved = resolve(program, clock=arguments.clock, constants=dict(arguments.const))
    else:
        known = {fact.signature for fact in background}
        analysis = analyse(program, clock=arguments.clock, constants=dict(arguments.const), background=known).require()
        resolved = analysis.program
    recording = load_recording(arguments, calendar_of(arguments, resolved), analysis)
    facts = (*read_backgrounds(resolved), *background)
    return Foresight(resolved, arguments.goal, outlook, background=facts, start=recording.start), recording


def _report(time: int, prospects: list[Prospect], arguments: argparse.Namespace) -> str:
    if arguments.format == "json":
        return json.dumps({"time": time, "answers": [_as_json(p) for p in prospects]}, ensure_ascii=False)
    if arguments.draw:
        return f"time {time}\n{draw_text(prospects, time)}\n"
    return "\n".join(f"{time}: {prospect.text}" for prospect in prospects) or f"{time}: -"


def _as_json(prospect: Prospect) -> dict[str, object]:
    """The contract's three fields, and what else there is to say about this answer."""
    answer: dict[str, object] = {
        "theta": {name: json_value(value) for name, value in prospect.theta.items()},
        "evidence": list(prospect.evidence),
        "hypotheses": list(prospect.hypotheses),
    }
    if prospect.at is not None:
        answer["at"] = prospect.at
    if prospect.where:
        answer["where"] = {name: list(limits) for name, limits in prospect.where.items()}
    if prospect.exceptions:
        answer["except"] = [{n: json_value(v) for n, v in excepted.items()} for excepted in prospect.exceptions]
    return answer
