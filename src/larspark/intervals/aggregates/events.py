"""The events of a group in the order of time: most stand in two lines, the others wait in a heap. All compiled.

What enters by now, and what leaves windows of one length, comes in the order of time: it goes to the end of a line, and
is taken from its beginning. What comes out of order, and what enters only later, goes to the heap.
"""

from __future__ import annotations

from larspark.intervals.aggregates.heaps import CHILD, RANK, SIBLING, dissolve, give_back, meld, without_root
from larspark.intervals.aggregates.layout import COMING, EVENTS, GOING, NEVER
from larspark.intervals.compiled import inlined, inner_kernel
from larspark.intervals.tables.storage import NONE, Column


@inlined
def await_event(nodes: Column, slots: Column, slot: int, node: int, border: int, until: int) -> None:
    """Let a node wait for the time of its rank; the last border of an interval stands in a line of its own."""
    line = slot + (GOING if border else COMING)
    time, first, last = nodes[node + RANK], slots[line], slots[line + 1]
    if (border or time <= until) and (first == NONE or nodes[last + RANK] <= time):
        nodes[node + SIBLING] = NONE
        if first == NONE:
            slots[line] = node
        else:
            nodes[last + SIBLING] = node
        slots[line + 1] = node
    else:
        nodes[node + CHILD] = NONE
        slots[slot + EVENTS] = meld(nodes, slots[slot + EVENTS], node)


@inlined
def next_event(nodes: Column, slots: Column, slot: int) -> int:
    """The time of the next event."""
    time = NEVER
    if slots[slot + COMING] != NONE:
        time = nodes[slots[slot + COMING] + RANK]
    if slots[slot + GOING] != NONE:
        time = min(time, nodes[slots[slot + GOING] + RANK])
    if slots[slot + EVENTS] != NONE:
        time = min(time, nodes[slots[slot + EVENTS] + RANK])
    return time


@inlined
def taken_event(nodes: Column, slots: Column, slot: int, time: int) -> int:
    """Take out an event of a time before which there is none, NONE if there is none."""
    coming, going, other = slots[slot + COMING], slots[slot + GOING], slots[slot + EVENTS]
    node = NONE
    if coming != NONE and nodes[coming + RANK] == time:
        node = coming
        slots[slot + COMING] = nodes[coming + SIBLING]
    elif going != NONE and nodes[going + RANK] == time:
        node = going
        slots[slot + GOING] = nodes[going + SIBLING]
    elif other != NONE and nodes[other + RANK] == time:
        node = other
        slots[slot + EVENTS] = without_root(nodes, other)
    return node


@inner_kernel
def drop_events(nodes: Column, slots: Column, head: Column, slot: int) -> None:
    """Give back the nodes of all events."""
    dissolve(nodes, head, slots[slot + EVENTS])
    for line in (slot + COMING, slot + GOING):
        node = slots[line]
        while node != NONE:
            following = nodes[node + SIBLING]
            give_back(nodes, head, node)
            node = following
