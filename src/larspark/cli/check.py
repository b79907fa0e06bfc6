"""Parse and analyse a program: what is wrong with it, and what can be known before data arrives.

Shown are the fragment, the predicates and where they come from, the strata, the reasoners that take the program (and
why the others do not), how long facts of each predicate have to be kept, and how the work can be split.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from rich.console import Console

from larspark.analysis.pipeline import Analysis, analyse
from larspark.analysis.report import as_report, rejected_report
from larspark.analysis.rewrites.optimise import optimise
from larspark.analysis.ticker_compatibility import ticker_objections
from larspark.cli.arguments import add_clock_arguments, add_program_arguments
from larspark.cli.check_text import print_analysis
from larspark.cli.plan import add_rewrites_argument, plan_as_json, plan_as_text
from larspark.cli.report import report
from larspark.diagnostics import Rejected
from larspark.kinships.languages import load_program

EXAMPLE = """\
  larspark check examples/transport.lars
  larspark check program.lars --clock 500ms --format json
  larspark check program.lars --plan
"""

PLAIN_WIDTH = 120
"""How wide lines are when the output is not a terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser)
    add_clock_arguments(parser)
    parser.add_argument("--compat", choices=("ticker",), help="also say what this system would refuse")
    add_rewrites_argument(parser, "--plan", "also show what the optimiser would make of the program")


def run(arguments: argparse.Namespace) -> int:
    try:
        analysis = _analysis(arguments)
    except Rejected as rejected:
        if arguments.format == "json":
            print(json.dumps(rejected_report(rejected.diagnostics), ensure_ascii=False))
        raise
    if arguments.format == "json":
        print(json.dumps(as_report(analysis) | _plan(analysis, arguments.plan), ensure_ascii=False))
    elif analysis.ok:
        print_analysis(analysis, Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH, highlight=False))
        if arguments.plan:
            print(plan_as_text(optimise(analysis.program, arguments.plan)))
    if analysis.diagnostics and (arguments.format == "text" or not analysis.ok):
        report(analysis.diagnostics, arguments.format)
    return 0 if analysis.ok else 1


def _plan(analysis: Analysis, names: tuple[str, ...] | None) -> dict[str, Any]:
    if not names or not analysis.ok:
        return {}
    return {"plan": plan_as_json(optimise(analysis.program, names), names)}


def _analysis(arguments: argparse.Namespace) -> Analysis:
    analysis = analyse(
        load_program(arguments.program, arguments.clock),
        clock=arguments.clock,
        constants=dict(arguments.const),
        allow_functions=arguments.allow_functions,
    )
    return analysis.finding(*ticker_objections(analysis)) if arguments.compat == "ticker" else analysis
