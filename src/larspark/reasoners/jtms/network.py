"""Truth maintenance networks (thesis sec. 6.2.1): rules, labels, supports, consequences.

Nodes are any hashable values; a program is a set of ground rules, of which the network keeps the model that its labels
describe. The maintenance itself is in `maintenance.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from enum import Enum
from typing import NamedTuple, TypeAlias

Node: TypeAlias = Hashable


class NodeLabel(Enum):
    """What is known about a node; unknown only while an update runs."""

    IN = "in"
    OUT = "out"
    UNKNOWN = "unknown"


IN, OUT, UNKNOWN = NodeLabel.IN, NodeLabel.OUT, NodeLabel.UNKNOWN


class Justification(NamedTuple):
    """⟨I | O → c⟩, the rule c ← I, not O; a premise has empty lists."""

    head: Node
    positive: tuple[Node, ...] = ()
    negative: tuple[Node, ...] = ()

    def atoms(self) -> Iterator[Node]:
        yield self.head
        yield from self.positive
        yield from self.negative


class JustificationNetwork:
    """The data structures of the JTMS: `label`, `supp`, `suppJ`, `cons` of the literature under longer names."""

    def __init__(self) -> None:
        self.label: dict[Node, NodeLabel] = {}
        self.justifications: dict[Node, dict[Justification, None]] = {}
        """Node → rules with this head."""
        self.uses: dict[Node, dict[Justification, None]] = {}
        """Node → rules with this node in their body."""
        self.support: dict[Node, frozenset[Node]] = {}
        """Node → the nodes to which it owes its label."""
        self.supporting: dict[Node, Justification] = {}
        """Node that is in → a valid rule for it."""
        self._affected: defaultdict[Node, set[Node]] = defaultdict(set)

    # -- looking -----------------------------------------------------------------------------------

    @property
    def rules(self) -> frozenset[Justification]:
        return frozenset(rule for rules in self.justifications.values() for rule in rules)

    def model(self) -> frozenset[Node]:
        """The nodes that are in."""
        return frozenset(node for node, label in self.label.items() if label is IN)

    def consequences(self, node: Node) -> frozenset[Node]:
        """Heads of rules that mention the node."""
        return frozenset(rule.head for rule in self.uses.get(node, ()))

    def affected(self, node: Node) -> frozenset[Node]:
        """The nodes whose label rests on this one."""
        return frozenset(self._affected.get(node, ()))

    def repercussions(self, nodes: Iterable[Node]) -> set[Node]:
        """The nodes, and all whose label rests on them directly or indirectly."""
        reached = set(nodes)
        pending = list(reached)
        while pending:
            more = self._affected.get(pending.pop(), set()) - reached
            reached |= more
            pending += more
        return reached

    def valid(self, rule: Justification) -> bool:
        """The body holds."""
        label = self.label
        for node in rule.positive:
            if label[node] is not IN:
                return False
        for node in rule.negative:  # noqa: SIM110 this is the innermost loop of an update
            if label[node] is not OUT:
                return False
        return True

    def invalid(self, rule: Justification) -> bool:
        """Some node of the body is a spoiler."""
        return self.spoiler(rule) is not None

    def spoiler(self, rule: Justification) -> Node | None:
        """A node that makes the rule invalid; None if there is none."""
        label = self.label
        for node in rule.positive:
            if label[node] is OUT:
                return node
        for node in rule.negative:
            if label[node] is IN:
                return node
        return None

    # -- changing ----------------------------------------------------------------------------------

    def register(self, rule: Justification) -> None:
        """Algorithm 6.2: enter the rule; new nodes are out."""
        for node in rule.atoms():
            if node not in self.label:
                self.label[node] = OUT
                self.justifications[node] = {}
                self.uses[node] = {}
                self.support[node] = frozenset()
        self.justifications[rule.head][rule] = None
        for node in (*rule.positive, *rule.negative):
            self.uses[node][rule] = None

    def deregister(self, rule: Justification) -> None:
        """Algorithm 6.8: drop the rule, and the nodes that no rule mentions any more."""
        self.justifications[rule.head].pop(rule, None)
        for node in (*rule.positive, *rule.negative):
            self.uses[node].pop(rule, None)
        for node in dict.fromkeys(rule.atoms()):
            if not self.justifications[node] and not self.uses[node]:
                self._rest_on(node, frozenset())
                for table in (self.label, self.justifications, self.uses, self.support, self.supporting):
                    table.pop(node, None)

    def set_in(self, rule: Justification) -> None:
        self.label[rule.head] = IN
        self.supporting[rule.head] = rule
        self._rest_on(rule.head, frozenset(rule.positive + rule.negative))

    def set_out(self, node: Node) -> None:
        """Label out; what it rests on is known when all labels are (`settle_out`)."""
        self.label[node] = OUT

    def settle_out(self, node: Node) -> None:
        """One spoiler for every rule that could have made the node in."""
        spoilers = (self.spoiler(rule) for rule in self.justifications[node])
        self._rest_on(node, frozenset(node for node in spoilers if node is not None))

    def set_unknown(self, node: Node) -> None:
        self.label[node] = UNKNOWN
        self.supporting.pop(node, None)
        self._rest_on(node, frozenset())

    def add_spoiler(self, node: Node, spoiler: Node) -> None:
        """A node that is out rests on one more spoiler."""
        self._rest_on(node, self.support[node] | {spoiler})

    def _rest_on(self, node: Node, support: frozenset[Node]) -> None:
        before = self.support.get(node, frozenset())
        for other in before - support:
            self._affected[other].discard(node)
            if not self._affected[other]:
                del self._affected[other]
        for other in support - before:
            self._affected[other].add(node)
        self.support[node] = support
