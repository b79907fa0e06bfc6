"""Where atoms stand in a rule: in the head, or in the body under negation, aggregates and windows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from larspark.language.traversal import atoms_with_sign, children
from larspark.language.tree import (
    Aggregate,
    Atom,
    Implies,
    KeyedWindow,
    Node,
    Not,
    PluginWindow,
    Reader,
    Rule,
    Variable,
    Window,
    Windowed,
)


@dataclass(frozen=True, slots=True)
class AtomContext:
    """What stands between a rule and an atom in its body."""

    negative: bool = False
    """Under `not`, or on the left of an implication."""
    aggregated: bool = False
    windows: tuple[Window, ...] = ()
    """From the outside in."""

    @property
    def strict(self) -> bool:
        """Must the atom's extension be finished before the rule is evaluated?

        A window function given in Python is not known to be monotone, so it counts like negation (thesis Thm. 6).
        """
        return self.negative or self.aggregated or any(isinstance(window, PluginWindow) for window in self.windows)


@dataclass(frozen=True, slots=True)
class Occurrence:
    atom: Atom
    context: AtomContext


def head_atoms(reader: Reader) -> tuple[Atom, ...]:
    """The atoms a rule defines; none for a constraint or a preference."""
    if not isinstance(reader, Rule):
        return ()
    return tuple(atom for atom, negated in atoms_with_sign(reader.head) if not negated)


def body_occurrences(reader: Reader) -> Iterator[Occurrence]:
    """All atoms a rule depends on, in source order; atoms negated inside a head formula are among them."""
    if isinstance(reader, Rule):
        yield from (found for found in occurrences(reader.head) if found.context.negative)
    for literal in reader.body:
        yield from occurrences(literal)


def occurrences(node: Node, context: AtomContext = AtomContext()) -> Iterator[Occurrence]:  # noqa: B008 (frozen)
    """Every atom of a formula with its context."""
    match node:
        case Atom():
            yield Occurrence(node, context)
        case Not(body):
            yield from occurrences(body, AtomContext(True, context.aggregated, context.windows))
        case Implies(left, right):
            yield from occurrences(left, AtomContext(True, context.aggregated, context.windows))
            yield from occurrences(right, context)
        case Windowed(window, body):
            yield from occurrences(body, AtomContext(context.negative, context.aggregated, (*context.windows, window)))
        case Aggregate():
            for child in children(node):
                yield from occurrences(child, AtomContext(context.negative, True, context.windows))
        case _:
            for child in children(node):
                yield from occurrences(child, context)


def counted_beside(found: Occurrence) -> Iterator[Occurrence]:
    """The atoms of other predicates that windows per key count together with an atom."""
    for window in found.context.windows:
        if not isinstance(window, KeyedWindow):
            continue
        keys = window.keys_of(found.atom.signature)
        if keys is None:
            continue
        key = [found.atom.args[place] for place in keys]
        for one in window.predicates:
            if one.signature != found.atom.signature:
                known = dict(zip(one.keys, key, strict=True))
                args = tuple(known.get(place, Variable(f"_{place}")) for place in range(one.signature.arity))
                yield Occurrence(Atom(one.signature.predicate, args), found.context)
