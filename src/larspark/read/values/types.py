"""Declared types: what a value has to be, for one value and for a column of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Argument
from larspark.blocks.arguments import argument_of, taken
from larspark.blocks.spelling import ESCAPE, read_spelling
from larspark.diagnostics import Diagnostic
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact, Signature
from larspark.language.tree import ColumnType, Input
from larspark.language.values import Value, show_value
from larspark.read.columns.arrays import true_rows
from larspark.read.values.times import NEVER, time_point
from larspark.read.values.values import BLANKS, NO_NUMBER, NotAValue, from_object

_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,1000}(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?\Z", re.ASCII)
_COMMA = re.compile(r"\s*[+-]?[0-9]+,[0-9]+\s*\Z", re.ASCII)
_UNIT = re.compile(r"\s*[+-]?[0-9]+(?:\.[0-9]+)?\s*[^\s0-9.,][^0-9]*\Z")

CALLED = {
    ColumnType.INTEGER: "a whole number",
    ColumnType.NUMBER: "a number",
    ColumnType.TEXT: "a text",
    ColumnType.TIME: "a time",
    ColumnType.BOOLEAN: "`true` or `false`",
}

Declared = Mapping[Signature, Input]
"""The inputs with types."""


class Misfit(NotAValue):
    """A value, but not one of the declared type."""


def fitted(value: Value, kind: ColumnType, calendar: Calendar | None) -> Value:
    """The value as one of the type; a text is read as the type says. `NotAValue` when it is none."""
    if isinstance(value, str) and not value.strip(BLANKS):
        raise NotAValue("an empty text")
    match kind:
        case ColumnType.TEXT if isinstance(value, str):
            return value
        case ColumnType.BOOLEAN if isinstance(value, str) and value.strip(BLANKS).lower() in ("true", "false"):
            return value.strip(BLANKS).lower()
        case ColumnType.INTEGER | ColumnType.NUMBER:
            number = _number(value) if isinstance(value, str) else value
            if kind is ColumnType.NUMBER or isinstance(number, int):
                return number
        case ColumnType.TIME:
            point = time_point(value, calendar)
            if not isinstance(point, Diagnostic):
                return point
            raise Misfit(f"`{show_value(value)[:60]}`, which is no time point: {point.message}")
    raise Misfit(f"`{_shown(value)}`, which is not {CALLED[kind]}")


def _number(text: str) -> Value:
    bare = text.strip(BLANKS)
    if NO_NUMBER.match(bare):
        raise NotAValue("an infinite or undefined number")
    if not _NUMBER.match(bare):
        raise Misfit(f"`{_shown(text)}`, which is no number")
    return from_object(Decimal(bare))


def _shown(value: Value) -> str:
    return (value if isinstance(value, str) else show_value(value))[:60]


def fitted_fact(fact: Fact, declared: Declared, calendar: Calendar | None) -> Fact | Diagnostic:
    """The fact with values of the declared types, or what is wrong with it."""
    said = declared.get(fact.signature)
    if said is None:
        return fact
    args = list(fact.args)
    for place, kind in enumerate(said.types):
        if kind is not None:
            try:
                args[place] = fitted(args[place], kind, calendar)
            except NotAValue as reason:
                return misfit(reason, said, place)
    return Fact(fact.predicate, tuple(args))


def misfit(reason: NotAValue, said: Input, place: int) -> Diagnostic:
    """What is said about a value that an argument cannot have."""
    message = f"`{said.columns[place]}` of {said.signature.predicate} holds {reason}."
    if not isinstance(reason, Misfit):
        return Diagnostic("E403", message, "Leave such records out, or give them a value.")
    text = str(reason).partition("`")[2].partition("`")[0]
    kind = said.types[place]
    hint = f"Correct the record; `#input` declares {said.columns[place]} as {kind}."
    if kind in (ColumnType.NUMBER, ColumnType.INTEGER):
        if _COMMA.match(text):
            hint = f"Write decimals with a point: {text.strip(BLANKS).replace(',', '.')}."
        elif _UNIT.match(text):
            hint = "Write the number alone, without its unit."
    elif kind is ColumnType.TEXT:
        hint = f'Write it as text, "{text}", or declare `{said.columns[place]}: number`.'
    return Diagnostic("E413", message, hint)


def fit(column: Argument, kind: ColumnType, calendar: Calendar | None) -> tuple[Argument, Mapping[int, NotAValue]]:
    """A column as one of the type, and why some rows have no value of it (any value stands there)."""
    if isinstance(column, np.ndarray):
        if kind in (ColumnType.INTEGER, ColumnType.NUMBER) or (
            kind is ColumnType.TIME and (not len(column) or (column.min() >= 0 and column.max() < NEVER))
        ):
            return column, {}
        distinct, codes = np.unique(column, return_inverse=True)
        values: list[Value] = distinct.tolist()
    else:
        if _fits(column.dictionary, kind):
            return column, {}
        values = [read_spelling(text) for text in column.dictionary.to_pylist()]
        codes = column.indices.to_numpy()
    found: list[Value] = []
    wrong: dict[int, NotAValue] = {}
    for code, value in enumerate(values):
        try:
            found.append(fitted(value, kind, calendar))
        except NotAValue as reason:
            found.append(0)
            wrong[code] = reason
    rows = np.flatnonzero(np.isin(codes, list(wrong))) if wrong else ()
    return taken(argument_of(found), codes.reshape(-1)), {int(row): wrong[int(codes[row])] for row in rows}


def _fits(spellings: pa.Array, kind: ColumnType) -> bool:
    """Whether all spellings are plainly values of the type."""
    if kind not in (ColumnType.TEXT, ColumnType.NUMBER):
        return False
    texts = true_rows(pc.invert(pc.starts_with(spellings, ESCAPE)))
    if kind is ColumnType.NUMBER:
        return not texts.any() and not true_rows(pc.starts_with(spellings, ESCAPE * 2)).any()
    return bool(texts.all()) and not pc.any(pc.match_substring_regex(spellings, r"^[ \t\r\n\f\v]*$")).as_py()
