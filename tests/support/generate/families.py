"""Random rules that belong together: what one of them computes or reaches, the other goes on from."""

from __future__ import annotations

from decimal import Decimal

from larspark.language.tree import (
    Aggregate,
    AggregateElement,
    Always,
    Atom,
    Comparison,
    Constant,
    Formula,
    Not,
    Now,
    Operation,
    Rule,
    Some,
    TimeWindow,
    Truth,
    Variable,
    Windowed,
)
from larspark.language.values import calculate
from support.generate.draw import Draw
from support.generate.setting import Setting
from support.generate.shape import EXTREME, Shape
from support.generate.windows import WindowMaker

X, Y, V, W, N = map(Variable, "XYVWN")


def met(draw: Draw, setting: Setting) -> list[Rule]:
    """`r(X + 1) :- e(X) [2].` and `s(X) :- r(X), e(X) [3].`: what is computed of one value is another that arrives."""
    near, far = (_seen(draw, setting, Atom("e", (X,))) for _ in range(2))
    numbers = [value for value in (*setting.values, 1, 2) if not isinstance(value, str) and value not in EXTREME]
    one, other = draw.random.sample(numbers, 2)
    computed = Operation("+", X, Constant(calculate("-", one, other)))
    return [Rule(Atom("r", (computed,)), (near,)), Rule(Atom("s", (X,)), (Atom("r", (X,)), far))]


def closure(draw: Draw, shape: Shape, setting: Setting) -> list[Rule]:
    """`s(X) :- e(X) [2].` and `s(Y) :- s(X), f(X,Y) [3], …`: a recursion whose step has a condition on where it is."""
    step: list[Formula] = [Atom("s", (X,)), _seen(draw, setting, Atom("f", (X, Y)))]
    operator = draw.pick(["<", ">", "!=", "="])
    match draw.weighted(
        {"none": 1, "compared": 1, "absent": 2 * (shape.negation != "none"), "counted": 3 * shape.aggregates}
    ):
        case "compared":
            step.append(Comparison(operator, X, Y))
        case "absent":
            step.append(Not(_seen(draw, setting, Atom("e", (draw.pick([X, Y]),)))))
        case "counted":
            body = (_seen(draw, setting, Atom("e", (V,))), Comparison(operator, V, draw.pick([X, Y])))
            step.append(
                Aggregate("count", draw.pick(["=", "<"]), Constant(draw.pick([0, 1])), (AggregateElement((V,), body),))
            )
    draw.random.shuffle(step)
    return [Rule(Atom("s", (X,)), (_seen(draw, setting, Atom("e", (X,))),)), Rule(Atom("s", (Y,)), tuple(step))]


def steady(draw: Draw, setting: Setting) -> list[Rule]:
    """`p :- always a [1].` or without it, beside something else that arrives."""
    found: Formula = Windowed(
        TimeWindow(WindowMaker(draw, setting, Now).length(draw.pick([1, 1, 2]))), Always(Atom("a"))
    )
    other = _seen(draw, setting, Atom("e", (X,)))
    return [Rule(Atom("p"), (found,) if draw.chance(0.6) else (other, Not(found))), Rule(Atom("r", (X,)), (other,))]


def forbidden(draw: Draw, setting: Setting) -> list[Rule]:
    """`:- b [2].` beside what goes on: for a while there is no answer stream, and then there is one again."""
    unwanted: Formula = Windowed(
        TimeWindow(WindowMaker(draw, setting, Now).length(draw.pick([0, 1, 2]))), Some(Atom("b"))
    )
    return [Rule(Truth(False), (unwanted,)), Rule(Atom("s", (X,)), (_seen(draw, setting, Atom("e", (X,))),))]


def grouped(draw: Draw, setting: Setting) -> list[Rule]:
    """`t(X,N) :- e(X) [2], N = #sum{ V : f(X,V) [1] }.`: groups that end and come again; or one of all.

    Half of the time of numbers that no machine word holds.
    """
    factor = Constant(draw.pick([2**62 + 1, 10**25, Decimal("0.0000000000000000001")]))
    value = Operation("*", V, factor) if draw.chance(0.5) else V
    apart = draw.chance(0.7)
    added = _seen(draw, setting, Atom("f", (X if apart else W, V)))
    element = AggregateElement((value,) if apart else (value, W), (added,))
    result = Aggregate(draw.pick(["sum", "sum", "count", "max", "min", "avg"]), "=", N, (element,))
    body = (result, _seen(draw, setting, Atom("e", (X,)))) if apart else (result,)
    return [Rule(Atom("t", (X if apart else Constant(0), N)), body)]


def _seen(draw: Draw, setting: Setting, atom: Atom) -> Formula:
    return Windowed(TimeWindow(WindowMaker(draw, setting, Now).length(draw.pick([1, 2, 3]))), Some(atom))
