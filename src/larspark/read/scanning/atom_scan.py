"""Plainly spelled atoms: names, whole numbers, and numbers with a few places behind the point. Compiled."""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inlined, kernel
from larspark.intervals.tables.addresses import start_of
from larspark.intervals.tables.storage import NONE, Column, Rows
from larspark.read.scanning.bytes import (
    DIGITS,
    NINE,
    WIDE,
    ZERO,
    Content,
    digits_end,
    first_bytes,
    letter_at,
    same_bytes,
    wide_at,
)

CODE, NUMBER, WORD = 0, 1, 2  # of a word: what distinct word it is, or NONE and its number; WORD is the length
BEGIN, END = 0, 1  # of a distinct word, where it stands first
ROWS, USED, DISTINCT, DONE = 0, 1, 2, 3  # how far atoms are split: rows, words, distinct words; DONE is the length
FRACTION = 4
"""Places behind the point of a plain number."""

_SMALL_A, _SMALL_Z = (ord(letter) for letter in "az")
_OPEN, _CLOSE, _COMMA, _POINT, _MINUS = (ord(letter) for letter in "(),.-")
_IN_NAMES = np.array([chr(letter).isascii() and (chr(letter).isalnum() or chr(letter) == "_") for letter in range(256)])
_SEED, _PRIME = 0xCBF29CE484222325 - (1 << 64), 0x9E3779B97F4A7C15 - (1 << 64)


@inlined
def _name(place: int, end: int) -> int:
    """Behind a name, which begins with a small letter; the same place if none begins here."""
    if place < end and _SMALL_A <= letter_at(place) <= _SMALL_Z:
        while place < end and _IN_NAMES[letter_at(place)]:
            place += 1
    return place


@inlined
def _same(begin: int, end: int, first: int, last: int, limit: int) -> bool:
    """Whether two words are the same; all text ends at the limit."""
    return end - begin == last - first and same_bytes(begin, first, end - begin, limit)


@inlined
def _hash(begin: int, end: int, limit: int) -> int:
    hashed = _SEED
    while begin + WIDE <= end:
        hashed = (hashed ^ wide_at(begin, limit)) * _PRIME
        hashed ^= hashed >> 29
        begin += WIDE
    hashed = (hashed ^ first_bytes(wide_at(begin, limit), end - begin)) * _PRIME
    return hashed ^ (hashed >> 32)


@inlined
def _code(base: int, begin: int, end: int, limit: int, slots: Column, known: Rows, count: int) -> int:
    """The number of a word; `count` if it is a new one, which is noted."""
    slot = _hash(begin, end, limit) & (len(slots) - 1)
    while slots[slot] != NONE:
        if _same(begin, end, base + known[slots[slot], BEGIN], base + known[slots[slot], END], limit):
            return slots[slot]
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = count
    known[count, BEGIN], known[count, END] = begin - base, end - base
    return count


@kernel
def enter_words(content: Content, known: Rows, count: int, slots: Column) -> None:
    """Put the distinct words into slots that have become more."""
    base = start_of(content)
    for number in range(count):
        begin, end = base + known[number, BEGIN], base + known[number, END]
        _code(base, begin, end, base + len(content), slots, known, number)


@kernel
def split_atoms(
    content: Content,
    begins: Column,
    ends: Column,
    slots: Column,
    known: Rows,
    words: Rows,
    counts: Column,
    done: Column,
) -> None:
    """Split atoms until there is no room for their distinct words.

    `counts` tells of every atom how many words it has, its name and its arguments: none if it is not plain. `words` has
    those of one atom after the other, `known` the distinct ones, and `slots` is where these are looked up: it has a
    power of two of places, more than there are words. `done` is where to go on: so many rows, words and distinct words.
    """
    base = start_of(content)
    limit = base + len(content)
    used, distinct, name = done[USED], done[DISTINCT], NONE
    for row in range(done[ROWS], len(begins)):
        place, end = base + begins[row], base + ends[row]
        count = 0
        while True:
            begin, number, whole = place, 0, False
            place = _name(begin, end)
            if place == begin:
                first = begin + (begin < end and letter_at(begin) == _MINUS)
                place = first
                while place < end and ZERO <= letter_at(place) <= NINE:
                    number = 10 * number + letter_at(place) - ZERO
                    place += 1
                if count == 0 or place == first or place > first + DIGITS:
                    count = 0
                    break
                whole = place == end or letter_at(place) != _POINT
                if whole:
                    if first > begin:
                        number = -number
                else:
                    point = place
                    place = digits_end(point + 1, end)
                    if place == point + 1 or place > point + 1 + FRACTION:
                        count = 0
                        break
            code = NONE
            if not whole:
                if distinct == len(known):
                    done[ROWS], done[USED], done[DISTINCT] = row, used, distinct
                    return
                known_name = count == 0 and name != NONE  # mostly the next atom has the same
                if known_name and _same(begin, place, base + known[name, BEGIN], base + known[name, END], limit):
                    code = name
                else:
                    code = _code(base, begin, place, limit, slots, known, distinct)
                    distinct += code == distinct
                if count == 0:
                    name = code
            words[used + count, CODE], words[used + count, NUMBER] = code, number
            count += 1
            if place == end:
                if count > 1:
                    count = 0
                break
            if letter_at(place) == _CLOSE:
                if count == 1 or place + 1 != end:
                    count = 0
                break
            if letter_at(place) != (_OPEN if count == 1 else _COMMA):
                count = 0
                break
            place += 1
        counts[row] = count
        used += count
    done[ROWS], done[USED], done[DISTINCT] = len(begins), used, distinct
