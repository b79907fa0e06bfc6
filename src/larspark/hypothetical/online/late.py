"""Late facts: time points that are not closed yet, where some facts have arrived and others still may."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from larspark.hypothetical.answers.answers import Schema
from larspark.hypothetical.answers.instances import bind
from larspark.hypothetical.theory.rigid import ground_fact
from larspark.hypothetical.theory.terms import ABSOLUTE, Literal, Substitution, Time, unify_literals
from larspark.language.facts import Fact

Arrived = Mapping[int, set[Fact]]


def with_late(schema: Schema, arrived: Arrived, closed: int, *, needed: bool = False) -> Iterator[Schema]:
    """The schema with some of its awaited premises met by facts of open time points, in every possible way.

    `needed`: only ways that use such a fact.
    """
    if not arrived:
        if not needed:
            yield schema
        return
    for found in _ways(schema, sorted(schema.awaited, key=str), arrived, closed):
        if not needed or found.met != schema.met:
            yield found


def _ways(schema: Schema, awaited: list[Literal], arrived: Arrived, closed: int) -> Iterator[Schema]:
    if not awaited:
        yield schema
        return
    first, *rest = awaited
    stays_open = True
    for atom in _candidates(first, arrived):
        bound: Substitution = {}
        if not unify_literals(first, atom, bound):
            continue
        if not bound:
            stays_open = False  # it has arrived as it is: assuming it is pointless
        met = replace(schema, met=schema.met | {first}, awaited=schema.awaited - {first})
        instance = bind(met, bound, closed)
        if instance is not None:
            remaining = bind(replace(schema, awaited=frozenset(rest)), bound, closed)
            if remaining is not None:
                yield from _ways(instance, sorted(remaining.awaited, key=str), arrived, closed)
    if stays_open:
        yield from _ways(schema, rest, arrived, closed)


def _candidates(literal: Literal, arrived: Arrived) -> Iterator[Literal]:
    """The facts that may be this premise: at its time if it is known, one look if its objects are known."""
    time = literal.time
    if time is None:
        return
    points = [time.offset] if time.base == ABSOLUTE else list(arrived)
    objects_known = literal._replace(time=None).ground
    for point in points:
        facts = arrived.get(point, set())
        if objects_known:
            fact = ground_fact(literal)
            found: Iterable[Fact] = (fact,) if fact in facts else ()
        else:
            found = (fact for fact in facts if fact.predicate == literal.predicate)
        yield from (Literal(fact.predicate, fact.args, Time(ABSOLUTE, point)) for fact in found)
