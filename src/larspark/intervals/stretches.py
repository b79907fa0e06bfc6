"""What a sweep publishes: stretches of time in which a function of a group has one value. All compiled."""

from __future__ import annotations

import numpy as np

from larspark.intervals.arithmetic import MISSING
from larspark.intervals.compiled import inlined, kernel
from larspark.intervals.slots import CURRENT, DIVISOR, ENTRY, STRETCH, STRETCHES, UPTO
from larspark.intervals.storage import KEY, STRIDE, WIDTH, Column, Rows

BLOCK, SLOT, WORTH, DIVIDED, BEGIN, END, PIECE = 0, 1, 2, 3, 4, 5, 6  # a piece of a stretch that is gained or lost
FROM, TO, LOST, LOST_DIVISOR, LOSS = 0, 1, 2, 3, 4  # per function, what of its value before is no longer published


@kernel
def no_losses(functions: int) -> Column:
    losses = np.zeros(functions * LOSS, np.int64)
    losses[TO::LOSS] = MISSING  # before all times
    return losses


@inlined
def write_piece(
    pieces: Column, count: int, block: int, slot: int, value: int, divisor: int, begin: int, end: int
) -> int:
    """Note a piece, if it is not empty; return where the next one goes."""
    if begin > end:
        return count
    pieces[count + BLOCK], pieces[count + SLOT] = block, slot
    pieces[count + WORTH], pieces[count + DIVIDED] = value, divisor
    pieces[count + BEGIN], pieces[count + END] = begin, end
    return count + PIECE


@kernel
def publish(
    slots: Column, slot: int, place: int, last: int, horizon: int, losses: Column, pieces: Column, count: int
) -> int:
    """Let the current value be published up to `last`, neither less nor more.

    Only the value with which a step begins can have been published too far. What it loses is kept back, because it may
    get it again later in the same step; gains come in the order of time.
    """
    stretch, loss = slot + STRETCHES + place * STRETCH, place * LOSS
    value, divisor, upto = slots[stretch + CURRENT], slots[stretch + DIVISOR], slots[stretch + UPTO]
    slots[stretch + UPTO] = last
    if value == MISSING:
        return count
    if upto > last:
        losses[loss + FROM], losses[loss + TO] = last + 1, upto
        losses[loss + LOST], losses[loss + LOST_DIVISOR] = value, divisor
        return count
    first = max(upto + 1, horizon)
    begin, end = losses[loss + FROM], losses[loss + TO]
    if first <= last and first <= end and value == losses[loss + LOST] and divisor == losses[loss + LOST_DIVISOR]:
        count = write_piece(pieces, count, 2 * place + 1, slot, value, divisor, begin, first - 1)
        losses[loss + FROM] = last + 1
        first = end + 1
    return write_piece(pieces, count, 2 * place, slot, value, divisor, first, last)


@kernel
def lose(slot: int, place: int, losses: Column, pieces: Column, count: int) -> int:
    """Note what is lost at the end of a step."""
    loss = place * LOSS
    count = write_piece(
        pieces,
        count,
        2 * place + 1,
        slot,
        losses[loss + LOST],
        losses[loss + LOST_DIVISOR],
        losses[loss + FROM],
        losses[loss + TO],
    )
    losses[loss + TO] = MISSING
    return count


@kernel
def blocks(slots: Column, entries: Column, meta: Column, pieces: Column, functions: int) -> tuple[Rows, Column, Column]:
    """The pieces as rows (group, value, first, last), block by block; their divisors, and where the blocks begin."""
    width, stride = meta[WIDTH], meta[STRIDE]
    starts = np.zeros(2 * functions + 1, np.int64)
    for piece in range(0, pieces.shape[0], PIECE):
        starts[pieces[piece + BLOCK] + 1] += 1
    for block in range(2 * functions):
        starts[block + 1] += starts[block]
    places = starts.copy()
    total = pieces.shape[0] // PIECE
    rows, divisors = np.empty((total, width + 3), np.int64), np.empty(total, np.int64)
    for piece in range(0, pieces.shape[0], PIECE):
        row = places[pieces[piece + BLOCK]]
        places[pieces[piece + BLOCK]] += 1
        at = slots[pieces[piece + SLOT] + ENTRY] * stride + KEY
        for column in range(width):
            rows[row, column] = entries[at + column]
        rows[row, width], divisors[row] = pieces[piece + WORTH], pieces[piece + DIVIDED]
        rows[row, width + 1], rows[row, width + 2] = pieces[piece + BEGIN], pieces[piece + END]
    return rows, divisors, starts
