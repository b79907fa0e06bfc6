"""Aggregates over groups: changed elements in, changed values out.

Integers, and decimals as integers of a small unit, are swept by compiled code. The first other value that must be
compared or added up makes the outputs that look at values exact from then on (`exact_aggregation`); counting goes on as
it was.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from larspark.intervals.aggregates import layout, slots, sweep
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.addresses import address_of
from larspark.intervals.tables.lists import column
from larspark.intervals.tables.storage import Rows, new_table, passing_table
from larspark.intervals.tables.table import absorb
from larspark.reasoners.interval.network import Aggregated, Asked
from larspark.reasoners.interval.operators.exact_aggregation import exact_aggregation
from larspark.reasoners.interval.operators.exact_groups import ExactGroups
from larspark.reasoners.interval.operators.feeding import stored_elements
from larspark.reasoners.interval.operators.revising import Moved, revised
from larspark.reasoners.interval.operators.scaling import Scale
from larspark.reasoners.interval.state.tables import Tables

FUNCTIONS = {"count": sweep.COUNT, "sum": sweep.SUM, "avg": sweep.AVG, "min": sweep.MIN, "max": sweep.MAX}

Output = tuple[Asked, ...]


class Sweep:
    """Outputs of an aggregate that are swept."""

    def __init__(self, node: Aggregated, outputs: Iterable[Output], scale: Scale) -> None:
        self._outputs = tuple(outputs)
        self.targets = [node.target, *(node.values[output] for output in self._outputs)]
        self._asked = sweep.asked_of(
            node.parts, [[(part, FUNCTIONS[name]) for part, name in output] for output in self._outputs]
        )
        self._widest = int(self._asked[layout.WIDEST])
        self._needs = self._asked[layout.NEEDS : layout.NEEDS + node.parts] != 0
        self._needing = self._needs.astype(np.int64)
        self.scale, self._group, self._part = scale, node.group, node.group + 1 if node.parts > 1 else -1
        self._state, self._groups = slots.new_sweep(), new_table(node.group, [])
        self._places = address_of(self._state), address_of(self._groups)
        self._head = column(self._state, layout.HEAD)  # this array is never replaced
        self._nothing = np.empty((0, node.source.width + 2), np.int64)
        self._unfit = False

    @property
    def next_alarm(self) -> int:
        return int(self._head[layout.NEXT_ALARM])

    @property
    def unfit(self) -> bool:
        """A value was met that cannot be swept; nothing that came out since is right."""
        return self._unfit or bool(self._head[layout.UNFIT])

    def change(
        self, gained: Rows | None, lost: Rows | None, until: int, horizon: int, *, whole: bool = False
    ) -> tuple[list[Moved], Rows]:
        """What has changed; and groups that changed before what was followed: `whole` groups must be given anew."""
        rows, divisors, starts, late = sweep.sweep_at(
            *self._places, self._prepared(gained), self._prepared(lost), self._asked, until, horizon, int(whole)
        )
        bounds = starts.tolist()
        moved: list[Moved] = []
        for place, target in enumerate(self.targets):
            begin, middle, end = bounds[2 * place : 2 * place + 3]
            if begin == end:
                continue
            if place:
                found = self._decoded(self._outputs[place - 1], rows[begin:end], divisors[begin:end])
            else:
                found = self._without(rows[begin:end], 0)
            moved.append((target, found[: middle - begin], found[middle - begin :]))
        return moved, late

    def _prepared(self, rows: Rows | None) -> Rows:
        """The rows with values in units, where values matter."""
        if rows is None:
            return self._nothing
        if not self.scale.digits:  # the sweep itself sees what is no integer
            return rows
        scaled = self.scale.scaled(rows, self._group, self._part, self._needing)
        self._unfit |= scaled is None
        return self._nothing if scaled is None else scaled

    def finer(self, elements: Rows) -> Scale | None:
        """A scale for the values of these elements, if there is one and it is another."""
        return self.scale.finer(elements[looked_at(elements, self._group, self._needs), self._group])

    def _decoded(self, output: Output, rows: Rows, divisors: Rows) -> Rows:
        """The rows of an output with the codes of values."""
        for place, (_, function) in enumerate(output):
            at = self._group + place
            if function == "avg":
                rows[:, at] = self.scale.quotients(rows[:, at], divisors[:, place])
            elif function != "count" and self.scale.digits:
                self.scale.put_codes(rows, at)
        return rows if len(output) == self._widest else self._without(rows, len(output))

    def _without(self, rows: Rows, columns: int) -> Rows:
        """The rows with so many columns of values."""
        kept = [*range(self._group + columns), *range(self._group + self._widest, rows.shape[1])]
        return np.ascontiguousarray(rows[:, kept])


def looked_at(rows: Rows, group: int, needs: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_] | slice:
    """The rows of parts whose values matter."""
    return slice(None) if needs.all() else needs[rows[:, group + 1] >> 1]


class Aggregation:
    """All functions of an aggregate as an exact operator."""

    def __init__(self, node: Aggregated, tables: Tables, start: int) -> None:
        self.node = node
        self._tables = tables
        self._start = start
        self._sweep = Sweep(node, node.values, Scale(tables))
        self._exact: ExactGroups | None = None

    @property
    def next_alarm(self) -> int:
        """When a value may change next if nothing arrives."""
        exact = FOREVER + 1 if self._exact is None else self._exact.next_alarm
        return min(self._sweep.next_alarm, exact, FOREVER + 1)

    def change(self, gained: Rows | None, lost: Rows | None, until: int) -> list[Moved]:
        if gained is None and lost is None and self.next_alarm > until:
            return []
        moved, late = self._sweep.change(gained, lost, until, self._tables.horizon)
        if self._sweep.unfit:
            return self._begun_anew(until)
        if len(late):
            moved += self._corrected(late, until)
            if self._sweep.unfit:
                return self._begun_anew(until)
        return moved if self._exact is None else moved + self._exact.change(gained, lost, until)

    def _corrected(self, late: Rows, until: int) -> list[Moved]:
        """Sweep groups anew from all their elements."""
        keys = passing_table(self.node.group)
        absorb(keys, late, -FOREVER)
        elements = slots.rows_of(keys, stored_elements(self.node, self._tables))
        moved, _ = self._sweep.change(elements, None, until, self._tables.horizon, whole=True)
        now = {target: rows for target, rows, _ in moved}
        return [
            revised(target, slots.rows_of(keys, self._tables.content(target)), now.get(target), self._tables.horizon)
            for target in self._sweep.targets
        ]

    def _begun_anew(self, until: int) -> list[Moved]:
        """Compute everything anew: in smaller units, or with what looks at values left to exact computation."""
        node, elements = self.node, stored_elements(self.node, self._tables)
        moved: list[Moved] = []
        finer = self._sweep.finer(elements)
        if finer is not None:
            self._sweep = Sweep(node, node.values, finer)
            moved, _ = self._sweep.change(elements, None, until, self._tables.horizon, whole=True)
        if self._sweep.unfit:
            counting = [output for output in node.values if all(asked.function == "count" for asked in output)]
            self._sweep = Sweep(node, counting, Scale(self._tables))
            others = [output for output in node.values if output not in counting]
            self._exact = exact_aggregation(node, others, self._tables, self._start)
            moved, _ = self._sweep.change(elements, None, until, self._tables.horizon, whole=True)
            moved += self._exact.change(elements, None, until)
        now = {target: rows for target, rows, _ in moved}
        return [
            revised(target, self._tables.content(target), now.get(target), self._tables.horizon)
            for target in (node.target, *node.values.values())
        ]
