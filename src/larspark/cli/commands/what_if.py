"""What the answers would be if other atoms had arrived: only the difference, with the rule that gives it.

`+` is what the changed recording has, `-` what only the recording as it is has.
"""

from __future__ import annotations

import argparse

from larspark.cli.options.arguments import add_program_arguments, add_stream_arguments
from larspark.cli.options.questions import add_reasoner_argument, load_case, print_json
from larspark.explain.differences import difference_lines

EXAMPLE = """\
  larspark what-if examples/machines.lars --stream examples/machines.jsonl --add '@13 fault(press,e9)' --drop 'line 8'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser)
    add_stream_arguments(parser)
    parser.add_argument("--add", action="append", default=[], metavar="'@T ATOM'", help="an arrival to add")
    parser.add_argument(
        "--drop", action="append", default=[], metavar="L", help="arrivals to drop: 'line 98', 'FILE:98' or '@T ATOM'"
    )
    add_reasoner_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    case = load_case(arguments)
    found = case.what_if(arguments.add, arguments.drop)
    if arguments.format == "json":
        for one in found:
            print_json(one.as_json())
    else:
        print("\n".join(difference_lines(found, case.words)))
    return 0
