"""What is known of negated atoms (AAAI 2020, Sect. 6, put right).

An atom is *certain* when it has an answer without hypotheses, *impossible* when no instance of its preconditions can
come about any more: neither one with evidence nor, what the published step overlooks, one whose premises all lie in
the future. Its negation is refuted, evidence, or in between a hypothesis.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import product
from typing import Protocol

from larspark.hypothetical.answers.answers import Schema, Signed, embeds
from larspark.hypothetical.answers.instances import bind, rename_apart
from larspark.hypothetical.theory.terms import ABSOLUTE, Key, Literal, Term, Time, Var, names, time_names
from larspark.language.traversal import variables
from larspark.language.values import Value

Hypotheses = frozenset[Signed]


class AtomStatus(Enum):
    """What is known of an atom that some rule negates."""

    CERTAIN = "certain"
    """True whatever comes: its negation is refuted."""
    OPEN = "open"
    """Its negation is a hypothesis."""
    IMPOSSIBLE = "impossible"
    """It can no longer become true: its negation is evidence."""
    VOID = "void"
    """No data could ever have made it true: its negation goes without saying."""


class KnowledgeState(Protocol):
    """A state of knowledge: what may still become of the preconditions of negated atoms."""

    @property
    def closed(self) -> int:
        """Up to this time nothing more can arrive."""

    @property
    def reached(self) -> int:
        """After this time nothing can have arrived."""

    @property
    def soonest(self) -> int:
        """The first time at which something may arrive after this state of knowledge."""

    def settled(self, literal: Literal) -> AtomStatus | None:
        """The status of an atom that no stream can change."""

    def live(self, literal: Literal) -> Iterable[Schema]:
        """The schemata that may still make a ground atom true, bound to it."""

    def asked_until(self, literal: Literal) -> int | None:
        """The time up to which the status of an atom may be asked for; None: for ever."""

    def values(self, key: Key) -> Iterable[Value]:
        """The values that may set an atom of this predicate apart from others."""

    def span(self, key: Key) -> int:
        """Atoms with the same arguments, more than this after the reached time, all have the same status."""

    @property
    def domain(self) -> Sequence[Value] | None:
        """The object domain, when it is finite and known."""


class AtomStatuses:
    """The statuses of ground atoms in one world."""

    def __init__(self, world: KnowledgeState, *, beginning: AtomStatuses | None = None) -> None:
        self._world = world
        self._beginning = beginning
        self._known: dict[Literal, AtomStatus] = {}
        self._live: dict[Literal, Sequence[Schema]] = {}
        self._woken: dict[Literal, int] = {}
        """When open atoms may be settled. What refutes a schema later only makes it later."""
        self._forgotten: defaultdict[int, list[Literal]] = defaultdict(list)
        """What is known only until a time: open atoms until they may be settled, others until nobody asks any more."""

    def of(self, literal: Literal) -> AtomStatus:
        """What is known of a ground atom; in the beginning nothing is impossible that is not void."""
        if literal not in self._known:
            found = self._judged(literal)
            if found is AtomStatus.IMPOSSIBLE and (
                self._beginning is None or self._beginning.of(literal) is AtomStatus.VOID
            ):
                found = AtomStatus.VOID
            self._known[literal] = found
            until = self.wakes(literal) if found is AtomStatus.OPEN else self._world.asked_until(literal)
            if until is not None:
                self._forgotten[until if found is AtomStatus.OPEN else until + 1].append(literal)
        return self._known[literal]

    def __len__(self) -> int:
        return len(self._known) + (0 if self._beginning is None else len(self._beginning))

    def forget(self) -> None:
        """A new time point: what was open may be settled now, and what was settled may be asked for no more."""
        for time in [time for time in self._forgotten if time <= self._world.reached]:
            for literal in self._forgotten.pop(time):
                self.drop(literal)

    def drop(self, literal: Literal) -> None:
        if self._known.pop(literal, None) is not AtomStatus.OPEN and self._beginning is not None:
            self._beginning.drop(literal)
        self._live.pop(literal, None)
        self._woken.pop(literal, None)

    def wakes(self, literal: Literal) -> int | None:
        """The first time at which the status of an atom, or what it hangs on, may change; None: it is settled."""
        if not literal.ground:
            return self._world.soonest
        if self.of(literal) is not AtomStatus.OPEN:
            return None
        if literal not in self._woken:
            times = [time for schema in self.live(literal) if (time := self._wakes(schema)) is not None]
            self._woken[literal] = min(times)
        return max(self._woken[literal], self._world.soonest)

    def _wakes(self, schema: Schema) -> int | None:
        """When the first of its premises is due, or one of its negated atoms wakes; None when it is refuted."""
        if not all(literal.ground for literal in schema.awaited):
            return self._world.soonest
        due = [literal.time.offset for literal in schema.awaited if literal.time is not None]
        due += [time for literal in schema.negated if (time := self.wakes(literal)) is not None]
        return min(due, default=None)

    def _judged(self, literal: Literal) -> AtomStatus:
        settled = self._world.settled(literal)
        if settled is not None:
            return settled
        live = self.live(literal)
        if any(self._is_proof(schema) for schema in live):
            return AtomStatus.CERTAIN
        return AtomStatus.OPEN if any(map(self._may_come_about, live)) else AtomStatus.IMPOSSIBLE

    def live(self, literal: Literal) -> Sequence[Schema]:
        """The schemata that may still make a ground atom true, their variables renamed apart from all answers."""
        if literal not in self._live:
            self._live[literal] = tuple(map(rename_apart, self._world.live(literal)))
        return self._live[literal]

    def _is_proof(self, schema: Schema) -> bool:
        return not schema.awaited and all(
            self.of(negated) in (AtomStatus.IMPOSSIBLE, AtomStatus.VOID) for negated in schema.negated
        )

    def _may_come_about(self, schema: Schema) -> bool:
        """Whether some ground instance needs nothing that is refuted, and no hypotheses that contradict each other."""
        if self._is_beyond_trying(schema):
            return True
        for instance in self._representatives(schema):
            needed = self.needed(instance)
            if needed is not None and self.coherent(needed):
                return True
        return False

    def needed(self, schema: Schema) -> Hypotheses | None:
        """The hypotheses of a ground schema; None when a negated atom is certain."""
        found = {Signed(literal) for literal in schema.awaited}
        for literal in schema.negated:
            match self.of(literal):
                case AtomStatus.CERTAIN:
                    return None
                case AtomStatus.OPEN:
                    found.add(Signed(literal, True))
        return frozenset(found)

    def coherent(self, hypotheses: Hypotheses) -> bool:
        """No set of hypotheses may prove an atom that it denies."""
        return not any(
            self._proves(hypotheses, schema)
            for signed in hypotheses
            if signed.negative and signed.literal.ground
            for schema in self.live(signed.literal)
        )

    def _proves(self, hypotheses: Hypotheses, schema: Schema) -> bool:
        """Whether the hypotheses contain all that a schema still needs."""
        for mapped in embeds(map(Signed, schema.awaited), hypotheses, {}):
            instance = bind(schema, mapped, self._world.closed)
            if (
                instance is not None
                and not instance.conditions
                and all(
                    Signed(literal, True) in hypotheses
                    or (literal.ground and self.of(literal) in (AtomStatus.IMPOSSIBLE, AtomStatus.VOID))
                    for literal in instance.negated
                )
            ):
                return True
        return False

    # -- ground instances that stand for all -----------------------------------------------------------------

    def _representatives(self, schema: Schema) -> Iterator[Schema]:
        """Ground instances such that if any instance can come about, one of these can; the most general first.

        Without negated atoms, and unless comparisons have to be met in a finite range, any instance will do.
        """
        needed = (*schema.awaited, *schema.negated)
        times = sorted(set(time_names(needed)))
        objects = sorted(set(names(needed)) - set(times))
        compared = schema.conditions and (times or self._world.domain is not None)
        if not (times or objects) or not (schema.negated or compared):
            yield schema
            return
        choices: list[Sequence[Term]] = [[Time(ABSOLUTE, t) for t in self._times(schema, name)] for name in times]
        choices += [self._values(schema, name, objects) for name in objects]
        for chosen in product(*choices):
            instance = bind(schema, dict(zip((*times, *objects), chosen, strict=True)), self._world.closed)
            if instance is not None:
                yield instance

    def _is_beyond_trying(self, schema: Schema) -> bool:
        """Values of an unknown domain that meet a comparison by size are not looked for: some may exist."""
        if self._world.domain is not None or not schema.conditions:
            return False
        times = set(time_names(schema.literals))
        return any(
            condition.operator not in ("=", "!=") and any(v.name not in times for v in variables(condition))
            for condition in schema.conditions
        )

    def _times(self, schema: Schema, name: str) -> Sequence[int]:
        """The values of a free time variable, up to where nothing changes any more; the latest come first."""
        literals = (*schema.awaited, *schema.negated)
        offsets = [lit.time.offset for lit in literals if lit.time is not None and lit.time.base == name]
        fixed = [lit.time.offset for lit in literals if lit.time is not None and lit.time.base == ABSOLUTE]
        low, high = schema.differences.low(name, schema.times), schema.differences.high(name, schema.times)
        first = max(self._world.closed + 1 - max(offsets), -(10**9) if low is None else low)
        free = len({lit.time.base for lit in literals if lit.time is not None})
        reach = max(self._world.span(lit.key) for lit in literals) + max(offsets) - min(offsets) + _widest(schema)
        last = max(first, self._world.reached, *fixed, *schema.times.values()) + (reach + 1) * free
        return range(last if high is None else min(last, high), first - 1, -1)

    def _values(self, schema: Schema, name: str, objects: Sequence[str]) -> Sequence[Value]:
        if self._world.domain is not None:
            return self._world.domain
        fresh = [unknown(other, schema.literals) for other in dict.fromkeys([name, *objects])]
        touched = [literal for literal in schema.negated if Var(name) in literal.args]
        if not touched and not any(v.name == name for c in schema.conditions for v in variables(c)):
            return fresh[:1]
        return list(dict.fromkeys([*fresh, *(value for lit in touched for value in self._world.values(lit.key))]))


UNKNOWN = "\0"
"""Marks a value that nothing is known about; no value of a stream begins so."""


def unknown(name: str, literals: Iterable[Literal]) -> Value:
    """A value for a variable that nothing is known about, and that occurs in none of the literals."""
    values = (arg for literal in literals for arg in literal.args if isinstance(arg, str))
    marks = max((len(value) - len(value.lstrip(UNKNOWN)) for value in values), default=0)
    return UNKNOWN * (marks + 1) + name


def _widest(schema: Schema) -> int:
    """The widest bound between two time variables."""
    return max((abs(most) for most in schema.differences.most.values()), default=0)
