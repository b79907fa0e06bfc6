"""Atoms as Python programs say them."""

from __future__ import annotations

from typing import TypeAlias

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact
from larspark.language.values import Value
from larspark.runtime.formats.values import NotAValue, from_object

AtomLike: TypeAlias = Fact | str | tuple[object, ...]
"""A `Fact`, its text `hot(press,3)`, or a tuple of predicate and arguments, `("hot", "press", 3)`."""


def fact_of(atom: AtomLike) -> Fact:
    """The fact that is said; `Rejected` when it is none."""
    match atom:
        case Fact():
            return atom
        case str():
            return parse_fact(atom)
        case (str(predicate), *args):
            return Fact(predicate, tuple(_value(value, atom) for value in args))
    message = f"`{atom!r}` is not an atom."
    hint = "Give a Fact, a text such as 'hot(press,3)', or a tuple such as ('hot', 'press', 3)."
    raise Rejected([Diagnostic("E403", message, hint)])


def _value(value: object, atom: object) -> Value:
    try:
        return from_object(value)
    except NotAValue as error:
        message = f"`{atom!r}` holds {error}."
        raise Rejected([Diagnostic("E403", message, "Arguments are numbers and texts.")]) from error
