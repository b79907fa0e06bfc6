"""What truth maintenance takes: plain rules in the shape it works on, and reasons against the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Term, Variable
from larspark.reasoners.flattening import plain_rule
from larspark.reasoners.plain import Literal, PlainRule
from larspark.reasoners.readings import Quantifier, Reading


def prepared_rules(analysis: Analysis, background: Iterable[Fact]) -> list[PlainRule]:
    """The rules of the program; Rejected with all reasons against them."""
    known = {fact.signature for fact in background}
    rules = [plain_rule(rule) for rule in analysis.program.rules]
    reasons = [reason for rule in rules for literal in rule.body for reason in _objections(literal, known, analysis)]
    if reasons:
        raise Rejected(reasons)
    return [replace(rule, body=tuple(_named(literal, analysis) for literal in rule.body)) for rule in rules]


def _objections(literal: Literal, background: set[Signature], analysis: Analysis) -> Iterator[Diagnostic]:
    match literal:
        case Reading(negated=True, computed_interval=window, origin=origin) if window is not None:
            yield _objection("A negated interval with computed bounds has no incremental encoding.", origin)
        case Reading(quantifier=Quantifier.AT, endless=True, origin=origin) if literal.atom.signature in background:
            yield _objection("Background atoms hold at infinitely many time points.", origin)


def _objection(message: str, origin: Origin | None) -> Diagnostic:
    return Diagnostic("E519", message, "Use the clingo reasoner.", origin)


def _named(literal: Literal, analysis: Analysis) -> Literal:
    """Derived atoms are nodes, so where one is read directly, `_` becomes a variable with a value."""
    match literal:
        case Reading(Quantifier.NOW, atom, negated=False) if atom.signature in analysis.intensional:
            return replace(literal, atom=replace(atom, args=tuple(map(_with_name, atom.args))))
    return literal


def _with_name(term: Term) -> Term:
    return Variable(f"?{term.name}") if isinstance(term, Variable) and term.anonymous else term
