"""What an atom can depend on: its rules, and patterns of the atoms that they look at.

The constants of the atom are carried from the heads of rules into their bodies, so that of a recording about many
machines only one machine is looked at. A window that counts all arrivals, and preferences, look at everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from larspark.analysis.structure.graphs import components, graph_of
from larspark.analysis.structure.occurrences import counted_beside, occurrences
from larspark.language.extended_atoms import ExtendedAtom
from larspark.language.facts import Fact, Signature
from larspark.language.traversal import atoms, substitute, time_variables, walk
from larspark.language.tree import (
    Aggregate,
    Always,
    At,
    Atom,
    Constant,
    Hold,
    Implies,
    KeyedWindow,
    Node,
    Not,
    Now,
    Operation,
    Or,
    Prefer,
    Program,
    Record,
    RegisteredWindow,
    Rule,
    TimeWindow,
    Truth,
    TupleWindow,
    Variable,
    WindowNode,
)
from larspark.language.values import Value

Pattern: TypeAlias = tuple[Value | None, ...]
"""The arguments of an atom; None stands for any value."""

Patterns: TypeAlias = Mapping[Signature, frozenset[Pattern]]
"""By predicate."""

Points: TypeAlias = Mapping[Signature, frozenset[int]]
"""The time points at which atoms are looked at, of predicates of which they are known; all others at any time."""

MANY = {"why": 200, "why-not": 2000}
"""Arrivals of which not all are looked at, but those about the same keys; with fewer, the nearest others are told."""
MOST = 64
"""Patterns of a predicate; where there are more, all of its atoms are looked at."""


@dataclass(frozen=True)
class Relevance:
    """The part of a program, and of its data, that decides about an atom."""

    program: Program
    patterns: Patterns | None
    """None: everything that arrives."""
    keyed: bool = False
    """They are about one atom, not about all of its predicate."""
    points: Points = field(default_factory=dict)

    @classmethod
    def of(cls, program: Program, fact: Fact, keyed: bool = True) -> Relevance:
        """For one atom, or (not `keyed`) for all atoms of its predicate."""
        if any(isinstance(part, TupleWindow | RegisteredWindow | Prefer) for part in walk(program)):
            return cls(program, None)
        search = _Search(program)
        search.look_at(fact.signature, fact.args if keyed else (None,) * len(fact.args))
        for rule in program.rules:
            if _forbids(rule):
                search.apply(rule, {}, keyed)
        search.run(keyed)
        chosen = tuple(rule for rule in program.rules if id(rule) in search.used)
        patterns = {name: frozenset(found) for name, found in search.found.items()}
        points = {name: frozenset(found) for name, found in search.points.items() if found is not None}
        return cls(replace(program, rules=chosen), patterns, keyed, points)

    @cached_property
    def narrowed(self) -> Program:
        """Its rules for the atoms that are looked at: an argument that has the same value in all of them is given."""
        if self.patterns is None:
            return self.program
        given = {signature: _agreed(patterns) for signature, patterns in self.patterns.items()}
        return replace(self.program, rules=tuple(_narrowed(rule, given) for rule in self.program.rules))

    @cached_property
    def recursive(self) -> bool:
        """Whether a predicate depends on itself."""
        edges = [
            (below.signature, above.signature)
            for rule in self.program.rules
            for above in atoms(rule.head)
            for literal in rule.body
            for below in atoms(literal)
        ]
        cyclic = any(len(part) > 1 for part in components(graph_of((), edges)))
        return cyclic or any(below == above for below, above in edges)

    @cached_property
    def positive(self) -> bool:
        """Whether more atoms can only give more atoms: nothing is negated, counted, or wanted at every time point."""
        if self.program.preferences:
            return False
        literals = [literal for rule in self.program.rules for literal in (rule.head, *rule.body)]
        odd = (Not, Aggregate, Always, Or, Implies, Truth)
        return not any(isinstance(part, odd) for literal in literals for part in walk(literal))

    @cached_property
    def monotone(self) -> bool:
        """Whether more arrivals can only give more atoms: also no window counts, nothing is held, nothing forbidden."""
        windows = (part for rule in self.program.rules for part in walk(rule) if isinstance(part, WindowNode))
        kept = any(isinstance(one, Hold | Record) for one in self.program.directives)
        return (
            self.positive
            and not kept
            and all(isinstance(one, TimeWindow) for one in windows)
            and not any(map(_forbids, self.program.rules))
        )

    @cached_property
    def compares(self) -> bool:
        """Whether every atom is compared with all others, to find its rank."""
        literals = (literal for rule in self.program.rules for literal in rule.body)
        return any(isinstance(literal, Aggregate) and literal.ranking is not None for literal in literals)

    def takes(self, fact: Fact) -> bool:
        """Whether an atom may matter."""
        if self.patterns is None:
            return True
        found = self.patterns.get(fact.signature)
        return found is not None and any(fits(pattern, fact.args) for pattern in found)


def _forbids(rule: Rule) -> bool:
    """Constraints, and heads that may lie before the timeline: without an answer stream no atom holds."""
    if not any(True for _ in atoms(rule.head)):
        return True
    return any(isinstance(part, At) and not _is_later(part.time) for part in walk(rule.head))


def _is_later(time: Node) -> bool:
    """Whether a time lies on the timeline if the time points do that it is computed from."""
    match time:
        case Variable() | Now():
            return True
        case Operation("+", Variable() | Now(), Constant(int(shift))):
            return shift >= 0
    return False


def _agreed(patterns: Iterable[Pattern]) -> Pattern:
    """The values that all patterns have in common."""
    return tuple(column[0] if len(set(column)) == 1 else None for column in zip(*patterns, strict=True))


def _narrowed(rule: Rule, given: Mapping[Signature, Pattern]) -> Rule:
    head = rule.head.body if isinstance(rule.head, At) else rule.head
    if not isinstance(head, Atom) or head.signature not in given:
        return rule
    known = {
        arg.name: Constant(value)
        for arg, value in zip(head.args, given[head.signature], strict=False)
        if isinstance(arg, Variable) and value is not None
    }
    times = time_variables(rule)  # they range over the timeline, which a value may not be on
    return substitute(rule, {name: value for name, value in known.items() if name not in times})


def fits(pattern: Pattern, args: Iterable[Value]) -> bool:
    return all(wanted is None or wanted == value for wanted, value in zip(pattern, args, strict=True))


class _Search:
    def __init__(self, program: Program) -> None:
        self.heads: dict[Signature, list[tuple[Rule, Atom]]] = {}
        for rule in program.rules:
            for atom in atoms(rule.head):
                self.heads.setdefault(atom.signature, []).append((rule, atom))
        self.found: dict[Signature, set[Pattern]] = {}
        self.points: dict[Signature, set[int] | None] = {}
        """None: any."""
        self.used: set[int] = set()
        self.waiting: list[tuple[Signature, Pattern, int | None]] = []
        self.held = {one.signature: one.keys for one in program.directives if isinstance(one, Hold)}

    def look_at(self, signature: Signature, pattern: Pattern, point: int | None = None) -> None:
        keys = self.held.get(signature)
        if keys is not None:  # another value of the key ends what is held, and earlier ones hold on
            pattern = tuple(value if place in keys else None for place, value in enumerate(pattern))
            point = None
        times = self.points.setdefault(signature, set())
        known = times is None or point in times
        if times is not None and point is not None:
            times.add(point)
        elif point is None:
            self.points[signature] = None
        own = self.found.setdefault(signature, set())
        anything: Pattern = (None,) * signature.arity
        if known and (anything in own or pattern in own):
            return
        if len(own) >= MOST or pattern == anything:
            own.clear()
            pattern = anything
        own.add(pattern)
        self.waiting.append((signature, pattern, point))

    def run(self, keyed: bool) -> None:
        while self.waiting:
            signature, pattern, point = self.waiting.pop()
            for rule, head in self.heads.get(signature, ()):
                binding = _unified(head, pattern)
                if binding is not None and _at(rule, point, binding):
                    self.apply(rule, binding, keyed)

    def apply(self, rule: Rule, binding: Mapping[str, Value], keyed: bool) -> None:
        self.used.add(id(rule))
        for literal in (*rule.body, rule.head):  # a disjunctive head looks at its other atoms
            for found in _met(literal):
                counting = _counting(found)
                known = [_known(arg, binding) if keyed else None for arg in found.atom.args]
                if counting is not None:
                    known = [value if place in counting else None for place, value in enumerate(known)]
                self.look_at(found.atom.signature, tuple(known), _point(found, binding) if keyed else None)


def _met(literal: Node) -> Iterator[ExtendedAtom]:
    """The atoms, and those that windows count together with them."""
    for found in occurrences(literal):
        yield found
        yield from counted_beside(found)


def _at(rule: Rule, point: int | None, binding: dict[str, Value]) -> bool:
    """Whether a rule can give an atom at a time point, which its time variable has as its value then."""
    match rule.head:
        case At(Variable(name), Atom()) if point is not None:
            return binding.setdefault(name, point) == point
    return True


def _point(found: ExtendedAtom, binding: Mapping[str, Value]) -> int | None:
    """The one time point at which an atom is looked at; None: that is not known."""
    if found.time is None or not all(isinstance(window, TimeWindow) for window in found.windows):
        return None
    time = _known(found.time, binding)
    return time if isinstance(time, int) else None


def _counting(found: ExtendedAtom) -> set[int] | None:
    """By which arguments the windows around an atom count, if one does."""
    keys = [
        set(window.keys_of(found.atom.signature) or ()) for window in found.windows if isinstance(window, KeyedWindow)
    ]
    return set.intersection(*keys) if keys else None


def _known(arg: Node, binding: Mapping[str, Value]) -> Value | None:
    match arg:
        case Constant(value):
            return value
        case Variable(name):
            return binding.get(name)
    return None


def _unified(head: Atom, pattern: Pattern) -> dict[str, Value] | None:
    found: dict[str, Value] = {}
    for arg, value in zip(head.args, pattern, strict=True):
        match arg:
            case Constant(own) if value is not None and own != value:
                return None
            case Variable(name) if value is not None and found.setdefault(name, value) != value:
                return None
    return found
