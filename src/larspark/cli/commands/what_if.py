"""What the answers would be if other atoms had arrived: only the difference, with the rule that gives it.

`+` is what the changed recording has, `-` what only the recording as it is has. Of a recording in Parquet only the time
around the changes is read, where windows are bounded.
"""

from __future__ import annotations

import argparse

from larspark.cli.options.arguments import add_program_arguments, add_stream_arguments
from larspark.cli.options.questions import (
    AskedProgram,
    add_explain_argument,
    add_reasoner_argument,
    add_run_argument,
    add_spark_arguments,
    asked_of,
    large_case,
    print_differences,
    whole_case,
)
from larspark.explain.differences.changed_data import ArrivalChanges
from larspark.explain.differences.differences import AnswerDifference
from larspark.explain.phrasing import Phrasing
from larspark.language.calendar import TimeForm

EXAMPLE = """\
  larspark what-if examples/machines.lars --stream examples/machines.jsonl --add '@13 fault(press,e9)' --drop 'line 8'
  larspark what-if --run results --drop '@35 technician(ann)' --spark
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser, optional=True)
    add_stream_arguments(parser, optional=True)
    add_run_argument(parser)
    parser.add_argument("--add", action="append", default=[], metavar="'@T ATOM'", help="an arrival to add")
    parser.add_argument(
        "--drop", action="append", default=[], metavar="L", help="arrivals to drop: 'line 98', 'FILE:98' or '@T ATOM'"
    )
    add_reasoner_argument(parser)
    add_explain_argument(parser)
    add_spark_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    found, words = _differences(arguments, asked_of(arguments))
    print_differences(found, arguments.format, words)
    return 0


def _differences(arguments: argparse.Namespace, asked: AskedProgram) -> tuple[list[AnswerDifference], Phrasing]:
    add, drop = arguments.add, arguments.drop
    if arguments.spark:
        from larspark.cli.options.on_spark import compared  # noqa: PLC0415 - only who asks pays for Spark

        prepared = asked.prepared
        # both forms are read: a time without a zone is one in that of the calendar
        words = Phrasing.of(prepared.analysis, prepared.calendar, TimeForm.ZONED, prepared.background)
        return compared(arguments, prepared, asked, ArrivalChanges.of(add, drop, words))
    large = large_case(arguments, asked)
    if large is not None:
        return large.what_if(add, drop, arguments.explain)
    case = whole_case(arguments, asked)
    return case.what_if(add, drop, arguments.explain), case.words
