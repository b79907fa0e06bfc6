"""Options that the commands about explanations share, and what they load."""

from __future__ import annotations

import argparse
import json
from typing import Any

from larspark.cli.arguments import add_program_arguments, add_stream_arguments, prepared_of, read_time_point
from larspark.cli.report import report
from larspark.diagnostics import Diagnostic, Severity
from larspark.reasoners.registry import REASONERS
from larspark.runtime.explaining import Case
from larspark.runtime.large import LargeCase
from larspark.runtime.prepared import Prepared
from larspark.runtime.sourced import read_sourced


def add_question_arguments(parser: argparse.ArgumentParser, atom: str) -> None:
    """An atom, a program, a stream and a time."""
    parser.add_argument("atom", metavar="ATOM", help=atom)
    add_program_arguments(parser)
    add_stream_arguments(parser)
    parser.add_argument(
        "--at", type=read_time_point, metavar="T", help="the evaluation that is asked about (default: the last)"
    )
    add_reasoner_argument(parser)


def add_reasoner_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--reasoner", choices=tuple(REASONERS), metavar="R", help="who evaluates (default: the first that can)"
    )


def load_case(arguments: argparse.Namespace) -> Case:
    """The program over its recording; with `--on-error skip` the records that were not taken are told."""
    return _whole_case(arguments, prepared_of(arguments))


def _whole_case(arguments: argparse.Namespace, prepared: Prepared) -> Case:
    stream = read_sourced(arguments.stream, prepared, arguments.on_error)
    for one in stream.refused:
        where = f"{one.place.file}:{one.place.line}: " if one.place else ""
        report([Diagnostic(one.code, f"{where}{one.reason}", severity=Severity.WARNING)], arguments.format)
    timeline = tuple(arguments.timeline) if arguments.timeline else None
    return Case.of(prepared, stream.arrivals, timeline, arguments.reasoner, stream.refused)


def load_question(arguments: argparse.Namespace) -> Case | LargeCase:
    """The same for a question about one atom: of Parquet only what it can depend on is read."""
    prepared = prepared_of(arguments)
    timeline = tuple(arguments.timeline) if arguments.timeline else None
    large = LargeCase.of(prepared, arguments.stream, timeline, arguments.reasoner, arguments.on_error)
    return large or _whole_case(arguments, prepared)


def print_json(found: dict[str, Any]) -> None:
    print(json.dumps(found, ensure_ascii=False))
