"""From the grammar's parse tree to formulas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from lark import Token

from larspark.diagnostics.origin import Origin
from larspark.language.build.terms import ParseTree, leaf, trees
from larspark.language.build.windows import WindowBuilder
from larspark.language.shorthands.allen import comparisons, denied
from larspark.language.shorthands.ranks import several
from larspark.language.shorthands.since import SinceLiteral, is_since, ungrouped
from larspark.language.traversal import children, rewrite, substitute, variables, walk
from larspark.language.tree import (
    RANGE,
    Aggregate,
    AggregateElement,
    Always,
    And,
    At,
    Atom,
    Comparison,
    Constant,
    Formula,
    Implies,
    Node,
    Not,
    Operation,
    Or,
    Ranked,
    Reset,
    Some,
    Term,
    TimeWindow,
    Truth,
    Variable,
    Windowed,
    WindowNode,
)

_MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class FormulaBuilder(WindowBuilder):
    """Builds formulas: body literals, heads, and what stands in parentheses."""

    def body(self, tree: ParseTree) -> tuple[Formula, ...]:
        """The literals of a body, or of a condition."""
        may_count = tree.data == "body"
        parts = [(part, self._denied(part) if may_count else None) for part in trees(tree)]
        found: list[Sequence[Formula]]
        found = [() if since else self._literals(part, may_count) for part, since in parts]
        for place, (part, since) in enumerate(parts):
            if since:
                others = {name for literals in found for literal in literals for name in _not_local(literal)}
                found[place] = self._neither(since, others, self.origin(part))
        return tuple(literal for literals in found for literal in literals)

    def _denied(self, tree: ParseTree) -> SinceLiteral | None:
        """`not (a since b)`."""
        if tree.data == "negation" and is_since(inner := ungrouped(trees(tree)[0])):
            return self._since(inner)
        return None

    def _neither(self, since: SinceLiteral, others: Set[str], origin: Origin) -> Sequence[Formula]:
        """Both alternatives denied, where all variables also stand outside the count, which would have its own else."""
        shared = others | {one.name for one in variables(since.right)}
        if all(one.anonymous or one.name in shared for one in variables(since.left)):
            return since.denied(self.fresh("Time"))
        return [Not(since.formula(), origin=origin)]

    def _literals(self, tree: ParseTree, may_count: bool) -> Sequence[Formula]:
        match tree.data:
            case "conditional":
                return [self._conditional(tree)]
            case "occurrences":
                return self._occurrences(tree)
            case "allen":
                return self._allen(tree)
            case "since_before" | "until_before":
                return self._since(tree).before(self.fresh("Time"))
            case "negation" if may_count and (inner := ungrouped(trees(tree)[0])).data == "allen":
                return [denied(self._allen(inner), self.origin(tree))]
        return [self.formula(tree)]

    def _since(self, tree: ParseTree) -> SinceLiteral:
        left, right, *windows = trees(tree)
        atoms = self._atom(left), self._atom(right)
        origin = self.origin(tree)
        inside = And(atoms, origin=origin)
        chain = self._around(inside, windows)

        def around(formula: Formula, outer: Formula = chain) -> Formula:
            if outer is inside:
                return formula
            assert isinstance(outer, Windowed | Reset)
            return replace(outer, body=around(formula, outer.body))

        timed = all(isinstance(one, TimeWindow) for one in walk(chain) if isinstance(one, WindowNode))
        return SinceLiteral(*atoms, tree.data.startswith("until"), around, timed, origin)

    def _conditional(self, tree: ParseTree) -> Formula:
        """`a(X) : q(X)`: no X of the condition is without a(X)."""
        literal, condition = trees(tree)
        formula, origin = self.formula(literal), self.origin(tree)
        without = formula.body if isinstance(formula, Not) else Not(formula, origin=formula.origin)
        body = (*self.body(condition), without)
        element = AggregateElement((Constant(1, origin=origin),), body, origin=origin)
        return Aggregate("count", "=", Constant(0, origin=origin), (element,), origin=origin)

    def _occurrences(self, tree: ParseTree) -> list[Formula]:
        """`at least 3 times a(X,_) [5]`: the time points T, with the values of `_`, of which `@T a(X,_) [5]` holds.

        What is there at least once binds its variables, so a literal `a(X,_) [5]` stands beside the counting one.
        """
        tokens = [child for child in tree.children if isinstance(child, Token)]
        origin, number = self.origin(tree), self._number_of_times(tokens[-1])
        atom, *windows = trees(tree)
        formula, values = self.with_variables(self._atom(atom))
        fresh: dict[str, Term] = {one.name: self.fresh("Any") for one in variables(formula) if one.anonymous}
        moment = self.fresh("Time")
        inside = self._around(At(moment, substitute(formula, fresh), origin=origin), windows)
        element = AggregateElement((moment, *fresh.values()), (inside,), origin=origin)
        operator = {"LEAST": "<=", "MOST": ">="}.get(tokens[0].type, "=")
        count = Aggregate("count", operator, number, (element,), origin=origin)
        there = self._around(Some(formula, origin=origin), windows)
        return [*values, there, count] if operator == "<=" else [*values, count]

    def _number_of_times(self, token: Token) -> Term:
        match token.type:
            case "INT":
                return Constant(self.integer(token), origin=self.origin(token))
            case "VARIABLE":
                return Variable(str(token), origin=self.origin(token))
        return Constant(str(token), origin=self.origin(token))

    def with_variables(self, formula: Formula) -> tuple[Formula, list[Formula]]:
        """The formula with a new variable for every range in it, and what gives these variables their values."""
        values: list[Formula] = []

        def step(node: Node) -> Node:
            if isinstance(node, Operation) and node.operator == RANGE:
                value = self.fresh("Value")
                values.append(Comparison("=", value, node, origin=node.origin))
                return value
            return node

        return rewrite(formula, step), values

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
            case "since" | "until":
                return self._since(tree).formula()
            case "since_at_once" | "until_at_once":
                return self._since(tree).at_once()
            case "comparison":
                left, right = trees(tree)
                return Comparison(str(leaf(tree, 1)), self.term(left), self.term(right), origin=origin)
            case "aggregate_right":
                result, aggregate = trees(tree)
                return self._aggregate(aggregate, str(leaf(tree, 1)), result, origin)
            case "aggregate_left":
                aggregate, result = trees(tree)
                return self._aggregate(aggregate, _MIRRORED[leaf(tree, 1)], result, origin)
            case "ranked":
                return self._ranked(tree)
            case "allen":
                return And(tuple(self._allen(tree)), origin=origin)
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

    def _ranked(self, tree: ParseTree) -> Ranked:
        *places, ranking = trees(tree)
        limit, element, *others = trees(ranking)
        function = leaf(ranking, 0).removeprefix("#")
        if (operator := leaf(tree, -2)) != "=":
            message = f"A rank and its tuple are not compared with `{operator}`."
            self.problem("E310", message, "Use `=`, and compare the parts of the result.", operator)
        if others:
            self.problems.append(several(function, self.origin(ranking)))
        result = tuple(map(self.term, places))
        return Ranked(function, result, self.term(limit), self._element(element), origin=self.origin(tree))

    def _allen(self, tree: ParseTree) -> list[Comparison]:
        first, last, other_first, other_last = map(self.term, trees(tree))
        return comparisons(leaf(tree, 2), (first, last, other_first, other_last), self.origin(tree))

    def _element(self, tree: ParseTree) -> AggregateElement:
        terms, *bodies = trees(tree)
        body = self.body(bodies[0]) if bodies else ()
        return AggregateElement(tuple(map(self.term, trees(terms))), body, origin=self.origin(tree))


def _not_local(node: Node) -> Iterator[str]:
    """The names of the variables that stand outside the elements of aggregates, too."""
    if isinstance(node, Variable):
        yield node.name
    for part in children(node):
        if not isinstance(part, AggregateElement):
            yield from _not_local(part)
