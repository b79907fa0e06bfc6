"""What can be derived bottom-up, negation aside: the least fixpoint of rules that wait for their positive nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from larspark.reasoners.jtms.network import Justification, Node


def founded_nodes(rules: Iterable[Justification]) -> set[Node]:
    """The nodes that some chain of rules can derive, negation aside."""
    waiting: defaultdict[Node, list[Justification]] = defaultdict(list)
    missing = {rule: len(rule.positive) for rule in rules}
    for rule in missing:
        for node in rule.positive:
            waiting[node].append(rule)
    return founded_from([rule.head for rule, number in missing.items() if not number], waiting, missing)


def founded_from(
    ready: list[Node], waiting: Mapping[Node, Iterable[Justification]], missing: dict[Justification, int]
) -> set[Node]:
    """What follows from `ready`, which it uses up: `missing` says how many nodes a rule still waits for."""
    founded = set(ready)
    while ready:
        for rule in waiting.get(ready.pop(), ()):
            missing[rule] -= 1
            if not missing[rule] and rule.head not in founded:
                founded.add(rule.head)
                ready.append(rule.head)
    return founded
