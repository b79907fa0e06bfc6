"""What is drawn over time: marks of atoms, in lanes, in the form that the page reads."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from larspark.language.facts import Fact, Signature, fact_order

NARROW = 2**31 - 1
"""Times that lie no farther than this from the first one are written in 32 bits."""


class MarkKind(IntEnum):
    """What a mark says about an atom."""

    INPUT = 0
    """It arrived."""
    HOLDS = 1
    """It is a conclusion, from an evaluation to another."""
    PINNED = 2
    """A conclusion about another time point than that of the evaluation."""
    REFUSED = 3
    """It arrived and was not taken."""


class AnswerMark(NamedTuple):
    fact: Fact
    kind: MarkKind
    first: int
    last: int | None
    """The last evaluation; None while it still holds."""
    at: int | None = None
    """The time point that a pinned conclusion is about."""


def lanes_json(marks: Iterable[AnswerMark], predicates: Sequence[Signature]) -> dict[str, Any]:
    """A lane for every atom, in the order of predicates; numbers as base64 of little-endian columns.

    A lane's marks are those from `begin[i]` to `begin[i+1]`, by kind and time. What still holds ends before it begins.
    """
    lanes: dict[Fact, list[AnswerMark]] = {}
    for mark in marks:
        lanes.setdefault(mark.fact, []).append(mark)
    rank = {signature: number for number, signature in enumerate(predicates)}
    facts = sorted(lanes, key=lambda fact: (rank[fact.signature], fact_order(fact)))
    rows = [mark for fact in facts for mark in sorted(lanes[fact], key=_order)]
    base = min((min(mark.first, _point(mark)) for mark in rows), default=0)
    begin = np.cumsum([0, *(len(lanes[fact]) for fact in facts)])
    first = [mark.first for mark in rows]
    last = [mark.first - 1 if mark.last is None else mark.last for mark in rows]
    return {
        "atoms": list(map(str, facts)),
        "predicate": [rank[fact.signature] for fact in facts],
        "base": base,
        "begin": encoded(begin, 0),
        "kind": encoded([mark.kind for mark in rows], 0),
        "first": encoded(first, base),
        "last": encoded(last, base),
        "at": encoded([_point(mark) for mark in rows], base),
    }


def _order(mark: AnswerMark) -> tuple[int, int, int]:
    return mark.kind, _point(mark), mark.first


def _point(mark: AnswerMark) -> int:
    return mark.first if mark.at is None else mark.at


def encoded(values: Sequence[int] | npt.NDArray[np.int64], base: int) -> Mapping[str, str]:
    """Numbers counted from `base`, in the narrowest columns that hold them."""
    column = np.asarray(values, np.int64) - base
    largest = int(np.abs(column).max(initial=0))
    kind = "i32" if largest <= NARROW else "f64"
    return {kind: b64encode(column.astype("<i4" if kind == "i32" else "<f8").tobytes()).decode()}
