"""`a since b [w]` and `a until b [w]`, as what the parser makes of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from larspark.diagnostics import Origin
from larspark.language.extended_atoms import around
from larspark.language.shorthands.since import SinceLiteral
from larspark.language.tree import Formula, Variable
from support.generate.shape import INPUT

if TYPE_CHECKING:
    from support.generate.rules import RuleMaker

BY_TIME = ("time", "time", "future", "all", "half-open", "hop")


def since(rule: RuleMaker) -> list[Formula]:
    """One of its alternatives, that neither holds, or (in full LARS) its definition."""
    draw, shape = rule.draw, rule.shape
    defined = shape.full and draw.chance(0.5)
    denied = shape.aggregates and shape.negation != "none" and draw.chance(0.3)
    left, right = (draw.pick(INPUT + rule.below) for _ in "ab")
    rule.read += [left, right]
    holding = rule.body_atom(right, binds=not (defined or denied))
    throughout = rule.body_atom(left, binds=False)
    windows = rule.windows.narrow(draw.pick(BY_TIME), right)
    literal = SinceLiteral(
        throughout, holding, draw.chance(0.4), partial(around, windows), timed=False, origin=Origin("", 1, 1, 1, 1)
    )
    if defined:
        return [literal.formula()]
    moment = Variable("Moment")
    return [*(literal.denied(moment) if denied else literal.before(moment))]
