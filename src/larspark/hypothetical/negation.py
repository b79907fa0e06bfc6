"""Negated atoms, judged at the current time (AAAI 2020, Sect. 6, put right).

An atom is *certain* when it has an answer without hypotheses, *impossible* when no instance of its preconditions can
come about any more: neither one with evidence nor, what the published step overlooks, one whose premises all lie in
the future. Its negation is refuted, evidence, or in between a hypothesis.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from larspark.hypothetical.answers import Schema, Signed, SupportedAnswer, embeds
from larspark.hypothetical.bounds import UNBOUNDED, Differences
from larspark.hypothetical.conditions import holds
from larspark.hypothetical.instances import bind, rename_apart, towards
from larspark.hypothetical.late import with_late
from larspark.hypothetical.preconditions import Precondition, renamed_apart
from larspark.hypothetical.rigid import ground_fact
from larspark.hypothetical.terms import (
    ABSOLUTE,
    NOW,
    Key,
    Literal,
    Substitution,
    Term,
    Time,
    Var,
    apply,
    names,
    resolve_object,
    time_names,
    unify_literals,
)
from larspark.language import tree
from larspark.language.traversal import variables
from larspark.language.values import Value

if TYPE_CHECKING:
    from larspark.hypothetical.online import Online, Query

Hypotheses = frozenset[Signed]
Binding = tuple[tuple[str, Value], ...]
Exceptions = frozenset[Binding]


class Fate(Enum):
    """What is known of an atom that some rule negates."""

    CERTAIN = "certain"
    """True whatever comes: its negation is refuted."""
    OPEN = "open"
    """Its negation is a hypothesis."""
    IMPOSSIBLE = "impossible"
    """It can no longer become true: its negation is evidence."""
    VOID = "void"
    """No data could ever have made it true: its negation goes without saying."""


class Needed(NamedTuple):
    """What a live instance of a precondition still needs, and what its free variables must respect."""

    hypotheses: Hypotheses
    conditions: tuple[tree.Comparison, ...] = ()
    differences: Differences = UNBOUNDED
    times: tuple[tuple[str, int], ...] = ()

    def contained_in(self, hypotheses: Hypotheses) -> bool:
        """Whether assuming these hypotheses amounts to assuming what is needed."""
        return any(self._respected(mapped) for mapped in embeds(self.hypotheses, hypotheses, {}))

    def _respected(self, mapped: Substitution) -> bool:
        values: dict[str, Value] = {
            name: term.offset if isinstance(term, Time) else term
            for name, term in mapped.items()
            if not isinstance(term, Var) and not (isinstance(term, Time) and term.base != ABSOLUTE)
        }
        for condition in self.conditions:
            if not all(v.name in values for v in variables(condition)) or not holds(condition, values):
                return False
        times = {n: v for n, v in values.items() if n in self.differences.names and isinstance(v, int)}
        return self.differences.admit({**dict(self.times), **times})


class Negation:
    """Judges schemata of one `Online` at its current time."""

    def __init__(self, online: Online) -> None:
        self._online = online
        self._settled: dict[Literal, Fate] = {}
        """Atoms whose fate is sealed."""
        self._open: dict[Literal, list[Needed]] = {}
        self._apart_cache: dict[Literal, list[dict[str, Value]]] = {}

    def forget(self) -> None:
        """A new time point: what was open may be settled now."""
        if self._online.theory.evaluated:  # evaluations of the past are not asked about again
            now = self._online.time
            self._settled = {lit: fate for lit, fate in self._settled.items() if lit.time and lit.time.offset >= now}
        self._open.clear()
        self._apart_cache.clear()
        self.__dict__.pop("_by_answer", None)

    # -- answers -------------------------------------------------------------------------------------------

    def judged(self, query: Query) -> Iterator[SupportedAnswer]:
        """The supported answers of a query, dominated ones included."""
        for schema in self._online.schemata(query):
            yield from self.judge(schema)
        for matcher in query.matchers:
            if matcher.precondition.negated and matcher.precondition.premises:
                for schema in self._online.unmet(matcher):
                    yield from self.judge(schema)

    def judge(self, schema: Schema) -> Iterator[SupportedAnswer]:
        """What a schema says once its negated atoms are judged; nothing when there is no evidence."""
        for instance in self._with_leading_negation(schema):
            for found, exceptions in self._judge_negated(instance, frozenset()):
                evidence = frozenset(Signed(literal) for literal in found.met) | found.denied
                needed = frozenset(Signed(literal) for literal in found.awaited) | found.assumed
                if (evidence or (self._online.theory.evaluated and not needed)) and self.coherent(needed):
                    yield SupportedAnswer(
                        found.answer,
                        evidence,
                        needed,
                        exceptions,
                        found.conditions,
                        found.differences,
                        found.times,
                        schema,
                    )

    def _with_leading_negation(self, schema: Schema) -> Iterator[Schema]:
        """Time points where a negated atom is settled already while the first premise on its time is still to come."""
        closed = self._online.closed
        for base in {literal.time.base for literal in schema.negated if literal.time is not None} - {ABSOLUTE, NOW}:
            first = min((lit.time.offset for lit in schema.awaited if lit.time and lit.time.base == base), default=None)
            if first is None:
                continue
            last = max(
                self._settled_until(lit.key) - lit.time.offset
                for lit in schema.negated
                if lit.time is not None and lit.time.base == base
            )
            for value in range(closed + 1 - first, last + 1):
                instance = bind(schema, {base: Time(ABSOLUTE, value)}, closed)
                if instance is not None:
                    yield from self._with_leading_negation(instance)
        yield schema

    def _settled_until(self, key: Key) -> int:
        """After this time every atom of the predicate that its preconditions allow is still open.

        An atom is settled through a premise in the past, through a negated atom that is certain (all premises of
        which lie in the past), or because it lies before the first time point that its preconditions allow.
        """
        if key not in self._online.negated:
            return self._online.time
        settled = self._online.time
        for precondition in self._online.negated[key].preconditions:
            time = precondition.answer.time
            if time is None:
                continue
            if time.base == ABSOLUTE:
                settled = max(settled, time.offset)
                continue
            shifts = [_latest_shift(precondition, time, lit, 0) for lit in precondition.premises]
            shifts += [
                _latest_shift(precondition, time, lit, self._certain_after(lit.key)) for lit in precondition.negated
            ]
            known = [shift for shift in shifts if shift is not None]
            settled = max(settled, self._online.time - min(known, default=0))
            first = precondition.differences.low(time.base, {})
            if first is not None:
                settled = max(settled, first + time.offset - 1)
        return settled

    def _certain_after(self, key: Key) -> int:
        """How long after its own time, at the earliest, an atom of the predicate is certain."""
        if key not in self._online.negated:
            return 0
        found = []
        for precondition in self._online.negated[key].preconditions:
            time = precondition.answer.time
            if time is not None:
                shifts = [lit.time.offset for lit in precondition.premises if lit.time and lit.time.base == time.base]
                found.append(max(shifts, default=0) - time.offset)
        return min(found, default=0)

    def _judge_negated(self, schema: Schema, exceptions: Exceptions) -> Iterator[tuple[Schema, Exceptions]]:
        """Move every negated atom to where it belongs, in each way its free variables allow."""
        if not schema.negated:
            yield schema, exceptions
            return
        literal = min(schema.negated, key=str)
        if _has_free_object(literal):
            yield from self._split(schema, literal, exceptions)
            return
        fate = self.fate(literal) if literal.ground else self._fate_at_any_time(literal)
        if fate is not Fate.CERTAIN:
            yield from self._judge_negated(_sorted_out(schema, literal, fate), exceptions)

    def _fate_at_any_time(self, literal: Literal) -> Fate:
        """An atom whose time is not known yet: open, unless no precondition speaks of such an atom at all."""
        return Fate.VOID if not any(True for _ in self._heads_for(literal)) else Fate.OPEN

    def _heads_for(self, literal: Literal) -> Iterator[Substitution]:
        """How the preconditions' answers unify with a literal whose time is not known."""
        query = self._online.negated.get(literal.key)
        for precondition in query.preconditions if query is not None else ():
            bound: Substitution = {}
            answer = renamed_apart(precondition).answer
            if answer.time is not None and answer.time.base != ABSOLUTE and unify_literals(answer, literal, bound):
                yield bound

    def _split(self, schema: Schema, loose: Literal, exceptions: Exceptions) -> Iterator[tuple[Schema, Exceptions]]:
        """A negated atom with a free variable: the values of which something is known apart, all others together."""
        free = sorted(set(names((loose,))) - set(time_names((loose,))))
        domain = self._online.options.constants
        if domain is None:
            generic = self._generic_fate(loose, free)
            apart = list(dict.fromkeys(tuple(sorted(found.items())) for found in self._values_apart(loose, free)))
            yield from self._bound_each(schema, apart, exceptions)
            yield from self._judge_negated(_sorted_out(schema, loose, generic), exceptions | frozenset(apart))
            return
        everything = [tuple(zip(free, values, strict=True)) for values in product(domain, repeat=len(free))]
        fates = {self._fate_of_instance(apply(loose, dict(binding))) for binding in everything}
        if len(fates) > 1:
            yield from self._bound_each(schema, everything, exceptions)
        elif Fate.CERTAIN not in fates:
            yield from self._judge_negated(_sorted_out(schema, loose, fates.pop()), exceptions)

    def _fate_of_instance(self, literal: Literal) -> Fate:
        return self.fate(literal) if literal.ground else self._fate_at_any_time(literal)

    def _bound_each(
        self, schema: Schema, bindings: Sequence[Binding], exceptions: Exceptions
    ) -> Iterator[tuple[Schema, Exceptions]]:
        """The instances of a schema for some values of its variables."""
        for binding in bindings:
            narrowed = _narrowed(exceptions, dict(binding))
            instance = None if narrowed is None else bind(schema, dict(binding), self._online.closed)
            if instance is not None and narrowed is not None:
                yield from self._judge_negated(instance, narrowed)

    def _values_apart(self, loose: Literal, free: list[str]) -> list[dict[str, Value]]:
        if loose not in self._apart_cache:
            self._apart_cache[loose] = list(self._apart(loose, self._generic_fate(loose, free)))
        return self._apart_cache[loose]

    def _apart(self, loose: Literal, generic: Fate) -> Iterator[dict[str, Value]]:
        """Values of free variables for which the atom may have another fate than the generic one.

        Something is known of an atom when it has evidence, or, while it is open, when an atom it negates has.
        """
        if loose.time is not None and loose.time.base != ABSOLUTE:
            if generic is Fate.VOID:
                for bound in self._heads_for(loose):
                    yield _values(loose, bound)
            return
        for schemata in self._by_answer.get(loose.key, {}).values():
            for schema in schemata:
                bound = {}
                if unify_literals(loose, schema.answer, bound) and self.fate(apply(loose, bound)) is not generic:
                    yield _values(loose, bound)
        for schema in self._general_schemata(loose.key):
            bound = {}
            if not unify_literals(schema.answer, loose, bound):
                continue
            yield from ([found] if (found := _values(loose, bound)) else [])
            if generic is Fate.IMPOSSIBLE:
                continue  # atoms with evidence are known, those without are as impossible
            instance = bind(schema, bound, self._online.closed)
            if instance is not None:
                yield from _values_compared(instance.conditions, set(names((loose,))))
            for literal in instance.negated if instance is not None else ():
                free = sorted(set(names((literal,))) - set(time_names((literal,))))
                for values in self._values_apart(literal, free) if free else ():
                    found = {name: value for name, value in values.items() if name in set(names((loose,)))}
                    yield from ([found] if found else [])

    def _general_schemata(self, key: Key) -> Iterator[Schema]:
        """Schemata of a negated predicate that do not fix the arguments of their answer, variables renamed apart."""
        for matcher in self._online.negated[key].matchers if key in self._online.negated else ():
            yield from self._online.unmet_apart(matcher)
        yield from map(rename_apart, self._by_answer.get(key, {}).get(None, ()))

    def _generic_fate(self, literal: Literal, free: list[str]) -> Fate:
        """The fate for values that nothing is known about."""
        query = self._online.negated.get(literal.key)
        if query is None:
            return Fate.VOID
        if literal.time is not None and literal.time.base != ABSOLUTE:
            unbound = (bound for bound in self._heads_for(literal) if not any(name in bound for name in free))
            return Fate.OPEN if any(True for _ in unbound) else Fate.VOID
        fresh: Substitution = {name: f"any {name}" for name in free}
        return self.fate(apply(literal, fresh))

    # -- the fate of an atom -------------------------------------------------------------------------------

    def goes_without_saying(self, literal: Literal) -> bool:
        """Whether the negation of this atom says nothing at all."""
        if _has_free_object(literal):
            return False
        return (self.fate(literal) if literal.ground else self._fate_at_any_time(literal)) is Fate.VOID

    def fate(self, literal: Literal) -> Fate:
        """What is known of a ground atom now."""
        if literal.key not in self._online.negated:
            return Fate.CERTAIN if ground_fact(literal) in self._online.theory.rigid else Fate.VOID
        if literal not in self._settled:
            found = self.hypotheses_of(literal)
            if found and all(needed.hypotheses for needed in found):
                return Fate.OPEN
            if found:
                self._settled[literal] = Fate.CERTAIN
            else:
                self._settled[literal] = Fate.IMPOSSIBLE if self._has_instance(literal) else Fate.VOID
        return self._settled[literal]

    def _has_instance(self, literal: Literal) -> bool:
        """Whether, before any data, some instance of a precondition could have made this atom true."""
        return any(self._coherent_from_the_start(found.hypotheses) for found in self._needed_from_the_start(literal))

    def _needed_from_the_start(self, literal: Literal) -> Iterator[Needed]:
        before = self._online.theory.start - 1
        for matcher in self._online.negated[literal.key].matchers:
            for schema in self._online.unmet(matcher):
                instance = towards(schema, literal, before)
                if instance is not None:
                    for found in self._over_domain(instance, before):
                        negated = (Signed(negated, True) for negated in found.negated)
                        yield _needed(found, frozenset([*map(Signed, found.awaited), *negated]))

    def _coherent_from_the_start(self, needed: Hypotheses) -> bool:
        return not any(
            other.contained_in(needed)
            for signed in needed
            if signed.negative and signed.literal.ground and signed.literal.key in self._online.negated
            for other in self._needed_from_the_start(signed.literal)
        )

    def hypotheses_of(self, literal: Literal) -> list[Needed]:
        """What each live instance of a ground atom's preconditions still needs."""
        if literal not in self._open:
            self._open[literal] = list(self._alive(literal))
        return self._open[literal]

    def _alive(self, literal: Literal) -> Iterator[Needed]:
        closed = self._online.closed
        known = self._by_answer.get(literal.key, {})
        for schema in (*known.get(literal.args, ()), *known.get(None, ())):
            instance = towards(schema, literal, closed)
            if instance is not None:
                yield from self._open_ends(instance)
        for matcher in self._online.negated[literal.key].matchers:
            if not matcher.precondition.premises:
                continue  # complete from the start, so among the candidates
            for schema in self._online.unmet(matcher):
                instance = towards(schema, literal, closed)
                if instance is not None:
                    for late in with_late(instance, self._online.arrived, closed):
                        yield from self._open_ends(late)

    def _open_ends(self, schema: Schema) -> Iterator[Needed]:
        for instance in self._over_domain(schema, self._online.closed):
            hypotheses = {Signed(literal) for literal in instance.awaited}
            for literal in instance.negated:
                fate = self.fate(literal) if literal.ground else Fate.OPEN
                if fate is Fate.CERTAIN:
                    break
                if fate is Fate.OPEN:
                    hypotheses.add(Signed(literal, True))
            else:
                if self.coherent(frozenset(hypotheses)):
                    yield _needed(instance, frozenset(hypotheses))

    def _over_domain(self, schema: Schema, closed: int) -> Iterator[Schema]:
        """With a known finite domain, free variables of negated atoms are tried one by one."""
        domain = self._online.options.constants
        open_literals = (*schema.awaited, *schema.negated)
        free = sorted(set(names(open_literals)) - set(time_names(open_literals)))
        if domain is None or not free or not schema.negated:
            yield schema
            return
        for chosen in product(domain, repeat=len(free)):
            instance = bind(schema, dict(zip(free, chosen, strict=True)), closed)
            if instance is not None:
                yield instance

    def coherent(self, hypotheses: Hypotheses) -> bool:
        """No set of hypotheses may prove an atom that it denies.

        In LARS a hypothesis at an open time stands for one per time point of its range: nothing is proved by it before
        the time is chosen.
        """
        chosen = hypotheses
        if self._online.theory.evaluated:
            chosen = frozenset(s for s in hypotheses if s.literal.time is None or s.literal.time.base == ABSOLUTE)
        for signed in hypotheses:
            if (
                signed.negative
                and signed.literal.ground
                and any(needed.contained_in(chosen) for needed in self.hypotheses_of(signed.literal))
            ):
                return False
        return True

    @cached_property
    def _by_answer(self) -> Mapping[Key, Mapping[tuple[Term, ...] | None, Sequence[Schema]]]:
        """The schemata of negated queries by the arguments of their answer, under None where these are not ground."""
        found: dict[Key, defaultdict[tuple[Term, ...] | None, list[Schema]]] = {}
        for key, query in self._online.negated.items():
            found[key] = defaultdict(list)
            for schema in self._online.schemata(query):
                args = schema.answer.args
                found[key][None if any(map(_is_variable, args)) else args].append(schema)
        return found


def _needed(schema: Schema, hypotheses: Hypotheses) -> Needed:
    return Needed(hypotheses, schema.conditions, schema.differences, tuple(schema.times.items()))


def _is_variable(term: Term) -> bool:
    return isinstance(term, Var) or (isinstance(term, Time) and term.base != ABSOLUTE)


def _latest_shift(precondition: Precondition, answer: Time, literal: Literal, later: int) -> int | None:
    """How far after the answer's time a literal (and something `later`) lies at most; None: without limit."""
    if literal.time is None or literal.time.base == ABSOLUTE:
        return None
    if literal.time.base == answer.base:
        return literal.time.offset - answer.offset + later
    most = precondition.differences.most.get((literal.time.base, answer.base))
    return None if most is None else most + literal.time.offset - answer.offset + later


def _sorted_out(schema: Schema, literal: Literal, fate: Fate) -> Schema:
    """The schema with one negated atom judged."""
    signed = frozenset([Signed(literal, True)])
    rest = replace(schema, negated=schema.negated - {literal})
    match fate:
        case Fate.OPEN:
            return replace(rest, assumed=rest.assumed | signed)
        case Fate.IMPOSSIBLE:
            return replace(rest, denied=rest.denied | signed)
        case _:
            return rest


def _narrowed(exceptions: Exceptions, binding: Mapping[str, Value]) -> Exceptions | None:
    """The exceptions that remain once some variables have values; None when those values are excepted."""
    remaining = set()
    for excepted in exceptions:
        if any(name in binding and binding[name] != value for name, value in excepted):
            continue
        rest = tuple((name, value) for name, value in excepted if name not in binding)
        if not rest:
            return None
        remaining.add(rest)
    return frozenset(remaining)


def _values_compared(conditions: Sequence[tree.Comparison], wanted: set[str]) -> Iterator[dict[str, Value]]:
    """Values that conditions single out, as X != a does."""
    for condition in conditions:
        for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
            if isinstance(one, tree.Variable) and one.name in wanted and isinstance(other, tree.Constant):
                yield {one.name: other.value}


def _has_free_object(literal: Literal) -> bool:
    return any(isinstance(arg, Var) for arg in literal.args)


def _values(literal: Literal, bound: Substitution) -> dict[str, Value]:
    """The values that a unifier gives to a literal's object variables."""
    found = {arg.name: resolve_object(arg, bound) for arg in literal.args if isinstance(arg, Var)}
    return {name: value for name, value in found.items() if not isinstance(value, tuple)}
