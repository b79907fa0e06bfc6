"""Plainly spelled atoms: names, whole numbers, and numbers with a few places behind the point. Compiled."""

from __future__ import annotations

import numpy as np

from larspark.intervals.compiled import inlined, kernel
from larspark.intervals.tables.addresses import start_of
from larspark.intervals.tables.storage import NONE, Column, Rows
from larspark.read.scanning.bytes import DIGITS, NINE, ZERO, Content, digits_end, letter_at
from larspark.read.scanning.words import BEGIN, END, code_of, same_word

CODE, NUMBER, WORD = 0, 1, 2  # of a word: what distinct word it is, or NONE and its number; WORD is the length
ROWS, USED, DISTINCT, DONE = 0, 1, 2, 3  # how far atoms are split: rows, words, distinct words; DONE is the length
FRACTION = 4
"""Places behind the point of a plain number."""

_SMALL_A, _SMALL_Z = (ord(letter) for letter in "az")
_OPEN, _CLOSE, _COMMA, _POINT, _MINUS = (ord(letter) for letter in "(),.-")
_IN_NAMES = np.array([chr(letter).isascii() and (chr(letter).isalnum() or chr(letter) == "_") for letter in range(256)])


@inlined
def _name(place: int, end: int) -> int:
    """Behind a name, which begins with a small letter; the same place if none begins here."""
    if place < end and _SMALL_A <= letter_at(place) <= _SMALL_Z:
        while place < end and _IN_NAMES[letter_at(place)]:
            place += 1
    return place


@kernel
def split_atoms(
    content: Content,
    begins: Column,
    ends: Column,
    slots: Rows,
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
    base, spans, table, size = start_of(content), start_of(known), start_of(slots), len(slots)
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
                if known_name and same_word(begin, place, base + known[name, BEGIN], base + known[name, END], limit):
                    code = name
                else:
                    code = code_of(base, begin, place, limit, table, size, spans, distinct)
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
