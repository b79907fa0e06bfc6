"""Windows at other time points than the present: `some (b [3])` has [3] look back from a time point U.

⊞◇b at U becomes a predicate p that holds at the time points from which b is seen: `@(U+K) p :- @U b, K = 0..3.`
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from larspark.analysis.formulas.context import Alternatives, Beyond, Conjunction, Context, times
from larspark.analysis.formulas.predicates import TICK, Predicates
from larspark.language.tree import (
    Always,
    And,
    Atom,
    Comparison,
    Constant,
    Formula,
    Implies,
    Not,
    Operation,
    Or,
    Reset,
    Some,
    Term,
    TimeWindow,
    Truth,
    Variable,
    Windowed,
)

Sight: TypeAlias = Callable[[Formula, Context], Alternatives]

FARTHEST = 1000
"""How many time points a window may select from another time point."""

_NESTED = "Windows in windows at another time point than the present have no encoding."


def looking_from(formula: Windowed, context: Context, holds: Sight, parts: Predicates) -> Formula:
    """⊞φ at the time of the context, with a predicate in place of every ◇ under the window."""
    window, body = formula.window, formula.body
    sure = isinstance(window, TimeWindow) and window.hop == 1 and context.sure
    if not isinstance(window, TimeWindow) or not sure or _reach(window) is None:
        raise Beyond("Such a window has no encoding at another time point than the present.", formula)

    def inside(part: Formula) -> Formula:
        return Windowed(window, part, origin=part.origin)

    match body:
        case Atom() | Truth() | Comparison() | Reset():
            return body
        case Not(part):
            return Not(inside(part), origin=body.origin)
        case And(parts_of):
            return And(tuple(map(inside, parts_of)), origin=body.origin)
        case Or(parts_of):
            return Or(tuple(map(inside, parts_of)), origin=body.origin)
        case Implies(left, right):
            return Implies(inside(left), inside(right), origin=body.origin)
        case Always(part):
            parts.total(part)
            opposite = Some(Not(part, origin=part.origin), origin=body.origin)
            return Not(inside(opposite), origin=body.origin)
        case Some(part):
            return _seen_from(window, part, context, holds, parts)
    raise Beyond(_NESTED, formula)


def _reach(window: TimeWindow) -> tuple[int, int] | None:
    match window:
        case TimeWindow(int(past), int(future)) if future >= 0:
            return past, future
    return None


def _seen_from(window: TimeWindow, body: Formula, context: Context, holds: Sight, parts: Predicates) -> Atom:
    """An atom that holds at the time points of the context from which the window sees the body."""
    past, future = _reach(window) or (0, 0)
    if past + future > FARTHEST:
        reason = f"At other time points than the present, windows select at most {FARTHEST} time points."
        raise Beyond(reason, body)
    if not _is_flat(body):
        raise Beyond(_NESTED, body)
    if context.for_conclusions is None:
        raise Beyond("A part of it has to be derived first, and tuple windows select only what arrives.", body)
    seen, step = parts.moment(), parts.moment()
    there = context.earlier(seen, past, future)
    within = Atom(parts.names.within(past + future), (step,))
    found = holds(body, there)
    if not all(any(map(parts.gives_time, times(literals, seen))) for literals in found):
        # Nothing says where to look: from every selected time point at all that the window selects there.
        looking = parts.moment()
        where = Comparison("=", seen, _shifted("-", looking, step, future), origin=body.origin)
        first = (_ticks(looking, context, body), within, where, _ticks(seen, there, body))
        return parts.predicate(looking, [(*first, *literals) for literals in found], body)
    if past + future == 0:
        return parts.predicate(seen, found, body)
    place = _shifted("+", seen, step, -future)
    at_place: Conjunction = (_ticks(place, context, body),) if future else ()
    return parts.predicate(place, [(*literals, within, *at_place) for literals in found], body)


def _ticks(time: Term, context: Context, formula: Formula) -> Formula:
    """The time point is one of those that are selected; `_` lists them if there is an end."""
    if not context.windows and context.reach is None:
        raise Beyond("It looks for a time point in a window without end.", formula)
    if context.windows and not context.ends:
        raise Beyond("It looks for a time point in a window without end.", formula)
    tick = replace(TICK, origin=formula.origin)
    return context.literal(tick) if context.time == time else replace(context, time=time).literal(tick)


def _shifted(sign: str, time: Variable, step: Variable, more: int) -> Term:
    term: Term = Operation(sign, time, step)
    return Operation("+", term, Constant(more)) if more else term


def _is_flat(formula: Formula) -> bool:
    """Without windows and temporal operators, up to where a reset leaves all windows."""
    match formula:
        case Reset():
            return True
        case Not(body):
            return _is_flat(body)
        case And(parts) | Or(parts):
            return all(map(_is_flat, parts))
        case Implies(left, right):
            return _is_flat(left) and _is_flat(right)
    return isinstance(formula, Atom | Truth | Comparison)
