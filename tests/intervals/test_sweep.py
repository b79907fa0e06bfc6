"""The compiled sweep of aggregates against recounting every group at every time point."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from larspark.intervals.aggregates.heaps import NODE
from larspark.intervals.aggregates.layout import (
    FREE_SLOT,
    HEAD,
    LINK,
    NEXT_ALARM,
    PENDING,
    SLOTS,
    SLOTS_USED,
    UNFIT,
)
from larspark.intervals.aggregates.slots import new_sweep, rows_of
from larspark.intervals.aggregates.sweep import AVG, COUNT, MAX, MIN, PRESENT, SUM, asked_of, sweep_at
from larspark.intervals.rules.arithmetic import INLINE
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.addresses import address_of
from larspark.intervals.tables.lists import column
from larspark.intervals.tables.storage import NONE, SIZE, Rows, content, new_table
from larspark.intervals.tables.table import absorb, remove
from support.tiers import partly

Row = tuple[int, ...]
Points = set[Row]
"""(group, element…, time) or (group, value, divisor, time)."""

END = 14
"""Time points from here on are looked at as one: what holds there holds for ever."""

FUNCTIONS = (PRESENT, COUNT, SUM, AVG, MIN, MAX)


Output = tuple[tuple[int, int], ...]
"""Functions of parts."""

ELEMENTS: Output = ((0, PRESENT),)


class Machine:
    """A sweep with the table of its elements, as an engine keeps it."""

    def __init__(self, outputs: Iterable[Output], parts: int = 1, width: int = 3) -> None:
        self.outputs = [ELEMENTS, *outputs]
        self.asked = asked_of(parts, self.outputs[1:])
        self.elements = new_table(width, [])
        self.state, self.groups = new_sweep(), new_table(1, [])
        self.published: dict[Output, Points] = {output: set() for output in self.outputs}
        self.head = column(self.state, HEAD)

    def step(self, plus: list[Row], minus: list[Row], until: int) -> Rows:
        width = 5
        lost = remove(self.elements, np.array(minus, np.int64).reshape(-1, width))
        gained = absorb(self.elements, np.array(plus, np.int64).reshape(-1, width), -FOREVER)
        return self._swept(gained, lost, until, whole=False)

    def correct(self, late: Rows, until: int) -> None:
        """Sweep groups anew from all their elements."""
        keys = new_table(1, [])
        absorb(keys, late, -FOREVER)
        groups = set(late[:, 0].tolist())
        for output, known in self.published.items():
            self.published[output] = {point for point in known if point[0] not in groups}
        elements = rows_of(keys, content(self.elements))
        assert not len(self._swept(elements, elements[:0], until, whole=True))

    def _swept(self, gained: Rows, lost: Rows, until: int, *, whole: bool) -> Rows:
        rows, divisors, starts, late = sweep_at(
            address_of(self.state), address_of(self.groups), gained, lost, self.asked, until, -FOREVER, int(whole)
        )
        bounds = starts.tolist()
        for place, output in enumerate(self.outputs):
            known, columns = self.published[output], len(output)
            begin, middle, end = bounds[2 * place : 2 * place + 3]
            more, less = (
                _points(rows[begin:middle], divisors[begin:middle], columns),
                _points(rows[middle:end], divisors[middle:end], columns),
            )
            assert not more & less, "what is gained is not lost"
            assert less <= known, "only what was published is lost"
            assert not more & known, "only what was not published is gained"
            self.published[output] = known - less | more
        return late


def _points(rows: Rows, divisors: Rows, columns: int) -> Points:
    found: Points = set()
    for (group, *values, first, last), divided in zip(rows.tolist(), divisors.tolist(), strict=True):
        worths = tuple(worth for pair in zip(values[:columns], divided[:columns], strict=True) for worth in pair)
        points = {(group, *worths, time) for time in range(first, min(last, END) + 1)}
        assert not found & points, "pieces do not overlap"
        found |= points
    return found


def _recounted(present: Points, output: Output, parts: int, until: int) -> Points:
    """The values of all groups up to a time, element by element."""
    found: Points = set()
    for time in range(until + 1):
        for group in {row[0] for row in present if row[-1] == time}:
            inside = [row for row in present if row[0] == group and row[-1] == time]
            worths: list[int] = []
            for part, function in output:
                values = [row[1] >> 1 for row in inside if function == PRESENT or parts == 1 or row[2] >> 1 == part]
                worths += _value(function, values) or ()
            if len(worths) == 2 * len(output):
                found.add((group, *worths, time))
    return found


def _value(function: int, values: list[int]) -> tuple[int, int] | None:
    if not values and function in (AVG, MIN, MAX):
        return None
    match function:
        case 0:
            return 0, 0
        case 1:
            return len(values) << 1, 0
        case 2:
            return sum(values) << 1, 0
        case 3:
            common = gcd(sum(values), len(values))
            return sum(values) // common, len(values) // common
        case 4:
            return min(values) << 1, 0
    return max(values) << 1, 0


changes = st.tuples(
    st.booleans(),  # gained or lost
    st.integers(0, 2),  # group
    st.integers(-2, 3),  # value
    st.integers(0, 1),  # another term
    st.integers(0, 3),  # begins so long after the last time evaluated
    st.sampled_from([0, 1, 2, 5, FOREVER]),  # and lasts so long
)
chunks = st.lists(st.tuples(st.integers(1, 3), st.lists(changes, max_size=6)), min_size=1, max_size=4)


functions = st.tuples(st.integers(0, 1), st.sampled_from(FUNCTIONS[1:]))
outputs = st.sets(st.lists(functions, min_size=1, max_size=4).map(tuple), max_size=3)


@partly(600)
@given(chunks, st.integers(1, 2), outputs)
def test_values_are_those_of_a_recount(
    stream: list[tuple[int, list[tuple[int, ...]]]], parts: int, asked: set[Output]
) -> None:
    """The other term of an element is its part, where there are several."""
    machine = Machine({tuple((part % parts, kind) for part, kind in output) for output in asked}, parts)
    present: Points = set()
    until = -1
    for step, chunk in stream:
        moves: dict[int, dict[Row, tuple[int, int]]] = {0: {}, 1: {}}
        for gained, group, value, term, delay, length in chunk:
            first = until + 1 + delay
            last = min(first + length, FOREVER)
            moves[gained][group, value << 1, term << 1] = first, last
        for gained in (0, 1):
            for key, (first, last) in moves[gained].items():
                points = {(*key, time) for time in range(first, min(last, END) + 1)}
                present = present | points if gained else present - points
        until += step
        minus, plus = ([(*key, *span) for key, span in moves[gained].items()] for gained in (0, 1))
        machine.correct(machine.step(plus, minus, until), until)
        for output, published in machine.published.items():
            known = {point for point in published if point[-1] <= until}
            assert known == _recounted(present, output, parts, until), (output, until)


def test_a_change_of_the_past_is_handed_back() -> None:
    machine = Machine([((0, MIN),), ((0, MAX),)])
    machine.step([(7, 2, 0, 3, 9)], [], 5)
    late = machine.step([(7, 4, 0, 2, 4), (8, 4, 0, 2, 9)], [], 6)
    assert late.tolist() == [[7, 0, 0]]
    assert column(machine.state, SLOTS)[LINK + machine.head[FREE_SLOT]] == NONE, "its slot is free again"


def test_groups_that_are_over_leave_nothing_behind() -> None:
    machine = Machine([((0, function),) for function in FUNCTIONS[1:]])
    for time in range(5_000):
        machine.step([(time, time % 7 << 1, 0, time, time + 3), (-1, time % 5 << 1, 0, time, time)], [], time)
    head = machine.head
    assert head[PENDING] <= 8
    assert head[SLOTS_USED] <= 8 * 44
    assert head[0] <= NODE * 200, "nodes are used again"
    assert column(machine.groups, 0)[SIZE] < 3_000


def test_the_alarm_is_the_next_event() -> None:
    machine = Machine([((0, COUNT),)])
    machine.step([(1, 2, 0, 0, 4), (2, 2, 0, 0, 6)], [], 0)
    assert machine.head[NEXT_ALARM] == 5
    machine.step([], [], 5)
    assert machine.head[NEXT_ALARM] == 7
    machine.step([], [], 7)
    assert machine.head[NEXT_ALARM] > FOREVER


def test_sums_that_are_not_small_are_refused() -> None:
    large = (INLINE - 1) << 1
    for asked, unfit in ((SUM, 1), (AVG, 1), (MAX, 0), (COUNT, 0)):
        machine = Machine([((0, asked),)])
        machine.step([(1, large, 0, 0, 4)], [], 0)
        assert not machine.head[UNFIT]
        machine.step([(1, 2, 0, 1, 4)], [], 1)
        assert machine.head[UNFIT] == unfit, asked


def test_values_that_are_no_small_integers_are_refused_where_they_matter() -> None:
    for function, unfit in ((COUNT, 0), (SUM, 1), (MIN, 1)):
        machine = Machine([((0, function),)])
        machine.step([(1, 3, 0, 0, 4)], [], 0)
        assert machine.head[UNFIT] == unfit, function
