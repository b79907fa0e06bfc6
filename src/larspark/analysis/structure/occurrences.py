"""Where atoms stand in a rule: in the head, or in the body under negation, aggregates and windows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from larspark.language.extended_atoms import ExtendedAtom, extended_atom
from larspark.language.traversal import atoms_with_sign, children, kept_with_node
from larspark.language.tree import Aggregate, Atom, Implies, KeyedWindow, Node, Not, Reader, Rule, Variable, Windowed


@kept_with_node
def head_atoms(reader: Reader) -> tuple[Atom, ...]:
    """The atoms a rule defines; none for a constraint or a preference."""
    if not isinstance(reader, Rule):
        return ()
    return tuple(atom for atom, negated in atoms_with_sign(reader.head) if not negated)


@kept_with_node
def body_occurrences(reader: Reader) -> tuple[ExtendedAtom, ...]:
    """All atoms a rule depends on, in source order; atoms negated inside a head formula are among them."""
    head = (found for found in occurrences(reader.head) if found.negated) if isinstance(reader, Rule) else ()
    return (*head, *(found for literal in reader.body for found in occurrences(literal)))


def occurrences(node: Node) -> Iterator[ExtendedAtom]:
    """Every atom of a formula, under all windows that stand around it; negated also on the left of an implication.

    Where the formula is more than an extended atom, the quantifiers further outside are not told.
    """
    plain = extended_atom(node)
    if plain is not None:
        yield plain
        return
    match node:
        case Not(body):
            yield from (replace(found, negated=True) for found in occurrences(body))
        case Implies(left, right):
            yield from (replace(found, negated=True) for found in occurrences(left))
            yield from occurrences(right)
        case Windowed(window, body):
            yield from (replace(found, windows=(window, *found.windows)) for found in occurrences(body))
        case Aggregate():
            inside = (found for child in children(node) for found in occurrences(child))
            yield from (replace(found, aggregated=True) for found in inside)
        case _:
            for child in children(node):
                yield from occurrences(child)


def counted_beside(found: ExtendedAtom) -> Iterator[ExtendedAtom]:
    """The atoms of other predicates that windows per key count together with an atom."""
    for window in found.windows:
        if not isinstance(window, KeyedWindow):
            continue
        keys = window.keys_of(found.signature)
        if keys is None:
            continue
        key = [found.atom.args[place] for place in keys]
        for one in window.predicates:
            if one.signature != found.signature:
                known = dict(zip(one.keys, key, strict=True))
                args = tuple(known.get(place, Variable(f"_{place}")) for place in range(one.signature.arity))
                yield replace(found, atom=Atom(one.signature.predicate, args))
