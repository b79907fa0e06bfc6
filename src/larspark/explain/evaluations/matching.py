"""The instances of a body, found through an index of the atoms that there are.

`semantics` looks at every atom of every time point; where a literal is about one atom, the index says which atoms it
can be about, and `semantics` only decides whether it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from larspark.language.facts import Fact, Signature
from larspark.language.tree import (
    Always,
    Atom,
    Constant,
    Formula,
    Node,
    Reset,
    Rule,
    Some,
    TimeWindow,
    TupleWindow,
    Variable,
    Windowed,
)
from larspark.language.values import NotANumber, Value
from larspark.semantics.entailment import entails, solutions
from larspark.semantics.names import Enumerate, Names, names, order, time_names
from larspark.semantics.structures import Binding, Place
from larspark.semantics.substitutions import ranging


class BodyStep(NamedTuple):
    """A part of a body, or a variable that ranges over its values."""

    part: Formula | Enumerate
    names: Names
    atom: Atom | None
    """Where the part holds by one atom."""


class AtomIndex:
    """The atoms of a stream and of the background, by predicate and by the values of their arguments.

    It also keeps what is asked for again and again about the rules that are looked at; they are known by themselves,
    since finding out whether trees are equal takes longer.
    """

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._orders: dict[object, tuple[BodyStep, ...]] = {}
        self._single: dict[int, Atom | None] = {}
        self._times: dict[int, Names] = {}
        self._all: dict[tuple[str, int], list[Fact]] = {}
        self._by_value: dict[tuple[Signature, int], dict[Value, list[Fact]]] = {}
        for fact in dict.fromkeys(facts):
            self._all.setdefault((fact.predicate, len(fact.args)), []).append(fact)  # equal to its signature

    def extended(self, facts: Iterable[Fact]) -> AtomIndex:
        """With more atoms."""
        found = AtomIndex(())
        found._orders, found._single, found._times = self._orders, self._single, self._times
        found._all = dict(self._all)
        for fact in facts:
            signature = (fact.predicate, len(fact.args))
            found._all[signature] = [*found._all.get(signature, ()), fact]
        return found

    def candidates(self, atom: Atom, binding: Binding) -> Sequence[Fact]:
        """Those that the atom may stand for, by the argument that leaves the fewest."""
        found, signature = self._all.get(atom.signature, []), atom.signature
        for place, arg in enumerate(atom.args):
            value = arg.value if isinstance(arg, Constant) else binding.get(getattr(arg, "name", ""))
            if value is not None:
                fewer = self._with(signature, place).get(value, [])
                found = fewer if len(fewer) < len(found) else found
        return found

    def _with(self, signature: Signature, place: int) -> dict[Value, list[Fact]]:
        """By the values of one argument; made when it is asked for."""
        known = self._by_value.get((signature, place))
        if known is None:
            known = self._by_value[signature, place] = {}
            for fact in self._all.get(signature, ()):
                known.setdefault(fact.args[place], []).append(fact)
        return known

    def choices(self, literal: Formula, binding: Binding) -> int:
        """How many atoms a literal may be about; 0 where that is not known."""
        if id(literal) not in self._single:
            self._single[id(literal)] = single_atom(literal)
        atom = self._single[id(literal)]
        return 0 if atom is None else len(self.candidates(atom, binding))

    def order(self, body: tuple[Formula, ...], bound: Names, outside: Names) -> tuple[BodyStep, ...]:
        """The order in which a body is solved."""
        key = (*map(id, body), bound)
        if key not in self._orders:
            steps = order(body, bound, outside)
            self._orders[key] = tuple(
                BodyStep(one, frozenset({one.name}), None)
                if isinstance(one, Enumerate)
                else BodyStep(one, names(one), single_atom(one))
                for one in steps
            )
        return self._orders[key]

    def time_names(self, rule: Rule) -> Names:
        """The variables that stand for time points."""
        if id(rule) not in self._times:
            self._times[id(rule)] = time_names(rule)
        return self._times[id(rule)]


def body_solutions(
    place: Place, index: AtomIndex, body: tuple[Formula, ...], context: Node, start: Binding, outside: Names
) -> Iterator[Binding]:
    """The substitutions under which a body holds; what leaves the fewest choices is looked at first."""
    if len(body) > 1:
        body = tuple(sorted(body, key=lambda literal: index.choices(literal, start)))
    return _solved(place, index, index.order(body, frozenset(start), outside), context, start)


def _solved(
    place: Place, index: AtomIndex, steps: tuple[BodyStep, ...], context: Node, binding: Binding
) -> Iterator[Binding]:
    if not steps:
        yield binding
        return
    (part, known, atom), rest = steps[0], steps[1:]
    if isinstance(part, Enumerate):
        extensions = ranging(place.m, [part.name], context, binding)
    elif atom is None or known <= binding.keys():
        extensions = solutions(place, part, binding)
    else:
        extensions = _matched(place, index, part, atom, binding)
    for extended in extensions:
        yield from _solved(place, index, rest, context, extended)


def _matched(place: Place, index: AtomIndex, literal: Formula, atom: Atom, binding: Binding) -> Iterator[Binding]:
    for fact in index.candidates(atom, binding):
        extended = matched(atom, fact, binding)
        if extended is not None:
            try:
                if entails(place, literal, extended):
                    yield extended
            except NotANumber:
                continue


def single_atom(literal: Formula) -> Atom | None:
    """The atom of a literal that holds by one atom, whose arguments are plain; None for every other literal."""
    body = literal
    while isinstance(body, Windowed | Reset):
        if isinstance(body, Windowed) and not isinstance(body.window, TimeWindow | TupleWindow):
            return None
        body = body.body
    if isinstance(body, Some | Always):
        body = body.body
    plain = isinstance(body, Atom) and all(isinstance(arg, Constant | Variable) for arg in body.args)
    return body if plain and isinstance(body, Atom) else None


def matched(atom: Atom, fact: Fact, binding: Binding) -> Binding | None:
    """The binding under which an atom may stand for a fact, None if it cannot."""
    if atom.predicate != fact.predicate or len(atom.args) != len(fact.args):
        return None
    found = dict(binding)
    for arg, value in zip(atom.args, fact.args, strict=True):
        match arg:
            case Constant(expected) if expected != value:
                return None
            case Variable(name) if found.setdefault(name, value) != value:
                return None
    return found
