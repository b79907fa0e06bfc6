"""The books of the grounding: which rules there are and in how many ways, and which instances they come from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from larspark.reasoners.contents import Row
from larspark.reasoners.jtms.network import Justification, Node


class RuleChanges(NamedTuple):
    """What an evaluation step does to the rules of the network."""

    added: list[Justification]
    removed: list[Justification]


class RuleAccount:
    """Rules with the number of ways in which they arise; they leave with the last.

    `possible` is told when the first rule for a head comes (True), and when the last one goes.
    """

    def __init__(self, possible: Callable[[Node, bool], None]) -> None:
        self._possible = possible
        self._count: Counter[Justification] = Counter()
        self._before: dict[Justification, bool] = {}
        self._ways: Counter[Node] = Counter()

    @property
    def rules(self) -> Collection[Justification]:
        return self._count.keys()

    def enter(self, rule: Justification) -> None:
        self._before.setdefault(rule, self._count[rule] > 0)
        self._count[rule] += 1
        if self._count[rule] == 1:
            self._ways[rule.head] += 1
            if self._ways[rule.head] == 1:
                self._possible(rule.head, True)

    def leave(self, rule: Justification) -> None:
        self._before.setdefault(rule, self._count[rule] > 0)
        self._count[rule] -= 1
        if not self._count[rule]:
            del self._count[rule]
            self._ways[rule.head] -= 1
            if not self._ways[rule.head]:
                del self._ways[rule.head]
                self._possible(rule.head, False)

    def changes(self) -> RuleChanges:
        """Since the last call."""
        before, self._before = self._before, {}
        return RuleChanges(
            [rule for rule, was in before.items() if not was and rule in self._count],
            [rule for rule, was in before.items() if was and rule not in self._count],
        )


class Instance(NamedTuple):
    """A rule with the rows chosen for its positive literals."""

    plan: int
    rows: tuple[Row, ...]


Key = tuple[int, Row]
"""A row of the reading with this number."""


class InstanceBook:
    """The instances that have become rules, by the rows they are made of."""

    def __init__(self) -> None:
        self._rules: dict[Instance, tuple[Justification, ...]] = {}
        self._made_of: defaultdict[Key, set[Instance]] = defaultdict(set)
        self._clocked: set[Instance] = set()

    def __contains__(self, instance: Instance) -> bool:
        return instance in self._rules

    def __len__(self) -> int:
        return len(self._rules)

    @property
    def clocked(self) -> tuple[Instance, ...]:
        """The instances in which the evaluation time occurs."""
        return tuple(self._clocked)

    def made_of(self, key: Key) -> tuple[Instance, ...]:
        return tuple(self._made_of.get(key, ()))

    def enter(
        self, instance: Instance, rules: tuple[Justification, ...], keys: Iterable[Key], *, clocked: bool
    ) -> None:
        self._rules[instance] = rules
        if clocked:
            self._clocked.add(instance)
        for key in keys:
            self._made_of[key].add(instance)

    def leave(self, instance: Instance, keys: Iterable[Key]) -> tuple[Justification, ...]:
        """Strike it out; its rules, none if it was not there."""
        rules = self._rules.pop(instance, ())
        if rules:
            self._clocked.discard(instance)
            for key in keys:
                self._made_of[key].discard(instance)
                if not self._made_of[key]:
                    del self._made_of[key]
        return rules

    def resting_on_more_than(self, nodes: set[Node]) -> list[Instance]:
        """The instances whose body needs a node that is not among these."""
        return [instance for instance, rules in self._rules.items() if not nodes.issuperset(rules[0].positive)]
