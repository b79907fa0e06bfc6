"""Random formulas of full LARS: every class of formula that the tree names, with bound variables only."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, get_args

from larspark.language import tree
from larspark.language.tree import (
    Aggregate,
    Always,
    And,
    At,
    Atom,
    Comparison,
    Formula,
    Implies,
    Not,
    Or,
    Reset,
    Some,
    Truth,
    Windowed,
)
from support.generate.shape import INPUT

if TYPE_CHECKING:
    from support.generate.rules import RuleMaker

CLASSES: tuple[type[Formula], ...] = tuple(one for one in get_args(tree.Formula) if one is not tree.Ranked)
"""A rank stands by itself in a body."""
LEAVES = (Atom, Truth, Comparison)


class FormulaMaker:
    """Formulas over what a rule has bound already, so that they are safe wherever they stand."""

    def __init__(self, rule: RuleMaker) -> None:
        self.rule, self.draw = rule, rule.draw

    def formula(self, depth: int) -> Formula:
        return self._of(self.draw.pick(CLASSES if depth else LEAVES), depth, self._read)

    def head(self) -> Formula:
        """A conclusion of any form."""
        return self._of(self.draw.pick(CLASSES), 1, self._concluded)

    def _read(self) -> Formula:
        return self.rule.body_atom(self.draw.pick(INPUT + self.rule.below), binds=False)

    def _concluded(self) -> Formula:
        return self.rule.head_atom(self.draw.pick(self.rule.shape.derived[: self.rule.level + 1]))

    def _of(self, wanted: type[Formula], depth: int, atom: Callable[[], Formula]) -> Formula:
        """A formula of the class; a class of the tree that is not known here is an error."""
        rule, draw = self.rule, self.draw

        def below() -> Formula:
            if depth > 1:
                return self._of(draw.pick(CLASSES), depth - 1, atom)
            return atom() if draw.chance(0.8) else self._of(draw.pick(LEAVES), 0, atom)

        if wanted is Atom:
            return atom()
        if wanted is Truth:
            return Truth(draw.chance(0.5))
        if wanted is Comparison:
            return Comparison("<", rule.leaf(rule.bound), rule.leaf(rule.bound))
        if wanted is Aggregate:
            return rule.aggregate(binds=False)
        if wanted in (And, Or):
            return wanted((below(), below()))
        if wanted is Implies:
            return Implies(below(), below())
        if wanted in (Not, Some, Always, Reset):
            return wanted(below())
        if wanted is At:
            return At(rule.moment(), below())
        if wanted is Windowed:
            return Windowed(draw.pick(rule.windows.chain(draw.pick(INPUT))), below())
        raise NotImplementedError(f"random programs have no {wanted.__name__} yet")
