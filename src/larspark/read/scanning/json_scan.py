"""Plain JSON objects with a time and an atom. Compiled.

Plain are objects in one line, without objects and lists inside, without escapes, and with numbers without exponents:
what can be told apart byte by byte. Others are not found, whether or not they are right.
"""

from __future__ import annotations

from larspark.intervals.compiled import inlined, inner_kernel, kernel
from larspark.intervals.tables.storage import NONE, Column, Rows
from larspark.read.scanning.bytes import DIGITS, ZERO, Content, digits_end

TIME, TIME_BEGIN, TIME_END, ATOM_BEGIN, ATOM_END, FOUND = 0, 1, 2, 3, 4, 5
"""Of a line: its time if that is a number, or where its text stands, and where the atom stands; NONE if not plain."""

_SPACE, _TAB, _RETURN, _QUOTE, _COMMA, _COLON, _OPEN, _CLOSE, _BACKSLASH = (ord(letter) for letter in ' \t\r",:{}\\')
_MINUS, _POINT, _F = (ord(letter) for letter in "-.f")
_TIME, _ATOM, _TRUE, _ALSE, _NULL = (int.from_bytes(w, "little") for w in (b"time", b"atom", b"true", b"alse", b"null"))


@inlined
def _spaces(content: Content, place: int, end: int) -> int:
    """Where something else begins."""
    while place < end and (content[place] == _SPACE or content[place] == _TAB):
        place += 1
    return place


@inlined
def _text(content: Content, place: int, end: int) -> int:
    """Where the text that begins here has its closing quote; NONE if it has escapes or does not end."""
    while place < end and content[place] >= _SPACE and content[place] != _QUOTE and content[place] != _BACKSLASH:
        place += 1
    return place if place < end and content[place] == _QUOTE else NONE


@inlined
def _word(content: Content, place: int, end: int) -> int:
    """Four letters as a number."""
    if place + 4 > end:
        return NONE
    return (
        int(content[place])
        + (int(content[place + 1]) << 8)
        + (int(content[place + 2]) << 16)
        + (int(content[place + 3]) << 24)
    )


@inlined
def _whole(content: Content, place: int, end: int) -> int:
    """Behind the digits of a number, among which a zero stands first only alone; NONE if there are none, or many."""
    behind = digits_end(content, place, end)
    if behind == place or behind > place + DIGITS or (content[place] == ZERO and behind > place + 1):
        return NONE
    return behind


@inlined
def _other(content: Content, place: int, end: int) -> int:
    """Behind a value that nobody asks for, NONE if it is not plain."""
    if content[place] == _QUOTE:
        closing = _text(content, place + 1, end)
        return NONE if closing == NONE else closing + 1
    word = _word(content, place, end)
    if word in (_TRUE, _NULL):
        return place + 4
    if content[place] == _F and _word(content, place + 1, end) == _ALSE:
        return place + 5
    behind = _whole(content, place + (content[place] == _MINUS), end)
    if behind != NONE and behind < end and content[behind] == _POINT:
        fraction = behind + 1
        behind = digits_end(content, fraction, end)
        return NONE if behind == fraction else behind
    return behind


@kernel
def find_records(content: Content, starts: Column, ends: Column, found: Rows) -> None:
    """What the lines between these places hold."""
    for row in range(len(starts)):
        _find(content, starts[row], ends[row], found, row)


@inner_kernel
def _find(content: Content, place: int, end: int, found: Rows, row: int) -> None:
    found[row, TIME], found[row, TIME_BEGIN], found[row, ATOM_BEGIN] = NONE, NONE, NONE
    if end > place and content[end - 1] == _RETURN:
        end -= 1
    if place >= end or content[place] != _OPEN:
        return
    timed, begin, last = False, NONE, NONE
    while True:
        key = _spaces(content, place + 1, end)
        if key >= end or content[key] != _QUOTE:
            return
        closing = _text(content, key + 1, end)
        if closing == NONE:
            return
        place = _spaces(content, closing + 1, end)
        if place >= end or content[place] != _COLON:
            return
        place = _spaces(content, place + 1, end)
        if place >= end:
            return
        name = _word(content, key + 1, closing) if closing == key + 5 else NONE
        if name == _TIME:
            if timed:
                return
            timed = True
            if content[place] == _QUOTE:
                closing = _text(content, place + 1, end)
                if closing == NONE:
                    return
                found[row, TIME_BEGIN], found[row, TIME_END] = place + 1, closing
                place = closing + 1
            else:
                first, place = place, _whole(content, place, end)
                if place == NONE:
                    return
                number = 0
                for digit in range(first, place):
                    number = 10 * number + content[digit] - ZERO
                found[row, TIME] = number
        elif name == _ATOM:
            if begin != NONE or content[place] != _QUOTE:
                return
            begin, last = place + 1, _text(content, place + 1, end)
            if last == NONE:
                return
            place = last + 1
        else:
            place = _other(content, place, end)
            if place == NONE:
                return
        place = _spaces(content, place, end)
        if place >= end:
            return
        if content[place] == _CLOSE:
            break
        if content[place] != _COMMA:
            return
    if timed and begin != NONE and _spaces(content, place + 1, end) == end:
        found[row, ATOM_BEGIN], found[row, ATOM_END] = begin, last
