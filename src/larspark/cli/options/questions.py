"""Options that the commands about explanations share, and what they load."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

from larspark.cli.display.report import report
from larspark.cli.options.arguments import add_program_arguments, add_stream_arguments, prepared_of, read_time, times_of
from larspark.diagnostics import Diagnostic, Rejected, Severity
from larspark.read import OnError
from larspark.reasoners.registry import REASONERS
from larspark.runtime.explaining import Case
from larspark.runtime.large import LargeCase
from larspark.runtime.manifest import InputFile, RunManifest
from larspark.runtime.prepared import Prepared
from larspark.runtime.sourced import read_sourced


def add_question_arguments(parser: argparse.ArgumentParser, atom: str) -> None:
    """An atom, a program, a stream and a time; or the results of a run, which know program and stream."""
    parser.add_argument("atom", metavar="ATOM", help=atom)
    add_program_arguments(parser, optional=True)
    add_stream_arguments(parser, optional=True)
    parser.add_argument(
        "--run",
        dest="run_folder",
        metavar="FOLDER",
        help="the results of `larspark run`, instead of PROGRAM and --stream",
    )
    parser.add_argument(
        "--at", type=read_time, metavar="T", help="the evaluation that is asked about (default: the last)"
    )
    add_reasoner_argument(parser)


def add_reasoner_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--reasoner", choices=tuple(REASONERS), metavar="R", help="who evaluates (default: the first that can)"
    )


def load_case(arguments: argparse.Namespace) -> Case:
    """The program over its recording; with `--on-error skip` the records that were not taken are told."""
    return _whole_case(arguments, _asked(arguments))


def load_question(arguments: argparse.Namespace) -> Case | LargeCase:
    """The same for a question about one atom: of Parquet only what it can depend on is read."""
    asked = _asked(arguments)
    large = LargeCase.of(
        asked.prepared, asked.source, asked.timeline, arguments.reasoner, asked.on_error, arguments.times == "points"
    )
    return large or _whole_case(arguments, asked)


class _Asked(NamedTuple):
    prepared: Prepared
    source: str | tuple[InputFile, ...]
    timeline: tuple[int, int] | None
    on_error: OnError


def _asked(arguments: argparse.Namespace) -> _Asked:
    """What the question is about."""
    given = tuple(arguments.timeline) if arguments.timeline else None
    if folder := getattr(arguments, "run_folder", None):
        manifest = RunManifest.read(Path(folder))
        return _Asked(manifest.prepared(), manifest.inputs, given or manifest.timeline, "skip")
    if not arguments.program or not arguments.stream:
        message = "A question is about a program and a stream."
        raise Rejected([Diagnostic("E569", message, "Give PROGRAM and --stream S, or --run FOLDER.")])
    return _Asked(prepared_of(arguments), arguments.stream, given, arguments.on_error)


def _whole_case(arguments: argparse.Namespace, asked: _Asked) -> Case:
    stream = read_sourced(asked.source, asked.prepared, asked.on_error)
    for one in stream.refused:
        where = f"{one.place.file}:{one.place.line}: " if one.place else ""
        report([Diagnostic(one.code, f"{where}{one.reason}", severity=Severity.WARNING)], arguments.format)
    form = times_of(arguments, asked.prepared.calendar, stream.form).form
    return Case.of(asked.prepared, stream.arrivals, asked.timeline, arguments.reasoner, stream.refused, form)


def print_json(found: dict[str, Any]) -> None:
    print(json.dumps(found, ensure_ascii=False))
