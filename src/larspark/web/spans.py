"""Windows as the page draws them: what `page/windows.js` needs to find the stretch that they select."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from larspark.language.evaluate import evaluate
from larspark.language.terms import Extent, Term, points
from larspark.language.tree import (
    FilterWindow,
    IntervalWindow,
    KeyedWindow,
    PartitionWindow,
    SessionWindow,
    TimeWindow,
    TupleWindow,
    WindowNode,
)
from larspark.language.values import NotANumber

_MOMENTS = (0, 1, 2, 7)
"""Evaluation times at which a bound is looked at."""


def windows_json(windows: Iterable[WindowNode]) -> list[dict[str, Any]] | None:
    """In the order in which they are applied; None when one of them cannot be drawn."""
    found = [_described(window) for window in windows]
    return None if None in found else [one for one in found if one is not None]


def _described(window: WindowNode) -> dict[str, Any] | None:
    match window:
        case TimeWindow(past, future, hop):
            return {"past": _extent(past), "future": _extent(future), "hop": _extent(hop) or 1}
        case IntervalWindow(start, end):
            bounds = _linear(start), _linear(end)
            return None if None in bounds else dict(zip(("from", "to"), bounds, strict=True))
        case FilterWindow(patterns) if all(arg is None for one in patterns for arg in one.args):
            return {"of": [str(one.signature) for one in patterns]}
        case TupleWindow(past, 0):
            return {"tuples": _extent(past)}
        case PartitionWindow(past, 0):
            return {"tuples": _extent(past), "keys": _keys(window)}
        case SessionWindow(gap):
            return {"gap": _extent(gap), "keys": _keys(window)}
    return None


def _keys(window: KeyedWindow) -> dict[str, list[int]]:
    return {str(one.signature): list(one.keys) for one in window.predicates}


def _extent(value: Extent) -> int | None:
    """A number of time points; None for all."""
    return points(value)


def _linear(bound: Term) -> tuple[int, int] | None:
    """Where it is at evaluation 0, and how far it moves with each; None when it depends on anything else."""
    try:
        found = [evaluate(bound, {}, now) for now in _MOMENTS]
    except (KeyError, NotANumber):
        return None
    numbers = [one for one in found if isinstance(one, int)]
    if len(numbers) < len(_MOMENTS):
        return None
    offset, rate = numbers[0], numbers[1] - numbers[0]
    return (offset, rate) if numbers == [offset + rate * now for now in _MOMENTS] else None
