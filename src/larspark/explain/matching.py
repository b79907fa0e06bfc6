"""The instances of a body, found through an index of the atoms that there are.

`semantics` looks at every atom of every time point; where a literal is about one atom, the index says which atoms it
can be about, and `semantics` only decides whether it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from larspark.language.facts import Fact, Signature
from larspark.language.tree import (
    Always,
    Atom,
    Constant,
    Formula,
    Node,
    Reset,
    Some,
    TimeWindow,
    TupleWindow,
    Variable,
    Windowed,
)
from larspark.language.values import NotANumber, Value
from larspark.semantics.entailment import entails, solutions
from larspark.semantics.names import Enumerate, Names, names, order
from larspark.semantics.structures import Binding, Place
from larspark.semantics.substitutions import ranging


class AtomIndex:
    """The atoms of a stream and of the background, by predicate and by the values of their arguments."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._steps: dict[object, tuple[Formula | Enumerate, ...]] = {}
        self._all: dict[Signature, list[Fact]] = {}
        self._by_value: dict[tuple[Signature, int, Value], list[Fact]] = {}
        for fact in dict.fromkeys(facts):
            signature = fact.signature
            self._all.setdefault(signature, []).append(fact)
            for place, value in enumerate(fact.args):
                self._by_value.setdefault((signature, place, value), []).append(fact)

    def candidates(self, atom: Atom, binding: Binding) -> Sequence[Fact]:
        """Those that the atom may stand for, by the argument that leaves the fewest."""
        found, signature = self._all.get(atom.signature, []), atom.signature
        for place, arg in enumerate(atom.args):
            value = arg.value if isinstance(arg, Constant) else binding.get(getattr(arg, "name", ""))
            if value is not None:
                fewer = self._by_value.get((signature, place, value), [])
                found = fewer if len(fewer) < len(found) else found
        return found

    def steps(self, body: tuple[Formula, ...], bound: Names, outside: Names) -> tuple[Formula | Enumerate, ...]:
        """The order in which a body is solved; asked for again and again, it is known by its literals themselves."""
        key = (*map(id, body), bound)
        found = self._steps.get(key)
        if found is None:
            found = self._steps[key] = order(body, bound, outside)
        return found


def body_solutions(
    place: Place, index: AtomIndex, body: tuple[Formula, ...], context: Node, start: Binding, outside: Names
) -> Iterator[Binding]:
    """The substitutions under which a body holds; what leaves the fewest choices is looked at first."""

    def choices(literal: Formula) -> int:
        atom = single_atom(literal)
        return 0 if atom is None else len(index.candidates(atom, start))

    if len(body) > 1:
        body = tuple(sorted(body, key=choices))
    return _solved(place, index, index.steps(body, frozenset(start), outside), context, start)


def _solved(
    place: Place, index: AtomIndex, steps: tuple[Formula | Enumerate, ...], context: Node, binding: Binding
) -> Iterator[Binding]:
    if not steps:
        yield binding
        return
    first, rest = steps[0], steps[1:]
    if isinstance(first, Enumerate):
        extensions = ranging(place.m, [first.name], context, binding)
    else:
        atom = None if names(first) <= binding.keys() else single_atom(first)
        extensions = solutions(place, first, binding) if atom is None else _matched(place, index, first, atom, binding)
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


@lru_cache(1 << 12)
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
    if atom.signature != fact.signature:
        return None
    found = dict(binding)
    for arg, value in zip(atom.args, fact.args, strict=True):
        match arg:
            case Constant(expected) if expected != value:
                return None
            case Variable(name) if found.setdefault(name, value) != value:
                return None
    return found
