"""The parts of an engine in the order of evaluation: components of mutual dependence, and aggregates between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from larspark.analysis.structure.graphs import graph_of, places_of, ranked_components, reachable
from larspark.reasoners.interval.engine.component import LocalOperator, RuleComponent
from larspark.reasoners.interval.lowering.settle_demands import derivations
from larspark.reasoners.interval.network import (
    Aggregated,
    CoreRule,
    Listed,
    Network,
    Operator,
    Relation,
)
from larspark.reasoners.interval.operators.listing import Listing
from larspark.reasoners.interval.planning.planning import Plans
from larspark.reasoners.interval.state.tables import Tables

if TYPE_CHECKING:
    from larspark.reasoners.interval.operators.aggregation import Aggregation

Part: TypeAlias = "RuleComponent | Aggregation | Listing"


@dataclass(frozen=True)
class Layer:
    """Relations that depend on each other, with what derives them."""

    relations: frozenset[Relation]
    rules: tuple[CoreRule, ...]
    operators: tuple[Operator, ...]
    recursive: bool


def layers(network: Network) -> Iterator[Layer]:
    """In the order of evaluation: a layer reads only itself and earlier layers; what depends on a record comes late."""
    graph = dependencies(network)
    late = reachable(graph, network.recorded)
    found = ranked_components(graph, lambda relation: relation.number + len(graph) * (relation in late))
    layer_of = places_of(found)
    rules: list[list[CoreRule]] = [[] for _ in found]
    for rule in network.rules:
        rules[layer_of[rule.head]].append(rule)
    operators: list[list[Operator]] = [[] for _ in found]
    for node in network.operators:
        operators[layer_of[node.target]].append(node)
    for members, own, operating in zip(found, rules, operators, strict=True):
        recursive = len(members) > 1 or any(relation in graph[relation] for relation in members)
        yield Layer(members, tuple(own), tuple(operating), recursive)


def arrange(network: Network, tables: Tables, plans: Plans) -> list[Part]:
    """The parts of an engine, layer by layer."""
    parts: list[Part] = []
    for layer in layers(network):
        listed = [node for node in layer.operators if isinstance(node, Listed)]
        if listed:
            parts += [Listing(node, tables, network.start) for node in listed]
            continue
        aggregated = [node for node in layer.operators if isinstance(node, Aggregated)]
        if aggregated:
            from larspark.reasoners.interval.operators.aggregation import Aggregation  # noqa: PLC0415 - who needs none starts quicker

            parts += [Aggregation(node, tables, network.start) for node in aggregated]
            continue
        component = RuleComponent(
            layer.rules, tuple(node for node in layer.operators if isinstance(node, LocalOperator))
        )
        assign(component, plans)
        if component.read:
            parts.append(component)
    return parts


def assign(component: RuleComponent, plans: Plans) -> None:
    """Let a component follow these plans from now on."""
    for occurrences in (component.triggered, component.blocked, component.rederiving):
        occurrences.clear()
    for rule in component.rules:
        for plan in plans.following[rule]:
            occurrences = component.blocked if plan.negated else component.triggered
            occurrences.setdefault(plan.trigger, []).append(plan)
        if rule in plans.rederiving:
            component.rederiving.setdefault(rule.head, []).append(plans.rederiving[rule])


def read_by(part: Part) -> Set[Relation]:
    """The relations whose changes concern a part."""
    return part.read if isinstance(part, RuleComponent) else set(part.node.sources)


def dependencies(network: Network) -> Mapping[Relation, Collection[Relation]]:
    """Every relation with those that are derived from it."""
    return graph_of(network.relations, derivations(network))
