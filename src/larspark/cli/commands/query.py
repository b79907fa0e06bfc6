"""A LARS formula over a recorded stream: yes or no, or the answers of its variables.

The formula sees the whole recording, also what comes after T (a future window looks there). Without variables the
answer is true or false; otherwise it is every substitution that makes the formula true.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from larspark.analysis.typing.sorts import TIME, sorts_of_variables
from larspark.cli.options.arguments import add_stream_arguments, load_recording, read_time, settle_times, times_of
from larspark.language.parser import parse_formula
from larspark.language.resolve import resolve_formula
from larspark.language.tree import Formula, Program
from larspark.language.values import Value, json_value, show_value
from larspark.read import Rules
from larspark.runtime.prepared import prepare
from larspark.semantics.names import names
from larspark.semantics.queries import answers
from larspark.semantics.streams import Stream
from larspark.semantics.structures import Environment, Structure

if TYPE_CHECKING:
    from larspark.write.times import TimeWriter

EXAMPLE = """\
  larspark query 'tram(Vehicle, Station) [5]' --stream examples/transport.jsonl --at 45
  larspark query '(always (some s [input 5])) [60]' --stream signals.jsonl --all-times --format json
"""


Found: TypeAlias = bool | list[dict[str, Value]]
"""Whether a formula without variables is true, or the values of its variables."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("formula", metavar="FORMULA", help="a LARS formula, in the spelling of rule bodies")
    add_stream_arguments(parser)
    when = parser.add_mutually_exclusive_group(required=True)
    when.add_argument("--at", type=read_time, metavar="T", help="evaluate at this time point")
    when.add_argument("--all-times", action="store_true", help="evaluate at every time point of the timeline")


def run(arguments: argparse.Namespace) -> int:
    prepared = prepare(
        Program(),
        clock=arguments.clock,
        epoch=arguments.epoch,
        timezone=arguments.timezone,
        background=map(Path, arguments.background),
    )
    settle_times(arguments, prepared.calendar)
    formula = resolve_formula(parse_formula(arguments.formula), prepared.program)
    recording = load_recording(arguments, prepared, Rules(prepared.calendar))
    end = recording.end if arguments.at is None else max(recording.end, arguments.at)
    structure = Structure.of(
        Stream.of(recording.start, end, recording.arrivals),
        prepared.background,
        environment=Environment(calendar=prepared.calendar),
        mentioning=[formula],
    )
    show = _as_json if arguments.format == "json" else _as_text
    times = times_of(arguments, prepared.calendar, recording.form)
    for time in range(recording.start, end + 1) if arguments.all_times else [arguments.at]:
        print(show(time, _written(_answer(structure, time, formula), formula, times), times))
    return 0


def _written(answer: Found, formula: Formula, times: TimeWriter) -> Found:
    """The values of variables that are times as these leave."""
    if isinstance(answer, bool) or not times.stamped:
        return answer
    known = sorts_of_variables([formula], {})
    timed = {name for name, sort in known.items() if sort.form == TIME.form}
    return [{name: times.value(one) if name in timed else one for name, one in found.items()} for found in answer]


def _answer(structure: Structure, time: int, formula: Formula) -> Found:
    found = answers(replace(structure, now=time), time, formula)
    return found if any(not name.startswith("_") for name in names(formula)) else bool(found)


def _as_json(time: int, answer: Found, times: TimeWriter) -> str:
    stamp = {"timestamp": times.text(time)} if times.stamped else {}
    if isinstance(answer, bool):
        return json.dumps({"time": time, **stamp, "answer": answer})
    listed = [{name: json_value(value) for name, value in one.items()} for one in answer]
    return json.dumps({"time": time, **stamp, "answers": listed}, ensure_ascii=False)


def _as_text(time: int, answer: Found, times: TimeWriter) -> str:
    told = times.text(time)
    if isinstance(answer, bool):
        return f"{told}: {'yes' if answer else 'no'}"
    return "\n".join(_lines(told, answer)) or f"{told}: no answers"


def _lines(time: str, answer: list[dict[str, Value]]) -> Iterator[str]:
    for one in answer:
        yield f"{time}: " + ", ".join(f"{name} = {show_value(value)}" for name, value in one.items())
