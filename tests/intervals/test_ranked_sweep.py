"""The compiled sweep of ranked tuples against sorting every group at every time point."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from larspark.intervals.aggregates.layout import HEAD, PENDING, SLOTS_USED, UNFIT
from larspark.intervals.aggregates.ranks import asked_of_list, rank_at
from larspark.intervals.aggregates.slots import new_sweep
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.addresses import address_of
from larspark.intervals.tables.lists import column
from larspark.intervals.tables.storage import Rows, new_table
from larspark.intervals.tables.table import absorb, remove
from support.tiers import partly

Row = tuple[int, ...]
Points = set[Row]
"""(group, tuple…, time) or (group, place, tuple…, time)."""

END = 14
"""Time points from here on are looked at as one: what holds there holds for ever."""


class Lists:
    """A sweep with the table of its elements, as an engine keeps it."""

    def __init__(self, limit: int, *, descending: bool = False) -> None:
        self.limit, self.descending = limit, descending
        self.asked = asked_of_list(limit, 2, descending=descending)
        self.elements = new_table(3, [])
        self.state, self.groups = new_sweep(), new_table(1, [])
        self.published: Points = set()
        self.head = column(self.state, HEAD)

    def step(self, plus: list[Row], minus: list[Row], until: int) -> Rows:
        lost = remove(self.elements, np.array(minus, np.int64).reshape(-1, 5))
        gained = absorb(self.elements, np.array(plus, np.int64).reshape(-1, 5), -FOREVER)
        rows, starts, late = rank_at(
            address_of(self.state), address_of(self.groups), gained, lost, self.asked, until, -FOREVER, 0
        )
        bounds = starts.tolist()
        assert bounds[2] == 0, "nobody asks whether there are elements"
        for place in range(self.limit):
            begin, middle, end = bounds[2 * place + 2 : 2 * place + 5]
            more, less = _points(rows[begin:middle], place), _points(rows[middle:end], place)
            assert not more & less, "what is gained is not lost"
            assert less <= self.published, "only what was published is lost"
            assert not more & self.published, "only what was not published is gained"
            self.published = self.published - less | more
        return late

    def sorted_anew(self, present: Points, until: int) -> Points:
        """The lists of all groups up to a time."""
        found: Points = set()
        for time in range(until + 1):
            for group in {row[0] for row in present if row[-1] == time}:
                inside = [row[1:-1] for row in present if row[0] == group and row[-1] == time]
                listed = sorted(inside, reverse=self.descending)[: self.limit]
                found |= {(group, place, *one, time) for place, one in enumerate(listed)}
        return found


def _points(rows: Rows, place: int) -> Points:
    found: Points = set()
    for group, *values, first, last in rows.tolist():
        points = {(group, place, *values, time) for time in range(first, min(last, END) + 1)}
        assert not found & points, "pieces do not overlap"
        found |= points
    return found


changes = st.tuples(
    st.booleans(),  # gained or lost
    st.integers(0, 1),  # group
    st.integers(-2, 2),  # the first term
    st.integers(0, 2),  # another one
    st.integers(0, 3),  # begins so long after the last time evaluated
    st.sampled_from([0, 1, 2, 5, FOREVER]),  # and lasts so long
)
chunks = st.lists(st.tuples(st.integers(1, 3), st.lists(changes, max_size=9)), min_size=1, max_size=4)


@partly(600)
@given(chunks, st.integers(1, 3), st.booleans())
def test_lists_are_those_of_sorting(
    stream: list[tuple[int, list[tuple[int, ...]]]], limit: int, descending: bool
) -> None:
    lists = Lists(limit, descending=descending)
    present: Points = set()
    until = -1
    for step, chunk in stream:
        moves: dict[int, dict[Row, tuple[int, int]]] = {0: {}, 1: {}}
        for gained, group, value, term, delay, length in chunk:
            first = until + 1 + delay
            moves[gained][group, value << 1, term << 1] = first, min(first + length, FOREVER)
        for gained in (0, 1):
            for key, (first, last) in moves[gained].items():
                points = {(*key, time) for time in range(first, min(last, END) + 1)}
                present = present | points if gained else present - points
        until += step
        minus, plus = ([(*key, *span) for key, span in moves[gained].items()] for gained in (0, 1))
        assert not len(lists.step(plus, minus, until))
        known = {point for point in lists.published if point[-1] <= until}
        assert known == lists.sorted_anew(present, until), until


def test_tuples_behind_the_list_leave_nothing_behind() -> None:
    lists = Lists(2)
    for time in range(5_000):
        lists.step([(7, time % 89 << 1, time << 1, time, time + 20), (time, 2, 0, time, time + 3)], [], time)
    assert lists.head[PENDING] <= 30
    assert lists.head[SLOTS_USED] <= 8 * 40
    assert lists.head[0] <= 5 * 400, "nodes are used again"


def test_a_change_of_the_past_is_handed_back() -> None:
    lists = Lists(1)
    lists.step([(7, 2, 0, 3, 9), (7, 4, 0, 3, FOREVER)], [], 5)
    late = lists.step([(7, 4, 2, 2, 4), (8, 4, 0, 2, 9)], [], 6)
    assert late.tolist() == [[7, 0, 0]]
    assert {row[0] for row in lists.published if row[-1] == 6} >= {8}


def test_other_values_than_small_integers_are_refused() -> None:
    lists = Lists(1)
    lists.step([(7, 2, 3, 0, 9)], [], 0)
    assert lists.head[UNFIT]
