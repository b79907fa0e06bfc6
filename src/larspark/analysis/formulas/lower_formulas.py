"""The analysis of a program with full formulas, or tangled atoms, with that of the plain program that stands for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from larspark.analysis.analysis import Analysis, Fragment
from larspark.analysis.formulas.context import Beyond
from larspark.analysis.formulas.lower import Known, lower
from larspark.analysis.formulas.predicates import TICK, TICKS
from larspark.analysis.formulas.untangle import untangled
from larspark.diagnostics import Diagnostic, Severity
from larspark.language.facts import Fact

_AS_WRITTEN = "reference"
"""Who takes the program as it is written."""


def lower_formulas(analysis: Analysis, passes: Callable[[Analysis], Analysis]) -> Analysis:
    """Where something is beyond plain rules, or tangled, say what plain rules can do; else nothing is changed."""
    if not analysis.ok or not analysis.resolved:
        return analysis
    program = analysis.program
    if analysis.fragment is Fragment.FULL:
        found = lower(program, Known(analysis.background, analysis.extensional))
        if found.beyond:
            return _accepting(analysis, {}, tuple(map(_reason, found.beyond)))
        program = found.program
    program = untangled(program)
    if program is analysis.program:
        return analysis
    given, functions = analysis.background | {TICK.signature}, analysis.allow_functions
    plain = passes(Analysis(program, background=given, allow_functions=functions))
    errors = tuple(one for one in plain.diagnostics if one.severity is Severity.ERROR)
    if errors:
        return _accepting(analysis, {}, errors)
    plain = replace(plain, shown=analysis.shown, relations=analysis.relations)
    return replace(_accepting(analysis, dict(plain.accepts), ()), lowered=plain)


def as_plain(analysis: Analysis, background: Sequence[Fact]) -> tuple[Analysis, Sequence[Fact]]:
    """The program and its background as reasoners take them that know extended atoms only."""
    return (analysis, background) if analysis.lowered is None else (analysis.lowered, (*background, TICKS))


def _accepting(
    analysis: Analysis, accepts: dict[str, tuple[Diagnostic, ...]], reasons: tuple[Diagnostic, ...]
) -> Analysis:
    against = {
        name: own if name == _AS_WRITTEN else (*reasons, *accepts.get(name, ()))
        for name, own in analysis.accepts.items()
    }
    return replace(analysis, accepts=against)


def _reason(beyond: Beyond) -> Diagnostic:
    message = f"This formula is not lowered to extended atoms. {beyond.reason}"
    return Diagnostic("E511", message, "Use `--reasoner reference`.", beyond.formula.origin)
