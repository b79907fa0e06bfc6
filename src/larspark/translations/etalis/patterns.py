"""Event patterns and rules of ETALIS (thesis app. A.2.2, Table A.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from larspark.diagnostics import Origin
from larspark.language.traversal import substitute, variables
from larspark.language.tree import Atom, Comparison, Variable


class Operator(StrEnum):
    """How two intervals are combined."""

    SEQ = "SEQ"
    AND = "AND"
    PAR = "PAR"
    OR = "OR"
    EQUALS = "EQUALS"
    MEETS = "MEETS"
    DURING = "DURING"
    STARTS = "STARTS"
    FINISHES = "FINISHES"


@dataclass(frozen=True)
class Event:
    """An atom: atomic event or head of a rule."""

    atom: Atom


@dataclass(frozen=True)
class TimePoint:
    """A number n: the interval [n, n]."""

    time: int


@dataclass(frozen=True)
class Within:
    """`(p).n`: the intervals of p with end - start <= n."""

    body: Pattern
    length: int


@dataclass(frozen=True)
class Combined:
    """`p SEQ q` and its kin."""

    operator: Operator
    left: Pattern
    right: Pattern


@dataclass(frozen=True)
class Where:
    """`p WHERE (conditions)`; a boolean constant is a comparison of numbers."""

    body: Pattern
    conditions: tuple[Comparison, ...]


@dataclass(frozen=True)
class AbsentPattern:
    """`NOT(p).[q, r]`: the intervals of q SEQ r that are not intervals of q SEQ p SEQ r."""

    body: Pattern
    first: Pattern
    last: Pattern


Pattern: TypeAlias = Event | TimePoint | Within | Combined | Where | AbsentPattern


@dataclass(frozen=True)
class EventRule:
    """`head <- pattern.`: every interval of the pattern is one of the head."""

    head: Atom
    pattern: Pattern
    origin: Origin | None = field(default=None, compare=False, repr=False, kw_only=True)


def parts(pattern: Pattern) -> tuple[Pattern, ...]:
    """The direct sub-patterns."""
    match pattern:
        case Within(body, _) | Where(body, _):
            return (body,)
        case Combined(_, left, right):
            return (left, right)
        case AbsentPattern(body, first, last):
            return (body, first, last)
        case Event() | TimePoint():
            return ()


def walk(pattern: Pattern) -> Iterator[Pattern]:
    """The pattern and everything below it."""
    yield pattern
    for part in parts(pattern):
        yield from walk(part)


def events(pattern: Pattern) -> Iterator[Atom]:
    """The atoms of a pattern."""
    return (part.atom for part in walk(pattern) if isinstance(part, Event))


def mentioned(pattern: Pattern) -> frozenset[str]:
    """The variables of a pattern, conditions included."""
    atoms: list[Atom | Comparison] = list(events(pattern))
    for part in walk(pattern):
        if isinstance(part, Where):
            atoms += part.conditions
    return frozenset(variable.name for atom in atoms for variable in variables(atom))


def with_names(pattern: Pattern, taken: frozenset[str]) -> Pattern:
    """The pattern with ordinary names in place of anonymous variables (`_1` becomes `Any1`)."""
    prefix = "Any"
    while any(name.startswith(prefix) for name in taken):
        prefix += "y"
    names = {name: Variable(prefix + name[1:]) for name in mentioned(pattern) if name.startswith("_")}

    def rename(part: Pattern) -> Pattern:
        match part:
            case Event(atom):
                return Event(substitute(atom, names))
            case TimePoint():
                return part
            case Within(body, length):
                return Within(rename(body), length)
            case Combined(operator, left, right):
                return Combined(operator, rename(left), rename(right))
            case Where(body, conditions):
                return Where(rename(body), tuple(substitute(condition, names) for condition in conditions))
            case AbsentPattern(body, first, last):
                return AbsentPattern(rename(body), rename(first), rename(last))

    return rename(pattern)
