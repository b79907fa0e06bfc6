"""Derive only what is asked for: `q(X) :- p(X) [5], X > 7.` moves `X > 7` into the rules for p."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from larspark.analysis.rewrites.comparisons import bound
from larspark.analysis.rewrites.index import Index
from larspark.analysis.rewrites.observed import hidden, is_harmless
from larspark.analysis.structure.occurrences import head_atoms
from larspark.language.extended_atoms import ExtendedAtom
from larspark.language.tree import Atom, Comparison, Constant, Program, Rule, Term, Variable
from larspark.language.values import Value, compare


class ArgumentCondition(NamedTuple):
    """The argument at a position, from 0, compared with a constant."""

    position: int
    operator: str
    value: Value


def push_comparisons(program: Program) -> Program:
    """Add to the rules of a hidden predicate the comparisons that every rule makes which reads it.

    Atoms that fail them are not read by any rule, so that the answer streams stay the same in everything else:
    the programs are data equivalent for what is shown.
    """
    index = Index.of(program)
    rules = list(program.rules)
    for signature in sorted(hidden(program)):
        defining = index.defining[signature]
        common = _common(program, index.reading.get(signature, []))
        if common and all(is_harmless(program.rules[place]) for place in defining):
            for place in defining:
                rules[place] = _restricted(rules[place], common)
    return replace(program, rules=tuple(rules))


def _common(program: Program, reading: list[tuple[int, ExtendedAtom]]) -> list[ArgumentCondition]:
    """What all rules that read the predicate ask of it; nothing if none reads it."""
    found: list[ArgumentCondition] | None = None
    for place, occurrence in reading:
        asked = [] if occurrence.aggregated else list(_asked(program.rules[place], occurrence.atom))
        found = asked if found is None else [condition for condition in found if condition in asked]
    return found or []


def _asked(rule: Rule, atom: Atom) -> Iterator[ArgumentCondition]:
    for literal in rule.body:
        asked = bound(literal)
        if asked and isinstance(asked.term, Variable):
            yield from (ArgumentCondition(at, asked.operator, asked.value) for at in _positions(atom, asked.term))


def _positions(atom: Atom, variable: Variable) -> list[int]:
    return [at for at, term in enumerate(atom.args) if term == variable]


def _restricted(rule: Rule, conditions: list[ArgumentCondition]) -> Rule:
    (atom,) = head_atoms(rule)
    wanted = (_comparison(atom.args[one.position], one) for one in conditions)
    return replace(rule, body=rule.body + tuple(part for part in wanted if part is not None and part not in rule.body))


def _comparison(term: Term, condition: ArgumentCondition) -> Comparison | None:
    """The condition on a term of a head; None if it holds anyway."""
    if isinstance(term, Constant) and compare(condition.operator, term.value, condition.value):
        return None
    return Comparison(condition.operator, term, Constant(condition.value), origin=term.origin)
