"""Who makes and who reads the relations of a network, while its rules and operators are exchanged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeAlias

from larspark.reasoners.interval.network import Absence, CoreRule, Match, Network, Operator, Relation

Reader: TypeAlias = CoreRule | Operator


class Wiring:
    """An index of a network: asking costs what is found, however many rules there are."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._rules = {id(rule): rule for rule in network.rules}
        """By the rule that stood there first, so that an exchanged one keeps its place."""
        self._places = {id(rule): id(rule) for rule in network.rules}
        self._making: defaultdict[Relation, dict[int, CoreRule]] = defaultdict(dict)
        self._reading: defaultdict[Relation, dict[int, Reader]] = defaultdict(dict)
        for rule in network.rules:
            self._connect(rule)
        for node in network.operators:
            self._read(node, _sources(node))
        self.operated = {node.target for node in network.operators}
        self.gone: list[CoreRule] = []
        """The rules that have been taken out."""
        lasting = (one.relation for one in network.lasting.values())
        repeated = (one for kind in network.repeated.values() for one in (kind.concluded, kind.recorded, kind.again))
        noted = (one for kind in network.noted.values() for one in (kind.concluded, kind.recorded))
        self.special = {*network.listed.values(), network.inconsistent, *lasting, *repeated, *noted}
        """What others than rules and operators look at."""

    def rules(self, relation: Relation) -> list[CoreRule]:
        """Those that make a relation."""
        return list(self._making[relation].values())

    def readers(self, relation: Relation) -> list[Reader]:
        return list(self._reading[relation].values())

    def remove(self, rule: CoreRule) -> None:
        del self._rules[self._places.pop(id(rule))]
        self._disconnect(rule)

    def exchange(self, rule: CoreRule, other: CoreRule) -> None:
        place = self._places.pop(id(rule))
        self._rules[place], self._places[id(other)] = other, place
        self._disconnect(rule)
        self._connect(other)

    def exchange_operator(self, place: int, other: Operator) -> None:
        node = self._network.operators[place]
        for relation in _sources(node):
            del self._reading[relation][id(node)]
        self._network.operators[place] = other
        self._read(other, _sources(other))

    def finish(self) -> None:
        """Let the network have the rules as they are now."""
        self._network.rules[:] = self._rules.values()

    def _connect(self, rule: CoreRule) -> None:
        self._making[rule.head][id(rule)] = rule
        self._read(rule, _matched(rule))

    def _disconnect(self, rule: CoreRule) -> None:
        self.gone.append(rule)
        del self._making[rule.head][id(rule)]
        for relation in _matched(rule):
            del self._reading[relation][id(rule)]

    def _read(self, reader: Reader, relations: Iterable[Relation]) -> None:
        for relation in relations:
            self._reading[relation][id(reader)] = reader


def _matched(rule: CoreRule) -> set[Relation]:
    return {literal.relation for literal in rule.body if isinstance(literal, Match | Absence)}


def _sources(node: Operator) -> tuple[Relation, ...]:
    source = getattr(node, "source", None)
    return getattr(node, "sources", () if source is None else (source,))
