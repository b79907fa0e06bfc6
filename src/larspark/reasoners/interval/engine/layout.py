"""The parts of an engine as the arrays that `intervals.step` works on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from larspark.intervals.rules import machine
from larspark.intervals.sets import FOREVER, bounded
from larspark.intervals.step import network as places
from larspark.intervals.step.local import BOXING, POINTING, STRETCHING, UNROLLING
from larspark.intervals.tables.storage import NONE, Column
from larspark.intervals.tables.watch import NEVER
from larspark.reasoners.interval.engine.arrange import Part, read_by
from larspark.reasoners.interval.engine.component import LocalOperator, RuleComponent
from larspark.reasoners.interval.network import (
    Boxed,
    CoreRule,
    Match,
    Pointed,
    Relation,
    Stretched,
    Unrolled,
    mentioned,
)
from larspark.reasoners.interval.planning.plan import Plan
from larspark.reasoners.interval.state.tables import Tables


@dataclass(frozen=True)
class NetworkLayout:
    """A network for the step."""

    arrays: list[Column]
    """In the order in which `intervals.network` numbers them."""
    plans: list[Plan]
    """By number."""
    reads: list[int]
    """For every part one of its reads."""

    @property
    def fired(self) -> set[CoreRule]:
        """The rules that have concluded anything."""
        found = self.arrays[places.PLANS][places.P_FIRED :: places.PLAN]
        return {self.plans[number].rule for number in np.flatnonzero(found)}

    @property
    def scratch(self) -> int:
        """How many numbers a plan needs to work on."""
        return max((machine.scratch_size(len(plan.constants), len(plan.starts)) for plan in self.plans), default=0)


def lay_out(
    parts: Sequence[Part],
    relations: Sequence[Relation],
    tables: Tables,
    answering: Container[int],
    told: Iterable[Relation],
    start: int,
) -> NetworkLayout:
    """`answering` are the places of parts after which demands are answered; changes of other relations than those
    `told` are nobody's concern."""
    writer = _NetworkWriter(len(relations), frozenset(relation.number for relation in told), start)
    for place, part in enumerate(parts):
        writer.part(place, part, place in answering)
    return writer.layout(relations, tables)


@dataclass
class _NetworkWriter:
    everywhere: int
    """What holds at all times comes behind the relations."""
    told: frozenset[int]
    start: int
    plans: list[Plan] = field(default_factory=list)
    operators: list[list[int]] = field(default_factory=list)
    reads: list[list[int]] = field(default_factory=list)
    parts: list[list[int]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    read_by: dict[int, list[int]] = field(default_factory=dict)
    own: dict[int, int] = field(default_factory=dict)
    rederiving: dict[int, tuple[int, int]] = field(default_factory=dict)
    derived_by: dict[int, int] = field(default_factory=dict)
    woken: list[int] = field(default_factory=list)
    first_reads: list[int] = field(default_factory=list)
    with_one_reason: set[CoreRule] = field(default_factory=set)
    joined: set[Relation] = field(default_factory=set)
    """Where plans that begin elsewhere look for rows, also for those that the step has removed."""

    def part(self, place: int, part: Part, answering: bool) -> None:
        self.first_reads.append(len(self.reads))
        if not isinstance(part, RuleComponent):
            for relation in read_by(part):
                self._read(place, relation, (), (), ())
            self.parts.append([places.OUTSIDE, 0, 0, 0, 0, 0, 0])
            return
        operators: dict[Relation, list[int]] = {}
        for node in part.local:
            operators.setdefault(node.source, []).append(len(self.operators))
            self.derived_by[node.target.number] = len(self.operators)
            self.operators.append(_operator(node, self.start))
        self.with_one_reason.update(_only_reasons(part))
        own = {rule.head for rule in part.rules} | {node.target for node in part.local}
        self.joined.update(relation for rule in part.rules for relation in _joined_by(rule))
        for relation in sorted(part.read, key=lambda one: one.number):
            if relation in own:
                self.own[relation.number] = len(self.reads)
            gained, lost = part.triggered.get(relation, ()), part.blocked.get(relation, ())
            self._read(place, relation, self._plans(gained), self._plans(lost), operators.get(relation, ()))
        for relation, plans in part.rederiving.items():
            if self.with_one_reason.isdisjoint(plan.rule for plan in plans):
                self.rederiving[relation.number] = self._listed(self._plans(plans))
        waking = [self.derived_by[node.target.number] for node in part.waking]
        self.woken += [self.first_reads[-1]] if waking else []
        kind = places.SHIFTED if _shifts(part) else places.INSIDE
        straight = kind == places.INSIDE and not (answering or waking or part.read & own)
        negates = bool(part.blocked)
        self.parts.append([kind, int(answering), int(negates), *self._listed(waking), 0, int(straight)])

    def _read(
        self, place: int, relation: Relation, gained: Iterable[int], lost: Iterable[int], operators: Iterable[int]
    ) -> None:
        number = relation.number if relation.number >= 0 else self.everywhere
        self.read_by.setdefault(number, []).append(len(self.reads))
        self.reads.append([place, number, *self._listed(gained), *self._listed(lost), *self._listed(operators)])

    def _plans(self, plans: Iterable[Plan]) -> list[int]:
        first = len(self.plans)
        self.plans += plans
        return list(range(first, len(self.plans)))

    def _listed(self, numbers: Iterable[int]) -> tuple[int, int]:
        begin = len(self.numbers)
        self.numbers += numbers
        return begin, len(self.numbers)

    def layout(self, relations: Sequence[Relation], tables: Tables) -> NetworkLayout:
        rows = [
            self._relation(
                one.number, one.width, one.kept, tables.place(one), tables.ghost(one) if one in self.joined else NONE
            )
            for one in relations
        ]
        rows.append(self._relation(self.everywhere, 0, 0, NONE, NONE))
        plans, earlier = [], list[int]()
        ends = [0, 0, 0]
        for plan in self.plans:
            lengths = len(plan.code), len(plan.starts), len(plan.constants)
            pairs = [(end, end + length) for end, length in zip(ends, lengths, strict=True)]
            ends = [end for _, end in pairs]
            first = len(earlier)
            earlier += [relation.number for relation in plan.earlier]
            alone = plan.rule in self.with_one_reason and _names_conclusion(plan)
            plans.append([*chain.from_iterable(pairs), first, len(earlier), plan.rule.head.number, 0, int(alone)])
        arrays = [
            _joined([plan.code for plan in self.plans]),
            _joined([plan.starts for plan in self.plans]),
            _joined([plan.constants for plan in self.plans]),
            *map(_flat, (plans, [earlier], rows, self.reads, [self.numbers], self.operators, self.parts, [self.woken])),
        ]
        return NetworkLayout(arrays, self.plans, self.first_reads)

    def _relation(self, number: int, width: int, kept: int, table: int, ghost: int) -> list[int]:
        return [
            width,
            kept,
            table,
            ghost,
            self.own.get(number, NONE),
            *self.rederiving.get(number, (0, 0)),
            self.derived_by.get(number, NONE),
            *self._listed(self.read_by.get(number, ())),
            NONE,
            NEVER,
            int(number in self.told),
        ]


def _joined_by(rule: CoreRule) -> list[Relation]:
    """The relations that a rule joins with another one.

    Where an absence ends at a time at which something has been removed, the plan that starts from what was removed
    finds what has used it.
    """
    found = [literal.relation for literal in rule.body if isinstance(literal, Match)]
    return found if len(found) > 1 else []


def _only_reasons(part: RuleComponent) -> Iterator[CoreRule]:
    """The rules of which each conclusion follows in one way only: nothing else can put it back when that is gone.

    No other rule concludes the same, and the rule matches no more than the values of its conclusion.
    """
    rules = Counter(rule.head for rule in part.rules)
    operated = {node.target for node in part.local}
    for rule in part.rules:
        if rules[rule.head] == 1 and rule.head not in operated and rule.head not in part.read:
            known = set(rule.columns)
            matched = (literal.columns for literal in rule.body if isinstance(literal, Match))
            if all(column in known or isinstance(column, int) for columns in matched for column in columns):
                yield rule


def _names_conclusion(plan: Plan) -> bool:
    """Whether the row that starts a plan has all values of the conclusion, and no other that the rule speaks of."""
    start, known = plan.start, set(plan.rule.columns)
    if start is None or not all(isinstance(column, int) or column in start.columns for column in known):
        return False
    others = [mentioned(step.literal) for step in plan.steps if step.literal is not start]
    return not any(column in other for column in start.columns if column not in known for other in others)


def _shifts(part: RuleComponent) -> bool:
    """Whether a part sees one time point of a relation, so that its own is the same one later in time."""
    match part:
        case RuleComponent(rules=(), local=(Stretched(past=int(past), future=int(future)) as node,)):
            return future == -past and node.hop == 1 and past >= node.lag and not node.always
    return False


def _operator(node: LocalOperator, start: int) -> list[int]:
    match node:
        case Unrolled():
            kind, given = UNROLLING, list[int]()
        case Pointed():
            kind, given = POINTING, [bounded(node.past), node.lag]
        case Stretched():
            kind = STRETCHING
            given = [bounded(node.past), node.lag, bounded(node.future), node.hop, start, int(node.always)]
        case Boxed():
            index = node.source.index(tuple(range(node.target.width)))
            first = -FOREVER if node.fixed else start
            kind, given = BOXING, [bounded(node.past), index, bounded(node.future), bounded(node.hop), first]
    filled = [kind, node.source.number, node.target.number, *given]
    return filled + [0] * (places.OPERATOR - len(filled))


def _flat(rows: Sequence[Sequence[int]]) -> Column:
    return np.array([number for row in rows for number in row], np.int64)


def _joined(columns: Sequence[Column]) -> Column:
    return np.concatenate(columns) if columns else np.zeros(0, np.int64)
