"""Aggregates over groups by a sweep over time: elements enter and leave, the values change then. All compiled.

Elements are rows (group, element, first, last), gained or lost. Every border of an interval is an *event* of its
group, in a heap by time; a group is swept up to the time that is evaluated. A value is published up to the next known
event, and an *alarm* makes sure that the group is looked at then: a new element costs the events that have come, not
those of the whole window. That a group has elements is published for ever, since it seldom ends.

The elements of a group may be of several *parts* (`#count{ B : bid(A,B,P) }` beside `#count{ B : bid(A,B,P), P < 9 }`),
and several functions may stand together in one *output*: what a rule asks of one group has one row at every time.

A distinct tuple enters and leaves as a whole, so sizes and sums need no memory of single elements; the smallest and the
largest are the first of those that have entered and not gone. Only small integers are swept: if another value is met,
or a sum that is no longer small, the sweep is UNFIT and its result is of no use.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from larspark.intervals.aggregates.events import await_event, await_row, next_event, taken_event, taken_row
from larspark.intervals.aggregates.extremes import enter_value, forget_gone, leave_value
from larspark.intervals.aggregates.heaps import END, RANK, VALUE, WEIGHT, give_back, taken
from larspark.intervals.aggregates.layout import (
    CURRENT,
    DIVISOR,
    ENTERED,
    EXTREME,
    EXTREMES,
    FUNCTIONS,
    HEAD,
    HIGH,
    INSIDE,
    LOSING,
    LOW,
    NEEDS,
    NODES,
    NUMBER,
    OUTPUTS,
    PAIR,
    PART,
    PARTS,
    PENDING,
    SEVERAL,
    SINCE,
    SLOTS,
    SUMMED,
    TOTAL,
    TOUCHED,
    UNFIT,
    function_at,
    output_at,
    value_place,
)
from larspark.intervals.aggregates.slots import admit, doubt_all, reserve_nodes, wake_due
from larspark.intervals.aggregates.stretches import no_losses, piece_size, publish
from larspark.intervals.aggregates.walk import ended, go_on, touched, twice_the_room
from larspark.intervals.compiled import inlined, inner_kernel, kernel
from larspark.intervals.rules.arithmetic import INLINE, MISSING
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.addresses import borrowed, borrowed_rows, table_at
from larspark.intervals.tables.storage import ENTRIES, META, NONE, WIDTH, Column, Rows, lent

PRESENT, COUNT, SUM, AVG, MIN, MAX = 0, 1, 2, 3, 4, 5
"""The functions; PRESENT asks whether there are elements."""

NEEDED = {COUNT: 0, SUM: SUMMED, AVG: SUMMED, MIN: LOW, MAX: HIGH}


def asked_of(parts: int, outputs: Sequence[Sequence[tuple[int, int]]]) -> Column:
    """Outputs, of functions of parts, as a sweep reads them; before them stands that there are elements."""
    functions = sorted({function for output in outputs for function in output})
    needs = [0] * parts
    for part, kind in functions:
        needs[part] |= NEEDED[kind]
    widest = max(map(len, outputs), default=1)
    told = [parts, len(functions) + 1, len(outputs) + 1, widest, 0, 0, *needs, 0, PRESENT]
    for function in functions:
        told += function
    told += [1, 0, *[0] * (widest - 1)]
    for output in outputs:
        told += [len(output), *(1 + functions.index(function) for function in output), *[0] * (widest - len(output))]
    return np.array(told, np.int64)


@kernel
def sweep_at(
    state_at: int, groups_at: int, gained: Rows, lost: Rows, asked: Column, until: int, horizon: int, whole: int
) -> tuple[Rows, Rows, Column, Rows]:
    """Follow changed elements, and the time up to `until`; see `slots` for what is `asked`.

    A row is a group, a value, the number of its part if there are several, the rest of the tuple, and an interval.
    Returns rows (group, values, first, last), for every output those gained and then those lost; the divisors of
    averages; where these blocks begin; and the groups that have changed before what was followed. They are forgotten:
    all their elements must be given anew, as `whole` groups.
    """
    state, groups = table_at(state_at), table_at(groups_at)
    head, asked, arriving = lent(state, HEAD), borrowed(asked), borrowed_rows(gained)
    changed = gained.shape[0] + lost.shape[0]
    needs = 0
    for part in range(asked[PARTS]):
        needs |= asked[NEEDS + part]
    # An event that has come leaves its node to a value; a second one is needed for the smallest beside the largest.
    both = needs & (LOW | HIGH) == LOW | HIGH
    reserve_nodes(state, 3 * changed + (head[PENDING] + 2 * changed if both else 0), asked)
    if lost.shape[0] and not head[LOSING]:
        head[LOSING] = 1
        if needs & (LOW | HIGH):  # that values go at the end they came with was wrong
            doubt_all(state, groups)
    links, width = np.empty(gained.shape[0], np.int64), lent(groups, META)[WIDTH]
    for weight in (1, -1):
        rows = arriving if weight > 0 else borrowed_rows(lost)
        if rows.shape[0]:
            places = admit(state, groups, rows, asked, whole)
            _record(lent(state, NODES), lent(state, SLOTS), head, width, rows, links, places, weight, asked, until)
    nodes, slots, entries, meta = lent(state, NODES), lent(state, SLOTS), lent(groups, ENTRIES), lent(groups, META)
    wake_due(nodes, slots, head, until)
    losses = no_losses(asked)
    values = np.empty(PAIR * asked[FUNCTIONS], np.int64)
    pieces = np.empty((changed + 16) * asked[OUTPUTS] * piece_size(asked), np.int64)
    count = 0
    while head[TOUCHED] != NONE and not head[UNFIT]:
        count = _follow(
            nodes, slots, head, entries, meta, arriving, links, asked, until, horizon, values, losses, pieces, count
        )
        if head[TOUCHED] != NONE:
            pieces = twice_the_room(pieces, count)
    return ended(state, groups, pieces[:count], asked)


@inner_kernel
def _record(
    nodes: Column,
    slots: Column,
    head: Column,
    width: int,
    rows: Rows,
    links: Column,
    places: Column,
    weight: int,
    asked: Column,
    until: int,
) -> None:
    """Let the rows, or their borders, wait for their time; `places` are the slots of their groups."""
    last, links, places = rows.shape[1] - 1, borrowed(links), borrowed(places)
    for row in range(rows.shape[0]):
        part = rows[row, width + 1] >> 1 if asked[PARTS] > 1 else 0
        if asked[NEEDS + part] and rows[row, width] & 1:
            head[UNFIT] = 1
        if weight > 0 and await_row(slots, places[row], rows, links, row, until):
            continue
        for border in range(2 if rows[row, last] < FOREVER else 1):
            node = _border(nodes, head, rows, row, width, weight * (part + 1), border)
            await_event(nodes, slots, head, places[row], node)


@inlined
def _border(nodes: Column, head: Column, rows: Rows, row: int, width: int, weight: int, border: int) -> int:
    """A node for the first or last border of a row."""
    node, last = taken(nodes, head), rows[row, rows.shape[1] - 1]
    nodes[node + RANK] = last + 1 if border else rows[row, rows.shape[1] - 2]
    nodes[node + END] = FOREVER if head[LOSING] else last
    nodes[node + WEIGHT] = -weight if border else weight
    nodes[node + VALUE] = rows[row, width] >> 1
    return node


@inner_kernel
def _follow(
    nodes: Column,
    slots: Column,
    head: Column,
    entries: Column,
    meta: Column,
    rows: Rows,
    links: Column,
    asked: Column,
    until: int,
    horizon: int,
    values: Column,
    losses: Column,
    pieces: Column,
    count: int,
) -> int:
    """Sweep the touched groups, as far as there is room for pieces; return where the pieces end."""
    nodes, slots, head, asked = borrowed(nodes), borrowed(slots), borrowed(head), borrowed(asked)
    entries, meta, rows, links = borrowed(entries), borrowed(meta), borrowed_rows(rows), borrowed(links)
    values, losses, pieces = borrowed(values), borrowed(losses), borrowed(pieces)
    outputs, width = asked[OUTPUTS], meta[WIDTH]
    most = 3 * outputs * piece_size(asked)  # of one moment, or at the end
    slot = touched(slots, head)
    while slot != NONE:
        time = next_event(nodes, slots, slot, rows)
        while time <= until and count + most <= pieces.shape[0]:
            _pass_moment(nodes, slots, head, slot, rows, links, width, time, asked)
            if _look_at_values(nodes, slots, slot, asked, values):
                for output in range(outputs):
                    if _differs(slots, asked, slot, output, values):
                        count = publish(slots, asked, slot, output, time - 1, horizon, losses, pieces, count)
                for place in range(PAIR * asked[FUNCTIONS]):
                    slots[value_place(asked, slot, 0) + place] = values[place]
            time = next_event(nodes, slots, slot, rows)
        if head[UNFIT] or count + most > pieces.shape[0]:
            return count
        count = go_on(nodes, slots, head, entries, meta, asked, slot, time, horizon, 0, losses, pieces, count)
        slot = touched(slots, head)
    return count


@inlined
def _look_at_values(nodes: Column, slots: Column, slot: int, asked: Column, values: Column) -> bool:
    """Put down the values of all functions now; whether any is another than before."""
    known, different = value_place(asked, slot, 0), False
    for function in range(asked[FUNCTIONS]):
        at, place = function_at(asked, function), PAIR * function
        value, divisor = _value(nodes, slots, slot, slot + SEVERAL + PART * asked[at], asked[at + 1])
        values[place + CURRENT], values[place + DIVISOR] = value, divisor
        different |= slots[known + place + CURRENT] != value or slots[known + place + DIVISOR] != divisor
    return different


@inlined
def _differs(slots: Column, asked: Column, slot: int, output: int, values: Column) -> bool:
    """Whether a function of an output has another value than before."""
    at = output_at(asked, output)
    found = False
    for place in range(at + 1, at + 1 + asked[at]):
        known, fresh = value_place(asked, slot, asked[place]), PAIR * asked[place]
        if slots[known + CURRENT] != values[fresh + CURRENT] or slots[known + DIVISOR] != values[fresh + DIVISOR]:
            found = True
            break
    return found


@inlined
def _pass_moment(
    nodes: Column,
    slots: Column,
    head: Column,
    slot: int,
    rows: Rows,
    links: Column,
    width: int,
    time: int,
    asked: Column,
) -> None:
    """Let everything enter and leave that does so at this time."""
    row = taken_row(slots, slot, rows, links, time)
    while row != NONE:
        place = rows[row, width + 1] >> 1 if asked[PARTS] > 1 else 0
        part, needs = slot + SEVERAL + PART * place, asked[NEEDS + place]
        _add(slots, head, slot, part, needs, 1, rows[row, width] >> 1)
        if needs & (LOW | HIGH):
            node = _border(nodes, head, rows, row, width, 1, 0)
            enter_value(nodes, slots, head, part + EXTREMES, node, needs)
        if rows[row, rows.shape[1] - 1] < FOREVER:
            node = _border(nodes, head, rows, row, width, place + 1, 1)
            await_event(nodes, slots, head, slot, node)
        row = taken_row(slots, slot, rows, links, time)
    node = taken_event(nodes, slots, head, slot, time)
    while node != NONE:
        weight = 1 if nodes[node + WEIGHT] > 0 else -1
        place = abs(nodes[node + WEIGHT]) - 1
        part, needs = slot + SEVERAL + PART * place, asked[NEEDS + place]
        _add(slots, head, slot, part, needs, weight, nodes[node + VALUE])
        if not needs & (LOW | HIGH):
            give_back(nodes, head, node)
        elif weight > 0:
            enter_value(nodes, slots, head, part + EXTREMES, node, needs)
        else:
            leave_value(nodes, slots, head, part + EXTREMES, node, needs)
        node = taken_event(nodes, slots, head, slot, time)
    slots[slot + SINCE] = time
    for place in range(asked[PARTS]):
        if asked[NEEDS + place] & (LOW | HIGH):
            part = slot + SEVERAL + PART * place
            forget_gone(nodes, slots, head, part + EXTREMES, slots[part + NUMBER], time)


@inlined
def _add(slots: Column, head: Column, slot: int, part: int, needs: int, weight: int, value: int) -> None:
    """Count an element that enters or leaves, and add its value up if that is asked for."""
    slots[slot + INSIDE] += weight
    slots[part + NUMBER] += weight
    if needs & SUMMED:
        slots[part + TOTAL] += weight * value
        if not -INLINE < slots[part + TOTAL] < INLINE:
            head[UNFIT] = 1
            slots[part + TOTAL] = 0


@inlined
def _value(nodes: Column, slots: Column, slot: int, part: int, function: int) -> tuple[int, int]:
    """The code of a function's value now, MISSING when there are no elements; an average is a reduced fraction.

    Of a part without elements in a group that has some, number and sum are 0.
    """
    value, divisor = MISSING, 0
    if slots[slot + INSIDE] > 0:
        if function == PRESENT:
            value = 0
        elif function == COUNT:
            value = slots[part + NUMBER] << 1
        elif function == SUM:
            value = slots[part + TOTAL] << 1
        elif slots[part + NUMBER] > 0:
            if function == MIN:
                value = nodes[slots[part + EXTREMES + ENTERED] + RANK] << 1
            elif function == MAX:
                value = -nodes[slots[part + EXTREMES + EXTREME + ENTERED] + RANK] << 1
            else:
                value, divisor = slots[part + TOTAL], slots[part + NUMBER]
                common, rest = divisor, abs(value)
                while rest:
                    common, rest = rest, common % rest
                value, divisor = value // common, divisor // common
    return value, divisor
