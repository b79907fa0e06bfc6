"""The literals of a momentary rule in an order in which each can be evaluated when its turn comes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from larspark.intervals.rules.arithmetic import OPERATIONS
from larspark.reasoners.interval.network import Absence, Compare, Compute, CoreRule, Match, Operand, mentioned

Literal: TypeAlias = Match | Absence | Compare | Compute

_COMPARED, _CALCULATED, _ABSENT, _MATCHED, _CALLED, _MULTIPLYING = range(6)
"""What comes first: what is cheap and leaves fewer rows. A look-up that may find many rows waits for what it can."""


def named_columns(columns: Sequence[Operand | None]) -> tuple[tuple[str | None, ...], list[Literal]]:
    """A name for every column of a row that matters, each once, and what must hold between them."""
    names: list[str | None] = []
    checks: list[Literal] = []
    for place, column in enumerate(columns):
        if column is None or (isinstance(column, str) and column not in names):
            names.append(column)
        else:
            names.append(f"#{place}")
            checks.append(Compare("=", f"#{place}", column))
    return tuple(names), checks


def evaluation_order(literals: Sequence[Literal], known: set[str], rule: CoreRule) -> list[Literal] | None:
    """None: some variable gets no value."""
    waiting, order = list(literals), list[Literal]()
    while waiting:
        ranked = [
            (rank, place) for place, one in enumerate(waiting) if (rank := _rank(one, known, waiting, rule)) is not None
        ]
        if not ranked:
            return None
        literal = waiting.pop(min(ranked)[1])
        order.append(literal)
        known |= mentioned(literal) - (local_variables(literal, rule) if isinstance(literal, Absence) else set())
    needed = {column for column in rule.columns if isinstance(column, str)}
    return order if needed <= known else None


def local_variables(literal: Absence, rule: CoreRule) -> set[str]:
    """The variables that occur nowhere else: there is no such value at all."""
    others = {name for other in rule.body if other is not literal for name in mentioned(other)}
    return mentioned(literal) - others - {column for column in rule.columns if isinstance(column, str)}


def _rank(literal: Literal, known: set[str], waiting: Sequence[Literal], rule: CoreRule) -> int | None:
    unknown = mentioned(literal) - known
    match literal:
        case Compare(operator, _, _):
            return _COMPARED if not unknown or (operator == "=" and len(unknown) == 1) else None
        case Compute(target, function, _):
            arithmetic = _CALCULATED if function in OPERATIONS else _CALLED
            return arithmetic if unknown <= {target} and target not in _used(literal) - known else None
        case Absence():
            return None if unknown - local_variables(literal, rule) else _ABSENT
        case Match():
            others = {name for other in waiting if other is not literal for name in mentioned(other)}
            return _MULTIPLYING if unknown & others else _MATCHED


def _used(literal: Compute) -> set[str]:
    return {argument for argument in literal.args if isinstance(argument, str)}
