"""Recorded states whose rules can be followed key by key; see `intervals.step.inertia`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from larspark.intervals.tables.storage import NONE
from larspark.reasoners.interval.engine.arrange import Part
from larspark.reasoners.interval.engine.component import RuleComponent
from larspark.reasoners.interval.network import Absence, CoreRule, Match, Network, Relation, Repeated, Stretched


@dataclass(frozen=True)
class StateRules:
    """The rules of a state in the form that is walked along the time."""

    rules: tuple[CoreRule, ...]
    numbers: tuple[int, ...]
    part: int
    """The place of the part that does nothing but conclude the state, if its walk says all of it; NONE if not."""

    @property
    def marks(self) -> range:
        """Where the numbers say which rules have concluded anything."""
        length = (len(self.numbers) - self._begin) // len(self.rules)
        return range(self._begin, len(self.numbers), length)

    @property
    def _begin(self) -> int:
        return 2 + self.numbers[0] * (1 + self.rules[0].head.width)


def state_rules(
    kind: Repeated, now: Relation, network: Network, depending: Set[Relation], parts: Sequence[Part]
) -> StateRules | None:
    """None if a rule asks for something that its key does not name, or that depends on what is recorded."""
    if kind.concluded not in depending:  # then it is known by itself
        columns = tuple(f"A{place}" for place in range(now.width))
        rules = [CoreRule(now, columns, (Match(kind.concluded, columns),))]
    else:
        # Evaluations at one time point again are left to the rounds.
        rules = [rule for rule in network.rules if rule.head is now and kind.again not in _matched(rule)]
    if not rules:
        return None
    before = _one_back(kind.recorded, network)
    asked: dict[tuple[Relation, tuple[int, ...]], int] = {}
    wanted = [_wanted(rule, before, depending, asked) for rule in rules]
    numbers = [len(asked), len(rules)]
    for relation, places in asked:
        numbers += (relation.number, *places, *[NONE] * (now.width - len(places)))
    for rule, signs in zip(rules, wanted, strict=True):
        if signs is None:
            return None
        inertia = not before.isdisjoint(_matched(rule))
        numbers += (0, int(inertia), *(signs.get(key, NONE) for key in asked.values()))
    whole = kind.concluded is now and all(len(places) == now.width for _, places in asked)
    return StateRules(tuple(rules), tuple(numbers), _part_of(now, parts) if whole and now in depending else NONE)


def _matched(rule: CoreRule) -> list[Relation]:
    return [literal.relation for literal in rule.body if isinstance(literal, Match)]


def _one_back(recorded: Relation, network: Network) -> Set[Relation]:
    """The relations that say what was recorded one time point before."""
    return {
        node.target
        for node in network.operators
        if isinstance(node, Stretched)
        and node.source is recorded
        and (node.past, node.future, node.hop, node.always) == (1, -1, 1, False)
    }


def _wanted(
    rule: CoreRule, before: Set[Relation], depending: Set[Relation], asked: dict[tuple[Relation, tuple[int, ...]], int]
) -> Mapping[int, int] | None:
    """Which relations a rule asks for, by their numbers in `asked`: to hold (1), or not to hold (0)."""
    place_of: dict[object, int] = {
        column: place for place, column in enumerate(rule.columns) if isinstance(column, str)
    }
    if len(place_of) < rule.head.width:
        return None
    wanted: dict[int, int] = {}
    for literal in rule.body:
        match literal:
            case Match(relation, columns) if relation in before and columns == rule.columns:
                continue
            case Match(relation, columns) | Absence(relation, columns) if relation.stored and relation not in depending:
                places = tuple(place_of[column] for column in columns if column in place_of)
                sign = int(isinstance(literal, Match))
                if len(set(places)) < len(columns):
                    return None
                if wanted.setdefault(asked.setdefault((relation, places), len(asked)), sign) != sign:
                    return None
            case _:
                return None
    return wanted


def _part_of(now: Relation, parts: Sequence[Part]) -> int:
    for place, part in enumerate(parts):
        if isinstance(part, RuleComponent) and not part.local and {rule.head for rule in part.rules} == {now}:
            return place
    return NONE
