"""The first tuples of groups, in order: changed elements in, changed ranks out.

Tuples of small integers are ranked by compiled code; from the first other value on they are ranked exactly.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.aggregates import layout, ranks, slots
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.addresses import address_of
from larspark.intervals.tables.lists import column
from larspark.intervals.tables.storage import Rows, new_table, passing_table
from larspark.intervals.tables.table import absorb
from larspark.reasoners.interval.network import Listed
from larspark.reasoners.interval.operators.exact_groups import ExactGroups
from larspark.reasoners.interval.operators.exact_listing import OrderedGroup
from larspark.reasoners.interval.operators.feeding import stored_elements
from larspark.reasoners.interval.operators.revising import Moved, revised
from larspark.reasoners.interval.state.tables import Tables

MOST_NUMBERS = 512
"""In the list of a group: there is room for all of them from the beginning, and all are looked at in every step."""


class RankSweep:
    """Lists that are swept."""

    def __init__(self, node: Listed, tables: Tables) -> None:
        self._node = node
        self._width = node.source.width - node.group
        self._asked = ranks.asked_of_list(node.limit, self._width, descending=node.descending)
        self._numbers = np.array([tables.dictionary.encode(number) for number in range(node.limit)], np.int64)
        self._state, self._groups = slots.new_sweep(), new_table(node.group, [])
        self._places = address_of(self._state), address_of(self._groups)
        self._head = column(self._state, layout.HEAD)  # this array is never replaced
        self._nothing = np.empty((0, node.source.width + 2), np.int64)

    @property
    def next_alarm(self) -> int:
        return int(self._head[layout.NEXT_ALARM])

    @property
    def unfit(self) -> bool:
        """A value was met that cannot be swept; nothing that came out since is right."""
        return bool(self._head[layout.UNFIT])

    def change(
        self, gained: Rows | None, lost: Rows | None, until: int, horizon: int, *, whole: bool = False
    ) -> tuple[Rows, Rows, Rows]:
        """Rows gained and lost; and groups that changed before what was followed: `whole` groups must be given anew."""
        plus, minus = (self._nothing if rows is None else rows for rows in (gained, lost))
        rows, starts, late = ranks.rank_at(*self._places, plus, minus, self._asked, until, horizon, int(whole))
        counts = np.diff(starts).reshape(-1, 2)[1:]  # the first output says that there are elements
        group = self._node.group
        told = np.empty((len(rows), rows.shape[1] + 1), np.int64)
        told[:, :group], told[:, group + 1 :] = rows[:, :group], rows[:, group:]
        told[:, group] = np.repeat(np.repeat(self._numbers, 2), counts.reshape(-1))
        losing = np.repeat(np.tile([False, True], len(counts)), counts.reshape(-1))
        return told[~losing], told[losing], late


class Listing:
    """The first tuples of every group as an exact operator."""

    def __init__(self, node: Listed, tables: Tables, start: int) -> None:
        self.node = node
        self._tables = tables
        self._start = start
        self._ranks: RankSweep | None = None
        self._exact: ExactGroups | None = None
        if node.limit * (node.source.width - node.group) <= MOST_NUMBERS:
            self._ranks = RankSweep(node, tables)
        else:
            self._exact = self._exactly()

    @property
    def next_alarm(self) -> int:
        """When a rank may change next if nothing arrives."""
        following = self._ranks or self._exact
        return FOREVER + 1 if following is None else min(following.next_alarm, FOREVER + 1)

    def change(self, gained: Rows | None, lost: Rows | None, until: int) -> list[Moved]:
        if self._exact is not None:
            return self._exact.change(gained, lost, until)
        if self._ranks is None or (gained is None and lost is None and self.next_alarm > until):
            return []
        plus, minus, late = self._ranks.change(gained, lost, until, self._tables.horizon)
        if self._ranks.unfit:
            return self._begun_anew(until)
        moved: list[Moved] = [(self.node.target, plus, minus)]
        return [*moved, self._corrected(self._ranks, late, until)] if len(late) else moved

    def _corrected(self, following: RankSweep, late: Rows, until: int) -> Moved:
        """Sweep groups anew from all their elements."""
        keys = passing_table(self.node.group)
        absorb(keys, late, -FOREVER)
        horizon, target = self._tables.horizon, self.node.target
        elements = slots.rows_of(keys, stored_elements(self.node, self._tables))
        now, _, _ = following.change(elements, None, until, horizon, whole=True)
        return revised(target, slots.rows_of(keys, self._tables.content(target)), now, horizon)

    def _begun_anew(self, until: int) -> list[Moved]:
        """Compute everything anew, exactly."""
        self._ranks, self._exact = None, self._exactly()
        found = self._exact.change(stored_elements(self.node, self._tables), None, until)
        now = next((rows for _, rows, _ in found), None)
        target = self.node.target
        return [revised(target, self._tables.content(target), now, self._tables.horizon)]

    def _exactly(self) -> ExactGroups:
        node, tables, start = self.node, self._tables, self._start
        return ExactGroups(
            node,
            lambda place: (node.target, (tables.dictionary.encode(place),)),
            lambda: OrderedGroup(node.limit, node.descending, tables.dictionary, start),
            tables,
            start,
        )
