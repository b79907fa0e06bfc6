"""Pairing heaps in one array of nodes: what comes first is at the root. All compiled.

Any number of heaps share the array; a heap is the place of its root, or NONE. Nodes that are given back are used again.
"""

from __future__ import annotations

from larspark.intervals.compiled import inlined, inner_kernel
from larspark.intervals.tables.storage import NONE, Column

RANK, CHILD, SIBLING, WEIGHT, VALUE, END, NODE = 0, 1, 2, 3, 4, 5, 6  # in a node; NODE is its length
USED, FREE = 0, 1  # in the head of the pool: where nodes were never used, the first that was given back


@inlined
def taken(nodes: Column, pool: Column) -> int:
    """A node that is not in use; there must be room."""
    node = pool[FREE]
    if node == NONE:
        node = pool[USED]
        pool[USED] += NODE
    else:
        pool[FREE] = nodes[node + SIBLING]
    return node


@inlined
def give_back(nodes: Column, pool: Column, node: int) -> None:
    nodes[node + SIBLING] = pool[FREE]
    pool[FREE] = node


@inlined
def meld(nodes: Column, left: int, right: int) -> int:
    """One heap of two."""
    if left == NONE:
        return right
    if right == NONE:
        return left
    if nodes[right + RANK] < nodes[left + RANK]:
        left, right = right, left
    nodes[right + SIBLING] = nodes[left + CHILD]
    nodes[left + CHILD] = right
    return left


@inlined
def without_root(nodes: Column, root: int) -> int:
    """What is left of a heap without its root: the children melded in pairs, then the pairs from the last on."""
    child = nodes[root + CHILD]
    pairs = NONE
    while child != NONE:
        other = nodes[child + SIBLING]
        following = NONE if other == NONE else nodes[other + SIBLING]
        pair = meld(nodes, child, other)
        nodes[pair + SIBLING] = pairs
        pairs = pair
        child = following
    heap = NONE
    while pairs != NONE:
        following = nodes[pairs + SIBLING]
        heap = meld(nodes, heap, pairs)
        pairs = following
    return heap


@inner_kernel
def dissolve(nodes: Column, pool: Column, root: int) -> None:
    """Give back all nodes of a heap."""
    while root != NONE:
        rest = without_root(nodes, root)
        give_back(nodes, pool, root)
        root = rest


@inner_kernel
def cancel(nodes: Column, pool: Column, entered: int, gone: int) -> tuple[int, int, int]:
    """Take out what comes first in both heaps, as long as it is the same; the heaps, and how many pairs went."""
    pairs = 0
    while gone != NONE and nodes[gone + RANK] == nodes[entered + RANK]:
        for heap in (0, 1):
            root = gone if heap else entered
            rest = without_root(nodes, root)
            give_back(nodes, pool, root)
            if heap:
                gone = rest
            else:
                entered = rest
        pairs += 1
    return entered, gone, pairs


@inner_kernel
def thin_out(nodes: Column, pool: Column, entered: int, gone: int) -> int:
    """The heap of what has entered and not gone; everything gone must have entered."""
    kept = NONE
    while True:
        entered, gone, _ = cancel(nodes, pool, entered, gone)
        if entered == NONE:
            return kept
        first, entered = entered, without_root(nodes, entered)
        nodes[first + CHILD] = NONE
        kept = meld(nodes, kept, first)
