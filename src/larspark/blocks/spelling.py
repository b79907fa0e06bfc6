"""Values as texts that tell numbers and symbols apart, so that one column holds both and a text means one value."""

from __future__ import annotations

from decimal import Decimal

from larspark.language.values import Value, normal, show_value

ESCAPE = "\0"
"""Starts a text that is not a symbol as it stands: digits follow, or a symbol that starts like this itself."""


def spelled(value: Value) -> str:
    """A symbol as it is, digits behind the escape."""
    if isinstance(value, str):
        return ESCAPE + value if value.startswith(ESCAPE) else value
    return ESCAPE + show_value(value)


def read_spelling(text: str) -> Value:
    """The value that is spelled so."""
    if not text.startswith(ESCAPE):
        return text
    inner = text[1:]
    return inner if inner.startswith(ESCAPE) else normal(Decimal(inner))
