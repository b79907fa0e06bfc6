"""Why an atom holds at a time: the proof, computed on request, and how long it lasts.

Every leaf points at the line of the input that it comes from; absence is explained by what was looked for, where, and
the nearest thing found. The lowest proof comes first. `larspark verify` checks what is printed as JSON.
"""

from __future__ import annotations

import argparse

from larspark.cli.options.html import add_html_argument, asking, write_page
from larspark.cli.options.questions import add_question_arguments, asked_time, load_case, load_question, print_json
from larspark.explain.faces.text import proof_text
from larspark.explain.proofs.build import DEPTH
from larspark.questions.explaining import Case

EXAMPLE = """\
  larspark why 'alarm(press)' examples/machines.lars --stream examples/machines.jsonl --at 22
  larspark why '@43 exp(a3,m)' examples/transport.lars --stream examples/transport.jsonl --at 41 --depth all
  larspark why 'alarm(press)' machines.lars --stream machines.jsonl --format json > proof.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_question_arguments(parser, "a ground atom, or `@U atom` for one about another time point")
    add_html_argument(parser)
    parser.add_argument(
        "--all", type=read_count, default=1, metavar="N", help="up to N derivations (default: the lowest)"
    )
    parser.add_argument(
        "--depth", type=read_depth, default=DEPTH, metavar="N|all", help=f"rules above each other (default: {DEPTH})"
    )


def read_count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"`{text}` is not a positive number")
    return int(text)


def read_depth(text: str) -> int | None:
    return None if text == "all" else read_count(text)


def run(arguments: argparse.Namespace) -> int:
    case = load_case(arguments) if arguments.html else load_question(arguments)
    time = asked_time(arguments, case)
    found = case.why(arguments.atom, time, count=arguments.all, depth=arguments.depth)
    for number, proof in enumerate(found):
        if arguments.format == "json":
            print_json(proof.as_json())
        else:
            print(("\n" if number else "") + proof_text(proof))
    if isinstance(case, Case) and arguments.html:
        from larspark.explain.faces.face import why_explanation  # noqa: PLC0415 - only reports pay for the page
        from larspark.web.picture import Extras  # noqa: PLC0415

        proofs = tuple(map(why_explanation, found))
        selected = str(found[0].question.fact)
        write_page(arguments, case, Extras("why", proofs, ask=asking(arguments), cursor=time, selected=selected))
    return 0
