"""Negated atoms in answers: each is evidence, a hypothesis, or goes without saying (AAAI 2020, Sect. 6, put right).

Where a variable of a negated atom is still open, the schema is split: the values and times of which something is
known are taken apart, and all others stay together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from larspark.hypothetical.answers.answers import Schema, Signed, SupportedAnswer
from larspark.hypothetical.answers.instances import bind
from larspark.hypothetical.negation.open_variables import Binding, OpenVariables
from larspark.hypothetical.negation.statuses import AtomStatus, AtomStatuses, Hypotheses
from larspark.hypothetical.negation.worlds import Beginning, Present
from larspark.hypothetical.online.query import Query
from larspark.hypothetical.online.watching import Watching
from larspark.hypothetical.theory.terms import ABSOLUTE, NOW, Literal, Time, Var
from larspark.language.values import Value

Exceptions = frozenset[Binding]


class NegationJudge:
    """Judges schemata of one `Online` at its current time."""

    def __init__(self, online: Watching) -> None:
        self._online = online
        self._world = Present(online)
        self._statuses = AtomStatuses(self._world, beginning=AtomStatuses(Beginning(online)))
        self._open = OpenVariables(self._world, self._statuses)

    def forget(self) -> None:
        """A new time point: what was open may be settled now."""
        self._statuses.forget()
        self._open.forget()

    def status(self, literal: Literal) -> AtomStatus:
        """What is known of a ground atom now."""
        return self._statuses.of(literal)

    def live(self, literal: Literal) -> Sequence[Schema]:
        """The schemata that may still make a ground atom true."""
        return self._statuses.live(literal)

    def coherent(self, hypotheses: Hypotheses) -> bool:
        """No set of hypotheses may prove an atom that it denies.

        In LARS a hypothesis at an open time stands for one per time point of its range: nothing is proved by it before
        the time is chosen.
        """
        if self._online.theory.evaluated:
            hypotheses = frozenset(s for s in hypotheses if s.literal.time is None or s.literal.time.base == ABSOLUTE)
        return self._statuses.coherent(hypotheses)

    def goes_without_saying(self, literal: Literal) -> bool:
        """Whether the negation of this atom says nothing at all."""
        return (
            not any(isinstance(arg, Var) for arg in literal.args)
            and self._status_at_some_time(literal) is AtomStatus.VOID
        )

    @property
    def remembered(self) -> int:
        """The number of atoms whose status is kept."""
        return len(self._statuses)

    def wakes(self, schema: Schema) -> int | None:
        """The first time at which a schema may have to be judged again; None: never."""
        found = [self._statuses.wakes(literal) for literal in schema.negated]
        return min((time for time in found if time is not None), default=None)

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
        """What a schema says once its negated atoms are judged; nothing when it is open and without evidence."""
        for instance in self._at_times_apart(schema):
            for found, exceptions in self._sorted_out(instance, frozenset()):
                evidence = frozenset(Signed(literal) for literal in found.met) | found.denied
                needed = frozenset(Signed(literal) for literal in found.awaited) | found.assumed
                if (evidence or not needed) and self.coherent(needed):
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

    def _at_times_apart(self, schema: Schema) -> Iterator[Schema]:
        """The schema, and before it its instances at times where a negated atom has another status than later on."""
        for base in sorted({lit.time.base for lit in schema.negated if lit.time is not None} - {ABSOLUTE, NOW}):
            for value in self._times_apart(schema, base):
                instance = bind(schema, {base: Time(ABSOLUTE, value)}, self._online.closed)
                if instance is not None:
                    yield from self._at_times_apart(instance)
        yield schema

    def _times_apart(self, schema: Schema, base: str) -> list[int]:
        """The values of a free time variable at which something is known of a negated atom."""
        awaited = [lit.time.offset for lit in schema.awaited if lit.time is not None and lit.time.base == base]
        first = self._online.closed + 1 - min(awaited)
        found: set[int] = set()
        for literal in schema.negated:
            if literal.time is not None and literal.time.base == base:
                last = self._world.reached + self._world.span(literal.key) - literal.time.offset
                found |= {value for value in range(first, last + 1) if self._open.differs(literal, value)}
        return sorted(found)

    def _sorted_out(self, schema: Schema, exceptions: Exceptions) -> Iterator[tuple[Schema, Exceptions]]:
        """Move every negated atom to where it belongs, in each way its free variables allow."""
        if not schema.negated:
            yield schema, exceptions
            return
        literal = min(schema.negated, key=str)
        if any(isinstance(arg, Var) for arg in literal.args):
            yield from self._split(schema, literal, exceptions)
            return
        status = self._status_at_some_time(literal)
        if status is not AtomStatus.CERTAIN:
            yield from self._sorted_out(_moved(schema, literal, status), exceptions)

    def _status_at_some_time(self, literal: Literal) -> AtomStatus:
        """The status of an atom whose time may not be known: then it is that of all later times."""
        return self._statuses.of(self._open.later(literal))

    def _split(self, schema: Schema, loose: Literal, exceptions: Exceptions) -> Iterator[tuple[Schema, Exceptions]]:
        """A negated atom with a free variable: the values of which something is known apart, all others together."""
        generic, apart = self._open.values(self._open.later(loose))
        yield from self._bound_each(schema, sorted(apart, key=str), exceptions)
        if generic is not AtomStatus.CERTAIN:
            yield from self._sorted_out(_moved(schema, loose, generic), exceptions | frozenset(apart))

    def _bound_each(
        self, schema: Schema, bindings: Sequence[Binding], exceptions: Exceptions
    ) -> Iterator[tuple[Schema, Exceptions]]:
        """The instances of a schema for some values of its variables."""
        for binding in bindings:
            narrowed = _narrowed(exceptions, dict(binding))
            instance = None if narrowed is None else bind(schema, dict(binding), self._online.closed)
            if instance is not None and narrowed is not None:
                yield from self._sorted_out(instance, narrowed)


def _moved(schema: Schema, literal: Literal, status: AtomStatus) -> Schema:
    """The schema with one negated atom judged."""
    signed = frozenset([Signed(literal, True)])
    rest = replace(schema, negated=schema.negated - {literal})
    match status:
        case AtomStatus.OPEN:
            return replace(rest, assumed=rest.assumed | signed)
        case AtomStatus.IMPOSSIBLE:
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
