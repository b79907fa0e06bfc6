"""The parts of an engine in the order of evaluation: components of mutual dependence, and aggregates between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import networkx as nx

from larspark.reasoners.interval.aggregation import Aggregation
from larspark.reasoners.interval.component import Component
from larspark.reasoners.interval.network import (
    Absence,
    Aggregated,
    Boxed,
    CoreRule,
    Match,
    Network,
    Relation,
    Unrolled,
)
from larspark.reasoners.interval.operators import Boxing, LocalOperator, Unrolling
from larspark.reasoners.interval.plan import Plan
from larspark.reasoners.interval.tables import Tables

Part: TypeAlias = Component | Aggregation


def arrange(
    network: Network,
    tables: Tables,
    plans: Mapping[CoreRule, list[Plan]],
    rederiving: Mapping[CoreRule, Plan],
) -> list[Part]:
    """All rules and operators, grouped and ordered so that a part reads only itself and earlier parts."""
    parts: list[Part] = []
    graph = dependencies(network)
    aggregated = {node.target: node for node in network.operators if isinstance(node, Aggregated)}
    for members in _ordered_components(graph):
        found = [aggregated[relation] for relation in members if relation in aggregated]
        if found:
            parts += [Aggregation(node, tables, network.start) for node in found]
            continue
        component = Component(tables)
        for rule in network.rules:
            if rule.head in members:
                _add_rule(component, plans[rule])
                if rule in rederiving:
                    component.rederiving.setdefault(rule.head, []).append(rederiving[rule])
        for node in network.operators:
            if isinstance(node, Unrolled | Boxed) and node.target in members:
                _add_operator(component, node, tables, network.start)
        if component.triggered or component.blocked or component.operators:
            parts.append(component)
    return parts


def dependencies(network: Network) -> nx.DiGraph[Relation]:
    graph: nx.DiGraph[Relation] = nx.DiGraph()
    graph.add_nodes_from(network.relations)
    for rule in network.rules:
        for literal in rule.body:
            if isinstance(literal, Match | Absence):
                graph.add_edge(literal.relation, rule.head)
    for node in network.operators:
        if isinstance(node, Unrolled | Boxed | Aggregated):
            graph.add_edge(node.source, node.target)
    return graph


def _ordered_components(graph: nx.DiGraph[Relation]) -> Iterator[set[Relation]]:
    condensed = nx.condensation(graph)
    for number in nx.topological_sort(condensed):
        yield condensed.nodes[number]["members"]


def _add_rule(component: Component, plans: list[Plan]) -> None:
    for plan in plans:
        occurrences = component.blocked if plan.negated else component.triggered
        occurrences.setdefault(plan.trigger, []).append(plan)


def _add_operator(component: Component, node: Unrolled | Boxed, tables: Tables, start: int) -> None:
    operator: LocalOperator
    if isinstance(node, Unrolled):
        operator = unrolling = Unrolling(node, tables, start)
        component.waking.append(unrolling)
    else:
        operator = Boxing(node, tables, start)
    component.operators.setdefault(node.source, []).append(operator)
    component.operators_to[node.target] = operator
