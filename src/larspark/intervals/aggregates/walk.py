"""The walk over the groups of a sweep, whatever is looked at in them: those touched, to their next event. Compiled."""

from __future__ import annotations

import numpy as np

from larspark.intervals.aggregates.heaps import RANK
from larspark.intervals.aggregates.layout import (
    ALARMS,
    BEHIND,
    DUE,
    HEAD,
    INSIDE,
    LATE,
    LINK,
    NEVER,
    NEXT_ALARM,
    NODES,
    OUTPUTS,
    OVER,
    SINCE,
    SLOTS,
    TOUCHED,
    UNTOUCHED,
)
from larspark.intervals.aggregates.slots import forget_late, release, set_alarm
from larspark.intervals.aggregates.stretches import blocks, lose, publish
from larspark.intervals.compiled import inlined, inner_kernel
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.addresses import borrowed
from larspark.intervals.tables.storage import ENTRIES, META, NONE, STRIDE, Column, Rows, Table, copy_words, lent


@inlined
def touched(slots: Column, head: Column) -> int:
    """The group to be swept next, NONE if there is none; those that are late are put aside."""
    slot = head[TOUCHED]
    while slot != NONE and slots[slot + BEHIND]:
        head[TOUCHED] = slots[slot + LINK]
        slots[slot + LINK], head[LATE] = head[LATE], slot
        slot = head[TOUCHED]
    return slot


@inner_kernel
def go_on(
    nodes: Column,
    slots: Column,
    head: Column,
    entries: Column,
    meta: Column,
    asked: Column,
    slot: int,
    following: int,
    horizon: int,
    first: int,
    losses: Column,
    pieces: Column,
    count: int,
) -> int:
    """Publish outputs from the `first` on up to the next event of a group, which has been swept before.

    The group is looked at again then; it is over when there is none. Returns where the pieces end.
    """
    nodes, slots, head, entries = borrowed(nodes), borrowed(slots), borrowed(head), borrowed(entries)
    asked, losses, pieces = borrowed(asked), borrowed(losses), borrowed(pieces)
    for output in range(first, asked[OUTPUTS]):
        # The output 0 says that there are elements.
        last = following - 1 if output else FOREVER
        count = publish(slots, asked, slot, output, last, horizon, losses, pieces, count)
        count = lose(slot, asked, output, losses, pieces, count)
    head[TOUCHED] = slots[slot + LINK]
    slots[slot + LINK] = UNTOUCHED
    if following < slots[slot + DUE]:
        set_alarm(nodes, slots, head, slot, following)
    elif following == NEVER and slots[slot + INSIDE] == 0:
        head[OVER] = max(head[OVER], slots[slot + SINCE])
        release(slots, head, entries, meta[STRIDE], slot)
    return count


@inner_kernel
def twice_the_room(pieces: Column, count: int) -> Column:
    larger = np.empty(2 * pieces.shape[0], np.int64)
    copy_words(pieces, larger, count)
    return larger


@inner_kernel
def ended(state: Table, groups: Table, pieces: Column, asked: Column) -> tuple[Rows, Rows, Column, Rows]:
    """The pieces of a sweep as rows, with divisors and where the blocks begin; and the groups that are late."""
    nodes, slots, head = lent(state, NODES), lent(state, SLOTS), lent(state, HEAD)
    entries, meta = lent(groups, ENTRIES), lent(groups, META)
    head[NEXT_ALARM] = NEVER if head[ALARMS] == NONE else nodes[head[ALARMS] + RANK]
    rows, divisors, starts = blocks(slots, entries, meta, pieces, asked)
    late = forget_late(nodes, slots, head, entries, meta, asked)
    return rows, divisors, starts, late
