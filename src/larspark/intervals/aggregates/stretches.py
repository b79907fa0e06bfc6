"""What a sweep publishes: stretches of time in which the functions of an output have their values. All compiled.

An output is one function of a group, or several together; it is published as long as all of them have a value.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.aggregates.layout import (
    CURRENT,
    DIVISOR,
    ENTRY,
    OUTPUTS,
    PAIR,
    WIDEST,
    output_at,
    upto_place,
    value_place,
)
from larspark.intervals.compiled import inlined, inner_kernel
from larspark.intervals.rules.arithmetic import MISSING
from larspark.intervals.tables.addresses import borrowed
from larspark.intervals.tables.storage import KEY, STRIDE, WIDTH, Column, Rows

# A piece of a stretch that is gained or lost: two blocks for each output, slot, interval, values.
BLOCK, SLOT, BEGIN, END, WORTHS = 0, 1, 2, 3, 4
FROM, TO, LOST = 0, 1, 2  # per output, what of its values before is no longer published: interval, values


@inlined
def piece_size(asked: Column) -> int:
    return WORTHS + PAIR * asked[WIDEST]


@inlined
def loss_size(asked: Column) -> int:
    return LOST + PAIR * asked[WIDEST]


@inner_kernel
def no_losses(asked: Column) -> Column:
    size = loss_size(asked)
    losses = np.zeros(asked[OUTPUTS] * size, np.int64)
    losses[TO::size] = MISSING  # before all times
    return losses


@inlined
def write_piece(
    pieces: Column, count: int, block: int, slot: int, begin: int, end: int, losses: Column, loss: int, asked: Column
) -> int:
    """Note a piece with the values of a loss, if it is not empty; return where the next one goes."""
    if begin > end:
        return count
    pieces[count + BLOCK], pieces[count + SLOT] = block, slot
    pieces[count + BEGIN], pieces[count + END] = begin, end
    for place in range(PAIR * asked[WIDEST]):
        pieces[count + WORTHS + place] = losses[loss + LOST + place]
    return count + piece_size(asked)


@inner_kernel
def publish(
    slots: Column,
    asked: Column,
    slot: int,
    output: int,
    last: int,
    horizon: int,
    losses: Column,
    pieces: Column,
    count: int,
) -> int:
    """Let the current values be published up to `last`, neither less nor more.

    Only the values with which a step begins can have been published too far. What they lose is kept back, because they
    may get it again later in the same step; gains come in the order of time.
    """
    slots, asked, losses, pieces = borrowed(slots), borrowed(asked), borrowed(losses), borrowed(pieces)
    at = output_at(asked, output)
    columns, loss, upto = asked[at], output * loss_size(asked), slots[upto_place(asked, slot, output)]
    slots[upto_place(asked, slot, output)] = last
    same = True
    for place in range(columns):
        value = value_place(asked, slot, asked[at + 1 + place])
        if slots[value + CURRENT] == MISSING:
            return count
        lost = loss + LOST + PAIR * place
        same &= losses[lost + CURRENT] == slots[value + CURRENT] and losses[lost + DIVISOR] == slots[value + DIVISOR]
    first = max(upto + 1, horizon)
    begin, end = losses[loss + FROM], losses[loss + TO]
    if upto > last:
        losses[loss + FROM], losses[loss + TO] = last + 1, upto
        for place in range(columns):
            value, lost = value_place(asked, slot, asked[at + 1 + place]), loss + LOST + PAIR * place
            losses[lost + CURRENT], losses[lost + DIVISOR] = slots[value + CURRENT], slots[value + DIVISOR]
        return count
    if first <= last and first <= end and same:
        count = write_piece(pieces, count, 2 * output + 1, slot, begin, first - 1, losses, loss, asked)
        losses[loss + FROM] = last + 1
        first = end + 1
    if first > last:
        return count
    pieces[count + BLOCK], pieces[count + SLOT] = 2 * output, slot
    pieces[count + BEGIN], pieces[count + END] = first, last
    for place in range(columns):
        value, worth = value_place(asked, slot, asked[at + 1 + place]), count + WORTHS + PAIR * place
        pieces[worth + CURRENT], pieces[worth + DIVISOR] = slots[value + CURRENT], slots[value + DIVISOR]
    return count + piece_size(asked)


@inner_kernel
def lose(slot: int, asked: Column, output: int, losses: Column, pieces: Column, count: int) -> int:
    """Note what is lost at the end of a step."""
    asked, losses, pieces = borrowed(asked), borrowed(losses), borrowed(pieces)
    loss = output * loss_size(asked)
    begin, end = losses[loss + FROM], losses[loss + TO]
    count = write_piece(pieces, count, 2 * output + 1, slot, begin, end, losses, loss, asked)
    losses[loss + TO] = MISSING
    return count


@inner_kernel
def blocks(slots: Column, entries: Column, meta: Column, pieces: Column, asked: Column) -> tuple[Rows, Rows, Column]:
    """The pieces as rows (group, values, first, last), block by block; divisors, and where the blocks begin.

    Outputs with fewer columns than the widest have their values first.
    """
    width, stride, size, widest = meta[WIDTH], meta[STRIDE], piece_size(asked), asked[WIDEST]
    starts = np.zeros(2 * asked[OUTPUTS] + 1, np.int64)
    for piece in range(0, pieces.shape[0], size):
        starts[pieces[piece + BLOCK] + 1] += 1
    for block in range(2 * asked[OUTPUTS]):
        starts[block + 1] += starts[block]
    places = starts.copy()
    total = pieces.shape[0] // size
    rows, divisors = np.empty((total, width + widest + 2), np.int64), np.empty((total, widest), np.int64)
    for piece in range(0, pieces.shape[0], size):
        row = places[pieces[piece + BLOCK]]
        places[pieces[piece + BLOCK]] += 1
        at = slots[pieces[piece + SLOT] + ENTRY] * stride + KEY
        for column in range(width):
            rows[row, column] = entries[at + column]
        for column in range(widest):
            worth = piece + WORTHS + PAIR * column
            rows[row, width + column], divisors[row, column] = pieces[worth + CURRENT], pieces[worth + DIVISOR]
        rows[row, width + widest], rows[row, width + widest + 1] = pieces[piece + BEGIN], pieces[piece + END]
    return rows, divisors, starts
