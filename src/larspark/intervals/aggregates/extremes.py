"""The smallest and the largest of the values of a group: the first of those that are there, in heaps. All compiled.

As long as nothing is taken back, a value is known to be there up to the END that it came with: it stays in its heap,
and is thrown away when it comes first, or when there are too many such. From the first loss on this is not known, and
values that have gone are in heaps of their own; what comes first in both is taken out of both.
"""

from __future__ import annotations

from larspark.intervals.aggregates.heaps import (
    CHILD,
    END,
    RANK,
    SIBLING,
    VALUE,
    cancel,
    give_back,
    meld,
    taken,
    thin_out,
    without_root,
)
from larspark.intervals.aggregates.layout import ENTERED, EXTREME, GONE, HIGH, LEFT, LOSING, LOW
from larspark.intervals.compiled import inlined, inner_kernel
from larspark.intervals.tables.addresses import borrowed
from larspark.intervals.tables.storage import NONE, Column

THIN = 64
"""How many more values may have gone than there are elements, before the heaps are thinned out."""


@inlined
def enter_value(nodes: Column, slots: Column, head: Column, extremes: int, node: int, needs: int) -> None:
    """Put the value of a node among those that are there; the node is used for it."""
    _sort_in(nodes, slots, head, extremes, ENTERED, node, needs)


@inlined
def leave_value(nodes: Column, slots: Column, head: Column, extremes: int, node: int, needs: int) -> None:
    """The value of a node goes; the node is used for it, or given back."""
    slots[extremes + LEFT] += 1
    slots[extremes + EXTREME + LEFT] += 1
    if head[LOSING]:
        _sort_in(nodes, slots, head, extremes, GONE, node, needs)
    else:
        give_back(nodes, head, node)


@inlined
def _sort_in(nodes: Column, slots: Column, head: Column, extremes: int, which: int, node: int, needs: int) -> None:
    value, end = nodes[node + VALUE], nodes[node + END]
    if needs & LOW:
        nodes[node + RANK], nodes[node + CHILD] = value, NONE
        slots[extremes + which] = meld(nodes, slots[extremes + which], node)
    if needs & HIGH:
        other = taken(nodes, head) if needs & LOW else node
        nodes[other + RANK], nodes[other + CHILD], nodes[other + END] = -value, NONE, end
        slots[extremes + EXTREME + which] = meld(nodes, slots[extremes + EXTREME + which], other)


@inner_kernel
def forget_gone(nodes: Column, slots: Column, head: Column, extremes: int, inside: int, time: int) -> None:
    """Let the first of those that have entered be ones that have not gone."""
    nodes, slots, head = borrowed(nodes), borrowed(slots), borrowed(head)
    for extreme in (extremes, extremes + EXTREME):
        if slots[extreme + LEFT] == 0:
            continue
        entered, gone = slots[extreme + ENTERED], slots[extreme + GONE]
        if not head[LOSING]:
            while entered != NONE and nodes[entered + END] < time:
                root, entered = entered, without_root(nodes, entered)
                give_back(nodes, head, root)
                slots[extreme + LEFT] -= 1
            if slots[extreme + LEFT] > inside + THIN:
                entered = _lasting(nodes, head, entered, time)
                slots[extreme + LEFT] = 0
        elif slots[extreme + LEFT] > inside + THIN:
            entered, gone = thin_out(nodes, head, entered, gone), NONE
            slots[extreme + LEFT] = 0
        else:
            entered, gone, pairs = cancel(nodes, head, entered, gone)
            slots[extreme + LEFT] -= pairs
        slots[extreme + ENTERED], slots[extreme + GONE] = entered, gone


@inner_kernel
def _lasting(nodes: Column, pool: Column, heap: int, time: int) -> int:
    """The heap of those values that are still there."""
    nodes, pool = borrowed(nodes), borrowed(pool)
    kept, others = NONE, heap
    if heap != NONE:
        nodes[heap + SIBLING] = NONE
    while others != NONE:
        node, others = others, nodes[others + SIBLING]
        child = nodes[node + CHILD]
        while child != NONE:
            following = nodes[child + SIBLING]
            nodes[child + SIBLING], others = others, child
            child = following
        if nodes[node + END] < time:
            give_back(nodes, pool, node)
        else:
            nodes[node + CHILD] = NONE
            kept = meld(nodes, kept, node)
    return kept
