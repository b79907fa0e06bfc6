"""Texts that are numbered in the order in which they come, each once: looked up by a hash, compared byte by byte.

The bytes of all texts lie one after the other; `begins` tells where each starts, and where the last one ends. A slot
is a hash and a number: of a text, or NONE where the slot is free.
"""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inlined, kernel
from larspark.intervals.tables.addresses import bytes_at, column_at
from larspark.intervals.tables.storage import MIX, NONE, Column

WORD = 8
"""Bytes that are looked at together."""
HASH, NUMBER, SLOT = 0, 1, 2  # in a slot; its size
FILLED = 2
"""There are at least so many times more slots than texts."""


@inlined
def _hashed(address: int, size: int) -> int:
    words, rest = column_at(address, size // WORD), bytes_at(address + size // WORD * WORD, size % WORD)
    code = size
    for place in range(words.shape[0]):
        code = (code ^ words[place]) * MIX
        code ^= (code >> 32) & 0xFFFFFFFF
    last = 0
    for place in range(rest.shape[0]):
        last = last << 8 | np.int64(rest[place])  # type: ignore[assignment]
    code = (code ^ last) * MIX
    return code ^ ((code >> 29) & 0x7FFFFFFFF)


@inlined
def _equal(one: int, other: int, size: int) -> bool:
    words, others = column_at(one, size // WORD), column_at(other, size // WORD)
    same, place = True, 0
    while same and place < words.shape[0]:
        same = words[place] == others[place]
        place += 1
    done = size // WORD * WORD
    rest, remaining = bytes_at(one + done, size - done), bytes_at(other + done, size - done)
    place = 0
    while same and place < rest.shape[0]:
        same = rest[place] == remaining[place]
        place += 1
    return same


@kernel
def number_texts(
    given: int,
    offsets: Column,
    first: int,
    kept: int,
    room: int,
    begins: Column,
    count: int,
    slots: Column,
    numbers: Column,
) -> tuple[int, int]:
    """Put the numbers of the texts from `first` on into `numbers`; up to where there is room for new ones.

    `given` and `kept` are the addresses of the bytes given and kept, for which there is `room`; `count` texts are kept.
    Returns the first text that has no number yet, and how many are kept then.
    """
    last = slots.shape[0] // SLOT - 1
    text = first
    while text < numbers.shape[0]:
        begin, size = offsets[text], offsets[text + 1] - offsets[text]
        code = _hashed(given + begin, size)
        place = code & last
        number = slots[place * SLOT + NUMBER]
        while number != NONE:
            if slots[place * SLOT + HASH] == code:
                known = begins[number]
                if begins[number + 1] - known == size and _equal(given + begin, kept + known, size):
                    break
            place = (place + 1) & last
            number = slots[place * SLOT + NUMBER]
        if number == NONE:
            end = begins[count]
            if count + 1 == begins.shape[0] or end + size > room or FILLED * (count + 1) > last + 1:
                break
            target, source = bytes_at(kept + end, size), bytes_at(given + begin, size)
            for one in range(size):
                target[one] = source[one]
            number = count
            slots[place * SLOT + HASH], slots[place * SLOT + NUMBER] = code, number
            count += 1
            begins[count] = end + size
        numbers[text] = number
        text += 1
    return text, count


@kernel
def fill_slots(old: Column, slots: Column) -> None:
    """Put what stands in slots into free ones."""
    last = slots.shape[0] // SLOT - 1
    for taken in range(old.shape[0] // SLOT):
        if old[taken * SLOT + NUMBER] != NONE:
            code = old[taken * SLOT + HASH]
            place = code & last
            while slots[place * SLOT + NUMBER] != NONE:
                place = (place + 1) & last
            slots[place * SLOT + HASH], slots[place * SLOT + NUMBER] = code, old[taken * SLOT + NUMBER]
