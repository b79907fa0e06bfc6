"""Demands that lead back into a recursion stay operators; the others become rules."""

from __future__ import annotations

from larspark.analysis.structure.graphs import components, graph_of
from larspark.reasoners.interval.network import (
    Absence,
    Aggregated,
    Boxed,
    CoreRule,
    Demanded,
    Listed,
    Match,
    Network,
    Pointed,
    Relation,
    Stretched,
    Unrolled,
)


def settle_demands(network: Network) -> None:
    """Make rules of the demands that do not lead back."""
    demands = [node for node in network.operators if isinstance(node, Demanded)]
    edges = [*derivations(network), *((node.source, node.target) for node in demands)]
    place = {
        relation: number
        for number, part in enumerate(components(graph_of(network.relations, edges)) if demands else ())
        for relation in part
    }
    for node in demands:
        if place[node.source] != place[node.target]:
            network.operators.remove(node)
            columns = tuple(f"A{column}" for column in range(node.source.width))
            network.rules.append(CoreRule(node.target, columns, (Match(node.source, columns),)))


def derivations(network: Network) -> list[tuple[Relation, Relation]]:
    """What is read, and what is derived from it; a demand that leads back is none."""
    read = [
        (literal.relation, rule.head)
        for rule in network.rules
        for literal in rule.body
        if isinstance(literal, Match | Absence)
    ]
    operated = [
        (node.source, node.target)
        for node in network.operators
        if isinstance(node, Unrolled | Boxed | Stretched | Pointed)
    ]
    operated += [
        (source, node.target)
        for node in network.operators
        if isinstance(node, Aggregated | Listed)
        for source in node.sources
    ]
    # One sweep finds all functions of an aggregate, so they come behind its target.
    found = [
        (node.target, values)
        for node in network.operators
        if isinstance(node, Aggregated)
        for values in node.values.values()
    ]
    return [*read, *operated, *found]
