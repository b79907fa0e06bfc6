"""What Ticker would say: its restrictions are not ours, but programs move in both directions (thesis sec. 7.1.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from larspark.analysis.analysis import Analysis
from larspark.analysis.check_safety import bound_variables
from larspark.analysis.occurrences import body_occurrences, head_atoms
from larspark.diagnostics import Diagnostic, Severity
from larspark.language.facts import Signature
from larspark.language.traversal import atoms, variables, walk
from larspark.language.tree import At, Atom, Comparison, Formula, Program, Rule, Variable, Windowed


@dataclass(frozen=True, slots=True)
class TickerPredicates:
    """Ticker's implicit classes of predicates."""

    intensional: frozenset[Signature]
    signals: frozenset[Signature]
    background: frozenset[Signature]


def ticker_predicates(program: Program) -> TickerPredicates:
    """Heads are intensional, what else stands under a window or `@` are signals, the rest is background."""
    heads = {atom.signature for rule in program.rules for atom in head_atoms(rule)}
    read = {found.atom.signature for rule in program.rules for found in body_occurrences(rule)}
    temporal = {
        atom.signature
        for rule in program.rules
        for literal in rule.body
        for part in walk(literal)
        if isinstance(part, Windowed | At)
        for atom in atoms(part)
    }
    return TickerPredicates(frozenset(heads), frozenset(temporal - heads), frozenset(read - temporal - heads))


def ticker_objections(analysis: Analysis) -> Iterator[Diagnostic]:
    """Why Ticker's incremental reasoner would refuse a program that is right for larspark."""
    for rule in analysis.program.rules:
        yield from _several_time_variables(rule)
        yield from _unguarded(rule)


def _time_variables(rule: Rule) -> dict[str, Variable]:
    found: dict[str, Variable] = {}
    for part in walk(rule):
        if isinstance(part, At):
            for variable in variables(part.time):
                found.setdefault(variable.name, variable)
    return found


def _several_time_variables(rule: Rule) -> Iterator[Diagnostic]:
    for variable in list(_time_variables(rule).values())[1:]:
        yield _note(
            "E521", f"Ticker allows one time variable per rule, and {variable.name} is another.", variable, rule
        )


def _unguarded(rule: Rule) -> Iterator[Diagnostic]:
    """Guards are atoms outside windows, `@` and negation; what is computed from guarded variables is guarded."""
    guards: list[Formula] = [part for part in rule.body if isinstance(part, Atom | Comparison)]
    guarded = bound_variables(guards) | _time_variables(rule).keys()
    reported: set[str] = set()
    for literal in rule.body:
        for variable in variables(literal):
            if variable.name not in guarded | reported:
                reported.add(variable.name)
                yield _note("E522", f"Ticker needs an atom without window that guards {variable.name}.", variable, rule)


def _note(code: str, message: str, variable: Variable, rule: Rule) -> Diagnostic:
    hint = "larspark takes the rule as it is."
    return Diagnostic(code, message, hint, variable.origin or rule.origin, Severity.NOTE)
