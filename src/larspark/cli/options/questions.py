"""Options that the commands about explanations share, and what they load."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from larspark.cli.display.report import report
from larspark.cli.options.arguments import (
    add_program_arguments,
    add_stream_arguments,
    prepared_of,
    read_time,
    settle_times,
    times_of,
)
from larspark.diagnostics import Diagnostic, Rejected, Severity
from larspark.explain.differences.differences import AnswerDifference, difference_lines
from larspark.explain.evaluations.history import Refusal
from larspark.explain.phrasing import Phrasing
from larspark.questions.explaining import Case
from larspark.questions.large import LargeCase
from larspark.read import OnError
from larspark.reasoners.registry import REASONERS
from larspark.runtime.manifest import InputFile, RunManifest
from larspark.runtime.prepared import Prepared
from larspark.runtime.sourced import read_sourced


def add_question_arguments(parser: argparse.ArgumentParser, atom: str) -> None:
    """An atom, a program, a stream and a time; or the results of a run, which know program and stream."""
    parser.add_argument("atom", metavar="ATOM", help=atom)
    add_program_arguments(parser, optional=True)
    add_stream_arguments(parser, optional=True)
    add_run_argument(parser)
    parser.add_argument(
        "--at", type=read_time, metavar="T", help="the evaluation that is asked about (default: the last)"
    )
    add_reasoner_argument(parser)


def add_run_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--run",
        dest="run_folder",
        metavar="FOLDER",
        help="the results of `larspark run`, instead of PROGRAM and --stream",
    )


def add_explain_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--explain",
        type=_read_count,
        metavar="N|all",
        help="differences that are explained (default: as many as take no longer than the evaluations)",
    )


def _read_count(text: str) -> int:
    if text == "all":
        return sys.maxsize
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("a number, or `all`")
    return int(text)


def add_spark_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--spark", action="store_true", help="evaluate on Spark, for a large history")
    parser.add_argument("--master", metavar="M", help="the Spark master (default: all cores of this machine)")


def add_reasoner_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--reasoner", choices=tuple(REASONERS), metavar="R", help="who evaluates (default: the first that can)"
    )


def load_case(arguments: argparse.Namespace) -> Case:
    """The program over its recording; with `--on-error skip` the records that were not taken are told."""
    return whole_case(arguments, asked_of(arguments))


def large_case(arguments: argparse.Namespace, asked: AskedProgram) -> LargeCase | None:
    """What is asked about, if only a part of it has to be read."""
    points = arguments.times == "points"
    return LargeCase.of(asked.prepared, asked.source, asked.timeline, arguments.reasoner, asked.on_error, points)


def load_question(arguments: argparse.Namespace) -> Case | LargeCase:
    """The same for a question about one atom: of Parquet only what it can depend on is read."""
    asked = asked_of(arguments)
    return large_case(arguments, asked) or whole_case(arguments, asked)


def asked_time(arguments: argparse.Namespace, case: Case | LargeCase) -> int:
    """The evaluation that is asked about; `Rejected` when the recording says nothing about it."""
    if arguments.at is None:
        return case.end
    time: int = arguments.at
    if time > case.end:
        at, start, end = map(case.words.time, (time, case.start, case.end))
        message = f"Time point {at} lies after the recording, which ends at {end}."
        hint = f"Ask about an earlier time, or say that nothing arrives until then: --timeline {start} {at}."
        raise Rejected([Diagnostic("E411", message, hint)])
    return time


class AskedProgram(NamedTuple):
    """A program and what it is evaluated over."""

    prepared: Prepared
    source: str | tuple[InputFile, ...]
    timeline: tuple[int, int] | None
    on_error: OnError


def asked_of(arguments: argparse.Namespace) -> AskedProgram:
    """What the question is about."""
    if folder := getattr(arguments, "run_folder", None):
        manifest = RunManifest.read(Path(folder))
        # of the commands that take both, `diff` names other programs
        program = arguments.program if "new" in arguments else None
        prepared = manifest.other_program(program) if program else manifest.prepared()
        settle_times(arguments, prepared.calendar)
        return AskedProgram(prepared, manifest.inputs, _timeline(arguments) or manifest.timeline, "skip")
    if not arguments.program or not arguments.stream:
        message = "A question is about a program and a stream."
        raise Rejected([Diagnostic("E569", message, "Give PROGRAM and --stream S, or --run FOLDER.")])
    return AskedProgram(prepared_of(arguments), arguments.stream, _timeline(arguments), arguments.on_error)


def _timeline(arguments: argparse.Namespace) -> tuple[int, int] | None:
    return (arguments.timeline[0], arguments.timeline[1]) if arguments.timeline else None


def whole_case(arguments: argparse.Namespace, asked: AskedProgram, told: Sequence[Refusal] = ()) -> Case:
    """The program over its recording; what was not taken is said, unless it was `told`."""
    stream = read_sourced(asked.source, asked.prepared, asked.on_error)
    for one in stream.refused:
        if one in told:
            continue
        where = f"{one.place.file}:{one.place.line}: " if one.place else ""
        report([Diagnostic(one.code, f"{where}{one.reason}", severity=Severity.WARNING)], arguments.format)
    form = times_of(arguments, asked.prepared.calendar, stream.form).form
    return Case.of(asked.prepared, stream.arrivals, asked.timeline, arguments.reasoner, stream.refused, form)


def print_differences(found: list[AnswerDifference], style: str, words: Phrasing) -> None:
    if style == "json":
        for one in found:
            print_json(one.as_json())
    else:
        print("\n".join(difference_lines(found, words)))


def print_json(found: dict[str, Any]) -> None:
    print(json.dumps(found, ensure_ascii=False))
