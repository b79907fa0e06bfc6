"""What each rule costs: time, rows, re-derivations, and the facts that are kept for it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from larspark.intervals.rules.machine import OVERDELETE
from larspark.reasoners.interval.network import Aggregated, CoreRule, Listed, Match, Network, Relation

if TYPE_CHECKING:
    from larspark.reasoners.interval.planning.plan import Plan
    from larspark.reasoners.interval.state.tables import Tables

OTHER = "windows that rules share, and given facts"


@dataclass
class RuleCost:
    """What one rule has cost so far."""

    seconds: float = 0.0
    steps: int = 0
    """How often it was looked at."""
    rows: int = 0
    """Conclusions with their intervals, also those that were there already."""
    rederived: int = 0
    """Conclusions that were looked at again because something that they may have used is gone."""
    kept: int = 0
    """Facts in its tables at the end."""

    def add(self, other: RuleCost) -> None:
        for name, value in asdict(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass
class Profile:
    """By the place of the rule in the text."""

    costs: dict[str, RuleCost] = field(default_factory=dict)

    def concluded(self, plan: Plan, mode: int, rows: int, seconds: float) -> None:
        """A step of a rule, with the number of its conclusions."""
        cost = self._cost(_place(plan.rule))
        cost.seconds += seconds
        cost.steps += 1
        if mode == OVERDELETE:
            cost.rederived += rows
        else:
            cost.rows += rows

    def operated(self, network: Network, node: Aggregated | Listed, seconds: float) -> None:
        """An aggregate counts for a rule that reads it."""
        found = {node.target, *node.values.values()}
        readers = (rule for rule in network.rules if any(_reads(rule, relation) for relation in found))
        reader = next(readers, None)
        self._cost(OTHER if reader is None else _place(reader)).seconds += seconds

    def close(self, network: Network, tables: Tables) -> Profile:
        """Count what is kept."""
        own: dict[str, set[Relation]] = {}
        for rule in network.rules:
            own.setdefault(_place(rule), set()).add(rule.head)
        for place, relations in own.items():
            self._cost(place).kept += sum(tables.size(one) for one in relations if one.stored)
        return self

    def add(self, other: Profile) -> None:
        for place, cost in other.costs.items():
            self._cost(place).add(cost)

    def write(self, path: Path) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({place: asdict(cost) for place, cost in self.costs.items()}), encoding="utf-8")

    @classmethod
    def read(cls, paths: Iterable[Path]) -> Profile:
        """The sum of what partitions have written."""
        total = cls()
        for path in paths:
            found = json.loads(path.read_text(encoding="utf-8"))
            total.add(cls({place: RuleCost(**cost) for place, cost in found.items()}))
        return total

    def rows(self) -> list[dict[str, object]]:
        """What costs most first, rounded to microseconds."""
        ordered = sorted(self.costs.items(), key=lambda pair: -pair[1].seconds)
        return [{"rule": place, **asdict(cost), "seconds": round(cost.seconds, 6)} for place, cost in ordered]

    def lines(self) -> Iterator[str]:
        yield f"{'seconds':>10} {'steps':>9} {'rows':>10} {'rederived':>10} {'kept':>9}  rule"
        for row in self.rows():
            numbers = (
                f"{row['seconds']:>10} {row['steps']:>9} {row['rows']:>10} {row['rederived']:>10} {row['kept']:>9}"
            )
            yield f"{numbers}  {row['rule']}"

    def _cost(self, place: str) -> RuleCost:
        return self.costs.setdefault(place, RuleCost())


def _place(rule: CoreRule) -> str:
    return OTHER if rule.origin is None else f"{rule.origin.file}:{rule.origin.line}"


def _reads(rule: CoreRule, relation: Relation) -> bool:
    return any(isinstance(literal, Match) and literal.relation is relation for literal in rule.body)
