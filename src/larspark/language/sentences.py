"""Sentences with names in braces, as `#say` has them: `machine {M} is too hot`. A brace itself is written twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_PART = re.compile(r"\{\{|\}\}|\{(?P<name>[^{}]*)\}")


def placeholders(sentence: str) -> Iterator[str]:
    """The names that stand in braces."""
    return (found["name"] for found in _PART.finditer(sentence) if found["name"] is not None)


def filled(sentence: str, values: Mapping[str, str]) -> str:
    """The sentence with the values in place of their names."""
    return _PART.sub(lambda found: found[0][0] if found["name"] is None else values[found["name"]], sentence)
