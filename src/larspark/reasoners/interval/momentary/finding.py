"""Which input is looked at by momentary rules alone.

A *momentary* relation holds at the time of an arrival only: each of its rules reads one arrival of the present, or one
row of another momentary relation, beside what always holds. What is derived from such arrivals needs no memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from larspark.analysis.structure.graphs import reachable
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.engine.arrange import dependencies
from larspark.reasoners.interval.engine.engine import IntervalEngine
from larspark.reasoners.interval.momentary.ordering import Literal, evaluation_order, named_columns
from larspark.reasoners.interval.network import (
    Absence,
    Clip,
    CoreRule,
    Counted,
    Filled,
    Held,
    InSession,
    Kind,
    Match,
    Relation,
    Selected,
    Spanned,
    Unrolled,
)


@dataclass(frozen=True)
class MomentaryRule:
    """A rule whose body begins with a row of a momentary relation."""

    rule: CoreRule
    source: Match
    names: tuple[str | None, ...]
    """Of the columns of that row."""
    steps: tuple[Literal, ...]
    """The other literals in the order of evaluation."""


@dataclass(frozen=True)
class MomentaryPart:
    """What is derived from some predicates of the input without memory, and nothing else from them."""

    inputs: Mapping[Signature, Relation]
    rules: Mapping[Relation, tuple[MomentaryRule, ...]]
    """By their head, each after those that it reads."""
    unrolled: Mapping[Relation, Relation]
    """Where the time of a row stands behind its arguments: the relation without it."""
    settled: Mapping[Relation, Rows]
    """What always holds and is looked up, as codes."""
    heads: Mapping[Signature, Relation]
    """The predicates that are concluded."""


def momentary_part(engine: IntervalEngine) -> MomentaryPart | None:
    """What of a program can be evaluated without memory; None: nothing."""
    network = engine.network
    if network.recorded or any(
        isinstance(node, Counted | Filled | InSession | Held | Selected | Spanned) for node in network.operators
    ):
        return None
    return _Finder(engine).found()


class _Finder:
    def __init__(self, engine: IntervalEngine) -> None:
        self._engine, self._network = engine, engine.network
        self._graph = dependencies(engine.network)
        self._rules: dict[Relation, list[CoreRule]] = {}
        for rule in self._network.rules:
            self._rules.setdefault(rule.head, []).append(rule)
        self._operated = {node.target: node for node in self._network.operators}
        # What an operator finds, also of what always holds, is not there before the first evaluation.
        self._changing = reachable(self._graph, [*self._network.inputs.values(), *self._operated])
        self._settled: dict[Relation, Rows | None] = {}
        self._found: dict[Relation, tuple[MomentaryRule, ...] | None] = {}

    def found(self) -> MomentaryPart | None:
        """As much of the input as nothing else looks at."""
        inputs = dict(self._network.inputs)
        while inputs:
            derived = reachable(self._graph, list(inputs.values())) - set(inputs.values())
            misfits = {one for one in derived if not self._fits(one, {*derived, *inputs.values()})}
            refused = {
                signature
                for signature, relation in inputs.items()
                if self._read_otherwise(relation) or misfits & self._after(relation)
            }
            if not refused:
                return self._part(inputs, derived)
            inputs = {signature: relation for signature, relation in inputs.items() if signature not in refused}
        return None

    def _part(self, inputs: Mapping[Signature, Relation], derived: Set[Relation]) -> MomentaryPart:
        rules = {one: own for one, own in self._found.items() if own and one in derived}
        steps = (step for own in rules.values() for rule in own for step in rule.steps)
        read = {step.relation for step in steps if isinstance(step, Match | Absence)}
        return MomentaryPart(
            inputs,
            rules,
            {
                node.target: node.source
                for node in self._operated.values()
                if isinstance(node, Unrolled) and node.target in derived
            },
            {relation: rows for relation in read if (rows := self._rows(relation)) is not None},
            {signature: relation for signature, relation in self._network.now.items() if relation in derived},
        )

    def _fits(self, relation: Relation, inside: Set[Relation]) -> bool:
        """Whether a relation is derived in passing from these alone, and answers show it as it is."""
        network = self._network
        if (
            relation is network.inconsistent
            or relation in network.pinned.values()
            or relation in network.listed.values()
        ):
            return False
        if relation.signature in network.listed or self._read_otherwise(relation):
            return False
        if relation in self._after(relation):
            return False
        node = self._operated.get(relation)
        if node is not None:
            return isinstance(node, Unrolled) and node.source in inside and relation not in self._rules
        own = self._momentary(relation)
        return own is not None and all(rule.source.relation in inside for rule in own)

    def _after(self, relation: Relation) -> set[Relation]:
        """What follows from a relation: itself, where it is recursive."""
        following = list(self._graph.get(relation, ()))
        return reachable(self._graph, following)

    def _read_otherwise(self, relation: Relation) -> bool:
        """Whether an operator with a memory looks at a relation."""
        nodes = (
            node
            for node in self._network.operators
            if relation in getattr(node, "sources", (getattr(node, "source", None),))
        )
        return any(not isinstance(node, Unrolled) for node in nodes)

    def _momentary(self, relation: Relation) -> tuple[MomentaryRule, ...] | None:
        if relation not in self._found:
            rules = self._rules.get(relation, ())
            found = tuple(one for rule in rules if (one := self._rule(rule)) is not None)
            self._found[relation] = found if found and len(found) == len(rules) else None
        return self._found[relation]

    def _rule(self, rule: CoreRule) -> MomentaryRule | None:
        """The rule, if it reads one row that changes, of the present."""
        clips = [literal for literal in rule.body if isinstance(literal, Clip)]
        changing = [
            literal for literal in rule.body if isinstance(literal, Match) and literal.relation in self._changing
        ]
        others = [one for one in rule.body if isinstance(one, Literal) and one not in changing]
        if len(changing) != 1 or len(clips) + len(changing) + len(others) < len(rule.body):
            return None
        (source,) = changing
        present = (
            [Clip(source.columns[-1], 0, 0)]
            if source.relation.kind is Kind.INPUT and source.columns[-1] is not None
            else []
        )
        if clips != present or (source.relation.kind is Kind.INPUT and not present):
            return None
        looked_up = (one.relation for one in others if isinstance(one, Match | Absence))
        if any(relation in self._changing or self._rows(relation) is None for relation in looked_up):
            return None
        names, checks = named_columns(source.columns)
        steps = evaluation_order([*checks, *others], {name for name in names if name is not None}, rule)
        return None if steps is None else MomentaryRule(rule, source, names, tuple(steps))

    def _rows(self, relation: Relation) -> Rows | None:
        """What holds in a relation that does not change; None: not at all times."""
        if relation not in self._settled:
            rows = self._engine.tables.content(relation)
            always = bool((rows[:, -2] <= self._network.start).all() and (rows[:, -1] >= FOREVER).all())
            self._settled[relation] = rows[:, :-2] if always else None
        return self._settled[relation]


def in_order(part: MomentaryPart) -> Iterator[Relation]:
    """The derived relations, each after those it reads."""
    done: set[Relation] = set(part.inputs.values())
    waiting = [*part.rules, *part.unrolled]
    while waiting:
        for relation in tuple(waiting):
            read = (
                [part.unrolled[relation]]
                if relation in part.unrolled
                else [one.source.relation for one in part.rules[relation]]
            )
            if done.issuperset(read):
                yield relation
                done.add(relation)
                waiting.remove(relation)
