"""`eval --html`: the recording, what follows, and proofs, as a page in one file."""

from __future__ import annotations

import argparse

from larspark.cli.options.html import asking, write_page
from larspark.cli.options.questions import load_case
from larspark.web.picture import Extras, first_proofs


def write_evaluation(arguments: argparse.Namespace) -> None:
    case = load_case(arguments)
    history = case.side.history
    extras = Extras("eval", tuple(first_proofs(case, history)), ask=asking(arguments))
    write_page(arguments, case, extras, history)
