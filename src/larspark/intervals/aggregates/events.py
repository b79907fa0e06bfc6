"""The events of a group: borders of intervals, in the order of time. All compiled.

What is gained and begins by now stands in a line of rows, if it comes in order, and needs no node. Other events have
one: they stand in a line as long as they come in order, as when windows of one length end, and else in a heap.
"""

from __future__ import annotations

from larspark.intervals.aggregates.heaps import CHILD, RANK, SIBLING, dissolve, give_back, meld, without_root
from larspark.intervals.aggregates.layout import (
    COMING,
    HEAP,
    LAST_COMING,
    LAST_IN_LINE,
    LINE,
    NEVER,
    PENDING,
)
from larspark.intervals.compiled import inlined, inner_kernel
from larspark.intervals.tables.storage import NONE, Column, Rows


@inlined
def await_row(slots: Column, slot: int, rows: Rows, links: Column, row: int, until: int) -> bool:
    """Let a row come when its time has come, if it stands behind the others; `links` lead from one to the next."""
    first, last = rows.shape[1] - 2, slots[slot + LAST_COMING]
    empty = slots[slot + COMING] == NONE
    fits = rows[row, first] <= until and (empty or rows[last, first] <= rows[row, first])
    if fits:
        links[row] = NONE
        if empty:
            slots[slot + COMING] = row
        else:
            links[last] = row
        slots[slot + LAST_COMING] = row
    return fits


@inlined
def await_event(nodes: Column, slots: Column, head: Column, slot: int, node: int) -> None:
    """Let a node wait for the time of its rank."""
    head[PENDING] += 1
    first, last = slots[slot + LINE], slots[slot + LAST_IN_LINE]
    if first == NONE:
        slots[slot + LINE] = slots[slot + LAST_IN_LINE] = node
        nodes[node + SIBLING] = NONE
    elif nodes[last + RANK] <= nodes[node + RANK]:
        nodes[last + SIBLING] = slots[slot + LAST_IN_LINE] = node
        nodes[node + SIBLING] = NONE
    else:
        nodes[node + CHILD] = NONE
        slots[slot + HEAP] = meld(nodes, slots[slot + HEAP], node)


@inlined
def next_event(nodes: Column, slots: Column, slot: int, rows: Rows) -> int:
    """The time of the next event."""
    time = NEVER
    if slots[slot + COMING] != NONE:
        time = rows[slots[slot + COMING], rows.shape[1] - 2]
    if slots[slot + LINE] != NONE:
        time = min(time, nodes[slots[slot + LINE] + RANK])
    if slots[slot + HEAP] != NONE:
        time = min(time, nodes[slots[slot + HEAP] + RANK])
    return time


@inlined
def taken_row(slots: Column, slot: int, rows: Rows, links: Column, time: int) -> int:
    """Take out a row that comes at a time before which there is none, NONE if there is none."""
    row = slots[slot + COMING]
    if row != NONE:
        if rows[row, rows.shape[1] - 2] == time:
            slots[slot + COMING] = links[row]
        else:
            row = NONE
    return row


@inlined
def taken_event(nodes: Column, slots: Column, head: Column, slot: int, time: int) -> int:
    """Take out a node that waits for a time before which there is none, NONE if there is none."""
    line, heap = slots[slot + LINE], slots[slot + HEAP]
    node = NONE
    if line != NONE and nodes[line + RANK] == time:
        node = line
        slots[slot + LINE] = nodes[line + SIBLING]
        head[PENDING] -= 1
    elif heap != NONE and nodes[heap + RANK] == time:
        node = heap
        slots[slot + HEAP] = without_root(nodes, heap)
        head[PENDING] -= 1
    return node


@inner_kernel
def drop_events(nodes: Column, slots: Column, head: Column, slot: int) -> None:
    """Give back the nodes of all events."""
    dissolve(nodes, head, slots[slot + HEAP])
    node = slots[slot + LINE]
    while node != NONE:
        following = nodes[node + SIBLING]
        give_back(nodes, head, node)
        node = following
