"""Truth of PLTL formulas along a finite path: the judge of the translations (thesis sec. 4.2).

Positions count from 0. A finite path stops: X is false at its last position, U and F look up to it. Since every
translation of this package guards the steps it takes, this agrees with the infinite path that goes on with
positions outside the stream.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from larspark.kinships.ltl.formulas import (
    And,
    Implies,
    Next,
    Not,
    Or,
    Pltl,
    Previous,
    Proposition,
    Since,
    Truth,
    Until,
)
from larspark.language.facts import Fact

Path: TypeAlias = Sequence[frozenset[Fact]]

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
    """The truth of the formula at every position."""
    last = len(path) - 1
    match formula:
        case Truth(value):
            return [value] * len(path)
        case Proposition(fact):
            return [fact in here for here in path]
        case Not(body):
            return [not now for now in truth_along(path, body)]
        case And(parts):
            return [all(now) for now in zip(*(truth_along(path, part) for part in parts), strict=True)]
        case Or(parts):
            return [any(now) for now in zip(*(truth_along(path, part) for part in parts), strict=True)]
        case Implies(left, right):
            pairs = zip(truth_along(path, left), truth_along(path, right), strict=True)
            return [not premise or conclusion for premise, conclusion in pairs]
        case Next(body):
            return [*truth_along(path, body)[1:], False]
        case Previous(body):
            return [False, *truth_along(path, body)[:last]]
        case Until(left, right):
            return _until(truth_along(path, left)[::-1], truth_along(path, right)[::-1])[::-1]
        case Since(left, right):
            # The printed range "j < k <= j" of the thesis is empty; it is j < k <= i.
            return _until(truth_along(path, left), truth_along(path, right))


def _until(left: list[bool], right: list[bool]) -> list[bool]:
    """Right held, and left ever after; reading from the first position on."""
    found: list[bool] = []
    for keeps, reaches in zip(left, right, strict=True):
        found.append(reaches or (keeps and bool(found) and found[-1]))
    return found
