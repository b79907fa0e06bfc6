"""What a value of a record means in the language: the rules, for one value."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal

from larspark.diagnostics import Diagnostic
from larspark.language.values import NotANumber, Value, normal

_NUMBER = re.compile(r"-?[0-9]{1,1000}(?:\.[0-9]{1,33})?\Z", re.ASCII)

NO_NUMBER = re.compile(r"[+-]?(?:nan|inf|infinity)\Z", re.ASCII | re.IGNORECASE)
"""How programs write numbers that are none."""

BLANKS = " \t\r\n\f\v"
"""What may stand around a value in a text."""

MOST_DIGITS = 1000


@dataclass(frozen=True)
class Unreadable:
    """Stands for what a column holds and Python has no object for."""

    reason: str


class NotAValue(ValueError):
    """Something a record may hold but an atom may not; the message says what."""


def from_cell(text: str) -> Value:
    """A cell of a table of texts: an empty one and a number that is none have no value."""
    bare = text.strip(BLANKS)
    if not bare:
        raise NotAValue("nothing")
    if NO_NUMBER.match(bare):
        raise NotAValue(f"`{bare}`, which is not a number")
    return from_word(text)


def from_word(text: str) -> Value:
    """An argument written as text: what looks like a number is one, everything else is a symbol."""
    if not _NUMBER.match(text):
        return text
    return from_object(Decimal(text)) if "." in text else int(text)


def check_text(text: str) -> None:
    """`NotAValue` when it stands for bytes that were no text."""
    if not text.isascii() and any("\udc80" <= character <= "\udcff" for character in text):
        raise NotAValue("bytes that are not UTF-8 text")


def from_object(value: object) -> Value:
    """A typed value; truth values are the symbols `true` and `false`, dates are symbols."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return int(value)
        case str():
            return _text(value)
        case Decimal() | float():
            return _number(Decimal(float.__repr__(value)) if isinstance(value, float) else value)
        case datetime() | date():
            return value.isoformat()
        case None:
            raise NotAValue("a missing value")
        case Unreadable(reason):
            raise NotAValue(reason)
    raise NotAValue(f"a {type(value).__name__}")


_CELL = "A cell holds"


def bad_cell(reason: NotAValue) -> Diagnostic:
    """What is said about a cell of a table that is no value."""
    return Diagnostic("E403", f"{_CELL} {reason}.", "Arguments are numbers and texts.")


def in_column(fault: Diagnostic, name: str) -> Diagnostic:
    """The same about a cell of this column."""
    return replace(fault, message=fault.message.replace(_CELL, f"The cell of `{name}` holds"))


def _text(value: str) -> Value:
    try:
        value.encode()
    except UnicodeEncodeError as error:  # Python lets one half of a pair of surrogates stand alone
        raise NotAValue("a text with half a character") from error
    return str(value)


def _number(value: Decimal) -> Value:
    if value.is_finite() and abs(value.adjusted()) > MOST_DIGITS:
        raise NotAValue(f"a number with more than {MOST_DIGITS} digits")  # `1E+999999999` is short, its digits are not
    try:
        exact = normal(value)
    except NotANumber as error:
        raise NotAValue("an infinite or undefined number") from error
    if exact != value:
        raise NotAValue("a decimal with too many digits")
    return exact
