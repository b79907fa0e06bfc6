"""Aggregates over groups: changed elements in, changed values out.

Small integers are swept by compiled code. The first other value that must be compared or added up makes the functions
that look at values exact from then on (`exact_aggregation`); counting goes on as it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

import numpy as np

from larspark.intervals import slots, sweep
from larspark.intervals.addresses import address_of
from larspark.intervals.lists import column
from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import Rows, new_table, passing_table
from larspark.intervals.table import absorb, outside
from larspark.language.values import calculate
from larspark.reasoners.interval.network import Aggregated, Relation
from larspark.reasoners.interval.operators.exact_aggregation import ExactAggregation
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.reasoners.interval.state.tables import Tables

FUNCTIONS = {"count": sweep.COUNT, "sum": sweep.SUM, "avg": sweep.AVG, "min": sweep.MIN, "max": sweep.MAX}

Moved = tuple[Relation, Rows, Rows]
"""A relation with the rows it gains and loses."""


class Sweep:
    """Functions of an aggregate that are swept."""

    def __init__(self, node: Aggregated, functions: Iterable[str], dictionary: Dictionary) -> None:
        numbers = {FUNCTIONS[name]: node.values[name] for name in functions}
        self._targets = [(sweep.PRESENT, node.target), *sorted(numbers.items())]
        self._asked = np.array([number for number, _ in self._targets], np.int64)
        self._group, self._dictionary = node.group, dictionary
        self._state, self._groups = slots.new_sweep(), new_table(node.group, [])
        self._places = address_of(self._state), address_of(self._groups)
        self._head = column(self._state, slots.HEAD)  # this array is never replaced
        self._nothing = np.empty((0, node.source.width + 2), np.int64)

    @property
    def targets(self) -> list[Relation]:
        return [target for _, target in self._targets]

    @property
    def next_alarm(self) -> int:
        return int(self._head[slots.NEXT_ALARM])

    @property
    def unfit(self) -> bool:
        """A value was met that cannot be swept; nothing that came out since is right."""
        return bool(self._head[slots.UNFIT])

    def change(
        self, gained: Rows | None, lost: Rows | None, until: int, horizon: int, *, whole: bool = False
    ) -> tuple[list[Moved], Rows]:
        """What has changed; and groups that changed before what was followed: `whole` groups must be given anew."""
        plus = self._nothing if gained is None else gained
        minus = self._nothing if lost is None else lost
        rows, divisors, starts, late = sweep.sweep_at(
            *self._places, plus, minus, self._asked, until, horizon, int(whole)
        )
        bounds = starts.tolist()
        moved: list[Moved] = []
        for place, (function, target) in enumerate(self._targets):
            begin, middle, end = bounds[2 * place : 2 * place + 3]
            if begin == end:
                continue
            if function == sweep.AVG:
                rows[begin:end, self._group] = self._averages(rows[begin:end], divisors[begin:end].tolist())
            found = rows[begin:end] if function != sweep.PRESENT else np.delete(rows[begin:end], self._group, axis=1)
            moved.append((target, found[: middle - begin], found[middle - begin :]))
        return moved, late

    def _averages(self, rows: Rows, divisors: list[int]) -> list[int]:
        """The codes of fractions; division is the business of decimals."""
        encode = self._dictionary.encode
        fractions = zip(rows[:, self._group].tolist(), divisors, strict=True)
        return [encode(calculate("/", Decimal(total), Decimal(size))) for total, size in fractions]


class Aggregation:
    """All functions of an aggregate as an exact operator."""

    def __init__(self, node: Aggregated, tables: Tables, start: int) -> None:
        self.node = node
        self._tables = tables
        self._start = start
        self._sweep = Sweep(node, node.values, tables.dictionary)
        self._exact: list[ExactAggregation] = []

    @property
    def next_alarm(self) -> int:
        """When a value may change next if nothing arrives."""
        return min(self._sweep.next_alarm, *(exact.next_alarm for exact in self._exact), FOREVER + 1)

    def change(self, gained: Rows | None, lost: Rows | None, until: int) -> list[Moved]:
        if gained is None and lost is None and self.next_alarm > until:
            return []
        moved, late = self._sweep.change(gained, lost, until, self._tables.horizon)
        if len(late):
            moved += self._corrected(late, until)
        if self._sweep.unfit:
            return self._begun_exactly(until)
        return moved + [exact.change(gained, lost, until) for exact in self._exact]

    def _corrected(self, late: Rows, until: int) -> list[Moved]:
        """Sweep groups anew from all their elements."""
        keys = passing_table(self.node.group)
        absorb(keys, late, -FOREVER)
        elements = slots.rows_of(keys, self._tables.content(self.node.source))
        moved, _ = self._sweep.change(elements, None, until, self._tables.horizon, whole=True)
        now = {target: rows for target, rows, _ in moved}
        return [
            self._difference(target, slots.rows_of(keys, self._tables.content(target)), now.get(target))
            for target in self._sweep.targets
        ]

    def _begun_exactly(self, until: int) -> list[Moved]:
        """Leave what looks at values to exact computation, and compute everything anew."""
        functions = self.node.values.keys()
        self._sweep = Sweep(self.node, functions & {"count"}, self._tables.dictionary)
        self._exact = [
            ExactAggregation(self.node, name, self._tables, self._start) for name in functions if name != "count"
        ]
        elements = self._tables.content(self.node.source)
        moved, _ = self._sweep.change(elements, None, until, self._tables.horizon, whole=True)
        moved += [exact.change(elements, None, until) for exact in self._exact]
        now = {target: rows for target, rows, _ in moved}
        return [
            self._difference(target, self._tables.content(target), now.get(target))
            for target in (self.node.target, *self.node.values.values())
        ]

    def _difference(self, target: Relation, before: Rows, now: Rows | None) -> Moved:
        """From the rows that were there to those that are to be there, as far as they still matter."""
        then = before[before[:, -1] >= self._tables.horizon]
        np.maximum(then[:, -2], self._tables.horizon, out=then[:, -2])
        wanted = then[:0] if now is None else now
        return target, outside(wanted, then), outside(then, wanted)
