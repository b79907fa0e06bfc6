"""The order of joins: by how many columns are bound, or by the rows that statistics expect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from larspark.reasoners.interval.network import Absence, Compare, Compute, CoreLiteral, Match, Operand, mentioned
from larspark.reasoners.interval.planning.statistics import Size, Statistics

SEARCHED = 6
"""Up to so many joins all orders are weighed; of more, the next is always the one with the fewest rows."""

EQUAL, COMPARED, ABSENT = 0.1, 0.4, 0.5
"""The part of the rows that a condition is expected to leave."""

UNKNOWN = 100.0
"""Rows of a relation without statistics."""


def bound_places(columns: Sequence[Operand | None], known: Iterable[str]) -> tuple[int, ...]:
    """The columns with a value: constants and known variables."""
    names = set(known)
    return tuple(
        place
        for place, column in enumerate(columns)
        if column is not None and (not isinstance(column, str) or column in names)
    )


def expected_rows(match: Match | Absence, bound: Sequence[int], statistics: Statistics) -> float:
    """How many rows a look-up finds."""
    size = statistics.get(match.relation.name)
    if size is None:
        size = Size(UNKNOWN, (UNKNOWN,) * match.relation.width)
    return size.fan_out(bound)


@dataclass(frozen=True)
class _Prefix:
    """The first joins of an order."""

    order: tuple[Match, ...]
    known: frozenset[str]
    rows: float
    cost: float
    waiting: tuple[CoreLiteral, ...]
    """Conditions that cannot be decided yet."""

    def then(self, match: Match, statistics: Statistics) -> _Prefix:
        """Every row so far looks up the relation and goes on with what it finds there."""
        found = expected_rows(match, bound_places(match.columns, self.known), statistics)
        rows = self.rows * found
        return _settled(
            _Prefix(
                (*self.order, match),
                self.known | mentioned(match),
                rows,
                self.cost + self.rows + rows,
                self.waiting,
            )
        )


def cheapest_order(rest: Sequence[CoreLiteral], known: Iterable[str], statistics: Statistics) -> list[Match]:
    """The matches of a body in the order that touches the fewest rows, from one row with these variables on."""
    matches = [literal for literal in rest if isinstance(literal, Match)]
    conditions = tuple(literal for literal in rest if not isinstance(literal, Match))
    begin = _settled(_Prefix((), frozenset(known), 1.0, 0.0, conditions))
    best = {frozenset[int](): begin}
    for _ in matches:
        longer: dict[frozenset[int], _Prefix] = {}
        for taken, prefix in best.items():
            for place, match in enumerate(matches):
                if place not in taken:
                    candidate, key = prefix.then(match, statistics), taken | {place}
                    if key not in longer or candidate.cost < longer[key].cost:
                        longer[key] = candidate
        if len(matches) > SEARCHED:
            longer = dict([min(longer.items(), key=lambda item: item[1].rows)])
        best = longer
    (cheapest,) = best.values()
    return list(cheapest.order)


def _settled(prefix: _Prefix) -> _Prefix:
    """With the conditions that are decided as soon as their variables are known."""
    known, rows, waiting = set(prefix.known), prefix.rows, list(prefix.waiting)
    again = True
    while again:
        again = False
        for literal in tuple(waiting):
            part = _passing(literal, known)
            if part is not None:
                rows *= part
                known |= mentioned(literal)
                waiting.remove(literal)
                again = True
    return _Prefix(prefix.order, frozenset(known), rows, prefix.cost, tuple(waiting))


def _passing(literal: CoreLiteral, known: set[str]) -> float | None:
    """The part of the rows that a condition leaves; None while it cannot be decided."""
    unknown = mentioned(literal) - known
    match literal:
        case Compare("=", _, _):
            return None if len(unknown) > 1 else 1.0 if unknown else EQUAL
        case Compute(target, _, _):
            return 1.0 if unknown == {target} else None if unknown else EQUAL
        case _ if unknown:
            return None
        case Compare():
            return COMPARED
        case Absence():
            return ABSENT
        case _:
            return 1.0
