"""Plainly spelled atoms: names, whole numbers, and numbers with a few places behind the point. Compiled."""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inlined, kernel
from larspark.intervals.tables.storage import NONE, Column, Rows
from larspark.read.scanning.bytes import DIGITS, ZERO, Content, digits_end

CODE, NUMBER, WORD = 0, 1, 2  # of a word: what distinct word it is, or NONE and its number; WORD is the length
BEGIN, END = 0, 1  # of a distinct word, where it stands first
ROWS, USED, DISTINCT, DONE = 0, 1, 2, 3  # how far atoms are split: rows, words, distinct words; DONE is the length
FRACTION = 4
"""Places behind the point of a plain number."""

_SMALL_A, _SMALL_Z = (ord(letter) for letter in "az")
_OPEN, _CLOSE, _COMMA, _POINT, _MINUS = (ord(letter) for letter in "(),.-")
_IN_NAMES = np.array([chr(letter).isascii() and (chr(letter).isalnum() or chr(letter) == "_") for letter in range(256)])
_SEED, _PRIME = 0xCBF29CE484222325 - (1 << 64), 0x100000001B3  # FNV-1a


@inlined
def _name(content: Content, place: int, end: int) -> int:
    """Behind a name, which begins with a small letter; the same place if none begins here."""
    if place < end and _SMALL_A <= content[place] <= _SMALL_Z:
        while place < end and _IN_NAMES[content[place]]:
            place += 1
    return place


@inlined
def _same(content: Content, begin: int, end: int, first: int, last: int) -> bool:
    """Whether two words are the same."""
    if end - begin != last - first:
        return False
    while begin < end and content[begin] == content[first]:
        begin, first = begin + 1, first + 1
    return begin == end


@inlined
def _code(content: Content, begin: int, end: int, slots: Column, known: Rows, count: int) -> int:
    """The number of a word; `count` if it is a new one, which is noted."""
    hashed = _SEED
    for place in range(begin, end):
        hashed = (hashed ^ content[place]) * _PRIME
    slot = (hashed ^ (hashed >> 32)) & (len(slots) - 1)
    while slots[slot] != NONE:
        if _same(content, begin, end, known[slots[slot], BEGIN], known[slots[slot], END]):
            return slots[slot]
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = count
    known[count, BEGIN], known[count, END] = begin, end
    return count


@kernel
def enter_words(content: Content, known: Rows, count: int, slots: Column) -> None:
    """Put the distinct words into slots that have become more."""
    for number in range(count):
        _code(content, known[number, BEGIN], known[number, END], slots, known, number)


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
    used, distinct, name = done[USED], done[DISTINCT], NONE
    for row in range(done[ROWS], len(begins)):
        place, end = begins[row], ends[row]
        count = 0
        while True:
            begin, number, whole = place, 0, False
            place = _name(content, begin, end)
            if place == begin:
                first = begin + (begin < end and content[begin] == _MINUS)
                place = digits_end(content, first, end)
                if count == 0 or place == first or place > first + DIGITS:
                    count = 0
                    break
                whole = place == end or content[place] != _POINT
                if whole:
                    for digit in range(first, place):
                        number = 10 * number + content[digit] - ZERO
                    if first > begin:
                        number = -number
                else:
                    point = place
                    place = digits_end(content, point + 1, end)
                    if place == point + 1 or place > point + 1 + FRACTION:
                        count = 0
                        break
            code = NONE
            if not whole:
                if distinct == len(known):
                    done[ROWS], done[USED], done[DISTINCT] = row, used, distinct
                    return
                if count == 0 and name != NONE and _same(content, begin, place, known[name, BEGIN], known[name, END]):
                    code = name
                else:
                    code = _code(content, begin, place, slots, known, distinct)
                    distinct += code == distinct
                if count == 0:
                    name = code  # mostly the next atom has the same
            words[used + count, CODE], words[used + count, NUMBER] = code, number
            count += 1
            if place == end:
                if count > 1:
                    count = 0
                break
            if content[place] == _CLOSE:
                if count == 1 or place + 1 != end:
                    count = 0
                break
            if content[place] != (_OPEN if count == 1 else _COMMA):
                count = 0
                break
            place += 1
        counts[row] = count
        used += count
    done[ROWS], done[USED], done[DISTINCT] = len(begins), used, distinct
