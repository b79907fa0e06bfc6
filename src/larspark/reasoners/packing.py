"""State as bytes that cannot execute anything: plain data as JSON, compressed.

Numbers, texts, truth values and None are themselves; everything else is an object with one entry, its kind.
"""

from __future__ import annotations

import base64
import json
import zlib
from decimal import Decimal
from typing import Any

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Fact, Signature


def pack(data: object) -> bytes:
    """Numbers, texts, facts, signatures, bytes, and tuples, lists, sets and dictionaries of them."""
    return zlib.compress(json.dumps(_packed(data), ensure_ascii=False, separators=(",", ":")).encode(), 1)


def unpack(data: bytes) -> Any:
    """What was packed; anything else is rejected."""
    try:
        return _unpacked(json.loads(zlib.decompress(data)))
    except (zlib.error, ValueError, TypeError, AttributeError) as error:
        raise Rejected([damaged()]) from error


def damaged() -> Diagnostic:
    return refused("The data is not a snapshot, or it is damaged.")


def refused(message: str) -> Diagnostic:
    return Diagnostic("E508", message, "Start without the snapshot, or with the program and version it was taken of.")


def _packed(data: object) -> object:
    match data:
        case None | bool() | int() | str():
            return data
        case Decimal():
            return {"decimal": str(data)}
        case Fact():
            return {"fact": [data.predicate, *map(_packed, data.args)]}
        case Signature():
            return {"signature": [data.predicate, data.arity]}
        case bytes():
            return {"bytes": base64.b64encode(data).decode("ascii")}
        case tuple():
            return {"tuple": [*map(_packed, data)]}
        case list():
            return [*map(_packed, data)]
        case set() | frozenset():
            return {"set": [*map(_packed, data)]}
        case dict():
            return {"dict": [[_packed(key), _packed(value)] for key, value in data.items()]}
    raise TypeError(f"a {type(data).__name__} is not plain data")


def _unpacked(data: object) -> object:
    match data:
        case None | bool() | int() | str():
            return data
        case list():
            return [*map(_unpacked, data)]
        case {"decimal": str(text)}:
            return Decimal(text)
        case {"fact": [str(predicate), *args]}:
            return Fact(predicate, tuple(map(_unpacked, args)))  # type: ignore[arg-type]  # values were packed
        case {"signature": [str(predicate), int(arity)]}:
            return Signature(predicate, arity)
        case {"bytes": str(text)}:
            return base64.b64decode(text, validate=True)
        case {"tuple": list(items)}:
            return tuple(map(_unpacked, items))
        case {"set": list(items)}:
            return set(map(_unpacked, items))
        case {"dict": list(items)}:
            return {_unpacked(key): _unpacked(value) for key, value in items}
    raise ValueError("not plain data")
