"""The first tuples of groups in order, by a sweep over time: every place of a list has its stretches. All compiled.

Elements are rows (group, tuple, first, last), gained or lost, and their borders events as in `sweep`. Only tuples of
small integers are swept: if another value is met, the sweep is UNFIT and its result is of no use.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.aggregates.events import await_event, await_row, next_event, taken_event, taken_row
from larspark.intervals.aggregates.heaps import NODE, RANK, SIBLING, VALUE, WEIGHT, taken
from larspark.intervals.aggregates.layout import (
    CURRENT,
    DESCENDING,
    HEAD,
    INSIDE,
    LIMIT,
    NODES,
    OUTPUTS,
    PAIR,
    SINCE,
    SLOTS,
    TOUCHED,
    TUPLES,
    UNFIT,
    WIDEST,
    list_place,
    value_place,
)
from larspark.intervals.aggregates.ordered import enter, leave, thin_out_tuples
from larspark.intervals.aggregates.slots import admit, reserve_nodes, wake_due
from larspark.intervals.aggregates.stretches import no_losses, piece_size, publish
from larspark.intervals.aggregates.walk import ended, go_on, touched, twice_the_room
from larspark.intervals.compiled import inlined, inner_kernel, kernel
from larspark.intervals.rules.arithmetic import MISSING
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.addresses import borrowed, borrowed_rows, table_at
from larspark.intervals.tables.storage import ENTRIES, META, NONE, WIDTH, Column, Rows, lent

LISTED = 0
"""What a place of a list asks of a tuple: its columns as they are."""


def asked_of_list(limit: int, width: int, *, descending: bool) -> Column:
    """A list of tuples with so many columns, as the groups of a sweep read it; the first output is of no use here."""
    told = [1, 1 + limit * width, 1 + limit, width, limit, int(descending), 0, *[0, LISTED] * (1 + limit * width)]
    told += [1, 0, *[0] * (width - 1)]
    for place in range(limit):
        told += [width, *range(1 + place * width, 1 + (place + 1) * width)]
    return np.array(told, np.int64)


@kernel
def rank_at(
    state_at: int, groups_at: int, gained: Rows, lost: Rows, asked: Column, until: int, horizon: int, whole: int
) -> tuple[Rows, Column, Rows]:
    """Follow changed elements, and the time up to `until`; see `slots` for what is `asked`.

    Returns rows (group, tuple, first, last), for every place of the lists those gained and then those lost, where these
    blocks begin, and the groups that have changed before what was followed: `sweep_at` says more.
    """
    state, groups = table_at(state_at), table_at(groups_at)
    head, asked, arriving = lent(state, HEAD), borrowed(asked), borrowed_rows(gained)
    changed = gained.shape[0] + lost.shape[0]
    reserve_nodes(state, 3 * changed, asked)
    links, width = np.empty(gained.shape[0], np.int64), lent(groups, META)[WIDTH]
    for weight in (1, -1):
        rows = arriving if weight > 0 else borrowed_rows(lost)
        if rows.shape[0]:
            places = admit(state, groups, rows, asked, whole)
            nodes, tuples, slots = lent(state, NODES), lent(state, TUPLES), lent(state, SLOTS)
            _record(nodes, tuples, slots, head, width, rows, links, places, weight, asked, until)
    nodes, tuples, slots = lent(state, NODES), lent(state, TUPLES), lent(state, SLOTS)
    entries, meta = lent(groups, ENTRIES), lent(groups, META)
    wake_due(nodes, slots, head, until)
    losses = no_losses(asked)
    pieces = np.empty((2 * changed + 3 * asked[OUTPUTS]) * piece_size(asked), np.int64)
    count = 0
    while head[TOUCHED] != NONE and not head[UNFIT]:
        count = _follow(
            nodes, tuples, slots, head, entries, meta, arriving, links, asked, until, horizon, losses, pieces, count
        )
        if head[TOUCHED] != NONE:
            pieces = twice_the_room(pieces, count)
    rows, _, starts, late = ended(state, groups, pieces[:count], asked)
    return rows, starts, late


@inner_kernel
def _record(
    nodes: Column,
    tuples: Column,
    slots: Column,
    head: Column,
    group: int,
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
        for column in range(asked[WIDEST]):
            if rows[row, group + column] & 1:
                head[UNFIT] = 1
        if weight > 0 and await_row(slots, places[row], rows, links, row, until):
            continue
        for border in range(2 if rows[row, last] < FOREVER else 1):
            node = _border(nodes, tuples, head, rows, row, group, weight, border, asked)
            await_event(nodes, slots, head, places[row], node)


@inlined
def _border(
    nodes: Column,
    tuples: Column,
    head: Column,
    rows: Rows,
    row: int,
    group: int,
    weight: int,
    border: int,
    asked: Column,
) -> int:
    """A node, with its tuple, for the first or last border of a row."""
    node = taken(nodes, head)
    at = node // NODE * asked[WIDEST]
    nodes[node + RANK] = rows[row, rows.shape[1] - 1] + 1 if border else rows[row, rows.shape[1] - 2]
    nodes[node + WEIGHT] = -weight if border else weight
    nodes[node + VALUE] = at
    for column in range(asked[WIDEST]):
        value = rows[row, group + column] >> 1
        tuples[at + column] = -value if asked[DESCENDING] else value
    return node


@inner_kernel
def _follow(
    nodes: Column,
    tuples: Column,
    slots: Column,
    head: Column,
    entries: Column,
    meta: Column,
    rows: Rows,
    links: Column,
    asked: Column,
    until: int,
    horizon: int,
    losses: Column,
    pieces: Column,
    count: int,
) -> int:
    """Sweep the touched groups, as far as there is room for pieces; return where the pieces end."""
    nodes, tuples, slots, head = borrowed(nodes), borrowed(tuples), borrowed(slots), borrowed(head)
    entries, meta, rows, links = borrowed(entries), borrowed(meta), borrowed_rows(rows), borrowed(links)
    asked, losses, pieces = borrowed(asked), borrowed(losses), borrowed(pieces)
    most = 3 * asked[OUTPUTS] * piece_size(asked)  # of one moment, or at the end
    slot = touched(slots, head)
    while slot != NONE:
        time = next_event(nodes, slots, slot, rows)
        while time <= until and count + most <= pieces.shape[0]:
            changed = _pass_moment(nodes, tuples, slots, head, slot, rows, links, meta[WIDTH], time, asked)
            for place in range(changed, asked[LIMIT]):
                if _differs(nodes, tuples, slots, slot, place, asked):
                    count = publish(slots, asked, slot, place + 1, time - 1, horizon, losses, pieces, count)
                    _take_over(nodes, tuples, slots, slot, place, asked)
            time = next_event(nodes, slots, slot, rows)
        if count + most > pieces.shape[0]:
            return count
        count = go_on(nodes, slots, head, entries, meta, asked, slot, time, horizon, 1, losses, pieces, count)
        slot = touched(slots, head)
    return count


@inner_kernel
def _pass_moment(
    nodes: Column,
    tuples: Column,
    slots: Column,
    head: Column,
    slot: int,
    rows: Rows,
    links: Column,
    group: int,
    time: int,
    asked: Column,
) -> int:
    """Let everything enter, and then leave, that does so at this time; the first place of the list that has changed.

    A change may have been taken back, so that an element would leave before it is there.
    """
    nodes, tuples, slots, head = borrowed(nodes), borrowed(tuples), borrowed(slots), borrowed(head)
    rows, links, asked = borrowed_rows(rows), borrowed(links), borrowed(asked)
    changed, leaving = asked[LIMIT], NONE
    row = taken_row(slots, slot, rows, links, time)
    while row != NONE:
        slots[slot + INSIDE] += 1
        node = _border(nodes, tuples, head, rows, row, group, 1, 0, asked)
        changed = min(changed, enter(nodes, tuples, slots, slot, node, asked))
        if rows[row, rows.shape[1] - 1] < FOREVER:
            node = _border(nodes, tuples, head, rows, row, group, 1, 1, asked)
            await_event(nodes, slots, head, slot, node)
        row = taken_row(slots, slot, rows, links, time)
    node = taken_event(nodes, slots, head, slot, time)
    while node != NONE:
        slots[slot + INSIDE] += nodes[node + WEIGHT]
        if nodes[node + WEIGHT] > 0:
            changed = min(changed, enter(nodes, tuples, slots, slot, node, asked))
        else:
            nodes[node + SIBLING], leaving = leaving, node
        node = taken_event(nodes, slots, head, slot, time)
    slots[slot + SINCE] = time
    while leaving != NONE:
        node, leaving = leaving, nodes[leaving + SIBLING]
        changed = min(changed, leave(nodes, tuples, slots, head, slot, node, asked))
    thin_out_tuples(nodes, tuples, slots, head, slot, asked)
    return changed


@inlined
def _listed(nodes: Column, slots: Column, slot: int, place: int, asked: Column) -> int:
    """Where the tuple at a place of the list lies, NONE if there is none."""
    at = list_place(asked, slot)
    return nodes[slots[at + 1 + place] + VALUE] if place < slots[at] else NONE


@inlined
def _differs(nodes: Column, tuples: Column, slots: Column, slot: int, place: int, asked: Column) -> bool:
    """Whether another tuple is at a place of the list than before."""
    found, known = _listed(nodes, slots, slot, place, asked), value_place(asked, slot, 1 + place * asked[WIDEST])
    if found == NONE:
        return bool(slots[known + CURRENT] != MISSING)
    different = False
    for column in range(asked[WIDEST]):
        different |= slots[known + PAIR * column + CURRENT] != _code(tuples[found + column], asked)
    return different


@inlined
def _take_over(nodes: Column, tuples: Column, slots: Column, slot: int, place: int, asked: Column) -> None:
    """Let the tuple at a place of the list be the current one."""
    found, known = _listed(nodes, slots, slot, place, asked), value_place(asked, slot, 1 + place * asked[WIDEST])
    for column in range(asked[WIDEST]):
        slots[known + PAIR * column + CURRENT] = MISSING if found == NONE else _code(tuples[found + column], asked)


@inlined
def _code(value: int, asked: Column) -> int:
    return (-value if asked[DESCENDING] else value) << 1
