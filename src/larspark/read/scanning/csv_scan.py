"""Cells of lines without quotes: where they stand, whole numbers among them, and distinct texts. Compiled."""

from __future__ import annotations

from larspark.intervals.compiled import inlined, kernel
from larspark.intervals.tables.addresses import start_of
from larspark.intervals.tables.storage import Column, Rows
from larspark.read.scanning.bytes import (
    DIGITS,
    EACH,
    WIDE,
    Content,
    bytes_like,
    first_bytes,
    letter_at,
    lowest_byte,
    wide_at,
)
from larspark.read.scanning.words import code_of

ROWS, DISTINCT, DONE = 0, 1, 2  # how far words are numbered: rows, distinct words; DONE is the length

_COMMA, _FEED, _RETURN, _MINUS = (ord(letter) for letter in ",\n\r-")
_ZEROS, _THREES, _SIXES = EACH * 0x30, EACH * 0x33, EACH * 0x06
_LOW, _HIGH = EACH * 0x0F, ~(EACH * 0x0F)
_PAIRS, _FOURS = 0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF
_TENS, _HUNDREDS, _TEN_THOUSANDS = 1 + (10 << 8), 1 + (100 << 16), 1 + (10_000 << 32)


@kernel
def find_cells(content: Content, columns: int, counts: Column, edges: Rows) -> int:
    """How many cells each line has, none if it is empty; and the longest line.

    `edges` tells of the lines with a cell for every column, one after the other, what stands around each cell: `[c]` is
    the place before the cell `c`, `[c + 1]` the one behind it.
    """
    base = start_of(content)
    limit = base + len(content)
    line, row, cell, longest, before = 0, 0, 0, 0, base - 1
    place = base
    while place < limit:
        letters = wide_at(place, limit)
        separators = bytes_like(letters, _COMMA) | bytes_like(letters, _FEED)
        while separators != 0:
            found = place + lowest_byte(separators)
            separators &= separators - 1
            cell += 1
            if letter_at(found) == _COMMA:
                if cell <= columns:
                    edges[row, cell] = found - base
            else:
                row += _end_line(base, before, found, cell, columns, counts, line, edges, row)
                longest = max(longest, found - before - 1)
                line, cell, before = line + 1, 0, found
        place += WIDE
    if before < limit - 1:
        _end_line(base, before, limit, cell + 1, columns, counts, line, edges, row)
        longest = max(longest, limit - before - 1)
    return longest


@inlined
def _end_line(
    base: int, before: int, found: int, cell: int, columns: int, counts: Column, line: int, edges: Rows, row: int
) -> int:
    """Note the line between two places; one if it has a cell for every column."""
    end = found - (found > before + 1 and letter_at(found - 1) == _RETURN)
    counts[line] = cell if end > before + 1 else 0
    if counts[line] != columns:
        return 0
    edges[row, 0], edges[row, columns] = before - base, end - base
    return 1


@kernel
def whole_numbers(content: Content, edges: Rows, column: int, signed: bool, numbers: Column) -> bool:
    """Whether all cells of a column are whole numbers of a few digits, which are noted."""
    base = start_of(content)
    limit = base + len(content)
    for row in range(len(numbers)):
        begin, end = base + edges[row, column] + 1, base + edges[row, column + 1]
        negative = signed and begin < end and letter_at(begin) == _MINUS
        place = begin + negative
        if place >= end or end - place > DIGITS:
            return False
        number = 0
        while place < end:
            count = (end - place - 1) % WIDE + 1
            digits = _digits(wide_at(place, limit), count)
            if not _are_digits(digits):
                return False
            number = number * 10**8 + _number(digits)
            place += count
        numbers[row] = -number if negative else number
    return True


@inlined
def _digits(letters: int, count: int) -> int:
    """The first letters, one to eight, behind zeros."""
    if count == WIDE:
        return letters
    return (letters << (8 * (WIDE - count))) | first_bytes(_ZEROS, WIDE - count)


@inlined
def _are_digits(letters: int) -> bool:
    """Whether all eight are: their upper half is 3, also if six are added to them."""
    return ((letters & _HIGH) | (((letters + _SIXES) & _HIGH) >> 4) & _LOW) == _THREES


@inlined
def _number(digits: int) -> int:
    """Of eight digits: neighbours are put together, then pairs, then fours."""
    pairs = ((digits & _LOW) * _TENS) >> 8
    fours = ((pairs & _PAIRS) * _HUNDREDS) >> 16
    return ((fours & _FOURS) * _TEN_THOUSANDS) >> 32


@kernel
def number_words(
    content: Content, edges: Rows, column: int, slots: Rows, known: Rows, codes: Column, done: Column
) -> None:
    """Number the distinct cells of a column until there is no room for them.

    `known` has the places of the distinct ones, and `slots` is where these are looked up: it has a power of two of
    places, more than there are words. `done` is where to go on.
    """
    base, words, table, size = start_of(content), start_of(known), start_of(slots), len(slots)
    limit, distinct = base + len(content), done[DISTINCT]
    for row in range(done[ROWS], len(codes)):
        if distinct == len(known):
            done[ROWS], done[DISTINCT] = row, distinct
            return
        begin, end = base + edges[row, column] + 1, base + edges[row, column + 1]
        code = code_of(base, begin, end, limit, table, size, words, distinct)
        distinct += code == distinct
        codes[row] = code
    done[ROWS], done[DISTINCT] = len(codes), distinct
