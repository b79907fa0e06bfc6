"""From the grammar's parse tree to formulas."""

from __future__ import annotations

from larspark.diagnostics.origin import Origin
from larspark.language.build_terms import ParseTree, leaf, trees
from larspark.language.build_windows import WindowBuilder
from larspark.language.tree import (
    Aggregate,
    AggregateElement,
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
)

_MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class FormulaBuilder(WindowBuilder):
    """Builds formulas: body literals, heads, and what stands in parentheses."""

    def body(self, tree: ParseTree) -> tuple[Formula, ...]:
        return tuple(self.formula(literal) for literal in trees(tree))

    def formula(self, tree: ParseTree) -> Formula:
        origin = self.origin(tree)
        match tree.data:
            case "atom":
                return self._atom(tree)
            case "group":
                return self.formula(trees(tree)[0])
            case "truth":
                return Truth(leaf(tree, 0).type == "TRUE", origin=origin)
            case "negation":
                return Not(self.formula(trees(tree)[0]), origin=origin)
            case "reset":
                return Reset(self.formula(trees(tree)[0]), origin=origin)
            case "conjunction":
                return And(tuple(map(self.formula, trees(tree))), origin=origin)
            case "disjunction":
                return Or(tuple(map(self.formula, trees(tree))), origin=origin)
            case "implication":
                left, right = trees(tree)
                return Implies(self.formula(left), self.formula(right), origin=origin)
            case "some":
                return Some(self.formula(trees(tree)[0]), origin=origin)
            case "always":
                return Always(self.formula(trees(tree)[0]), origin=origin)
            case "at":
                time, body = trees(tree)
                return At(self.term(time), self.formula(body), origin=origin)
            case "windowed":
                return self._windowed(tree)
            case "at_postfix":
                atom, time, *windows = trees(tree)
                return self._around(At(self.term(time), self._atom(atom), origin=origin), windows)
            case "always_postfix":
                atom, *windows = trees(tree)
                return self._around(Always(self._atom(atom), origin=origin), windows)
            case "comparison":
                left, right = trees(tree)
                return Comparison(str(leaf(tree, 1)), self.term(left), self.term(right), origin=origin)
            case "aggregate_right":
                result, aggregate = trees(tree)
                return self._aggregate(aggregate, str(leaf(tree, 1)), result, origin)
            case "aggregate_left":
                aggregate, result = trees(tree)
                return self._aggregate(aggregate, _MIRRORED[leaf(tree, 1)], result, origin)
        raise AssertionError(tree.data)

    def _atom(self, tree: ParseTree) -> Atom:
        predicate, args = self.compound(trees(tree)[0])
        return Atom(predicate, args, origin=self.origin(tree))

    def _windowed(self, tree: ParseTree) -> Formula:
        inner, windows = trees(tree)
        body = self.formula(inner)
        return self.windowed(Some(body, origin=body.origin) if inner.data == "atom" else body, windows)

    def _around(self, body: Formula, windows: list[ParseTree]) -> Formula:
        return self.windowed(body, windows[0]) if windows else body

    def _aggregate(self, tree: ParseTree, operator: str, result: ParseTree, origin: Origin) -> Aggregate:
        function = leaf(tree, 0).removeprefix("#")
        elements = tuple(map(self._element, trees(tree)))
        return Aggregate(function, operator, self.term(result), elements, origin=origin)

    def _element(self, tree: ParseTree) -> AggregateElement:
        terms, *bodies = trees(tree)
        body = self.body(bodies[0]) if bodies else ()
        return AggregateElement(tuple(map(self.term, trees(terms))), body, origin=self.origin(tree))
