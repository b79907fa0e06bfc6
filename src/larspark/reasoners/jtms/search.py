"""Labels for the unknown part of a network.

The published procedure labels what follows (`findLabel`), then guesses and takes back (`chooseLabel`), in an order that
decides whether it ends. Here guesses are kept on a trail and taken back systematically, after every guess everything
that follows is labelled (thesis Ex. 56), and nodes that could only support each other are out before anything is
guessed. So the search ends, and finds an answer set of the unknown part whenever there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from larspark.reasoners.jtms.founding import founded_from
from larspark.reasoners.jtms.network import IN, OUT, UNKNOWN, Justification, JustificationNetwork, Node
from larspark.reasoners.jtms.nodes import is_hidden


class SearchLimit(Exception):
    """Too many guesses were taken back."""


@dataclass
class _Guess:
    """A node guessed to be out, and everything labelled since."""

    node: Node | None
    labelled: list[Node] = field(default_factory=list)
    refuted: set[Node] = field(default_factory=set)
    """Nodes that cannot be out, as earlier guesses have shown."""


class Search:
    """One search over the nodes that are unknown."""

    def __init__(
        self, network: JustificationNetwork, region: Collection[Node], prefer: Callable[[Node], bool], limit: int
    ) -> None:
        self._network = network
        self._region = region
        self._prefer = prefer
        self._limit = limit
        self._trail = [_Guess(None)]

    def run(self, forbidden: Iterable[Node] = ()) -> bool:
        """Label all nodes; False when there is no way to, with those `forbidden` to be in. Supports come last."""
        for node in forbidden:
            self._label_out(node)
        pending = list(self._region)
        taken_back = 0
        while True:
            if self._follow(pending):
                if all(self._network.label[node] is not UNKNOWN for node in self._region):
                    break
                guess = self._next_guess()
                if guess is not None:
                    self._trail.append(_Guess(guess))
                    self._label_out(guess)
                    pending = list(self._heads_using(guess))
                    continue
            taken_back += 1
            if taken_back > self._limit:
                self._take_back(0)
                raise SearchLimit
            wrong = self._take_back(len(self._trail) - 1)
            if wrong is None:
                return False
            self._trail[-1].refuted.add(wrong)
            pending = [node for node in self._region if self._network.label[node] is UNKNOWN]
        for node in self._region:
            if self._network.label[node] is OUT:
                self._network.settle_out(node)
        return True

    # -- what follows ------------------------------------------------------------------------------

    def _follow(self, pending: list[Node]) -> bool:
        """Label everything that follows; False on a contradiction."""
        while True:
            if not self._propagate(pending):
                return False
            unfounded = self._unfounded()
            if not unfounded:
                return True
            for node in unfounded:
                if self._is_refuted(node):
                    return False
                self._label_out(node)
            pending = [head for node in unfounded for head in self._heads_using(node)]

    def _propagate(self, pending: list[Node]) -> bool:
        network = self._network
        while pending:
            node = pending.pop()
            label = network.label[node]
            if label is IN:
                continue
            rules = network.justifications[node]
            valid = next((rule for rule in rules if network.valid(rule)), None)
            if valid is not None:
                if label is OUT:
                    # Guessed or forbidden to be in, and yet it follows.
                    return False
                network.set_in(valid)
                self._trail[-1].labelled.append(node)
            elif label is UNKNOWN and all(network.invalid(rule) for rule in rules):
                if self._is_refuted(node):
                    return False
                self._label_out(node)
            else:
                continue
            pending.extend(self._heads_using(node))
        return True

    def _unfounded(self) -> list[Node]:
        """Unknown nodes that no rule can make in, even if all unknown negative nodes were out."""
        network, label = self._network, self._network.label
        unknown = [node for node in self._region if label[node] is UNKNOWN]
        waiting: dict[Node, list[Justification]] = {}
        missing: dict[Justification, int] = {}
        ready: list[Node] = []
        for node in unknown:
            for rule in network.justifications[node]:
                if network.invalid(rule):
                    continue
                unmet = [other for other in dict.fromkeys(rule.positive) if label[other] is UNKNOWN]
                if not unmet:
                    ready.append(node)
                    break
                missing[rule] = len(unmet)
                for other in unmet:
                    waiting.setdefault(other, []).append(rule)
        founded = founded_from(ready, waiting, missing)
        return [node for node in unknown if node not in founded]

    # -- guessing ----------------------------------------------------------------------------------

    def _next_guess(self) -> Node | None:
        """An unknown node whose absence may make a rule valid; preferably one that was out before.

        None when all of them are refuted: then no rule can be the next one to fire.
        """
        label = self._network.label
        unknown = (node for node in self._in_turn if label[node] is UNKNOWN)
        return next((node for node in unknown if not self._is_refuted(node) and self._hinders(node)), None)

    @cached_property
    def _in_turn(self) -> list[Node]:
        """An order that the nodes alone decide, so that every process makes the same choice.

        What stands for the absence of an atom in a choice comes last: what was seen decides whether a choice is kept.
        """
        return sorted(self._region, key=lambda node: (not self._prefer(node), is_hidden(node), repr(node)))

    def _hinders(self, node: Node) -> bool:
        """Whether some rule waits for nothing but absences, of this node among others."""
        network, label = self._network, self._network.label
        return any(
            node in rule.negative
            and label[rule.head] is UNKNOWN
            and not network.invalid(rule)
            and all(label[part] is IN for part in rule.positive)
            for rule in network.uses[node]
        )

    def _take_back(self, depth: int) -> Node | None:
        """Undo the guesses from this depth on; the node of the outermost one undone."""
        wrong = None
        while len(self._trail) > depth:
            guess = self._trail.pop()
            for node in guess.labelled:
                self._network.set_unknown(node)
            wrong = guess.node
        if not self._trail:
            self._trail = [_Guess(None)]
            return None
        return wrong

    def _is_refuted(self, node: Node) -> bool:
        return any(node in guess.refuted for guess in self._trail)

    def _label_out(self, node: Node) -> None:
        self._network.set_out(node)
        self._trail[-1].labelled.append(node)

    def _heads_using(self, node: Node) -> Iterable[Node]:
        yield node
        for rule in self._network.uses[node]:
            yield rule.head
