"""Parse and analyse a program: what is wrong with it, and what can be known before data arrives.

Shown are the fragment, the predicates and where they come from, the strata, the reasoners that take the program (and
why the others do not), how long facts of each predicate have to be kept, and how the work can be split; for Temporal
Datalog, and for goals, what foresight makes of it.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console

from larspark.analysis.pipeline import Analysis
from larspark.analysis.report import as_report, rejected_report
from larspark.analysis.rewrites.optimise import optimise
from larspark.analysis.ticker_compatibility import ticker_objections
from larspark.cli.display.check_foresight import foresight_json, foresight_rows
from larspark.cli.display.check_text import print_analysis
from larspark.cli.display.plan import add_rewrites_argument, evaluation_as_text, plan_as_json, plan_as_text
from larspark.cli.display.report import report
from larspark.cli.options.arguments import (
    add_program_arguments,
    add_stream_arguments,
    described_of,
    load_recording,
)
from larspark.cli.options.outlook import natural
from larspark.diagnostics import Rejected, refuse_warnings
from larspark.hypothetical.survey import Survey, survey
from larspark.runtime.prepared import Prepared

if TYPE_CHECKING:
    from larspark.reasoners.interval.display.describe import PlanDescription

EXAMPLE = """\
  larspark check examples/transport.lars
  larspark check program.lars --clock 500ms --format json
  larspark check program.lars --plan
  larspark check program.lars --plan --stream sample.jsonl
  larspark check examples/foresight/turbines.lars --goal 'malf(X,T)'
"""

PLAIN_WIDTH = 120
"""How wide lines are when the output is not a terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser)
    add_stream_arguments(
        parser, sample_for="of which is told what is odd beside the program, and (with --plan) how joins are ordered"
    )
    parser.add_argument("--compat", choices=("ticker",), help="also say what this system would refuse")
    parser.add_argument(
        "--goal", action="append", default=[], metavar="ATOM", help="also whether this can be foreseen; repeatable"
    )
    parser.add_argument("--bound", type=natural, metavar="N", help="how often a recursive predicate may call itself")
    add_rewrites_argument(
        parser,
        "--plan",
        "also show how the interval reasoner evaluates the program, and what the optimiser would make of it",
    )


def run(arguments: argparse.Namespace) -> int:
    try:
        prepared = described_of(arguments)
        analysis, foreseen = _analysis(prepared, arguments)
    except Rejected as rejected:
        if arguments.format == "json":
            print(json.dumps(rejected_report(rejected.diagnostics), ensure_ascii=False))
        raise
    if arguments.format == "json":
        foresight = {} if foreseen is None else {"foresight": foresight_json(foreseen)}
        print(json.dumps(as_report(analysis) | foresight | _plan(analysis, prepared, arguments), ensure_ascii=False))
    elif analysis.ok:
        console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH, highlight=False)
        print_analysis(analysis, console, {} if foreseen is None else {"foresight": list(foresight_rows(foreseen))})
        if arguments.plan:
            print("\n".join(evaluation_as_text(_evaluation(prepared, arguments))))
            print(plan_as_text(optimise(analysis.program, arguments.plan)))
    if arguments.strict:
        refuse_warnings(analysis.diagnostics)
    if analysis.diagnostics and (arguments.format == "text" or not analysis.ok):
        report(analysis.diagnostics, arguments.format)
    if analysis.ok and arguments.stream is not None and not arguments.plan:
        load_recording(arguments, prepared)  # tells what is odd
    return 0 if analysis.ok else 1


def _plan(analysis: Analysis, prepared: Prepared, arguments: argparse.Namespace) -> dict[str, Any]:
    if not arguments.plan or not analysis.ok:
        return {}
    evaluation = _evaluation(prepared, arguments)
    return {
        "plan": plan_as_json(optimise(analysis.program, arguments.plan), arguments.plan),
        "evaluation": None if evaluation is None else evaluation.value(),
    }


def _evaluation(prepared: Prepared, arguments: argparse.Namespace) -> PlanDescription | None:
    """The plan of the interval reasoner, for the sizes that a sample leads to if there is one."""
    if "interval" not in prepared.analysis.reasoners:
        return None
    # Only here, because the kernels take longer to load than everything else that `check` does.
    from larspark.reasoners.interval import IntervalReasoner  # noqa: PLC0415
    from larspark.reasoners.interval.display.describe import describe  # noqa: PLC0415
    from larspark.reasoners.interval.sampling import sampled_sizes  # noqa: PLC0415

    if arguments.stream is None:
        return describe(prepared.analysis)
    recording = load_recording(arguments, prepared)
    reasoner = prepared.reasoner("interval", recording.start)
    assert isinstance(reasoner, IntervalReasoner)
    sizes = sampled_sizes(reasoner, list(recording.time_points(recording.end)))
    return describe(prepared.analysis, {fact.signature for fact in prepared.background}, sizes)


def _analysis(prepared: Prepared, arguments: argparse.Namespace) -> tuple[Analysis, Survey | None]:
    """The analysis of a program, with the findings of foresight among its diagnostics."""
    analysis = prepared.findings
    if arguments.compat == "ticker":
        analysis = analysis.finding(*ticker_objections(prepared.written, analysis))
    if not analysis.ok:
        return analysis, None
    foreseen = survey(prepared.resolved, arguments.goal, analysis.background, arguments.bound)
    return analysis.finding(*(foreseen.diagnostics if foreseen else ())), foreseen
