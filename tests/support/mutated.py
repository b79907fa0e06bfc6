"""A JSON value with one thing changed, wherever there is something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]

_NAME = re.compile(r"[a-z]\w*(?=[),]|$)")
_NUMBER = re.compile(r"\d+(?=[),])")


def mutated(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every leaf with another value, every field left out, unknown fields, every item of a list left out."""
    match value:
        case dict():
            yield (*path, "unknown"), {**value, "unknown": 1}
            for name, inner in value.items():
                yield (*path, f"without {name}"), {key: one for key, one in value.items() if key != name}
                if isinstance(inner, dict | list):
                    yield (*path, f"no {name}"), {**value, name: None}
                for where, changed in mutated(inner, (*path, name)):
                    yield where, {**value, name: changed}
        case list():
            for place, inner in enumerate(value):
                yield (*path, f"without {place}"), [*value[:place], *value[place + 1 :]]
                for where, changed in mutated(inner, (*path, place)):
                    yield where, [*value[:place], changed, *value[place + 1 :]]
        case bool():
            yield path, not value
        case int() | float():
            yield path, value + 1
            yield path, value - 1
        case str():
            others = {f"{value}x", _NAME.sub("other", value, count=1), _NUMBER.sub("77", value, count=1)}
            for other in sorted(others - {value}):
                yield path, other
        case None:
            yield path, 1
