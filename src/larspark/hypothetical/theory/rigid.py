"""Rigid predicates: what does not change in time is computed once, before any stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from larspark.diagnostics import Rejected
from larspark.hypothetical.theory import findings
from larspark.hypothetical.theory.conditions import settle
from larspark.hypothetical.theory.terms import Literal, Substitution, apply, resolve_object, unify_literals
from larspark.hypothetical.theory.theory import Clause
from larspark.language.facts import Fact
from larspark.language.values import Value


def close_rigid(clauses: Sequence[Clause], background: Iterable[Fact]) -> tuple[list[Clause], frozenset[Fact]]:
    """Split off the clauses that only speak of rigid predicates; their least model joins the background."""
    moving = {clause.head.key for clause in clauses if clause.head.key.temporal}
    while True:
        more = {
            clause.head.key
            for clause in clauses
            if any(lit.key in moving or lit.key.temporal for lit in (*clause.body, *clause.negated))
        } | moving
        if more == moving:
            break
        moving = more
    static = [clause for clause in clauses if clause.head.key not in moving]
    bad = [clause for clause in static if clause.negated]
    if bad:
        raise Rejected(findings.negation_in_rigid_rule(clause.origin) for clause in bad)
    facts: set[Fact] = set(background)
    while True:
        new = {fact for clause in static for fact in _derive(clause, facts)} - facts
        if not new:
            return [clause for clause in clauses if clause.head.key in moving], frozenset(facts)
        facts |= new


def _derive(clause: Clause, facts: set[Fact]) -> Iterator[Fact]:
    def search(rest: tuple[Literal, ...], bound: Substitution) -> Iterator[Substitution]:
        if not rest:
            yield bound
            return
        for fact in facts:
            extended = dict(bound)
            if unify_literals(rest[0], Literal(fact.predicate, fact.args), extended):
                yield from search(rest[1:], extended)

    for bound in search(clause.body, {}):
        settled = settle(clause.conditions, bound)
        if settled is not None and not settled.open:
            yield ground_fact(apply(clause.head, settled.bound))


def ground_fact(literal: Literal) -> Fact:
    args: list[Value] = []
    for arg in literal.args:
        value = resolve_object(arg, {})
        if isinstance(value, tuple):
            raise ValueError(f"{literal} is not ground")
        args.append(value)
    return Fact(literal.predicate, tuple(args))
