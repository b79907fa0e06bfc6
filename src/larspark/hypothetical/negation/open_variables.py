"""Negated atoms with open variables: for which values and times they have another status than in general."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from larspark.hypothetical.answers.answers import Schema
from larspark.hypothetical.answers.instances import bind, constants_of, rename_apart
from larspark.hypothetical.negation.statuses import AtomStatus, AtomStatuses, unknown
from larspark.hypothetical.negation.worlds import Present
from larspark.hypothetical.theory.terms import (
    ABSOLUTE,
    Literal,
    Substitution,
    Time,
    Var,
    apply,
    names,
    resolve_object,
    time_names,
    unify_literals,
)
from larspark.language.values import Value

Binding = tuple[tuple[str, Value], ...]
"""Values of variables, in the order of their names."""


class Division(NamedTuple):
    """The status of an atom for most values of its variables, and the values for which it has another."""

    generic: AtomStatus
    apart: Mapping[Binding, AtomStatus]


class OpenVariables:
    """Takes negated atoms of the present world apart."""

    def __init__(self, world: Present, statuses: AtomStatuses) -> None:
        self._world = world
        self._statuses = statuses
        self._known: dict[Literal, Division] = {}

    def forget(self) -> None:
        """A new time point."""
        self._known.clear()

    def later(self, literal: Literal) -> Literal:
        """The atom at a time from which on its status does not depend on the time any more."""
        if literal.time is None or literal.time.base == ABSOLUTE:
            return literal
        return literal._replace(time=Time(ABSOLUTE, self._world.reached + self._world.span(literal.key) + 1))

    def differs(self, literal: Literal, value: int) -> bool:
        """Whether an atom with an open time has another status when the time variable has this value."""
        assert literal.time is not None
        at = literal._replace(time=Time(ABSOLUTE, value + literal.time.offset))
        if not any(isinstance(arg, Var) for arg in literal.args):
            return self._statuses.of(at) is not self._statuses.of(self.later(literal))
        return self.values(at) != self.values(self.later(literal))

    def values(self, loose: Literal) -> Division:
        """An atom with open arguments at a known time, divided."""
        if loose not in self._known:
            domain = self._world.domain
            self._known[loose] = self._by_value(loose, domain) if domain is not None else self._by_knowledge(loose)
        return self._known[loose]

    def _by_value(self, loose: Literal, domain: Sequence[Value]) -> Division:
        """Over a finite domain: together when all values have the same status, otherwise one by one."""
        free = _free(loose)
        bindings = (tuple(zip(free, values, strict=True)) for values in product(domain, repeat=len(free)))
        statuses = {binding: self._statuses.of(apply(loose, dict(binding))) for binding in bindings}
        return (
            Division(next(iter(statuses.values())), {})
            if len(set(statuses.values())) == 1
            else Division(AtomStatus.CERTAIN, statuses)
        )

    def _by_knowledge(self, loose: Literal) -> Division:
        """Over an unknown domain: values that data or the theory speak of, and all others."""
        generic = self._generic(loose)
        statuses = {found: self._generic(apply(loose, dict(found))) for found in self._candidates(loose)}
        return Division(generic, {found: status for found, status in statuses.items() if status is not generic})

    def _generic(self, loose: Literal) -> AtomStatus:
        """The status for values that nothing is known about."""
        return self._statuses.of(apply(loose, {name: unknown(name, (loose,)) for name in names((loose,))}))

    def _candidates(self, loose: Literal) -> Iterator[Binding]:
        """Values that data or the theory speak of.

        Something is known of an atom when it has evidence, when evidence that does not fix its arguments excludes
        some of their values, or when it is known of an atom that its preconditions negate.
        """
        free = _free(loose)
        named: dict[Value, None] = dict.fromkeys(sorted(self._world.constants, key=str))
        if loose.time is not None and loose.time.base != ABSOLUTE:
            named.update(dict.fromkeys(self._world.values(loose.key)))
        elif loose.key in self._world.negated:
            for schema in map(rename_apart, self._world.rows_at(loose)):
                bound: Substitution = {}
                if unify_literals(schema.answer, loose, bound):
                    yield from _values(loose, bound)
            for instance in self._general(loose):
                named.update(dict.fromkeys(constants_of(instance)))
                yield from self._through_negated(instance, free)
        for chosen in product([None, *named], repeat=len(free)):
            found = tuple((name, value) for name, value in zip(free, chosen, strict=True) if value is not None)
            yield from ([found] if found else [])

    def _general(self, loose: Literal) -> Iterator[Schema]:
        """The schemata that do not fix the arguments of their answer, for this atom."""
        for schema in map(rename_apart, self._world.general(loose.key)):
            bound: Substitution = {}
            unified = unify_literals(schema.answer, loose, bound)
            instance = bind(schema, bound, self._world.closed) if unified else None
            yield from ([instance] if instance is not None else [])

    def _through_negated(self, schema: Schema, free: Sequence[str]) -> Iterator[Binding]:
        for literal in schema.negated:
            if not set(free).isdisjoint(_free(literal)):
                for found in self._candidates(literal):
                    kept = tuple((name, value) for name, value in found if name in free)
                    yield from ([kept] if kept else [])


def _free(literal: Literal) -> list[str]:
    """The open arguments of an atom."""
    return sorted(set(names((literal,))) - set(time_names((literal,))))


def _values(literal: Literal, bound: Substitution) -> Iterator[Binding]:
    """The values that a unifier gives to a literal's object variables, if it gives any."""
    found = {arg.name: resolve_object(arg, bound) for arg in literal.args if isinstance(arg, Var)}
    values = tuple(sorted((name, value) for name, value in found.items() if not isinstance(value, tuple)))
    yield from ([values] if values else [])
