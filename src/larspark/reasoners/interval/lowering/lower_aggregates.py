"""Aggregates as relations: elements per group, functions of them, and what holds where there are no elements.

Aggregates of one body over the same groups are found together: their elements are the parts of one relation, and the
values of all functions stand in one row. Joined by their groups, every change of one would meet all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from larspark.language.tree import Aggregate, AggregateElement, Formula, Ranking
from larspark.reasoners.interval.lowering.binding import Names, names
from larspark.reasoners.interval.network import (
    Absence,
    Aggregated,
    Asked,
    Body,
    Compare,
    CoreLiteral,
    Kind,
    Listed,
    Match,
    Operand,
    Relation,
)
from larspark.reasoners.interval.state.dictionary import FILLER

if TYPE_CHECKING:
    from larspark.reasoners.interval.lowering.lower_rules import RuleLowering

OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
ZERO_OF_NOTHING = ("count", "sum")

Contexts = tuple[tuple[Formula, ...], ...]


@dataclass(frozen=True)
class Members:
    """The elements of an aggregate, and for each the literals that give the variables of the group it does not bind."""

    elements: tuple[AggregateElement, ...]
    contexts: Contexts


class AggregateLowering:
    """The lowering of the aggregates of one rule."""

    def __init__(self, rule: RuleLowering) -> None:
        self._rule = rule

    def together(self, literals: Sequence[Formula], body: tuple[Formula, ...]) -> list[tuple[Aggregate, ...]]:
        """The aggregates among the literals that are found together: of the same groups, which others bind."""
        found: dict[tuple[str, ...], list[Aggregate]] = {}
        for literal in literals:
            if isinstance(literal, Aggregate) and literal.ranking is None:
                group = self._group(literal.elements, body)
                if names(literal.result).isdisjoint(group):
                    found.setdefault(group, []).append(literal)
        return [
            tuple(same)
            for group, same in found.items()
            if len(same) > 1 and set(group) <= self._rule.bindings.bound(_without(body, same))
        ]

    def present(self, literals: tuple[Aggregate, ...], body: tuple[Formula, ...]) -> list[Body]:
        """Aggregates over their elements, or their values over none at the times when there are no elements."""
        node, group, asked, output = self._aggregated(literals, body)
        before: list[CoreLiteral] = []
        values: list[Operand] = []
        for literal in literals:
            result = self._rule.operand(literal.result, before)
            value = result if literal.operator == "=" and isinstance(result, str) else self._rule.fresh()
            if value != result:
                before.append(Compare(literal.operator, result, value))
            values.append(value)
        # A part without elements has values as soon as others have some: only where it was asked for.
        known = asked if node.parts > 1 else ()
        found: Body = (*before, *known, Match(output, (*group, *values)))
        others = _without(body, literals)
        if any(literal.function not in ZERO_OF_NOTHING for literal in literals):
            return [found]
        if not set(group) <= self._rule.bindings.bound(others):
            return [found]
        zero = self._rule.dictionary.encode(0)
        zeros = (Compare("=", value, zero) for value in values)
        return [found, (*before, *asked, Absence(node.target, group), *zeros)]

    def negated(self, literal: Aggregate, body: tuple[Formula, ...]) -> list[Body]:
        found = self.present((replace(literal, operator=OPPOSITE[literal.operator]),), body)
        if literal.function in ZERO_OF_NOTHING:
            return found
        node, group, asked, _ = self._aggregated((literal,), body)
        before: list[CoreLiteral] = []
        self._rule.operand(literal.result, before)
        return [*found, (*before, *asked, Absence(node.target, group))]

    def ranked(self, literal: Aggregate, ranking: Ranking, body: tuple[Formula, ...]) -> list[Body]:
        """How many tuples come before another, which is among the first: these are kept in order."""
        rule, elements = self._rule, (ranking.element,)
        group = self._group(elements, body)
        members = self._members(elements, group, _without(body, (literal,)))
        contexts = (literal for context in members.contexts for literal in context)
        key = members, group, rule.shared(contexts), ranking.limit, ranking.function
        if key not in rule.views.lists:
            source, _ = self._collected((members,), group)
            target = rule.network.relation(f"#{ranking.function}", source.width + 1, Kind.VIEW)
            node = Listed(source, target, len(group), ranking.limit, ranking.function == "top")
            rule.network.operators.append(node)
            rule.views.lists[key] = target
        before: list[CoreLiteral] = []
        columns = tuple(rule.operand(term, before) for term in (literal.result, *ranking.targets))
        return [(*before, Match(rule.views.lists[key], (*group, *columns)))]

    def _group(self, elements: tuple[AggregateElement, ...], body: tuple[Formula, ...]) -> tuple[str, ...]:
        """The variables that make the groups."""
        inside = Names().union(*map(names, elements))
        return tuple(sorted(self._rule.outside(body) & inside))

    def _aggregated(
        self, literals: tuple[Aggregate, ...], body: tuple[Formula, ...]
    ) -> tuple[Aggregated, tuple[str, ...], Body, Relation]:
        """The aggregates over these elements, the variables of their groups, and the values of the functions.

        And the groups that were asked for, where elements do not name their groups themselves: before they are asked
        for, nothing is known about them.
        """
        views, group = self._rule.views, self._group(literals[0].elements, body)
        members = [self._members(literal.elements, group, _without(body, (literal,))) for literal in literals]
        parts = tuple(dict.fromkeys(members))
        contexts = (literal for part in parts for context in part.contexts for literal in context)
        key = parts, group, self._rule.shared(contexts)
        if key not in views.aggregates:
            source, asked = self._collected(parts, group)
            target = self._rule.network.relation("groups", len(group), Kind.VIEW)
            made = Aggregated(source, target, len(group), len(parts))
            self._rule.network.operators.append(made)
            views.aggregates[key] = made, asked
        node, asked = views.aggregates[key]
        output = tuple(
            Asked(parts.index(part), literal.function) for part, literal in zip(members, literals, strict=True)
        )
        if output not in node.values:
            name = "#" + ", #".join(one.function for one in output)
            node.values[output] = self._rule.network.relation(name, len(group) + len(output), Kind.VIEW)
        return node, group, asked, node.values[output]

    def _members(
        self, elements: tuple[AggregateElement, ...], group: tuple[str, ...], others: tuple[Formula, ...]
    ) -> Members:
        missing = [frozenset(group) - self._rule.bindings.bound(element.body) for element in elements]
        return Members(elements, tuple(self._rule.demands.binders(one, others) if one else () for one in missing))

    def _collected(self, parts: tuple[Members, ...], group: tuple[str, ...]) -> tuple[Relation, Body]:
        """The elements, and which groups were asked for."""
        rule = self._rule
        lengths = [len(element.terms) for part in parts for element in part.elements]
        longest, own = max(lengths, default=1), len(group) + (len(parts) > 1)
        source = rule.network.relation("elements", own + longest, Kind.VIEW)
        asked: list[Match] = []
        for number, part in enumerate(parts):
            shortest = min((len(element.terms) for element in part.elements), default=1)
            for element, context in zip(part.elements, part.contexts, strict=True):
                demanded: list[Match] = []
                if context:
                    demanded = [rule.demands.of(context, rule.bindings.bound(context) & set(group))]
                    asked += [one for one in demanded if one not in asked]
                before: list[CoreLiteral] = []
                columns = tuple(rule.operand(term, before) for term in element.terms)
                fillers = (FILLER,) * (longest - len(columns))
                first, rest = columns[:1], columns[1:]
                told = (rule.dictionary.encode(number),) if len(parts) > 1 else ()
                conditions = (*demanded, *_no_fillers(columns[shortest:]))
                inline = len(lengths) == 1 and not context
                for core in rule.bodies(element.body, context, inline=inline):
                    rule.add(source, (*group, *first, *told, *rest, *fillers), (*conditions, *core, *before))
        return source, tuple(asked)


def _without(body: tuple[Formula, ...], literals: Sequence[Formula]) -> tuple[Formula, ...]:
    return tuple(other for other in body if not any(other is literal for literal in literals))


def _no_fillers(columns: tuple[Operand, ...]) -> Body:
    """Rows of shorter tuples are no rows of this element; looked for again, they must not be taken for such."""
    return tuple(Compare("!=", column, FILLER) for column in columns if isinstance(column, str))
