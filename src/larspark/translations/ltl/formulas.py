"""Formulas of propositional linear temporal logic with past (thesis sec. 4.2).

`Until` and `Since` (U and its past twin), `Next` and `Previous` (X and its past twin) are primitive;
F, G and their past twins are the abbreviations of the definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from larspark.language.facts import Fact


@dataclass(frozen=True)
class LtlTruth:
    value: bool


@dataclass(frozen=True)
class Proposition:
    fact: Fact


@dataclass(frozen=True)
class LtlNot:
    body: Pltl


@dataclass(frozen=True)
class LtlAnd:
    parts: tuple[Pltl, ...]


@dataclass(frozen=True)
class LtlOr:
    parts: tuple[Pltl, ...]


@dataclass(frozen=True)
class LtlImplies:
    left: Pltl
    right: Pltl


@dataclass(frozen=True)
class Next:
    """X body."""

    body: Pltl


@dataclass(frozen=True)
class Previous:
    """X⁻¹ body; false at the first position."""

    body: Pltl


@dataclass(frozen=True)
class Until:
    """left U right."""

    left: Pltl
    right: Pltl


@dataclass(frozen=True)
class Since:
    """left U⁻¹ right, usually written S."""

    left: Pltl
    right: Pltl


Pltl: TypeAlias = LtlTruth | Proposition | LtlNot | LtlAnd | LtlOr | LtlImplies | Next | Previous | Until | Since

TRUE = LtlTruth(True)
FALSE = LtlTruth(False)


def eventually(body: Pltl) -> Pltl:
    """F body = ⊤ U body."""
    return Until(TRUE, body)


def globally(body: Pltl) -> Pltl:
    """G body = ¬F¬body."""
    return LtlNot(eventually(LtlNot(body)))


def once(body: Pltl) -> Pltl:
    """F⁻¹ body = ⊤ U⁻¹ body."""
    return Since(TRUE, body)


def historically(body: Pltl) -> Pltl:
    """G⁻¹ body = ¬F⁻¹¬body."""
    return LtlNot(once(LtlNot(body)))


def shift(steps: int, body: Pltl) -> Pltl:
    """X^steps body; negative steps go to the past."""
    for _ in range(abs(steps)):
        body = Next(body) if steps > 0 else Previous(body)
    return body


def conjunction(parts: Iterable[Pltl]) -> Pltl:
    """The parts joined by ∧; a single part stands alone."""
    found = tuple(parts)
    return found[0] if len(found) == 1 else LtlAnd(found)


def disjunction(parts: Iterable[Pltl]) -> Pltl:
    """The parts joined by ∨; a single part stands alone."""
    found = tuple(parts)
    return found[0] if len(found) == 1 else LtlOr(found)


def subformulas(formula: Pltl) -> Iterator[Pltl]:
    """The formula and everything inside it."""
    yield formula
    for part in parts_of(formula):
        yield from subformulas(part)


def parts_of(formula: Pltl) -> tuple[Pltl, ...]:
    """The formulas that a formula is made of."""
    match formula:
        case LtlNot(body) | Next(body) | Previous(body):
            return (body,)
        case LtlAnd(parts) | LtlOr(parts):
            return parts
        case LtlImplies(left, right) | Until(left, right) | Since(left, right):
            return (left, right)
        case LtlTruth() | Proposition():
            return ()


def propositions(formula: Pltl) -> Iterator[Fact]:
    """The atoms of a formula."""
    return (part.fact for part in subformulas(formula) if isinstance(part, Proposition))


def nesting_of_previous(formula: Pltl) -> int:
    """How many steps back in a row a formula may take by Y."""
    inside = max(map(nesting_of_previous, parts_of(formula)), default=0)
    return inside + isinstance(formula, Previous)
