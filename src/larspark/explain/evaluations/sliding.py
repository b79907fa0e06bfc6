"""Predicates that are read through sliding windows alone, which do not tell how often and when something arrived."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from larspark.language.extended_atoms import ExtendedAtom, Quantifier, extended_atom
from larspark.language.facts import Signature
from larspark.language.traversal import atoms
from larspark.language.tree import Aggregate, Formula, Not, Program, TimeWindow, points


def sliding_windows(program: Program) -> Mapping[Signature, int]:
    """The shortest window `[n]` of each predicate that all bodies read by `a [n]`, negated or not."""
    shortest: dict[Signature, int | None] = {}
    for reader in program.readers:
        for literal in reader.body:
            for signature, length in _read(literal):
                known = shortest.get(signature, length)
                shortest[signature] = None if known is None or length is None else min(known, length)
    return {signature: length for signature, length in shortest.items() if length is not None}


def _read(literal: Formula) -> Iterator[tuple[Signature, int | None]]:
    match extended_atom(literal) or literal:
        case ExtendedAtom(Quantifier.SOME, atom, (TimeWindow() as window,)) if window.keeps_now:
            yield atom.signature, points(window.past)
        case Aggregate(elements=elements) | Not(Aggregate(elements=elements)):
            for element in elements:
                for part in element.body:
                    yield from _read(part)
        case _:
            yield from ((atom.signature, None) for atom in atoms(literal))
