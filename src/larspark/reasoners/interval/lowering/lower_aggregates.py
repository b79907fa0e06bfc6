"""Aggregates as relations: elements per group, functions of them, and what holds where there are no elements."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from larspark.language.tree import Aggregate, AggregateElement, Formula
from larspark.reasoners.interval.lowering.binding import Names, names
from larspark.reasoners.interval.lowering.views import Body
from larspark.reasoners.interval.network import Absence, Aggregated, Compare, CoreLiteral, Kind, Match, Operand
from larspark.reasoners.interval.state.dictionary import FILLER

if TYPE_CHECKING:
    from larspark.reasoners.interval.lowering.lower_rules import RuleLowering

OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class AggregateLowering:
    """The lowering of the aggregates of one rule."""

    def __init__(self, rule: RuleLowering) -> None:
        self._rule = rule

    def present(self, literal: Aggregate, body: tuple[Formula, ...]) -> list[Body]:
        """The aggregate over its elements, or its value over none at the times when there are no elements."""
        node, group, asked = self._aggregated(literal, body)
        before: list[CoreLiteral] = []
        result = self._rule.operand(literal.result, before)
        value = result if literal.operator == "=" and isinstance(result, str) else self._rule.fresh()
        if value != result:
            before.append(Compare(literal.operator, result, value))
        found: Body = (*before, Match(node.values[literal.function], (*group, value)))
        others = (other for other in body if other is not literal)
        if literal.function not in ("count", "sum") or not set(group) <= self._rule.bindings.bound(others):
            return [found]
        zero = self._rule.dictionary.encode(0)
        nothing: Body = (*before, *asked, Absence(node.target, group), Compare("=", value, zero))
        return [found, nothing]

    def negated(self, literal: Aggregate, body: tuple[Formula, ...]) -> list[Body]:
        found = self.present(replace(literal, operator=OPPOSITE[literal.operator]), body)
        if literal.function in ("count", "sum"):
            return found
        node, group, asked = self._aggregated(literal, body)
        before: list[CoreLiteral] = []
        self._rule.operand(literal.result, before)
        return [*found, (*before, *asked, Absence(node.target, group))]

    def _aggregated(self, literal: Aggregate, body: tuple[Formula, ...]) -> tuple[Aggregated, tuple[str, ...], Body]:
        """The aggregates over these elements, with this function among them; the variables that make the groups.

        And the groups that were asked for, where elements do not name their groups themselves: before they are asked
        for, nothing is known about them.
        """
        views, bindings = self._rule.views, self._rule.bindings
        inside = Names().union(*map(names, literal.elements))
        group = tuple(sorted(self._rule.outside(body) & inside))
        missing = {element: frozenset(group) - bindings.bound(element.body) for element in literal.elements}
        others = tuple(other for other in body if other is not literal)
        contexts = tuple(
            self._rule.demands.binders(missing[element], others) if missing[element] else ()
            for element in literal.elements
        )
        key = (
            literal.elements,
            group,
            contexts,
            self._rule.shared(literal for context in contexts for literal in context),
        )
        if key not in views.aggregates:
            views.aggregates[key] = self._collected(literal.elements, group, contexts)
        node, asked = views.aggregates[key]
        if literal.function not in node.values:
            network = self._rule.network
            node.values[literal.function] = network.relation(f"#{literal.function}", len(group) + 1, Kind.VIEW)
        return node, group, asked

    def _collected(
        self, elements: tuple[AggregateElement, ...], group: tuple[str, ...], contexts: tuple[tuple[Formula, ...], ...]
    ) -> tuple[Aggregated, Body]:
        """The elements, which groups have any, and which were asked for."""
        rule = self._rule
        shortest, longest = (bound((len(element.terms) for element in elements), default=1) for bound in (min, max))
        source = rule.network.relation("elements", len(group) + longest, Kind.VIEW)
        asked: list[Match] = []
        for element, context in zip(elements, contexts, strict=True):
            demanded: list[Match] = []
            if context:
                demanded = [rule.demands.of(context, rule.bindings.bound(context) & set(group))]
                asked += [one for one in demanded if one not in asked]
            before: list[CoreLiteral] = []
            columns = tuple(rule.operand(term, before) for term in element.terms)
            filled = (*columns, *(FILLER,) * (longest - len(columns)))
            own = (*demanded, *_no_fillers(columns[shortest:]))
            inline = len(elements) == 1 and not context
            for core in rule.bodies(element.body, context, inline=inline):
                rule.add(source, (*group, *filled), (*own, *core, *before))
        node = Aggregated(source, rule.network.relation("groups", len(group), Kind.VIEW), len(group))
        rule.network.operators.append(node)
        return node, tuple(asked)


def _no_fillers(columns: tuple[Operand, ...]) -> Body:
    """Rows of shorter tuples are no rows of this element; looked for again, they must not be taken for such."""
    return tuple(Compare("!=", column, FILLER) for column in columns if isinstance(column, str))
