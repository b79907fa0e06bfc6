"""Recursion that computes ever new values or times, so that one evaluation may not end."""

from __future__ import annotations

from collections.abc import Iterator

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.occurrences import body_occurrences, head_atoms
from larspark.diagnostics import Diagnostic, Severity
from larspark.language.extended_atoms import ExtendedAtom
from larspark.language.facts import Signature
from larspark.language.traversal import variables, walk
from larspark.language.tree import At, Call, Comparison, IntervalWindow, Operation, Rule, Term, TimeWindow, Variable


def warn_endless(analysis: Analysis) -> Analysis:
    """Warn about recursive rules whose head computes a value that nothing limits."""
    return analysis.finding(
        *(
            finding
            for component in analysis.components
            if component.recursive
            for rule in component.rules
            for finding in _findings(rule, component.predicates)
        )
    )


def _findings(rule: Rule, component: frozenset[Signature]) -> Iterator[Diagnostic]:
    recursive = [found for found in body_occurrences(rule) if found.atom.signature in component and not found.strict]
    limited = {
        variable.name
        for literal in rule.body
        if isinstance(literal, Comparison) and literal.operator not in ("=", "!=")
        for variable in variables(literal)
    }
    carried = {variable.name for found in recursive for variable in variables(found.atom)}
    for term in (term for atom in head_atoms(rule) for term in atom.args):
        names = _computed_from(term, rule)
        if names & carried and not names & limited:
            yield _warning(rule, "values", "Limit what it computes with a comparison, such as `X < 100`.")
            return
    times = {v.name for found in recursive if not _in_time_window(found) for v in _times_of(rule, found)}
    for part in walk(rule.head):
        if isinstance(part, At):
            names = _computed_from(part.time, rule)
            if names & times and not names & limited:
                yield _warning(rule, "times", "Put a time window around the recursive atom, such as `@T a [5]`.")
                return


def _computed_from(term: Term, rule: Rule) -> set[str]:
    """The variables of a computed term, through equations; empty when the term is not computed."""
    match term:
        case Variable(name):
            for literal in rule.body:
                match literal:
                    case Comparison("=", Variable(other), Operation() | Call() as source) if other == name:
                        return {name} | {variable.name for variable in variables(source)}
                    case Comparison("=", Operation() | Call() as source, Variable(other)) if other == name:
                        return {name} | {variable.name for variable in variables(source)}
        case Operation() | Call():
            return {variable.name for variable in variables(term)}
    return set()


def _in_time_window(found: ExtendedAtom) -> bool:
    return any(isinstance(window, TimeWindow | IntervalWindow) for window in found.windows)


def _times_of(rule: Rule, found: ExtendedAtom) -> Iterator[Variable]:
    """The variables in `@…` in front of an atom."""
    for literal in rule.body:
        for part in walk(literal):
            if isinstance(part, At) and part.body is found.atom:
                yield from variables(part.time)


def _warning(rule: Rule, what: str, hint: str) -> Diagnostic:
    message = f"This recursion may compute new {what} without end."
    return Diagnostic("W207", message, hint, rule.origin, Severity.WARNING)
