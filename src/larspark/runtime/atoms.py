"""Atoms and times as Python programs say them: looked at before anything is evaluated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import TypeAlias, cast

import numpy as np

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact, UniformFacts
from larspark.language.parser import parse_fact
from larspark.language.values import Value
from larspark.read.values.times import NEVER, time_point
from larspark.read.values.values import NotAValue, from_object

AtomLike: TypeAlias = Fact | str | tuple[object, ...] | Mapping[str, object]
"""A `Fact`, its text `hot(press,3)`, a tuple of predicate and arguments, `("hot", "press", 3)`, or a record as lines of
JSON have it, `{"predicate": "hot", "args": ["press", 3]}` or `{"atom": "hot(press,3)"}`."""

TimeLike: TypeAlias = int | datetime | str
"""A time point, or a moment: a `datetime` or its text."""

_FACTS, _NAMES, _ROWS, _PLAIN = {Fact}, {str}, {tuple}, {int, str}

_FEW = 8
"""So many facts are looked at one by one sooner than together."""


def facts_of(atoms: Iterable[AtomLike]) -> Sequence[Fact]:
    """The facts that are said, with values of the language; `Rejected` with everything that is none."""
    listed = atoms if type(atoms) is list or type(atoms) is tuple else _listed(atoms)
    plain = _plain(listed)
    if plain is not None:
        return plain
    facts: list[Fact] = []
    problems: list[Diagnostic] = []
    for atom in listed:
        try:
            facts.append(fact_of(atom))
        except Rejected as rejected:
            problems += rejected.diagnostics
    if problems:
        raise Rejected(problems)
    return facts


def _listed(atoms: Iterable[AtomLike]) -> Sequence[AtomLike]:
    if isinstance(atoms, str) or not isinstance(atoms, Iterable):
        raise Rejected([_malformed(f"`{atoms!r}` is not a list of atoms.", "Write a list, such as ['hot(press)'].")])
    return atoms if isinstance(atoms, list | tuple) else list(atoms)


def _plain(atoms: Sequence[AtomLike]) -> Sequence[Fact] | None:
    """The atoms if they are facts of plain numbers and texts, which are what they say; many are looked at together."""
    if len(atoms) < _FEW:
        for atom in atoms:
            if type(atom) is not Fact or type(atom[0]) is not str or type(atom[1]) is not tuple:
                return None
            for value in atom[1]:
                if type(value) not in _PLAIN or (type(value) is str and not value.isascii()):
                    return None
        return cast(Sequence[Fact], atoms)
    if not set(map(type, atoms)) <= _FACTS:
        return None
    facts = cast(Sequence[Fact], atoms)
    names, rows = zip(*facts, strict=True)
    if not set(map(type, rows)) <= _ROWS or not set(map(type, names)) <= _NAMES:
        return None
    uniform = UniformFacts.found(facts)
    types = set(map(type, chain.from_iterable(rows))) if uniform is None else uniform.types
    if not types <= _PLAIN or (str in types and not _ascii(rows)):
        return None
    return uniform or facts


def _ascii(rows: Iterable[tuple[object, ...]]) -> bool:
    """Whether no text needs a closer look: others may hold half a character."""
    return all(map(str.isascii, (value for value in chain.from_iterable(rows) if type(value) is str)))


def fact_of(atom: AtomLike) -> Fact:
    """The fact that is said; `Rejected` when it is none."""
    match atom:
        case str():
            try:
                return parse_fact(atom)
            except Rejected as rejected:
                raise Rejected([_with_tuple(one) for one in rejected.diagnostics]) from rejected
        case Fact(str(predicate), tuple(args)) | (str(predicate), *args) if predicate:
            return Fact(str(predicate), tuple(_value(value, atom) for value in args))
        case {"predicate": str(predicate), "args": [*args]} if predicate:
            return Fact(predicate, tuple(_value(value, atom) for value in args))
        case {"atom": str(text)}:
            return fact_of(text)
    hint = (
        "Give a Fact, a text such as 'hot(press,3)', a tuple such as ('hot', 'press', 3), or a record such as "
        "{'predicate': 'hot', 'args': ['press', 3]}."
    )
    raise Rejected([_malformed(f"`{atom!r}` is not an atom.", hint)])


def _with_tuple(problem: Diagnostic) -> Diagnostic:
    """What is wrong with a text, and how to do without one."""
    hint = f"{problem.hint} Texts stand in quotes, `hot(\"M-01\")`; a tuple needs none, ('hot', 'M-01', 1e-05)."
    return replace(problem, hint=hint.strip())


def arrivals_of(stream: Iterable[tuple[TimeLike, AtomLike]], calendar: Calendar) -> list[tuple[int, Fact]]:
    """Arrivals with their times, in the order in which they are said; `Rejected` with everything that is none."""
    arrivals: list[tuple[int, Fact]] = []
    problems: list[Diagnostic] = []
    for time, atom in stream:
        try:
            arrivals.append((time_of(time, calendar), fact_of(atom)))
        except Rejected as rejected:
            problems += rejected.diagnostics
    if problems:
        raise Rejected(problems)
    return arrivals


def time_of(time: TimeLike, calendar: Calendar) -> int:
    """The time point that is said, by the rules for the times of records."""
    if type(time) is int and 0 <= time < NEVER:
        return time
    point = time_point(time.item() if isinstance(time, np.generic) else time, calendar)
    if isinstance(point, Diagnostic):
        raise Rejected([_NO_TIME if point.code == _NO_TIME.code else point])
    return point


_NO_TIME = Diagnostic("E402", "`None` is no time.", "Give a time point such as 36, a datetime or a timestamp.")


def _value(value: object, atom: object) -> Value:
    try:
        return from_object(value.item() if isinstance(value, np.generic) else value)
    except NotAValue as error:
        raise Rejected([_malformed(f"`{atom!r}` holds {error}.", "Arguments are numbers and texts.")]) from error


def _malformed(message: str, hint: str) -> Diagnostic:
    return Diagnostic("E403", message, hint)
