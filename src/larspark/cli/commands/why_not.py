"""Why an atom does not hold at a time: what each rule that could give it lacks, the nearest miss first.

Every condition that fails has one word for its reason, with the figures that belong to it: never, expired, not-yet,
gap, pushed-out, other-value, refused, blocked, comparison, aggregate, chosen-otherwise, constraint. Then the smallest
repairs: arrivals to add or to remove, or another window, each confirmed by evaluating. Asked about `false`, it says why
there is no answer stream: a minimal set of rules that clash.
"""

from __future__ import annotations

import argparse

from larspark.cli.options.html import add_html_argument, asking, write_page
from larspark.cli.options.questions import add_question_arguments, asked_time, load_case, load_question, print_json
from larspark.explain.faces.why_not_text import why_not_text
from larspark.questions.explaining import Case

EXAMPLE = """\
  larspark why-not 'alarm(press)' examples/machines.lars --stream examples/machines.jsonl --at 6
  larspark why-not 'alarm(press)' machines.lars --stream machines.jsonl --on-error skip --format json
  larspark why-not false choices.lars --stream events.jsonl --at 12
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_question_arguments(parser, "a ground atom, or `@U atom` for one about another time point")
    add_html_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.atom.strip() == "false":
        whole = load_case(arguments)
        clash = whole.clash(asked_time(arguments, whole))
        if arguments.format == "json":
            print_json(clash.as_json())
        else:
            print(clash)
        return 0
    case = load_case(arguments) if arguments.html else load_question(arguments)
    time = asked_time(arguments, case)
    found = case.why_not(arguments.atom, time)
    if arguments.format == "json":
        print_json(found.as_json())
    else:
        print(why_not_text(found))
    if isinstance(case, Case) and arguments.html:
        from larspark.explain.faces.face import why_not_explanation  # noqa: PLC0415 - only reports pay for the page
        from larspark.web.picture import Extras  # noqa: PLC0415

        proofs = (why_not_explanation(found),)
        selected = str(found.question.fact)
        write_page(arguments, case, Extras("why-not", proofs, ask=asking(arguments), cursor=time, selected=selected))
    return 0
