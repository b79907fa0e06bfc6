"""What a changed program would have done on past data: only where the answers differ, with the rule that gives them.

`+` is what the new program concludes, `-` what only the old one does; first how much changes for each predicate and
rule.
"""

from __future__ import annotations

import argparse

from larspark.cli.arguments import add_meaning_arguments, add_stream_arguments
from larspark.cli.html import add_html_argument, asking, write_page
from larspark.cli.questions import add_reasoner_argument, load_case, print_json
from larspark.explain.differences import difference_lines
from larspark.runtime.explaining import compare_programs

EXAMPLE = """\
  larspark diff alarms.lars alarms-new.lars --stream history.jsonl
  larspark diff alarms.lars alarms-new.lars --stream history.parquet --format json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help="a program file")
    parser.add_argument("new", metavar="NEW", help="another program file")
    add_meaning_arguments(parser)
    add_stream_arguments(parser)
    add_reasoner_argument(parser)
    add_html_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    old, new = (
        load_case(argparse.Namespace(**{**vars(arguments), "program": program}))
        for program in (arguments.old, arguments.new)
    )
    found = compare_programs(old, new)
    if arguments.format == "json":
        for one in found:
            print_json(one.as_json())
    else:
        print("\n".join(difference_lines(found)))
    if arguments.html:
        from larspark.web.picture import Extras, first_proofs  # noqa: PLC0415 - only reports pay for the page

        history = new.side.history
        extras = Extras("diff", tuple(first_proofs(new, history)), tuple(found), ask=asking(arguments))
        write_page(arguments, new, extras, history)
    return 0
