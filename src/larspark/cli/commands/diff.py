"""What a changed program would have done on past data: only where the answers differ, with the rule that gives them.

`+` is what the new program concludes, `-` what only the old one does; first how much changes for each predicate and
rule.
"""

from __future__ import annotations

import argparse

from larspark.cli.options.arguments import add_meaning_arguments, add_stream_arguments, prepared_of
from larspark.cli.options.html import add_html_argument, asking, write_page
from larspark.cli.options.questions import add_reasoner_argument, load_case, print_json
from larspark.explain.differences import Difference, difference_lines
from larspark.runtime.explaining import compare_programs

EXAMPLE = """\
  larspark diff alarms.lars alarms-new.lars --stream history.jsonl
  larspark diff alarms.lars alarms-new.lars --stream history.parquet --format json
  larspark diff alarms.lars alarms-new.lars --stream history/ --spark
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help="a program file")
    parser.add_argument("new", metavar="NEW", help="another program file")
    add_meaning_arguments(parser)
    add_stream_arguments(parser)
    add_reasoner_argument(parser)
    add_html_argument(parser)
    parser.add_argument("--spark", action="store_true", help="evaluate on Spark, for a large history")
    parser.add_argument("--master", metavar="M", help="the Spark master (default: all cores of this machine)")


def run(arguments: argparse.Namespace) -> int:
    given = [argparse.Namespace(**{**vars(arguments), "program": one}) for one in (arguments.old, arguments.new)]
    if arguments.spark:
        _print(_on_spark(given, arguments), arguments.format)
        return 0
    old, new = map(load_case, given)
    found = compare_programs(old, new)
    _print(found, arguments.format, new.words)
    if arguments.html:
        from larspark.web.picture import Extras, first_proofs  # noqa: PLC0415 - only reports pay for the page

        history = new.side.history
        extras = Extras("diff", tuple(first_proofs(new, history)), tuple(found), ask=asking(arguments))
        write_page(arguments, new, extras, history)
    return 0


def _on_spark(given: list[argparse.Namespace], arguments: argparse.Namespace) -> list[Difference]:
    """A history that is too large for one process."""
    from larspark.spark.comparing import compare_on_spark, options_of  # noqa: PLC0415 - only who asks pays for Spark
    from larspark.spark.session.failures import SparkError, rejected  # noqa: PLC0415
    from larspark.spark.session.session import spark_session  # noqa: PLC0415

    old, new = map(prepared_of, given)
    options = options_of(arguments.timeline, arguments.on_error)
    try:
        return compare_on_spark(spark_session(arguments.master), old, new, arguments.stream, options)
    except SparkError as error:
        raise rejected(error) from error


def _print(found: list[Difference], style: str, words: Words) -> None:
    if style == "json":
        for one in found:
            print_json(one.as_json())
    else:
        print("\n".join(difference_lines(found, words)))
