"""Truth maintenance on several levels: what lies below an aggregate is decided before what uses its value.

Every level has a network of its own. A node of a lower level that rules of a higher one mention is a premise there
while it is in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from larspark.reasoners.jtms.accounts import RuleChanges
from larspark.reasoners.jtms.fallback import answer_set
from larspark.reasoners.jtms.maintenance import NoAdmissibleModel, TruthMaintenance
from larspark.reasoners.jtms.network import IN, Justification, JustificationNetwork, Node, NodeLabel

Place: TypeAlias = tuple[int, tuple[int, ...]]
"""The level that decides a node, and the higher ones that use it."""


class NetworkLayers:
    """Networks from the lowest level to the highest; `place` tells where a node belongs."""

    def __init__(self, count: int, place: Callable[[Node], Place], forbidden: Callable[[int], Node]) -> None:
        self._place = place
        self._forbidden = forbidden
        self.networks = [TruthMaintenance(fallback=answer_set) for _ in range(count)]
        self._waiting: list[dict[Justification, bool]] = [{} for _ in range(count)]
        """Rules that a level has yet to take up (True) or give up."""
        self._broken: set[int] = set()

    @property
    def count(self) -> int:
        return len(self.networks)

    @property
    def consistent(self) -> bool:
        return not self._broken

    def network(self, level: int) -> JustificationNetwork:
        return self.networks[level].network

    def label(self, node: Node) -> NodeLabel | None:
        return self.network(self._place(node)[0]).label.get(node)

    def holding(self) -> set[Node]:
        """The nodes that are in."""
        return {node for level in range(self.count) for node in self.network(level).model()}

    def begin(self) -> None:
        """An evaluation begins: what was chosen by the last one is kept if it can be."""
        for network in self.networks:
            network.begin()

    def change(self, changes: RuleChanges) -> None:
        """Rules come and go; the labels follow with `settle`."""
        for rules, present in ((changes.removed, False), (changes.added, True)):
            for rule in rules:
                self._waiting[self._place(rule.head)[0]][rule] = present

    def next_level(self) -> int | None:
        """The lowest level with changes that its labels do not follow yet."""
        return next((level for level, rules in enumerate(self._waiting) if rules), None)

    def settle(self, level: int) -> frozenset[Node]:
        """Let the labels of a level follow; the nodes whose label changed."""
        maintenance, waiting = self.networks[level], self._waiting[level]
        self._waiting[level] = {}
        network = maintenance.network
        known = {rule: rule in network.justifications.get(rule.head, ()) for rule in waiting}
        added = [rule for rule, present in waiting.items() if present and not known[rule]]
        removed = [rule for rule, present in waiting.items() if not present and known[rule]]
        try:
            touched = maintenance.change(added, removed, [self._forbidden(level)])
            self._broken.discard(level)
        except NoAdmissibleModel as failure:
            touched = failure.lost
            self._broken.add(level)
        decided = frozenset(node for node in touched if self._place(node)[0] == level)
        for node in decided:
            for user in self._place(node)[1]:
                self._waiting[user][Justification(node)] = network.label.get(node) is IN
        return decided
