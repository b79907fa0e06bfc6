"""Plans on the command line: what the optimiser did to a program, and how it is evaluated."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from larspark.analysis.rewrites.optimise import ORDINARY, REWRITES, OptimisedProgram
from larspark.language.printing.printer import show

if TYPE_CHECKING:
    from larspark.reasoners.interval.display.describe import PlanDescription


def add_rewrites_argument(parser: argparse.ArgumentParser, option: str, purpose: str) -> None:
    """`--option` for the ordinary rewrites, `--option NAME,NAME` for these."""
    names = ", ".join(rewrite.name for rewrite in REWRITES)
    parser.add_argument(
        option,
        nargs="?",
        const=ORDINARY,
        type=_rewrites,
        metavar="REWRITE,…",
        help=f"{purpose}; all but merge-windows, or some of {names}",
    )


def _rewrites(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    unknown = sorted(set(names) - {rewrite.name for rewrite in REWRITES})
    if unknown:
        raise argparse.ArgumentTypeError(f"there is no rewrite {unknown[0]!r}")
    return names


def evaluation_as_text(plan: PlanDescription | None) -> Iterator[str]:
    """How the interval reasoner evaluates the program as it is written."""
    yield "evaluation  by the interval reasoner"
    if plan is None:
        yield "  it does not take this program"
    else:
        yield from (f"  {line}" for line in plan.lines())
    yield ""


def plan_as_json(plan: OptimisedProgram, names: Collection[str]) -> dict[str, Any]:
    steps = [
        {
            "rewrite": step.rewrite.name,
            "equivalence": step.rewrite.notion,
            "removed": [show(rule) for rule in step.removed],
            "added": [show(rule) for rule in step.added],
        }
        for step in plan.steps
    ]
    rules = [show(rule) for rule in plan.program.rules]
    return {"rewrites": list(names), "steps": steps, "rules": rules, "predicted_factor": plan.predicted}


def plan_as_text(plan: OptimisedProgram) -> str:
    """Each step with the rules that went and the rules that came."""
    lines: list[str] = []
    for step in plan.steps:
        lines.append(f"{step.rewrite.name}  (equivalence: {step.rewrite.notion})")
        lines += [f"  - {show(rule)}" for rule in step.removed]
        lines += [f"  + {show(rule)}" for rule in step.added]
    if not lines:
        return "nothing to rewrite"
    return "\n".join([*lines, f"predicted: {plan.predicted:.1f} times as fast"])
