"""From the values of files to the values of the language."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal

from larspark.language.values import NotANumber, Value, normal

_NUMBER = re.compile(r"-?[0-9]{1,1000}(?:\.[0-9]{1,33})?\Z", re.ASCII)

MOST_DIGITS = 1000


class NotAValue(ValueError):
    """Something a file may hold but an atom may not; the message says what."""


def from_cell(text: str) -> Value:
    """A cell of a CSV file: what looks like a number is one, everything else is a symbol."""
    if not _NUMBER.match(text):
        return text
    return from_object(Decimal(text)) if "." in text else int(text)


def from_object(value: object) -> Value:
    """A value of JSON or Parquet; truth values are the symbols `true` and `false`, dates are symbols."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | str():
            return value
        case Decimal() | float():
            return _number(Decimal(repr(value)) if isinstance(value, float) else value)
        case datetime() | date():
            return value.isoformat()
        case None:
            raise NotAValue("a missing value")
    raise NotAValue(f"a {type(value).__name__}")


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
