"""The plans of all rules of a network, and the indexes they need."""

from __future__ import annotations

from dataclasses import dataclass

from larspark.reasoners.interval.network import Boxed, CoreRule, Match, Network, Relation
from larspark.reasoners.interval.planning.plan import Functions, Plan, delta_plans, rederiving_plan
from larspark.reasoners.interval.planning.statistics import Statistics


@dataclass(frozen=True)
class Plans:
    """How each rule follows changes, and how conclusions that may be taken back are looked for again."""

    following: dict[CoreRule, list[Plan]]
    rederiving: dict[CoreRule, Plan]

    @property
    def joined(self) -> list[Relation]:
        """The relations among which an order was chosen; none when every rule can be evaluated in one way only."""
        plans = [*(plan for plans in self.following.values() for plan in plans), *self.rederiving.values()]
        steps = (step for plan in plans if plan.chosen for step in plan.steps)
        return list(dict.fromkeys(step.literal.relation for step in steps if isinstance(step.literal, Match)))


def plan_network(network: Network, functions: Functions, statistics: Statistics | None = None) -> Plans:
    """Plan every rule; the relations have exactly the indexes that these plans and the operators use."""
    for relation in network.relations:
        relation.indexes.clear()
    for operator in network.operators:  # first, so that their numbers stay the same in every plan
        if isinstance(operator, Boxed):
            operator.source.index(tuple(range(operator.target.width)))
    start = network.start
    return Plans(
        {rule: delta_plans(rule, functions, start, statistics) for rule in network.rules},
        {rule: rederiving_plan(rule, functions, start, statistics) for rule in network.rules if rule.head.revocable},
    )
