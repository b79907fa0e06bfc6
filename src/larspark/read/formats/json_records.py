"""A JSON line: `{"time": 36, "atom": "tram(a1,b)"}` or `{"time": 36, "predicate": "tram", "args": ["a1", "b"]}`."""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation

from larspark.diagnostics import Diagnostic, Origin
from larspark.language.facts import Fact
from larspark.read.columns.atoms import read_atom
from larspark.read.places import at_line
from larspark.read.rules import Rules
from larspark.read.values.records import InputRecord, record
from larspark.read.values.values import NotAValue, from_object

_SHAPE = 'Write `{"time": 36, "atom": "tram(a1,b)"}`, one object per line.'


def read_json(line: bytes, origin: Origin, rules: Rules) -> InputRecord | Diagnostic:
    """The record of a line that stands at `origin`, or what is wrong with it."""
    bare = line.lstrip()
    try:
        data = decoder.decode(bare.rstrip().decode("utf-8"))
    except json.JSONDecodeError as error:
        place = at_line(origin.file, origin.line, error.colno + len(line) - len(bare))
        return _not_json(error.msg, place)
    except InvalidOperation:
        return _not_json("a number has an exponent beyond all bounds", origin)
    except (ValueError, RecursionError) as error:
        return _not_json(str(error), origin)
    if not isinstance(data, dict):
        return Diagnostic("E401", "The line is not a JSON object.", _SHAPE, origin)
    if b"\\u" in line and not _is_text(data):
        return Diagnostic("E401", "The line has half a character (`\\ud800` to `\\udfff`).", _SHAPE, origin)
    fact = _fact(data)
    return fact if isinstance(fact, Diagnostic) else record(fact, data.get("time"), rules)


def _not_json(reason: str, origin: Origin) -> Diagnostic:
    return Diagnostic("E401", f"The line is not JSON: {reason}.", _SHAPE, origin)


def _fact(data: dict[str, object]) -> Fact | Diagnostic:
    match data:
        case {"atom": str(text)}:
            return read_atom(text)
        case {"predicate": str(predicate), "args": list(args)}:
            try:
                return Fact(predicate, tuple(map(from_object, args)))
            except NotAValue as error:
                message = f"An argument of `{predicate}` is {error}."
                return Diagnostic("E403", message, "Arguments are numbers and texts.")
        case {"predicate": str(predicate)} if "args" not in data:
            return Fact(predicate)
        case {"atom": _} | {"predicate": _}:
            return Diagnostic(
                "E403", "The atom has the wrong type.", "`atom` and `predicate` are texts, `args` is a list."
            )
    return Diagnostic("E402", "The record has no atom.", _SHAPE)


def _is_text(data: object) -> bool:
    """Whether all texts can be written; JSON may spell one half of a character that takes two."""
    try:
        json.dumps(data, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number")


decoder = json.JSONDecoder(parse_float=Decimal, parse_constant=_no_constant)
