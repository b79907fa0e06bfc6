"""Other rules in place of those of a prepared program, and how far back rules look."""

from __future__ import annotations

from dataclasses import replace

from larspark.analysis.analysis import Analysis
from larspark.analysis.pipeline import analyse
from larspark.language.traversal import atoms, walk
from larspark.language.tree import IntervalWindow, Program, WindowNode
from larspark.runtime.prepared import Prepared


def reach_of(analysis: Analysis) -> int | None:
    """How far back an evaluation looks; None where a window counts, or has no bound."""
    windows = (part for part in walk(analysis.program) if isinstance(part, WindowNode))
    if any(one.counts_arrivals or one.sees_everything or isinstance(one, IntervalWindow) for one in windows):
        return None
    pasts = [one.past for one in analysis.retention.values() if one.past is not None and not one.by_arrivals]
    return max(pasts, default=0) if len(pasts) == len(analysis.retention) else None


def restricted_to(prepared: Prepared, program: Program) -> Prepared:
    """Fewer rules of a program, or fewer of their instances: what the analysis says about the others stays true."""
    analysis = prepared.analysis
    given = frozenset(atom.signature for rule in program.rules for atom in atoms(rule.head))
    arriving = analysis.extensional | (analysis.intensional - given)  # without rules, nothing gives them
    return replace(prepared, analysis=replace(analysis, program=program, intensional=given, extensional=arriving))


def with_program(prepared: Prepared, program: Program) -> Prepared:
    """The same data and functions with other rules, which are resolved already."""
    given, functions = prepared.analysis.background, prepared.analysis.allow_functions
    analysis = analyse(program, background=given, allow_functions=functions)
    return Prepared(
        program, {}, analysis, prepared.background, prepared.functions, prepared.calendar, prepared.problems
    )
