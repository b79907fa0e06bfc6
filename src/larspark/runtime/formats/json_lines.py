"""JSON lines: `{"time": 36, "atom": "tram(a1,b)"}` or `{"time": 36, "predicate": "tram", "args": ["a1", "b"]}`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import BinaryIO

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact
from larspark.runtime.formats.arrivals import Record, at_line
from larspark.runtime.formats.values import NotAValue, from_object

_SHAPE = 'Write `{"time": 36, "atom": "tram(a1,b)"}`, one object per line.'


def read_json_lines(lines: BinaryIO, file: str) -> Iterator[Record | Diagnostic]:
    """The records of a file in file order, and in the place of a bad line what is wrong with it."""
    for number, raw in enumerate(lines, 1):
        text = raw.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else raw.strip()
        if text:
            yield read_record(text, at_line(file, number))


def read_record(raw: bytes, origin: Origin) -> Record | Diagnostic:
    try:
        data = _decoder.decode(raw.decode("utf-8"))
    except json.JSONDecodeError as error:
        place = at_line(origin.file, origin.line, error.colno)
        return Diagnostic("E401", f"The line is not JSON: {error.msg}.", _SHAPE, place)
    except (ValueError, RecursionError) as error:
        return Diagnostic("E401", f"The line is not JSON: {error}.", _SHAPE, origin)
    if not isinstance(data, dict):
        return Diagnostic("E401", "The line is not a JSON object.", _SHAPE, origin)
    if b"\\u" in raw and not _is_text(data):
        return Diagnostic("E401", "The line has half a character (`\\ud800` to `\\udfff`).", _SHAPE, origin)
    fact = _fact(data, origin)
    if isinstance(fact, Diagnostic):
        return fact
    time = data.get("time")
    if isinstance(time, int | str | Decimal | None) and not isinstance(time, bool):
        return Record(fact, time, origin)
    return Diagnostic("E404", "The time is neither a number nor a timestamp.", _SHAPE, origin)


def _fact(data: dict[str, object], origin: Origin) -> Fact | Diagnostic:
    match data:
        case {"atom": str(text)}:
            return read_atom(text, origin)
        case {"predicate": str(predicate), "args": list(args)}:
            try:
                return Fact(predicate, tuple(map(from_object, args)))
            except NotAValue as error:
                message = f"An argument of `{predicate}` is {error}."
                return Diagnostic("E403", message, "Arguments are numbers and texts.", origin)
        case {"predicate": str(predicate)} if "args" not in data:
            return Fact(predicate)
        case {"atom": _} | {"predicate": _}:
            hint = "`atom` and `predicate` are texts, `args` is a list."
            return Diagnostic("E403", "The atom has the wrong type.", hint, origin)
    return Diagnostic("E402", "The record has no atom.", _SHAPE, origin)


def read_atom(text: str, origin: Origin) -> Fact | Diagnostic:
    """A ground atom inside a record."""
    try:
        return parse_fact(text)
    except Rejected as rejected:
        first = rejected.diagnostics[0]
        message = f"`{text[:60]}` is not a ground atom: {first.message}"
        return Diagnostic("E403", message, first.hint, origin)


def _is_text(data: object) -> bool:
    """Whether all texts can be written; JSON may spell one half of a character that takes two."""
    try:
        json.dumps(data, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number")


_decoder = json.JSONDecoder(parse_float=Decimal, parse_constant=_no_constant)
