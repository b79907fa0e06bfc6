"""Plain JSON objects with a time and an atom. Compiled.

Plain are objects in one line, without objects and lists inside, without escapes, and with numbers without exponents:
what can be told apart byte by byte. Others are not found, whether or not they are right. Mostly a line differs from one
before it in its time and its atom alone: then only these are looked at, and that the rest is the same.
"""

from __future__ import annotations

from larspark.intervals.compiled import inlined, inner_kernel, kernel
from larspark.intervals.tables.addresses import start_of
from larspark.intervals.tables.storage import NONE, Column, Rows
from larspark.read.scanning.bytes import (
    DIGITS,
    EACH,
    HIGHEST,
    WIDE,
    ZERO,
    Content,
    digits_end,
    first_bytes,
    letter_at,
    same_bytes,
    wide_at,
)

TIME, TIME_BEGIN, TIME_END, ATOM_BEGIN, ATOM_END, FOUND = 0, 1, 2, 3, 4, 5
"""Of a line: its time if that is a number, where the time stands, and where the atom stands; NONE if not plain."""

_SPACE, _TAB, _RETURN, _QUOTE, _COMMA, _COLON, _OPEN, _CLOSE, _BACKSLASH = (ord(letter) for letter in ' \t\r",:{}\\')
_MINUS, _POINT, _F = (ord(letter) for letter in "-.f")
_TIME, _ATOM, _TRUE, _ALSE, _NULL = (int.from_bytes(w, "little") for w in (b"time", b"atom", b"true", b"alse", b"null"))


@inlined
def _spaces(place: int, end: int) -> int:
    """Where something else begins."""
    while place < end and (letter_at(place) == _SPACE or letter_at(place) == _TAB):
        place += 1
    return place


@inlined
def _text(place: int, end: int) -> int:
    """Where the text that begins here has its closing quote; NONE if it has escapes or does not end."""
    while place < end and letter_at(place) >= _SPACE and letter_at(place) != _QUOTE and letter_at(place) != _BACKSLASH:
        place += 1
    return place if place < end and letter_at(place) == _QUOTE else NONE


@inlined
def _word(place: int, end: int) -> int:
    """Four letters as a number."""
    return first_bytes(wide_at(place, end), 4) if place + 4 <= end else NONE


@inlined
def _whole(place: int, end: int) -> int:
    """Behind the digits of a number, among which a zero stands first only alone; NONE if there are none, or many."""
    behind = digits_end(place, end)
    if behind == place or behind > place + DIGITS or (letter_at(place) == ZERO and behind > place + 1):
        return NONE
    return behind


@inlined
def _number(first: int, behind: int) -> int:
    number = 0
    for digit in range(first, behind):
        number = 10 * number + letter_at(digit) - ZERO
    return number


@inlined
def _other(place: int, end: int) -> int:
    """Behind a value that nobody asks for, NONE if it is not plain."""
    if letter_at(place) == _QUOTE:
        closing = _text(place + 1, end)
        return NONE if closing == NONE else closing + 1
    word = _word(place, end)
    if word in (_TRUE, _NULL):
        return place + 4
    if letter_at(place) == _F and _word(place + 1, end) == _ALSE:
        return place + 5
    behind = _whole(place + (letter_at(place) == _MINUS), end)
    if behind != NONE and behind < end and letter_at(behind) == _POINT:
        fraction = behind + 1
        behind = digits_end(fraction, end)
        return NONE if behind == fraction else behind
    return behind


@inlined
def _odd(letters: int) -> int:
    """Not nothing if one of eight bytes is a quote, a backslash, or below a space."""
    quotes, slashes = letters ^ (EACH * _QUOTE), letters ^ (EACH * _BACKSLASH)
    return (
        ((quotes - EACH) & ~quotes) | ((slashes - EACH) & ~slashes) | ((letters - EACH * _SPACE) & ~letters)
    ) & HIGHEST


@inlined
def _is_text(place: int, end: int, limit: int) -> bool:
    """Whether there is neither a quote nor an escape before the end; all text ends at the limit."""
    while place + WIDE <= end and _odd(wide_at(place, limit)) == 0:
        place += WIDE
    return end - place < WIDE and _odd(wide_at(place, limit) | ~first_bytes(-1, end - place)) == 0


@kernel
def find_records(content: Content, starts: Column, ends: Column, found: Rows) -> None:
    """What the lines between these places hold."""
    base, like = start_of(content), NONE
    for row in range(len(starts)):
        if like == NONE or not _is_like(base, base + len(content), starts, ends, found, row, like):
            _find(base, base + starts[row], base + ends[row], found, row)
            counted = found[row, TIME] != NONE and found[row, TIME_END] <= found[row, ATOM_BEGIN]
            like = row if counted else NONE


@inlined
def _is_like(base: int, limit: int, starts: Column, ends: Column, found: Rows, row: int, like: int) -> bool:
    """Whether a line is another one but for time and atom, which are noted."""
    time, behind_time = base + found[like, TIME_BEGIN], base + found[like, TIME_END]
    atom, behind_atom = base + found[like, ATOM_BEGIN], base + found[like, ATOM_END]
    start, end, model = base + starts[row], base + ends[row], base + starts[like]
    first = start + time - model
    if first > end or not same_bytes(start, model, first - start, limit):
        return False
    last = _whole(first, end)
    begin, close = last + atom - behind_time, end - (base + ends[like] - behind_atom)
    if last == NONE or begin > close or not same_bytes(last, behind_time, begin - last, limit):
        return False
    if not same_bytes(close, behind_atom, end - close, limit) or not _is_text(begin, close, limit):
        return False
    found[row, TIME], found[row, TIME_BEGIN], found[row, TIME_END] = _number(first, last), first - base, last - base
    found[row, ATOM_BEGIN], found[row, ATOM_END] = begin - base, close - base
    return True


@inner_kernel
def _find(base: int, place: int, end: int, found: Rows, row: int) -> None:
    found[row, TIME], found[row, TIME_BEGIN], found[row, ATOM_BEGIN] = NONE, NONE, NONE
    if end > place and letter_at(end - 1) == _RETURN:
        end -= 1
    if place >= end or letter_at(place) != _OPEN:
        return
    timed, begin, last = False, NONE, NONE
    while True:
        key = _spaces(place + 1, end)
        if key >= end or letter_at(key) != _QUOTE:
            return
        closing = _text(key + 1, end)
        if closing == NONE:
            return
        place = _spaces(closing + 1, end)
        if place >= end or letter_at(place) != _COLON:
            return
        place = _spaces(place + 1, end)
        if place >= end:
            return
        name = _word(key + 1, closing) if closing == key + 5 else NONE
        if name == _TIME:
            if timed:
                return
            timed, first = True, place
            if letter_at(place) == _QUOTE:
                first, place = place + 1, _text(place + 1, end)
                if place == NONE:
                    return
                found[row, TIME_END] = place - base
                place += 1
            else:
                place = _whole(place, end)
                if place == NONE:
                    return
                found[row, TIME], found[row, TIME_END] = _number(first, place), place - base
            found[row, TIME_BEGIN] = first - base
        elif name == _ATOM:
            if begin != NONE or letter_at(place) != _QUOTE:
                return
            begin, last = place + 1, _text(place + 1, end)
            if last == NONE:
                return
            place = last + 1
        else:
            place = _other(place, end)
            if place == NONE:
                return
        place = _spaces(place, end)
        if place >= end:
            return
        if letter_at(place) == _CLOSE:
            break
        if letter_at(place) != _COMMA:
            return
    if timed and begin != NONE and _spaces(place + 1, end) == end:
        found[row, ATOM_BEGIN], found[row, ATOM_END] = begin - base, last - base
