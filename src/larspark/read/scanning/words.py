"""Distinct words of a text without zero bytes: each gets a number where it stands first. Compiled."""

from __future__ import annotations

from larspark.intervals.compiled import inlined, kernel
from larspark.intervals.tables.addresses import start_of
from larspark.intervals.tables.storage import NONE, Rows
from larspark.read.scanning.bytes import WIDE, Content, first_bytes, number_at, put_number, same_bytes, wide_at

BEGIN, END, WORD = 0, 1, 2  # of a distinct word, where it stands first; WORD is the length
NUMBER, LETTERS, SLOT = 0, 1, 2  # of a known word: its number, or NONE, and its first letters; SLOT is the length

_SEED, _PRIME = 0xCBF29CE484222325 - (1 << 64), 0x9E3779B97F4A7C15 - (1 << 64)


@inlined
def same_word(begin: int, end: int, first: int, last: int, limit: int) -> bool:
    """Whether two words are the same; all text ends at the limit."""
    return end - begin == last - first and same_bytes(begin, first, end - begin, limit)


@inlined
def _hash(letters: int, begin: int, end: int, limit: int) -> int:
    """Of a word with its first letters."""
    hashed = (_SEED ^ letters) * _PRIME
    begin += WIDE
    while begin < end:
        count = min(end - begin, WIDE)
        hashed ^= hashed >> 29
        hashed = (hashed ^ _letters(begin, count, limit)) * _PRIME
        begin += count
    return hashed ^ (hashed >> 32)


@inlined
def _letters(begin: int, count: int, limit: int) -> int:
    """Up to eight letters as a number; nothing stands behind fewer."""
    letters = wide_at(begin, limit)
    return letters if count >= WIDE else first_bytes(letters, count)


@inlined
def code_of(base: int, begin: int, end: int, limit: int, slots: int, size: int, known: int, count: int) -> int:
    """The number of a word; `count` if it is a new one, which is noted. The rows of slots, so many, and of known words
    are passed by address.

    Slots have the first letters, so that short words need no look at the text where they stood first.
    """
    letters = _letters(begin, end - begin, limit)
    slot = _hash(letters, begin, end, limit) & (size - 1)
    code = number_at(slots + slot * SLOT * WIDE)
    while code != NONE:
        if number_at(slots + (slot * SLOT + LETTERS) * WIDE) == letters:
            if end - begin < WIDE:
                return code
            place = known + code * WORD * WIDE
            if same_word(begin, end, base + number_at(place), base + number_at(place + END * WIDE), limit):
                return code
        slot = (slot + 1) & (size - 1)
        code = number_at(slots + slot * SLOT * WIDE)
    put_number(slots + slot * SLOT * WIDE, count)
    put_number(slots + (slot * SLOT + LETTERS) * WIDE, letters)
    put_number(known + count * WORD * WIDE, begin - base)
    put_number(known + (count * WORD + END) * WIDE, end - base)
    return count


@kernel
def enter_words(content: Content, known: Rows, count: int, slots: Rows) -> None:
    """Put the distinct words into slots that have become more."""
    base, words, table = start_of(content), start_of(known), start_of(slots)
    for number in range(count):
        begin, end = base + known[number, BEGIN], base + known[number, END]
        code_of(base, begin, end, base + len(content), table, len(slots), words, number)
