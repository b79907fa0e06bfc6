"""Where the grammar stopped, seen as words, and the advice a lesson gives about it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORD = re.compile(
    r"""(?P<string>"(?:\\.|[^"\\\n])*")
      | (?P<number>[0-9]+(?:\.[0-9]+)?)
      | (?P<variable>[A-Z][A-Za-z0-9_]*)
      | (?P<name>[a-z_][A-Za-z0-9_]*)
      | (?P<directive>\#[A-Za-z]+)
      | (?P<sign>:-|<-|:=|=>|==|!=|<>|<=|=<|>=|->|&&|\|\||\\\+|[^\s])""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Word:
    """A stretch of a statement as a reader would see it, whether or not the grammar knows it."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Advice:
    """What a lesson says, with a span inside the statement."""

    code: str
    message: str
    hint: str
    start: int
    end: int
    resume: int | None = None
    """Where the next statement starts, if the lesson sees that this one ended without a dot."""


OPERANDS = ("name", "variable", "number", "string")
"""Kinds of words an operand may end with."""

EITHER = "Write a rule for each case, `h :- a. h :- b.`, or a formula in parentheses, `h :- (a or b).`"
IF_THEN = "Write a rule for each case, `h :- not a. h :- b.`, or a formula in parentheses, `h :- (a -> b).`"
"""What to do about a connective in a body."""

NOTHING = Word("nothing", "", 0, 0)


def words_of(text: str) -> tuple[Word, ...]:
    return tuple(
        Word(found.lastgroup or "sign", found.group(), found.start(), found.end()) for found in _WORD.finditer(text)
    )


@dataclass(frozen=True)
class Failure:
    """A refused statement: its words, and the index of the first one that did not fit (their number = the end)."""

    text: str
    words: tuple[Word, ...]
    index: int
    start: str
    """The grammar rule that was asked for."""
    expected: frozenset[str]
    """Names of the grammar's tokens that would have fitted."""

    def word(self, offset: int = 0) -> Word:
        """A word relative to the one that did not fit."""
        index = self.index + offset
        return self.words[index] if 0 <= index < len(self.words) else NOTHING

    def texts(self, first: int, last: int) -> tuple[str, ...]:
        """The texts of several words relative to the one that did not fit."""
        return tuple(self.word(offset).text for offset in range(first, last + 1))

    def advice(self, code: str, message: str, hint: str, first: int = 0, last: int | None = None) -> Advice:
        """Advice about a range of words; an empty place is pointed at behind the word before it."""
        begin, end = self.word(first), self.word(first if last is None else last)
        if begin is NOTHING:
            place = self.words[-1].end if self.words else 0
            return Advice(code, message, hint, place, place + 1)
        return Advice(code, message, hint, begin.start, max(end.end, begin.end))

    def behind(self, offset: int, code: str, message: str, hint: str) -> Advice:
        """Advice about the place right behind a word."""
        place = self.word(offset).end
        return Advice(code, message, hint, place, place + 1)

    def inside(self, opening: str, closing: str) -> bool:
        """Whether the failure lies between such brackets."""
        depth = 0
        for word in self.words[: self.index]:
            depth += (word.text == opening) - (word.text == closing)
        return depth > 0

    def starts_line(self, offset: int = 0) -> bool:
        """Whether a word is the first of its line and not of the statement."""
        word, before = self.word(offset), self.word(offset - 1)
        return before is not NOTHING and "\n" in self.text[before.end : word.start]
