"""What a changed program would have done on past data: only where the answers differ, with the rule that gives them.

`+` is what the new program concludes, `-` what only the old one does; first how much changes for each predicate and
rule.
"""

from __future__ import annotations

import argparse

from larspark.cli.options.arguments import add_meaning_arguments, add_stream_arguments
from larspark.cli.options.html import add_html_argument, asking, write_page
from larspark.cli.options.questions import (
    AskedProgram,
    add_explain_argument,
    add_reasoner_argument,
    add_run_argument,
    add_spark_arguments,
    asked_of,
    print_differences,
    whole_case,
)
from larspark.questions.explaining import compare_programs

EXAMPLE = """\
  larspark diff alarms.lars alarms-new.lars --stream history.jsonl
  larspark diff alarms.lars alarms-new.lars --stream history.parquet --format json
  larspark diff alarms.lars alarms-new.lars --stream history/ --spark
  larspark diff alarms-new.lars --run results --spark
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help="a program file; with --run it may be left out")
    parser.add_argument("new", metavar="NEW", nargs="?", help="another program file")
    add_meaning_arguments(parser)
    add_stream_arguments(parser, optional=True)
    add_run_argument(parser)
    add_reasoner_argument(parser)
    add_html_argument(parser)
    add_explain_argument(parser)
    add_spark_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    old, new = _sides(arguments)
    if arguments.spark:
        from larspark.cli.options.on_spark import compared  # noqa: PLC0415 - only who asks pays for Spark

        found, words = compared(arguments, old.prepared, new)
        print_differences(found, arguments.format, words)
        return 0
    before = whole_case(arguments, old)
    after = whole_case(arguments, new, told=before.refused)
    found = compare_programs(before, after, arguments.explain)
    print_differences(found, arguments.format, after.words)
    if arguments.html:
        from larspark.web.picture import Extras, first_proofs  # noqa: PLC0415 - only reports pay for the page

        history = after.side.history
        extras = Extras("diff", tuple(first_proofs(after, history)), tuple(found), ask=asking(arguments))
        write_page(arguments, after, extras, history)
    return 0


def _sides(arguments: argparse.Namespace) -> list[AskedProgram]:
    """The old program is that of the run where one is named, and only one program is given."""
    programs = [arguments.old, arguments.new]
    if arguments.new is None and arguments.run_folder:
        programs = [None, arguments.old]
        arguments.new = arguments.old
    return [asked_of(argparse.Namespace(**{**vars(arguments), "program": one})) for one in programs]
