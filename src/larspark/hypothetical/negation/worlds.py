"""Two states of knowledge about negated atoms: before any data, and now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from larspark.hypothetical.answers.answers import Schema
from larspark.hypothetical.answers.instances import towards
from larspark.hypothetical.negation.statuses import AtomStatus
from larspark.hypothetical.offline.spans import spans
from larspark.hypothetical.online.following import Following, Name
from larspark.hypothetical.online.late import with_late
from larspark.hypothetical.online.watching import Watching
from larspark.hypothetical.theory.rigid import ground_fact
from larspark.hypothetical.theory.terms import ABSOLUTE, Key, Literal, Term, Time, Var
from larspark.language.values import Value


class Beginning:
    """Before any data: every precondition is as it was made."""

    def __init__(self, online: Watching) -> None:
        self._online = online

    @property
    def closed(self) -> int:
        return self._online.theory.start - 1

    @property
    def reached(self) -> int:
        return self.closed

    @property
    def soonest(self) -> int:
        return self.reached + 1

    @property
    def domain(self) -> Sequence[Value] | None:
        return self._online.options.constants

    def settled(self, literal: Literal) -> AtomStatus | None:
        """The status of a rigid atom, of which no stream tells anything."""
        if literal.key in self._online.negated:
            return None
        return AtomStatus.CERTAIN if ground_fact(literal) in self._online.theory.rigid else AtomStatus.VOID

    def live(self, literal: Literal) -> Iterator[Schema]:
        for matcher in self._online.negated[literal.key].matchers:
            for schema in self._online.unmet(matcher):
                instance = towards(schema, literal, self.closed)
                if instance is not None:
                    yield instance

    def asked_until(self, literal: Literal) -> int | None:
        """What holds in the beginning is kept as long as somebody asks for it now."""
        return None

    @property
    def constants(self) -> Iterable[Value]:
        """The values that the theory itself speaks of."""
        return self._online.theory.constants

    def values(self, key: Key) -> Iterable[Value]:
        """Before any data only the theory sets atoms apart."""
        return self.constants

    def span(self, key: Key) -> int:
        return self._spans.get(key, 0)

    @cached_property
    def _spans(self) -> Mapping[Key, int]:
        return spans({key: query.preconditions for key, query in self._online.negated.items()})


class Present(Beginning):
    """Now: what has arrived has brought some preconditions forward and ended others."""

    def __init__(self, online: Watching) -> None:
        super().__init__(online)
        self._following = {key: Following(online, query) for key, query in online.negated.items()}
        self._index = {key: SchemaRows() for key in online.negated}
        self._moment = -1

    @property
    def closed(self) -> int:
        return self._online.closed

    @property
    def reached(self) -> int:
        return self._online.time

    @property
    def soonest(self) -> int:
        """Late facts may still come at the current time; others have all come at once."""
        return self.reached if self._online.options.delay else self.reached + 1

    def asked_until(self, literal: Literal) -> int | None:
        """The time up to which the status of an atom may be asked for; None: for ever."""
        if self._online.theory.evaluated:  # evaluations of the past are not asked about again
            return None if literal.time is None else literal.time.offset
        age = self._online.retention.statuses.get(literal.key)
        return None if age is None or literal.time is None else literal.time.offset + age + self._online.options.delay

    def live(self, literal: Literal) -> Iterator[Schema]:
        rows = self._rows[literal.key]
        for schema in rows.about(literal.args):
            instance = towards(schema, literal, self.closed)
            if instance is not None:
                yield instance
        for schema in self.unmet(literal.key):
            instance = towards(schema, literal, self.closed)
            if instance is not None:
                yield from with_late(instance, self._online.arrived, self.closed)

    def unmet(self, key: Key) -> Iterator[Schema]:
        """The preconditions of a negated predicate with all their premises to come."""
        for matcher in self._online.negated[key].matchers:
            if matcher.precondition.premises:  # without premises it is complete from the start, so among the rows
                yield from self._online.unmet(matcher)

    def values(self, key: Key) -> Iterable[Value]:
        """Also the values that have arrived for the predicate, or for one that it negates."""
        return dict.fromkeys([*self.constants, *self._arrived_values(key, set())])

    def _arrived_values(self, key: Key, seen: set[Key]) -> Iterator[Value]:
        if key in seen or key not in self._online.negated:
            return
        seen.add(key)
        for args in self._rows[key].by_args:
            yield from (arg for arg in args or () if not isinstance(arg, tuple))
        for precondition in self._online.negated[key].preconditions:
            for literal in precondition.negated:
                yield from self._arrived_values(literal.key, seen)

    @property
    def negated(self) -> Collection[Key]:
        """The predicates that the stream can say something about."""
        return self._online.negated

    def rows_at(self, literal: Literal) -> Iterable[Schema]:
        """The schemata with evidence for atoms of this predicate at this time, whatever their arguments."""
        return self._rows[literal.key].at(literal.time)

    def general(self, key: Key) -> Iterator[Schema]:
        """Schemata of a negated predicate that do not fix the arguments of their answer."""
        yield from self.unmet(key)
        yield from self._rows[key].about(None)

    @property
    def _rows(self) -> Mapping[Key, SchemaRows]:
        """The schemata with evidence of the negated predicates, as they are now."""
        if self._moment != self._online.moment:
            self._moment = self._online.moment
            for key, following in self._following.items():
                for name, schema in following.catch_up():
                    self._index[key].put(name, schema)
        return self._index


class SchemaRows:
    """Schemata with evidence, by the arguments and by the time of their answer; under None where these are open."""

    def __init__(self) -> None:
        self.by_args: dict[tuple[Term, ...] | None, dict[Name, Schema]] = {}
        self._by_time: dict[int | None, dict[Name, Schema]] = {}
        self._places: dict[Name, tuple[tuple[Term, ...] | None, int | None]] = {}

    def put(self, name: Name, schema: Schema | None) -> None:
        """Let a schema stand under this name, or none any more."""
        if name in self._places:
            args, time = self._places.pop(name)
            _take(self.by_args, args, name)
            _take(self._by_time, time, name)
        if schema is not None:
            answer = schema.answer
            args = None if any(map(_is_variable, answer.args)) else answer.args
            time = answer.time.offset if answer.time is not None and answer.time.base == ABSOLUTE else None
            self._places[name] = args, time
            self.by_args.setdefault(args, {})[name] = schema
            self._by_time.setdefault(time, {})[name] = schema

    def about(self, args: tuple[Term, ...] | None) -> Iterator[Schema]:
        """The schemata for these arguments."""
        if args is not None:
            yield from self.by_args.get(args, {}).values()
        yield from self.by_args.get(None, {}).values()

    def at(self, time: Time | None) -> Iterator[Schema]:
        if time is not None and time.base == ABSOLUTE:
            yield from self._by_time.get(time.offset, {}).values()
            yield from self._by_time.get(None, {}).values()
        else:
            yield from (schema for schemata in self._by_time.values() for schema in schemata.values())


Place = TypeVar("Place")


def _take(index: dict[Place, dict[Name, Schema]], place: Place, name: Name) -> None:
    del index[place][name]
    if not index[place]:
        del index[place]


def _is_variable(term: Term) -> bool:
    return isinstance(term, Var) or (isinstance(term, Time) and term.base != ABSOLUTE)
