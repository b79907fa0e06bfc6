"""How a program will be evaluated: relations, plans and their order, for `check --plan`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from larspark.analysis.analysis import Analysis
from larspark.language.facts import Signature
from larspark.language.values import show_value
from larspark.reasoners.interval.dictionary import FILLER, Dictionary
from larspark.reasoners.interval.lower import lower
from larspark.reasoners.interval.network import (
    Absence,
    Aggregated,
    Boxed,
    Clip,
    Compare,
    Compute,
    CoreLiteral,
    CoreRule,
    Counted,
    Match,
    Network,
    OnTimeline,
    Operand,
    Operator,
    Run,
    Selected,
    Ticking,
    Unrolled,
)
from larspark.reasoners.interval.plan import EVERYWHERE, Functions, Plan, delta_plans


@dataclass(frozen=True)
class PlanStep:
    """What happens when a relation changes."""

    when: str
    then: tuple[str, ...]
    conclude: str
    line: int | None
    """The line of the rule it comes from; None for the reading of a predicate through a window."""


@dataclass(frozen=True)
class RelationNote:
    name: str
    columns: int
    indexes: tuple[tuple[int, ...], ...]
    revocable: bool


@dataclass(frozen=True)
class PlanDescription:
    relations: tuple[RelationNote, ...]
    steps: tuple[PlanStep, ...]
    operators: tuple[str, ...]

    def value(self) -> dict[str, object]:
        """As plain data, for JSON."""
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """As text."""
        for step in self.steps:
            source = f"  (line {step.line})" if step.line is not None else ""
            yield f"when {step.when} changes{source}"
            yield from (f"    {part}" for part in step.then)
            yield f"    conclude {step.conclude}"
        yield from self.operators
        for note in self.relations:
            indexes = ", ".join(f"({','.join(map(str, columns))})" for columns in note.indexes) or "whole key"
            yield f"{note.name}: {'may be taken back, ' if note.revocable else ''}index on {indexes}"


def describe(analysis: Analysis, background: Iterable[Signature] = ()) -> PlanDescription:
    """The plan of a program that the interval reasoner accepts."""
    analysis.require("interval")
    dictionary = Dictionary()
    network = lower(analysis, dictionary, 0, frozenset(background) | analysis.background)
    functions = Functions()
    steps = tuple(
        _step(plan, dictionary) for rule in network.rules for plan in delta_plans(rule, functions, network.start)
    )
    return PlanDescription(_relations(network), steps, tuple(map(_operator, network.operators)))


def _relations(network: Network) -> tuple[RelationNote, ...]:
    return tuple(
        RelationNote(relation.name, relation.width, tuple(relation.indexes), relation.revocable)
        for relation in network.relations
        if relation.stored
    )


def _step(plan: Plan, dictionary: Dictionary) -> PlanStep:
    rule: CoreRule = plan.rule
    when = "nothing" if plan.trigger is EVERYWHERE else f"{'not ' if plan.negated else ''}{plan.trigger.name}"
    then = tuple(_literal(literal, dictionary) for literal in plan.order)
    conclude = f"{rule.head.name}{_columns(rule.columns, dictionary)}"
    return PlanStep(when, then, conclude, rule.origin.line if rule.origin else None)


def _literal(literal: CoreLiteral, dictionary: Dictionary) -> str:
    match literal:
        case Match(relation, columns):
            return f"look up {relation.name}{_columns(columns, dictionary)}"
        case Absence(relation, columns):
            return f"without {relation.name}{_columns(columns, dictionary)}"
        case Clip(time, past, future, hop):
            reach = f"-{'∞' if past is None else past}, +{'∞' if future is None else future}"
            return f"while {_operand(time, dictionary)} is in [{reach}]" + (f" hop {hop}" if hop != 1 else "")
        case Compare(operator, left, right):
            return f"if {_operand(left, dictionary)} {operator} {_operand(right, dictionary)}"
        case Compute(target, function, args):
            return f"let {target} = {function}{_columns(args, dictionary)}"
        case OnTimeline(time, wanted):
            return f"if {_operand(time, dictionary)} is {'' if wanted else 'not '}a time point"


def _operator(operator: Operator) -> str:
    target = operator.target.name
    match operator:
        case Unrolled(source):
            return f"{target}: {source.name}, at every time point it holds"
        case Boxed(source):
            return f"{target}: windows that {source.name} fills, recounted where it changes"
        case Run(source):
            return f"{target}: runs of {source.name}"
        case Selected(signature):
            return f"{target}: the windows over {signature}, looked at when they move"
        case Counted(signature):
            return f"{target}: the latest arrivals among which {signature} is counted"
        case Aggregated(source):
            return f"{target}: aggregate of {source.name}, by events"
        case Ticking():
            return f"{target}: the time points of a window"


def _columns(columns: tuple[Operand | None, ...], dictionary: Dictionary) -> str:
    return f"({', '.join('_' if column is None else _operand(column, dictionary) for column in columns)})"


def _operand(operand: Operand, dictionary: Dictionary) -> str:
    if isinstance(operand, str):
        return operand
    return "no value" if operand == FILLER else show_value(dictionary.decode(operand))
