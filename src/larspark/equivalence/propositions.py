"""Propositions over timed atoms: what a ground rule says once timeline, input and evaluation time are fixed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from larspark.semantics.interpretations import Atoms, TimedFact


@dataclass(frozen=True, slots=True)
class Holds:
    """t ↦ a is in the interpretation."""

    atom: TimedFact


@dataclass(frozen=True, slots=True)
class Negation:
    part: Proposition


@dataclass(frozen=True, slots=True)
class Conjunction:
    parts: tuple[Proposition, ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    parts: tuple[Proposition, ...]


Proposition: TypeAlias = bool | Holds | Negation | Conjunction | Disjunction


def negation(part: Proposition) -> Proposition:
    match part:
        case bool():
            return not part
        case Negation(inner):
            return inner
    return Negation(part)


def conjunction(parts: Iterable[Proposition]) -> Proposition:
    """All of them, without constants and repetitions; stops at the first that is false."""
    kept: dict[Proposition, None] = {}
    for part in parts:
        if part is False:
            return False
        if part is not True:
            kept[part] = None
    return True if not kept else next(iter(kept)) if len(kept) == 1 else Conjunction(tuple(kept))


def disjunction(parts: Iterable[Proposition]) -> Proposition:
    """One of them, without constants and repetitions; stops at the first that is true."""
    kept: dict[Proposition, None] = {}
    for part in parts:
        if part is True:
            return True
        if part is not False:
            kept[part] = None
    return False if not kept else next(iter(kept)) if len(kept) == 1 else Disjunction(tuple(kept))


def is_true(proposition: Proposition, atoms: Atoms) -> bool:
    """The truth value under an interpretation."""
    match proposition:
        case bool():
            return proposition
        case Holds(atom):
            return atom in atoms
        case Negation(part):
            return not is_true(part, atoms)
        case Conjunction(parts):
            return all(is_true(part, atoms) for part in parts)
        case Disjunction(parts):
            return any(is_true(part, atoms) for part in parts)


def occurring(proposition: Proposition) -> Iterator[TimedFact]:
    """The atoms of a proposition, with repetitions."""
    match proposition:
        case Holds(atom):
            yield atom
        case Negation(part):
            yield from occurring(part)
        case Conjunction(parts) | Disjunction(parts):
            for part in parts:
                yield from occurring(part)


@dataclass(frozen=True, slots=True)
class PropositionalClause:
    """A rule: if the body holds, so does the head."""

    body: Proposition
    head: Proposition

    def violated(self, atoms: Atoms) -> bool:
        return is_true(self.body, atoms) and not is_true(self.head, atoms)
