"""LARS formulas with sliding time windows as PLTL formulas (thesis sec. 4.2).

`at_time_point` is Algorithm 4.1: the timeline and the evaluation time are known, so the result is specific to
them. `for_any_stream` knows neither: the window is kept as an interval *relative* to the current position, and
steps that leave the stream are recognised by the atom `outside`. Both take ground formulas.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language import tree
from larspark.language.facts import Fact
from larspark.language.tree import Constant, points
from larspark.translations.ltl.formulas import (
    FALSE,
    TRUE,
    LtlAnd,
    LtlImplies,
    LtlNot,
    LtlOr,
    LtlTruth,
    Pltl,
    Proposition,
    conjunction,
    disjunction,
    eventually,
    once,
    shift,
)
from larspark.translations.ltl.paths import OUTSIDE
from larspark.translations.reading import UNSUPPORTED


@dataclass(frozen=True)
class Bounds:
    """The timeline [start, end] of the stream, and the interval [left, right] of the window inside it."""

    start: int
    left: int
    right: int
    end: int


def at_time_point(formula: tree.Formula, timeline: tuple[int, int], time: int) -> Pltl:
    """PLTL(start, start, end, end, time, formula) of Algorithm 4.1."""
    start, end = timeline
    return at_bounds(formula, Bounds(start, start, end, end), time)


def at_bounds(formula: tree.Formula, bounds: Bounds, time: int) -> Pltl:
    """Algorithm 4.1 inside a window."""
    match formula:
        case tree.Always(body):
            return conjunction(_everywhere(body, bounds, time))
        case tree.Some(body):
            return disjunction(_everywhere(body, bounds, time))
        case tree.At(Constant(int(there)), body):
            inside = bounds.left <= there <= bounds.right
            return shift(there - time, at_bounds(body, bounds, there)) if inside else FALSE
        case tree.Windowed(window, body):
            past, future = _extents(window)
            left = bounds.left if past is None else max(bounds.left, time - past)
            right = bounds.right if future is None else min(time + future, bounds.right)
            return at_bounds(body, replace(bounds, left=left, right=right), time)
        case tree.Reset(body):
            return at_bounds(body, replace(bounds, left=bounds.start, right=bounds.end), time)
        case _:
            return _pointwise(formula, [at_bounds(part, bounds, time) for part in _parts(formula)])


def _everywhere(body: tree.Formula, bounds: Bounds, time: int) -> Iterable[Pltl]:
    for there in range(bounds.left, bounds.right + 1):
        yield shift(there - time, at_bounds(body, bounds, there))


def for_any_stream(formula: tree.Formula) -> Pltl:
    """A formula that holds at position t of π(M) iff the LARS formula holds at t, for every stream and every t."""
    return _relative(formula, None)


_INSIDE = LtlNot(Proposition(OUTSIDE))


def _relative(formula: tree.Formula, window: tuple[int, int] | None) -> Pltl:
    """The formula inside the window [here + left, here + right], left <= 0 <= right; None is the whole stream."""
    match formula:
        case tree.Some(body):
            return _somewhere(body, TRUE, window)
        case tree.Always(body):
            # ¬◇¬ rather than a conjunction: a step that leaves the stream must not falsify it.
            return LtlNot(_somewhere(tree.Not(body), TRUE, window))
        case tree.At(Constant(int(there)), body):
            return _somewhere(body, _position(there), window)
        case tree.Windowed(function, body):
            past, future = _extents(function)
            if past is None or future is None:
                raise _unsupported(
                    "A window without end has no stream-independent translation.",
                    "Give the window a size, or translate for a timeline and a time point.",
                    function.origin or formula.origin,
                )
            left, right = window or (-past, future)
            return _relative(body, (max(left, -past), min(right, future)))
        case tree.Reset(body):
            return _relative(body, None)
        case _:
            return _pointwise(formula, [_relative(part, window) for part in _parts(formula)])


def _somewhere(body: tree.Formula, condition: Pltl, window: tuple[int, int] | None) -> Pltl:
    """At some point of the window that satisfies the condition, the body."""
    guards = [_INSIDE] if condition == TRUE else [_INSIDE, condition]
    if window is None:
        return once(eventually(LtlAnd((*guards, _relative(body, None)))))
    left, right = window
    return disjunction(
        shift(step, LtlAnd((*guards, _relative(body, (left - step, right - step))))) for step in range(left, right + 1)
    )


def _position(number: int) -> Pltl:
    """True exactly at this position: so many steps back exist, and no further one."""
    if number < 0:
        return FALSE
    return LtlAnd((shift(-number, TRUE), LtlNot(shift(-number - 1, TRUE))))


def _parts(formula: tree.Formula) -> tuple[tree.Formula, ...]:
    match formula:
        case tree.Not(body):
            return (body,)
        case tree.And(parts) | tree.Or(parts):
            return parts
        case tree.Implies(left, right):
            return (left, right)
        case _:
            return ()


def _pointwise(formula: tree.Formula, parts: list[Pltl]) -> Pltl:
    """What does not move in time keeps its connective."""
    match formula:
        case tree.Atom():
            return Proposition(_ground(formula))
        case tree.Truth(value):
            return LtlTruth(value)
        case tree.Not():
            return LtlNot(parts[0])
        case tree.And():
            return LtlAnd(tuple(parts))
        case tree.Or():
            return LtlOr(tuple(parts))
        case tree.Implies():
            return LtlImplies(parts[0], parts[1])
        case tree.At(time):
            raise _unsupported(
                "The time of `@` is not a number.", "Put a number in its place, LTL has no variables.", time.origin
            )
        case _:
            raise _unsupported(
                "Linear temporal logic has no comparisons and aggregates.",
                "Derive an atom by a rule and use the atom.",
                formula.origin,
            )


def _ground(atom: tree.Atom) -> Fact:
    args = [arg.value for arg in atom.args if isinstance(arg, Constant)]
    if len(args) != len(atom.args):
        raise _unsupported(
            f"The atom `{atom.predicate}` has arguments that are not constants.",
            "Put constants in their place, LTL is propositional.",
            atom.origin,
        )
    return Fact(atom.predicate, tuple(args))


def _extents(window: tree.Window) -> tuple[int | None, int | None]:
    match window:
        case tree.TimeWindow(past, future, 1):
            return points(past), points(future)
        case _:
            raise _unsupported(
                "Only sliding time windows can be expressed in linear temporal logic.",
                "Use a window like `[5]` or `[3, +1]`.",
                window.origin,
            )


def _unsupported(message: str, hint: str, origin: Origin | None) -> Rejected:
    return Rejected([Diagnostic(UNSUPPORTED, message, hint, origin)])
