"""Rules that can never fire: a body that contradicts itself, or an atom that nothing can provide."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from larspark.analysis.analysis import Analysis
from larspark.analysis.passes.fragments import is_plain_literal
from larspark.analysis.structure.occurrences import head_atoms, occurrences
from larspark.diagnostics import Diagnostic, Severity
from larspark.language.extended_atoms import ExtendedAtom
from larspark.language.facts import Signature
from larspark.language.tree import Aggregate, Atom, Comparison, Constant, Formula, Not, Rule, Truth, Variable
from larspark.language.values import Value, compare, order_key


def warn_dead_rules(analysis: Analysis) -> Analysis:
    """Warn about every rule that no data can make fire, once where it stands for several, and all of these are dead."""
    rules, reasons = analysis.program.rules, dict[int, str]()
    for number, rule in enumerate(rules):
        if contradictory(rule.body):
            reasons[number] = "its conditions contradict each other"
    derivable = _derivable(analysis, reasons.keys())
    for number, rule in enumerate(rules):
        missing = next((found for found in _needs(rule) if found.atom.signature not in derivable), None)
        if missing:
            reasons.setdefault(number, f"nothing can derive {missing.atom.signature}")
    alive = {rule.origin for number, rule in enumerate(rules) if number not in reasons}
    told = {rules[number].origin: reason for number, reason in reasons.items()}
    return analysis.finding(
        *(
            Diagnostic(
                "W206",
                f"This rule never fires: {reason}.",
                "Remove the rule, or correct its body.",
                origin,
                Severity.WARNING,
            )
            for origin, reason in told.items()
            if origin is None or origin not in alive
        )
    )


def _derivable(analysis: Analysis, dead: Collection[int]) -> set[Signature]:
    """Predicates that input, background and rules can provide at all: a least fixpoint over positive bodies."""
    missing: dict[int, set[Signature]] = {}
    waiting: dict[Signature, list[int]] = {}
    for number, rule in enumerate(analysis.program.rules):
        if number not in dead:
            missing[number] = {found.atom.signature for found in _needs(rule)}
            for signature in missing[number]:
                waiting.setdefault(signature, []).append(number)
    agenda = [*analysis.extensional, *analysis.background]
    agenda += [atom.signature for number in missing if not missing[number] for atom in _heads(analysis, number)]
    derivable: set[Signature] = set()
    while agenda:
        signature = agenda.pop()
        if signature in derivable:
            continue
        derivable.add(signature)
        for number in waiting.get(signature, ()):
            missing[number].discard(signature)
            if not missing[number]:
                agenda += [atom.signature for atom in _heads(analysis, number)]
    return derivable


def _heads(analysis: Analysis, number: int) -> tuple[Atom, ...]:
    return head_atoms(analysis.program.rules[number])


def _needs(rule: Rule) -> Iterator[ExtendedAtom]:
    """The atoms without which the rule cannot fire; formulas beyond plain LARS are left open."""
    for literal in rule.body:
        if is_plain_literal(literal) and not isinstance(literal, Not | Aggregate):
            yield from occurrences(literal)


def contradictory(body: tuple[Formula, ...]) -> bool:
    """Is the conjunction false whatever the data? (Sound, not complete.)"""
    literals = set(body)
    if Truth(False) in literals or any(isinstance(part, Not) and part.body in literals for part in body):
        return True
    conditions: dict[str, list[tuple[str, Value]]] = {}
    for part in body:
        match part:
            case Comparison(operator, Constant(left), Constant(right)):
                if not compare(operator, left, right):
                    return True
            case Comparison("<" | ">" | "!=", Variable(left_name), Variable(right_name)):
                if left_name == right_name:
                    return True
            case Comparison(operator, Variable(name), Constant(value)):
                conditions.setdefault(name, []).append((operator, value))
            case Comparison(operator, Constant(value), Variable(name)):
                conditions.setdefault(name, []).append((MIRRORED[operator], value))
    return any(unsatisfiable(known) for known in conditions.values())


MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def unsatisfiable(conditions: list[tuple[str, Value]]) -> bool:
    """No value meets all these comparisons; the values are taken to be dense, so only single points are tried."""
    points = [value for operator, value in conditions if operator == "="]
    lowest = sorted((value for operator, value in conditions if operator in (">", ">=")), key=order_key)[-1:]
    highest = sorted((value for operator, value in conditions if operator in ("<", "<=")), key=order_key)[:1]
    if points or lowest == highest != []:
        point = (points or lowest)[0]
        return not all(compare(operator, point, value) for operator, value in conditions)
    return bool(lowest and highest and compare(">", lowest[0], highest[0]))
