"""Truth maintenance: rules come and go, and the labels follow (thesis Algorithms 6.1, 6.4 and 6.7).

Several rules may change at once. Only nodes whose label rests on a change are labelled anew, so that the rest of the
model stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TypeAlias

from larspark.reasoners.jtms.network import IN, OUT, Justification, JustificationNetwork, Node, NodeLabel
from larspark.reasoners.jtms.search import Search, SearchLimit

PATIENCE = 10_000
"""Guesses taken back before a search is given up."""


Fallback: TypeAlias = Callable[[Iterable[Justification], Iterable[Node]], Collection[Node] | None]
"""Finds a model of rules without the forbidden nodes, or None; asked when a search takes too long."""


class NoAdmissibleModel(Exception):
    """The rules have no admissible model; no node is in until a change brings one."""

    def __init__(self, lost: frozenset[Node]) -> None:
        super().__init__("the rules have no admissible model")
        self.lost = lost
        """The nodes that were in before."""


class TruthMaintenance:
    """A network whose model is an answer set of its rules after every change."""

    def __init__(self, patience: int = PATIENCE, fallback: Fallback | None = None) -> None:
        self.network = JustificationNetwork()
        self._patience = patience
        self._fallback = fallback
        self._broken = False
        self._were_in: dict[Node, bool] = {}
        """Nodes whose label has changed since `begin`, and whether they were in then."""

    def begin(self) -> None:
        """From now on, choices are made as they stand at this moment, as far as they can be."""
        self._were_in.clear()

    def add(self, rule: Justification) -> frozenset[Node]:
        """Add a rule; the nodes whose label changed."""
        return self.change([rule], [])

    def remove(self, rule: Justification) -> frozenset[Node]:
        """Remove a rule; the nodes whose label changed."""
        return self.change([], [rule])

    def change(
        self, added: Iterable[Justification], removed: Iterable[Justification], forbidden: Iterable[Node] = ()
    ) -> frozenset[Node]:
        """Change rules and update the labels; the nodes whose label (in or not) changed.

        `forbidden` nodes must not be in. NoAdmissibleModel when that, or an odd loop, leaves no model.
        """
        network = self.network
        added = list(added)
        for rule in added:
            # Before others leave, so that nodes in use on both sides keep their labels.
            network.register(rule)
        lost = self._deregister(list(removed))
        seeds = {node for node in lost if node in network.label}
        for rule in added:
            if network.label[rule.head] is IN or rule.head in seeds:
                continue
            spoiler = network.spoiler(rule)
            if spoiler is None:
                seeds.add(rule.head)
            elif self._were_in.get(rule.head, False):
                # A rule that left in this evaluation and is back: what was chosen without it is chosen anew.
                seeds.update(node for node in rule.atoms() if node in self._were_in)
            else:
                network.add_spoiler(rule.head, spoiler)
        gone = {node for node in lost if node not in network.label}
        forbidden = [node for node in forbidden if node in network.label]
        seeds.update(node for node in forbidden if network.label[node] is IN)
        try:
            changed = frozenset(gone) | self._update(network.repercussions(seeds), forbidden)
        except NoAdmissibleModel as failure:
            self._note(failure.lost | gone)
            raise NoAdmissibleModel(failure.lost | gone) from None
        self._note(changed)
        return changed

    def _note(self, changed: Iterable[Node]) -> None:
        label = self.network.label
        for node in changed:
            self._were_in.setdefault(node, label.get(node) is not IN)

    def _deregister(self, removed: Iterable[Justification]) -> list[Node]:
        """The heads that were in because of a removed rule."""
        network = self.network
        lost = [rule.head for rule in removed if network.supporting.get(rule.head) == rule]
        for rule in removed:
            network.deregister(rule)
        return lost

    def _update(self, region: set[Node], forbidden: list[Node]) -> frozenset[Node]:
        """Algorithm 6.4: label a region anew; if it has no labels of its own, the whole network."""
        labels = self.network.label
        before = dict(labels) if self._broken else {node: labels[node] for node in region}
        if not self._search(before, forbidden):
            before = {node: before.get(node, label) for node, label in labels.items()}
            if not self._search_everything(before, forbidden):
                for node in labels:
                    self.network.set_out(node)
                self._broken = True
                raise NoAdmissibleModel(frozenset(node for node, was in before.items() if was is IN))
        self._broken = False
        return frozenset(node for node, was in before.items() if (was is IN) != (labels[node] is IN))

    def _search(self, before: dict[Node, NodeLabel], forbidden: list[Node]) -> bool:
        """Label these nodes; giving up counts as failure, since all nodes are tried next."""
        try:
            return self._run(before, forbidden)
        except SearchLimit:
            return False

    def _search_everything(self, before: dict[Node, NodeLabel], forbidden: list[Node]) -> bool:
        try:
            return self._run(before, forbidden)
        except SearchLimit:
            if self._fallback is None:
                raise
        model = self._fallback(self.network.rules, forbidden)
        if model is not None:
            self._adopt(model)
        return model is not None

    def _run(self, before: dict[Node, NodeLabel], forbidden: list[Node]) -> bool:
        for node in before:
            self.network.set_unknown(node)
        search = Search(self.network, before, lambda node: not self._was_in(node, before), self._patience)
        return search.run([node for node in forbidden if node in before])

    def _was_in(self, node: Node, before: dict[Node, NodeLabel]) -> bool:
        return self._were_in.get(node, before[node] is IN)

    def _adopt(self, model: Collection[Node]) -> None:
        """Take a model found elsewhere, with supports in an order in which it can be built up."""
        network = self.network
        for node in network.label:
            network.set_unknown(node)
            if node not in model:
                network.set_out(node)
        pending = list(model)
        while pending:
            node = pending.pop()
            valid = next((rule for rule in network.justifications[node] if network.valid(rule)), None)
            if valid is not None and network.label[node] is not IN:
                network.set_in(valid)
                pending += [rule.head for rule in network.uses[node] if rule.head in model]
        for node, label in network.label.items():
            if label is OUT:
                network.settle_out(node)


__all__ = ["NoAdmissibleModel", "SearchLimit", "TruthMaintenance"]
