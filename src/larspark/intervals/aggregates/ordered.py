"""The tuples of one group in order: the first of them in a list, all others in heaps behind it. All compiled.

A tuple belongs to a node of `heaps`: it lies where VALUE says, and its first column is the RANK. As long as nothing
leaves the list, a tuple behind it costs no more than a place in a heap.

    list, 3 at most     2  5  7
    entered             9  8  11  30  9         whatever comes after the list, in a heap
    gone                9  30                   what of it has left, in another one: 8, 9 and 11 are there
"""

from __future__ import annotations

from larspark.intervals.aggregates.heaps import CHILD, RANK, SIBLING, VALUE, give_back
from larspark.intervals.aggregates.layout import (
    ENTERED,
    EXTREMES,
    GONE,
    INSIDE,
    LEFT,
    LIMIT,
    SEVERAL,
    WIDEST,
    list_place,
)
from larspark.intervals.compiled import inlined, inner_kernel
from larspark.intervals.tables.storage import NONE, Column

THIN = 64
"""How many more tuples may have gone than there are, before the heaps are thinned out."""


@inlined
def compared(nodes: Column, tuples: Column, left: int, right: int, width: int) -> int:
    """Less than 0 where the tuple of the left node comes first, 0 where it is the same."""
    difference = nodes[left + RANK] - nodes[right + RANK]
    if difference == 0:
        one, other = nodes[left + VALUE], nodes[right + VALUE]
        for column in range(1, width):
            difference = tuples[one + column] - tuples[other + column]
            if difference != 0:
                break
    return difference


@inlined
def meld_tuples(nodes: Column, tuples: Column, left: int, right: int, width: int) -> int:
    """One heap of two."""
    if left == NONE:
        return right
    if right == NONE:
        return left
    if compared(nodes, tuples, right, left, width) < 0:
        left, right = right, left
    nodes[right + SIBLING] = nodes[left + CHILD]
    nodes[left + CHILD] = right
    return left


@inner_kernel
def without_first(nodes: Column, tuples: Column, root: int, width: int) -> int:
    """What is left of a heap without its root: the children melded in pairs, then the pairs from the last on."""
    child = nodes[root + CHILD]
    pairs = NONE
    while child != NONE:
        other = nodes[child + SIBLING]
        following = NONE if other == NONE else nodes[other + SIBLING]
        pair = meld_tuples(nodes, tuples, child, other, width)
        nodes[pair + SIBLING] = pairs
        pairs = pair
        child = following
    heap = NONE
    while pairs != NONE:
        following = nodes[pairs + SIBLING]
        heap = meld_tuples(nodes, tuples, heap, pairs, width)
        pairs = following
    return heap


@inner_kernel
def enter(nodes: Column, tuples: Column, slots: Column, slot: int, node: int, asked: Column) -> int:
    """Let the tuple of a node enter; the first place of the list that is another's now, its limit if none is."""
    at, limit, width = list_place(asked, slot), asked[LIMIT], asked[WIDEST]
    nodes[node + RANK], nodes[node + CHILD] = tuples[nodes[node + VALUE]], NONE
    size = slots[at]
    if size < limit:
        slots[at] = size + 1
    elif compared(nodes, tuples, node, slots[at + size], width) < 0:
        _put_behind(nodes, tuples, slots, slot + SEVERAL + EXTREMES + ENTERED, slots[at + size], width)
        size -= 1
    else:
        _put_behind(nodes, tuples, slots, slot + SEVERAL + EXTREMES + ENTERED, node, width)
        return limit
    while size and compared(nodes, tuples, node, slots[at + size], width) < 0:
        slots[at + size + 1] = slots[at + size]
        size -= 1
    slots[at + size + 1] = node
    return size


@inner_kernel
def leave(nodes: Column, tuples: Column, slots: Column, head: Column, slot: int, node: int, asked: Column) -> int:
    """Let a tuple leave that is there, and is that of a node; the first place of the list that is another's now."""
    at, width = list_place(asked, slot), asked[WIDEST]
    nodes[node + RANK], nodes[node + CHILD] = tuples[nodes[node + VALUE]], NONE
    size = slots[at]
    if compared(nodes, tuples, slots[at + size], node, width) < 0:
        slots[slot + SEVERAL + EXTREMES + LEFT] += 1
        _put_behind(nodes, tuples, slots, slot + SEVERAL + EXTREMES + GONE, node, width)
        return asked[LIMIT]
    place = 1
    while compared(nodes, tuples, slots[at + place], node, width) < 0:
        place += 1
    give_back(nodes, head, slots[at + place])
    give_back(nodes, head, node)
    for later in range(place, size):
        slots[at + later] = slots[at + later + 1]
    following = _taken_first(nodes, tuples, slots, head, slot, width)
    slots[at + size] = following
    slots[at] = size - 1 if following == NONE else size
    return place - 1


@inlined
def _put_behind(nodes: Column, tuples: Column, slots: Column, heap: int, node: int, width: int) -> None:
    nodes[node + CHILD] = NONE
    slots[heap] = meld_tuples(nodes, tuples, slots[heap], node, width)


@inner_kernel
def _taken_first(nodes: Column, tuples: Column, slots: Column, head: Column, slot: int, width: int) -> int:
    """Take the first tuple out that is behind the list, NONE if there is none."""
    extreme = slot + SEVERAL + EXTREMES
    _cancel(nodes, tuples, slots, head, extreme, width)
    first = slots[extreme + ENTERED]
    if first != NONE:
        slots[extreme + ENTERED] = without_first(nodes, tuples, first, width)
    return first


@inner_kernel
def _cancel(nodes: Column, tuples: Column, slots: Column, head: Column, extreme: int, width: int) -> None:
    """Take out what comes first in both heaps, as long as it is the same."""
    entered, gone = slots[extreme + ENTERED], slots[extreme + GONE]
    while gone != NONE and compared(nodes, tuples, entered, gone, width) == 0:
        for heap in (extreme + ENTERED, extreme + GONE):
            root = slots[heap]
            slots[heap] = without_first(nodes, tuples, root, width)
            give_back(nodes, head, root)
        slots[extreme + LEFT] -= 1
        entered, gone = slots[extreme + ENTERED], slots[extreme + GONE]


@inner_kernel
def thin_out_tuples(nodes: Column, tuples: Column, slots: Column, head: Column, slot: int, asked: Column) -> None:
    """Take out what has gone when it is more than what is there."""
    extreme, width, kept = slot + SEVERAL + EXTREMES, asked[WIDEST], NONE
    if slots[extreme + LEFT] <= slots[slot + INSIDE] + THIN:
        return
    first = _taken_first(nodes, tuples, slots, head, slot, width)
    while first != NONE:
        nodes[first + CHILD] = NONE
        kept = meld_tuples(nodes, tuples, kept, first, width)
        first = _taken_first(nodes, tuples, slots, head, slot, width)
    slots[extreme + ENTERED] = kept
