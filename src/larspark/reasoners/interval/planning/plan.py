"""Plans: a core rule as a sequence of instructions, once for every literal whose change can start it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

import numpy as np

from larspark.intervals.rules import arithmetic, machine
from larspark.intervals.rules.matching import ANY, BIND, CHECK, EARLIER, EVERY, SAME, SKIP, WHOLE
from larspark.intervals.sets import bounded
from larspark.intervals.tables.storage import NONE, Column
from larspark.reasoners.interval.network import (
    Absence,
    Clip,
    Compare,
    Compute,
    CoreLiteral,
    CoreRule,
    Kind,
    Match,
    OnTimeline,
    Operand,
    Relation,
    mentioned,
)
from larspark.reasoners.interval.planning.ordering import bound_places, cheapest_order
from larspark.reasoners.interval.planning.statistics import Statistics
from larspark.reasoners.interval.whole_numbers import CEILING, FLOOR, INTEGER, ORDINARY

EVERYWHERE = Relation(-1, "everywhere", 0, Kind.VIEW)
"""Holds at all times: what rules without a positive literal start from."""


@dataclass(frozen=True)
class PlacedLiteral:
    """A literal in its place."""

    literal: CoreLiteral
    bound: tuple[int, ...] = ()
    """The columns by which its relation is looked up."""


@dataclass(frozen=True)
class Plan:
    """Instructions for one rule and one start."""

    rule: CoreRule
    trigger: Relation
    """The relation whose changed rows start the plan."""
    negated: bool
    """The trigger stands under `not`: what it gains is lost here."""
    code: Column
    starts: Column
    constants: Column
    start: Match | Absence | None
    """The literal whose rows start it; None: rows of the head, or nothing."""
    steps: tuple[PlacedLiteral, ...]
    """What follows, in the order of evaluation."""
    earlier: frozenset[Relation]
    """Where rows of the same step are left to another plan of the rule, which starts from them."""

    @property
    def chosen(self) -> bool:
        """Whether its matches could come in another order that costs otherwise.

        A key that is known as a whole is looked up at the same cost before and behind others.
        """
        known = [
            len(step.bound) == step.literal.relation.width for step in self.steps if isinstance(step.literal, Match)
        ]
        return len(known) > 1 and not all(known)


class Functions:
    """The numbers of functions; those that the machine does not know are numbered as they come."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int], int] = {
            **{(name, 2): number for name, number in arithmetic.OPERATIONS.items()},
            ("min", 2): arithmetic.MIN,
            ("max", 2): arithmetic.MAX,
            ("abs", 1): arithmetic.ABS,
            (INTEGER, 1): arithmetic.INTEGER,
            (INTEGER, 2): arithmetic.INTEGER_OR,
            (ORDINARY, 2): arithmetic.ORDINARY,
            (FLOOR, 1): arithmetic.FLOOR,
            (CEILING, 1): arithmetic.CEILING,
        }

    def number(self, name: str, arity: int) -> int:
        return self._numbers.setdefault((name, arity), arithmetic.NAMED + len(self._numbers))

    def named(self, number: int) -> tuple[str, int]:
        """Name and number of arguments."""
        return next(key for key, known in self._numbers.items() if known == number)


def delta_plans(rule: CoreRule, functions: Functions, start: int, statistics: Statistics | None = None) -> list[Plan]:
    """One plan for every literal that looks into a relation; a rule without any starts from nothing."""
    plans = [
        _Planner(rule, functions, start, statistics).from_literal(literal)
        for literal in rule.body
        if isinstance(literal, Match | Absence)
    ]
    if not any(isinstance(literal, Match) for literal in rule.body):
        plans.append(_Planner(rule, functions, start, statistics).from_nothing())
    return plans


def rederiving_plan(rule: CoreRule, functions: Functions, start: int, statistics: Statistics | None = None) -> Plan:
    """Starts from rows of the head: is there another derivation?"""
    return _Planner(rule, functions, start, statistics).from_head()


@dataclass
class _Planner:
    rule: CoreRule
    functions: Functions
    start: int
    statistics: Statistics | None
    registers: dict[Operand, int] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)
    code: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    steps: list[PlacedLiteral] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    """The joins to come, where statistics tell their order."""
    earlier: list[Match] = field(default_factory=list)
    began: Match | Absence | None = None
    """The literal that the plan starts from."""
    locals: dict[int, set[str]] = field(default_factory=dict)
    """The variables of absences that occur nowhere else."""
    found: dict[Operand, int] = field(default_factory=dict)
    """What the last instruction has bound, if it was a look-up, and by which column."""

    def from_literal(self, literal: Match | Absence) -> Plan:
        self.began = literal
        columns = literal.columns
        if isinstance(literal, Absence):
            local = self._local(literal)
            columns = tuple(None if column in local else column for column in columns)
        self._emit(machine.SCAN, len(columns), *self._cells(columns))
        if isinstance(literal, Match) and literal.relation.stored:  # what is not stored, other plans do not find
            before = self.rule.body[: next(place for place, other in enumerate(self.rule.body) if other is literal)]
            self.earlier = [other for other in before if isinstance(other, Match)]
        # An absence must be looked up even when its own change is the start: other rows may still be there.
        rest = [other for other in self.rule.body if other is not literal or isinstance(literal, Absence)]
        return self._finish(rest, literal.relation)

    def from_head(self) -> Plan:
        self._emit(machine.SCAN, len(self.rule.columns), *self._cells(self.rule.columns))
        self.earlier = [literal for literal in self.rule.body if isinstance(literal, Match)]
        return self._finish(list(self.rule.body), self.rule.head)

    def from_nothing(self) -> Plan:
        self._emit(machine.SCAN, 0)
        return self._finish(list(self.rule.body), EVERYWHERE)

    def _finish(self, rest: list[CoreLiteral], trigger: Relation) -> Plan:
        if self.statistics is not None:
            self.matches = cheapest_order(rest, self.bound, self.statistics)
        while rest:
            literal = self._next(rest)
            rest = [other for other in rest if other is not literal]
            bound = bound_places(literal.columns, self.bound) if isinstance(literal, Match | Absence) else ()
            self._literal(literal)
            self.steps.append(PlacedLiteral(literal, bound))
        taken = [self.found.get(column, NONE) for column in self.rule.columns]
        self._emit(machine.EMIT, len(self.rule.columns), *map(self._register, self.rule.columns), *taken)
        constants = np.zeros(len(self.registers), np.int64)
        for operand, register in self.registers.items():
            if isinstance(operand, int):
                constants[register] = operand
        return Plan(
            self.rule,
            trigger,
            isinstance(self.began, Absence),
            np.array(self.code, np.int64),
            np.array(self.starts, np.int64),
            constants,
            self.began,
            tuple(self.steps),
            frozenset(literal.relation for literal in self.earlier),
        )

    # -- order -------------------------------------------------------------------------------------

    def _next(self, rest: list[CoreLiteral]) -> CoreLiteral:
        """The cheapest literal that can be evaluated now.

        Conditions, then arithmetic, absence, functions that Python computes, and the match that comes first.
        """
        ready = [literal for literal in rest if self._ready(literal)]
        if not ready:
            raise ValueError(f"no order of evaluation for {self.rule}")
        return min(ready, key=self._cost)

    def _ready(self, literal: CoreLiteral) -> bool:
        match literal:
            case Match():
                return True
            case Absence(_, columns):
                local = self._local(literal)
                return self._known(*(column for column in columns if column not in local))
            case Clip(time) | OnTimeline(time):
                return self._known(time)
            case Compare("=", left, right):
                return self._known(left) or self._known(right)
            case Compare(_, left, right):
                return self._known(left, right)
            case Compute(_, _, args):
                return self._known(*args)

    def _cost(self, literal: CoreLiteral) -> tuple[int, int]:
        match literal:
            case Match() if self.statistics is not None:
                return 2, next(place for place, match in enumerate(self.matches) if match is literal)
            case Match(_, columns):
                free = sum(not self._known(column) for column in columns)
                return (2 if free == 0 else 3), -sum(column is not None and self._known(column) for column in columns)
            case Absence():
                return 1, int(literal is self.began)  # that its own change has brought it about, nearly always
            case Compute(_, function, args):
                return (0, 1) if self.functions.number(function, len(args)) < arithmetic.NAMED else (1, 2)
            case _:
                return 0, 0

    def _known(self, *operands: Operand | None) -> bool:
        return all(not isinstance(operand, str) or operand in self.bound for operand in operands)

    def _local(self, literal: Absence) -> set[str]:
        """The variables that occur in this absence alone."""
        if id(literal) not in self.locals:
            elsewhere = {column for column in self.rule.columns if isinstance(column, str)}
            for other in self.rule.body:
                if other is not literal:
                    elsewhere |= mentioned(other)
            self.locals[id(literal)] = mentioned(literal) - elsewhere
        return self.locals[id(literal)]

    # -- instructions ------------------------------------------------------------------------------

    def _literal(self, literal: CoreLiteral) -> None:
        self.found = {}
        match literal:
            case Match(relation, columns):
                age = EARLIER if any(other is literal for other in self.earlier) else ANY
                self._look_up(machine.PROBE, relation, columns, age)
            case Absence(relation, columns):
                before = set(self.bound)
                self._look_up(machine.ABSENT, relation, columns, ANY)
                self.bound = before
            case Clip(time, past, future, hop):
                self._emit(machine.CLIP, self._register(time), bounded(past), bounded(future), bounded(hop))
            case OnTimeline(time, wanted, pins):
                kind = arithmetic.PIN if pins else arithmetic.TIME_POINT
                self._emit(machine.TIMELINE, self._register(time), self.start, int(wanted), kind)
            case Compare("=", left, right) if not self._known(left):
                self._move(left, right)
            case Compare("=", left, right) if not self._known(right):
                self._move(right, left)
            case Compare(operator, left, right):
                relation_number = arithmetic.COMPARISONS[operator]
                self._emit(machine.COMPARE, relation_number, self._register(left), self._register(right))
            case Compute(target, function, args):
                self._compute(target, function, args)
            case _:
                assert_never(literal)

    def _move(self, target: Operand, source: Operand) -> None:
        self._emit(machine.MOVE, self._register(target), self._register(source))
        self.bound.add(str(target))

    def _compute(self, target: str, function: str, args: tuple[Operand, ...]) -> None:
        registers = [self._register(arg) for arg in args]
        number = self.functions.number(function, len(args))
        if target in self.bound:
            result = self._register(f"{target}={len(self.code)}")
            self._emit(machine.COMPUTE, number, result, len(args), *registers)
            self._emit(machine.COMPARE, arithmetic.EQUAL, result, self._register(target))
        else:
            self._emit(machine.COMPUTE, number, self._register(target), len(args), *registers)
            self.bound.add(target)

    def _look_up(self, operation: int, relation: Relation, columns: tuple[Operand | None, ...], age: int) -> None:
        places = bound_places(columns, self.bound)
        if len(places) == len(columns) and columns:
            index = WHOLE
        elif places:
            index = relation.index(places)
        else:
            index = EVERY
        keys = [self._register(column) for place in places if (column := columns[place]) is not None]
        cells = self._cells(columns)
        lead = places[0] if places else NONE
        rest = int(len(places) > 1 or SAME in cells[::2])
        self._emit(operation, relation.number, index, age, lead, rest, len(columns), *cells, len(keys), *keys)

    def _cells(self, columns: tuple[Operand | None, ...]) -> list[int]:
        cells: list[int] = []
        self.found = {}
        for place, column in enumerate(columns):
            if column is None:
                cells += [SKIP, 0]
            elif column in self.found:
                cells += [SAME, self.found[column]]
            elif self._known(column):
                cells += [CHECK, self._register(column)]
            else:
                cells += [BIND, self._register(column)]
                self.bound.add(str(column))
                self.found[column] = place
        return cells

    def _register(self, operand: Operand) -> int:
        return self.registers.setdefault(operand, len(self.registers))

    def _emit(self, *instruction: int) -> None:
        self.starts.append(len(self.code))
        self.code.extend(instruction)
