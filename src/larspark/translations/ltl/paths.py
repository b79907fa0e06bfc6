"""Truth of PLTL formulas along the path of a stream: the judge of the translations (thesis sec. 4.2).

Positions count from 0. A path is infinite: after the stream it goes on with positions that hold only `OUTSIDE`. Only
Y tells these apart, so from some position on, as far behind the stream as the formula nests Y, nothing changes any
more: that position stands for all later ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from larspark.language.facts import Fact
from larspark.translations.ltl.formulas import (
    LtlAnd,
    LtlImplies,
    LtlNot,
    LtlOr,
    LtlTruth,
    Next,
    Pltl,
    Previous,
    Proposition,
    Since,
    Until,
    nesting_of_previous,
)

Path: TypeAlias = Sequence[frozenset[Fact]]
"""The positions up to the end of the stream."""

OUTSIDE = Fact("outside")
"""The atom **u** of the thesis: this position is not in the stream."""


def path_of(start: int, end: int, content: Mapping[int, frozenset[Fact]]) -> Path:
    """π(M) up to the end of the timeline [start, end]: positions before it hold only `OUTSIDE`."""
    before = [frozenset({OUTSIDE})] * start
    return before + [content.get(time, frozenset()) for time in range(start, end + 1)]


def holds(path: Path, position: int, formula: Pltl) -> bool:
    """π, position ⊨ formula."""
    return truth_along(path, formula)[position]


def truth_along(path: Path, formula: Pltl) -> list[bool]:
    """The truth of the formula at every position up to the end of the stream."""
    behind = [frozenset({OUTSIDE})] * (nesting_of_previous(formula) + 1)
    return _truth([*path, *behind], formula)[: len(path)]


def truth_outside(formula: Pltl) -> bool | None:
    """The truth of the formula at all positions behind a stream, None when it depends on stream or position."""
    match formula:
        case LtlTruth(value):
            return value
        case Proposition(fact):
            return fact == OUTSIDE
        case LtlNot(body):
            return _negated(truth_outside(body))
        case LtlAnd(parts):
            return _negated(_any(_negated(truth_outside(part)) for part in parts))
        case LtlOr(parts):
            return _any(map(truth_outside, parts))
        case LtlImplies(left, right):
            return _any((_negated(truth_outside(left)), truth_outside(right)))
        case Next(body) | Until(_, body):
            return truth_outside(body)
        case Previous():
            return None
        case Since(left, right):
            reached = truth_outside(right)
            return None if reached is False and truth_outside(left) is not False else reached


def _negated(value: bool | None) -> bool | None:
    return None if value is None else not value


def _any(values: Iterable[bool | None]) -> bool | None:
    found = set(values)
    return True if True in found else None if None in found else False


def _truth(path: Path, formula: Pltl) -> list[bool]:
    """The truth at every position of a path whose last position is repeated for ever."""
    match formula:
        case LtlTruth(value):
            return [value] * len(path)
        case Proposition(fact):
            return [fact in here for here in path]
        case LtlNot(body):
            return [not now for now in _truth(path, body)]
        case LtlAnd(parts):
            return [all(now) for now in zip(*(_truth(path, part) for part in parts), strict=True)]
        case LtlOr(parts):
            return [any(now) for now in zip(*(_truth(path, part) for part in parts), strict=True)]
        case LtlImplies(left, right):
            pairs = zip(_truth(path, left), _truth(path, right), strict=True)
            return [not premise or conclusion for premise, conclusion in pairs]
        case Next(body):
            _, *later = along = _truth(path, body)
            return [*later, along[-1]]
        case Previous(body):
            return [False, *_truth(path, body)[:-1]]
        case Until(left, right):
            return _until(_truth(path, left)[::-1], _truth(path, right)[::-1])[::-1]
        case Since(left, right):
            # The printed range "j < k <= j" of the thesis is empty; it is j < k <= i.
            return _until(_truth(path, left), _truth(path, right))


def _until(left: list[bool], right: list[bool]) -> list[bool]:
    """Right held, and left ever after; reading from the first position on."""
    found: list[bool] = []
    for keeps, reaches in zip(left, right, strict=True):
        found.append(reaches or (keeps and bool(found) and found[-1]))
    return found
