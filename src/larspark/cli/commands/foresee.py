"""What may still become true: for a goal, the answers that are certain and those that lack something.

At every time point of a recorded stream: which instances of the goal may hold, when, the evidence seen so far and
the facts still needed. A Temporal Datalog program (pinned atoms only, or `#temporal`) is answered as in the theory of
hypothetical answers; any other plain program is looked ahead for `--horizon` time points.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from larspark.cli.options.arguments import (
    add_program_arguments,
    add_stream_arguments,
    answer_times,
    described_of,
    load_recording,
    read_time,
)
from larspark.cli.options.html import add_html_argument, asking, write_page
from larspark.cli.options.outlook import add_outlook_arguments, natural, outlook_of
from larspark.hypothetical.answers.picture import draw_svg, draw_text
from larspark.hypothetical.answers.prospect import Prospect
from larspark.hypothetical.foresight import GoalWatch
from larspark.hypothetical.theory.full_atoms import objection
from larspark.python.foresight import Subject
from larspark.read.rules import no_objection
from larspark.runtime.prepared import Prepared
from larspark.runtime.recording import Recording

if TYPE_CHECKING:
    from larspark.write.times import TimeWriter

EXAMPLE = """\
  larspark foresee examples/foresight/turbines.lars --goal 'malf(X,T)' --stream examples/foresight/turbines.jsonl
  larspark foresee examples/foresight/overheating.lars --goal 'shutdown(X)' --horizon 6 --draw --at 4 \\
      --stream examples/foresight/overheating.jsonl
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser)
    add_stream_arguments(parser)
    parser.add_argument("--goal", required=True, metavar="ATOM", help="what to watch for: 'malf(X,T)', '@T malf(X)'")
    parser.add_argument("--at", type=read_time, metavar="T", help="report at this time point only")
    parser.add_argument("--delay", type=natural, default=0, metavar="N", help="how late facts may arrive (default: 0)")
    add_outlook_arguments(parser, forget=None)
    parser.add_argument("--draw", action="store_true", help="draw each report as a timeline")
    add_html_argument(parser)
    parser.add_argument("--svg", metavar="FILE", help="write the last report as a picture")


def run(arguments: argparse.Namespace) -> int:
    foresight, recording, prepared = _load(arguments)
    times = answer_times(arguments, prepared, recording.form)
    last = recording.end if arguments.at is None else arguments.at
    prospects: list[Prospect] = []
    seen: list[dict[str, Any]] = []
    time = recording.start
    for time, facts in recording.time_points(last):
        foresight.advance(time, facts)
        if arguments.at in (None, time):
            prospects = foresight.prospects(times)
            print(_report(time, prospects, arguments, times))
            seen.append({"time": time, "answers": [{**one.as_json(), "text": one.text} for one in prospects]})
    if arguments.svg:
        Path(arguments.svg).write_text(draw_svg(prospects, time, times), encoding="utf-8")
    if arguments.html:
        _write_page(arguments, recording, seen, times)
    return 0


def _write_page(
    arguments: argparse.Namespace, recording: Recording, seen: list[dict[str, Any]], times: TimeWriter
) -> None:
    """The stream, what follows where that is LARS, and what was foreseen at every time point."""
    from larspark.explain.evaluations.history import AnswerHistory, Sourced  # noqa: PLC0415 - only reports pay for the page
    from larspark.questions.explaining import Case  # noqa: PLC0415
    from larspark.web.picture import Extras  # noqa: PLC0415

    prepared = described_of(arguments)
    arrivals = tuple(Sourced(time, fact) for time, fact in recording.arrivals)
    evaluated = "interval" in prepared.analysis.reasoners and not Subject.of(prepared).temporal
    reasoner = "interval" if evaluated else "none"
    case = Case(prepared, arrivals, recording.start, recording.end, reasoner, form=times.form)
    history = None if evaluated else AnswerHistory(recording.start, recording.end, ())
    write_page(arguments, case, Extras("foresee", prospects=tuple(seen), ask=asking(arguments)), history)


def _load(arguments: argparse.Namespace) -> tuple[GoalWatch, Recording, Prepared]:
    prepared = described_of(arguments)
    subject, outlook = Subject.of(prepared), outlook_of(arguments, arguments.delay)
    if not subject.temporal:
        recording = load_recording(arguments, prepared)
        return subject.watch(arguments.goal, outlook, recording.start), recording, prepared
    foresight = subject.watch(arguments.goal, outlook, 0)
    takes = partial(objection, theory=foresight.theory, delay=arguments.delay)
    rules = replace(prepared.rules, objection=no_objection, fact_objection=takes)
    return foresight, load_recording(arguments, prepared, rules), prepared


def _report(time: int, prospects: list[Prospect], arguments: argparse.Namespace, times: TimeWriter) -> str:
    if arguments.format == "json":
        stamp = {"timestamp": times.text(time)} if times.stamped else {}
        return json.dumps({"time": time, **stamp, "answers": [p.as_json() for p in prospects]}, ensure_ascii=False)
    if arguments.draw:
        return f"time {times.text(time)}\n{draw_text(prospects, time, times)}\n"
    return "\n".join(f"{times.text(time)}: {prospect.text}" for prospect in prospects) or f"{times.text(time)}: -"
