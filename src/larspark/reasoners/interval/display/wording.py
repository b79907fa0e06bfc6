"""Literals and operators of the network in words, for the display of plans."""

from __future__ import annotations

from collections.abc import Iterable

from larspark.language.values import show_value
from larspark.reasoners.interval.network import (
    Absence,
    Aggregated,
    Boxed,
    Clip,
    Compare,
    Compute,
    Counted,
    Demanded,
    Filled,
    Held,
    InSession,
    Listed,
    Match,
    OnTimeline,
    Operand,
    Operator,
    Pointed,
    Relation,
    Run,
    Selected,
    Spanned,
    Stretched,
    Ticking,
    Unrolled,
)
from larspark.reasoners.interval.planning.plan import PlacedLiteral
from larspark.reasoners.interval.state.dictionary import FILLER, Dictionary


class Wording:
    """Knows the values behind the codes."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary

    def row(self, relation: Relation, columns: tuple[Operand | None, ...]) -> str:
        return f"{relation.name}{self.tuple_of(columns)}"

    def tuple_of(self, columns: tuple[Operand | None, ...]) -> str:
        return f"({', '.join('_' if column is None else self.operand(column) for column in columns)})"

    def operand(self, operand: Operand) -> str:
        if isinstance(operand, str):
            return operand
        return "no value" if operand == FILLER else show_value(self._dictionary.decode(operand))

    def step(self, step: PlacedLiteral) -> str:
        match step.literal:
            case Match(relation, columns):
                return f"join {self.row(relation, columns)} {self.access(step, columns)}"
            case Absence(relation, columns):
                return f"unless {self.row(relation, columns)} {self.access(step, columns)}"
            case Clip(time, past, future, hop):
                reach = f"[-{'∞' if past is None else past}, +{'∞' if future is None else future}]"
                return f"while {self.operand(time)} is in {reach}" + (f", hop {hop}" if hop != 1 else "")
            case Compare(operator, left, right):
                return f"if {self.operand(left)} {operator} {self.operand(right)}"
            case Compute(target, function, args):
                return f"let {target} = {function}{self.tuple_of(args)}"
            case OnTimeline(time, wanted, _):
                return f"if {self.operand(time)} is {'' if wanted else 'not '}a time point"

    def access(self, step: PlacedLiteral, columns: tuple[Operand | None, ...]) -> str:
        """How the rows are found."""
        if not columns or len(step.bound) == len(columns):
            return "by its key"
        if not step.bound:
            return "by going through all rows"
        names = ", ".join(self.operand(column) for place in step.bound if (column := columns[place]) is not None)
        return f"by {names}, index on {numbered(step.bound)}"


def numbered(places: tuple[int, ...]) -> str:
    """Columns as people count them."""
    return f"column{'s' if len(places) > 1 else ''} {', '.join(str(place + 1) for place in places)}"


def names_of(relations: Iterable[Relation]) -> str:
    return ", ".join(relation.name for relation in relations)


def operator_in_words(operator: Operator) -> str:
    target = operator.target.name
    match operator:
        case Unrolled(source):
            return f"{target}: {source.name}, at every time point it holds"
        case Boxed(source):
            return f"{target}: windows that {source.name} fills, recounted where it changes"
        case Held(signature, length=length):
            longest = "" if length is None else f", at most {length} time points"
            return f"{target}: {signature} until the next of its key{longest}"
        case Stretched(source):
            return f"{target}: when windows see the stretches of {source.name}"
        case Pointed(source):
            return f"{target}: {source.name}, at every time point it holds"
        case Run(source):
            return f"{target}: runs of {source.name}"
        case Selected(signature):
            return f"{target}: the windows over {signature}, looked at when they move"
        case Spanned():
            return f"{target}: the time points of windows, looked at when they move"
        case Counted(signature):
            return f"{target}: the latest arrivals among which {signature} is counted"
        case Filled(signature):
            return f"{target}: {signature} at every time point of the latest arrivals"
        case InSession(signature, gap=gap):
            return f"{target}: {signature} in sessions, which a pause of more than {gap} time points ends"
        case Aggregated(values=values) as node:
            return f"{target}, {names_of(values.values())}: aggregates of {names_of(node.sources)}, by events"
        case Listed(limit=limit, descending=descending) as node:
            order = "largest" if descending else "smallest"
            return f"{target}: the {limit} {order} tuples of {names_of(node.sources)}, in order"
        case Demanded(source):
            return f"{target}: every key that {source.name} asks for, answered as soon as it is asked for"
        case Ticking():
            return f"{target}: the time points of a window"
