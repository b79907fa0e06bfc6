"""The rules of a program in the shape in which truth maintenance takes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.aggregate_levels import aggregate_levels
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Term, Variable
from larspark.reasoners.flattening import plain_rule
from larspark.reasoners.jtms.auxiliaries import Auxiliaries, LevelledRule
from larspark.reasoners.plain import Literal


def prepared_rules(analysis: Analysis, background: Iterable[Fact]) -> Auxiliaries:
    """The rules of the program, with those for what is asked for."""
    levels = aggregate_levels(analysis)
    prepared = Auxiliaries(frozenset(fact.signature for fact in background), levels.top)
    for rule in analysis.program.rules:
        prepared.add(plain_rule(rule), levels.rule(rule, analysis.dependencies.heads(rule)))
    derived = analysis.intensional.union(head.atom.signature for rule, _ in prepared.rules for head in rule.heads)
    prepared.rules = [
        LevelledRule(replace(rule, body=tuple(_named(literal, derived) for literal in rule.body)), level)
        for rule, level in prepared.rules
    ]
    return prepared


def _named(literal: Literal, derived: frozenset[Signature]) -> Literal:
    """Derived atoms are nodes, so where one is read directly, `_` becomes a variable with a value."""
    match literal:
        case ExtendedAtom(Quantifier.NOW, atom, negated=False) if atom.signature in derived:
            return replace(literal, atom=replace(atom, args=tuple(map(_with_name, atom.args))))
    return literal


def _with_name(term: Term) -> Term:
    return Variable(f"?{term.name}") if isinstance(term, Variable) and term.anonymous else term
