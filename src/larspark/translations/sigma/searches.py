"""Detections: which events a rule finds, as alternatives of comparisons of fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import TypeAlias

from lark import Token, Transformer, v_args

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.values import Value, normal
from larspark.translations.located_yaml import YamlNode
from larspark.translations.reading import SYNTAX, UNKNOWN_NAME, UNSUPPORTED, Reader, origin_of


@dataclass(frozen=True)
class FieldTest:
    """`field operator value`."""

    field: str
    operator: str
    value: Value


@dataclass(frozen=True)
class AllOf:
    parts: tuple[Test, ...]


@dataclass(frozen=True)
class AnySearch:
    parts: tuple[Test, ...]


Test: TypeAlias = FieldTest | AllOf | AnySearch

_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_COMPARED = {"lt": "<", "lte": "<=", "gt": ">", "gte": ">="}


def opposite(test: Test) -> Test:
    """What holds exactly when the test does not."""
    match test:
        case FieldTest(field, operator, value):
            return FieldTest(field, _OPPOSITE[operator], value)
        case AllOf(parts):
            return AnySearch(tuple(map(opposite, parts)))
        case AnySearch(parts):
            return AllOf(tuple(map(opposite, parts)))


def alternatives(test: Test) -> list[tuple[FieldTest, ...]]:
    """The disjunctive normal form."""
    match test:
        case FieldTest():
            return [(test,)]
        case AnySearch(parts):
            return [found for part in parts for found in alternatives(part)]
        case AllOf(parts):
            return [tuple(one for part in choice for one in part) for choice in product(*map(alternatives, parts))]


def detection(place: YamlNode, fields: tuple[str, ...]) -> Test:
    """The events that a detection finds."""
    parts = dict(place.entries("A detection"))
    if "condition" not in parts:
        raise place.rejected(SYNTAX, "The detection has no condition.", "Write `condition: selection`.")
    condition = parts.pop("condition")
    if "timeframe" in parts:
        raise parts["timeframe"].rejected(UNSUPPORTED, "`timeframe` is no more part of Sigma.", "Write a correlation.")
    searches = {name: _search(one, fields) for name, one in parts.items()}
    return _reader(searches).read(condition.padded("A condition"), place.file)


def _search(place: YamlNode, fields: tuple[str, ...]) -> Test:
    if place.is_list():
        return AnySearch(tuple(_search(one, fields) for one in place.elements("A search")))
    return AllOf(tuple(_field(name, value, fields) for name, value in place.entries("A search").items()))


def _field(written: str, place: YamlNode, fields: tuple[str, ...]) -> Test:
    name, *modifiers = written.split("|")
    if name not in fields:
        hint = f"Declare it: `# event name({', '.join((*fields, name))})`."
        raise place.rejected(UNKNOWN_NAME, f"The events have no field `{name}`.", hint)
    if place.is_list():
        return AnySearch(tuple(_value(name, modifiers, one) for one in place.elements("A field")))
    return _value(name, modifiers, place)


def _value(name: str, modifiers: list[str], place: YamlNode) -> Test:
    value = place.scalar(f"The value of `{name}`")
    match modifiers, value:
        case [word], int() | float() if word in _COMPARED and not isinstance(value, bool):
            return FieldTest(name, _COMPARED[word], normal(Decimal(str(value))))
        case [], bool():
            return FieldTest(name, "=", str(value).lower())
        case [], int() | float():
            return FieldTest(name, "=", normal(Decimal(str(value))))
        case [], str() if not set(value) & set("*?\\"):
            return FieldTest(name, "=", value)
        case [], str() if len(value) > 1 and value.endswith("*") and not set(value[:-1]) & set("*?\\"):
            return _beginning(name, value[:-1])
        case ["startswith"], str() if value and not set(value) & set("*?\\"):
            return _beginning(name, value)
    hint = "There are numbers, texts, texts that end in `*`, and startswith, lt, lte, gt, gte."
    raise place.rejected(UNSUPPORTED, f"This test of `{name}` has no translation.", hint)


def _beginning(name: str, prefix: str) -> Test:
    """Between the prefix and the first text behind all that begin so, in the order of characters."""
    after = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    return AllOf((FieldTest(name, ">=", prefix), FieldTest(name, "<", after)))


def _reader(searches: Mapping[str, Test]) -> Reader[Test]:
    @v_args(inline=True)
    class Builder(Transformer[Token, Test]):
        def __init__(self, file: str) -> None:
            super().__init__()
            self.file = file

        def start(self, test: Test) -> Test:
            return test

        def disjunct(self, *parts: Test) -> Test:
            return AnySearch(parts)

        def conjunct(self, *parts: Test) -> Test:
            return AllOf(parts)

        def negation(self, test: Test) -> Test:
            return opposite(test)

        def search(self, name: Token) -> Test:
            return self._found(name)[0]

        def number_of(self, number: Token, name: Token) -> Test:
            if number != "1":
                hint = "Write `1 of` or `all of`."
                raise Rejected([Diagnostic(UNSUPPORTED, f"`{number} of` is no condition.", hint, self._at(number))])
            return AnySearch(self._found(name))

        def all_of(self, name: Token) -> Test:
            return AllOf(self._found(name))

        def _found(self, name: Token) -> tuple[Test, ...]:
            beginning = name[:-1] if name.endswith("*") else None
            names = [one for one in searches if name in (one, "them") or (beginning and one.startswith(beginning))]
            if not names:
                hint = f"There are {', '.join(searches) or 'none'}."
                raise Rejected([Diagnostic(UNKNOWN_NAME, f"There is no search `{name}`.", hint, self._at(name))])
            return tuple(searches[one] for one in names)

        def _at(self, token: Token) -> Origin | None:
            return origin_of(token, self.file)

    return Reader(
        language="Sigma",
        grammar="sigma/condition.lark",
        builder=Builder,
        hint="Write names of searches with `and`, `or`, `not`, `1 of name*`, `all of them`.",
        hints={"|": "Write a correlation instead of an aggregation behind the condition."},
    )
