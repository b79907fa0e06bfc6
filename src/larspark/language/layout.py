"""Before the grammar: comments become blanks, and the text is cut into statements at final dots.

Offsets are kept, so everything found later points into the text as typed. The rule that tells a modulo from a comment
is stated in `grammar.lark`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from larspark.diagnostics import Diagnostic
from larspark.language.source import Source

_INTERESTING = re.compile(r'"|%|//|/\*')
_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
_OPERAND_BEFORE = re.compile(r"(?:(?P<sure>\b[0-9]+|\b[A-Z][A-Za-z0-9_]*)|\b[a-z][A-Za-z0-9_]*|\))[ \t]*\Z")
_OPERAND_AFTER = re.compile(
    r"%[ \t]*(?:\([ \t]*[-A-Z0-9(]"
    r"|(?:[0-9]+(?:\.[0-9]+)?|[A-Z][A-Za-z0-9_]*)[ \t\r]*(?P<next>[-+*/%\\^=!<>,.;:|)\]}]|\n|\Z))"
)
_LONGEST_OPERAND = 256
_BLOCKS = {"/*": "*/", "%*": "*%"}
_NOT_A_LINE_BREAK = re.compile(r"[^\n]")
_LAYOUT = re.compile(r"\s*")
_CUT = re.compile(r'"(?:\\.|[^"\\\n])*"|[0-9]+(?:\.[0-9]+)?|\.\.(?=\s*[-0-9A-Za-z("_])|\.[0-9]+|\.')
"""Where a statement may end: not inside a text or number, nor at `..` between the ends of a range."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A stretch of the source from the first character of a statement to behind its final dot."""

    start: int
    end: int
    closed: bool
    """False: the text ended before a final dot."""


@dataclass(frozen=True, slots=True)
class Unclosed:
    """A comment or quoted text without end, and where it starts."""

    start: int
    diagnostic: Diagnostic


def blank_comments(source: Source) -> tuple[str, list[Unclosed]]:
    """The text with every comment replaced by blanks, and what was left open."""
    spans, unclosed = comments(source)
    pieces: list[str] = []
    position = 0
    for start, end in spans:
        pieces += (source.text[position:start], _NOT_A_LINE_BREAK.sub(" ", source.text[start:end]))
        position = end
    return "".join((*pieces, source.text[position:])), unclosed


def comments(source: Source) -> tuple[list[tuple[int, int]], list[Unclosed]]:
    """Where comments start and end, and what was left open."""
    text, position = source.text, 0
    spans: list[tuple[int, int]] = []
    unclosed: list[Unclosed] = []
    while found := _INTERESTING.search(text, position):
        start, opening = found.start(), found.group()
        if opening == '"':
            position = _string_end(source, start, unclosed)
        elif opening == "%" and _is_modulo(text, start):
            position = start + 1
        else:
            position = _comment_end(source, start, unclosed)
            spans.append((start, position))
    return spans, unclosed


def _string_end(source: Source, start: int, unclosed: list[Unclosed]) -> int:
    if string := _STRING.match(source.text, start):
        return string.end()
    end = _line_end(source.text, start)
    message = "The quoted text is not closed on its line."
    hint = 'End it with `"`; write a quote inside as `\\"` and a line break as `\\n`.'
    unclosed.append(Unclosed(start, Diagnostic("E102", message, hint, source.origin(start, end))))
    return end


def _comment_end(source: Source, start: int, unclosed: list[Unclosed]) -> int:
    opening = source.text[start : start + 2]
    if opening not in _BLOCKS:
        return _line_end(source.text, start)
    closing = _BLOCKS[opening]
    end = source.text.find(closing, start + 2)
    if end >= 0:
        return end + 2
    origin = source.origin(start, start + 2)
    message = "The comment that starts here is never closed."
    unclosed.append(Unclosed(start, Diagnostic("E103", message, f"End it with `{closing}`.", origin)))
    return len(source.text)


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _is_modulo(text: str, position: int) -> bool:
    line_start = max(text.rfind("\n", 0, position) + 1, position - _LONGEST_OPERAND)
    before = _OPERAND_BEFORE.search(text[line_start:position])
    after = _OPERAND_AFTER.match(text, position)
    if before is None or after is None:
        return False
    return before["sure"] is not None if after["next"] in ("", "\n") else True


def statements(text: str) -> Iterator[Statement]:
    """The stretches between final dots, without the white space before; dots in numbers and strings do not cut."""
    start = _after_layout(text, 0)
    for found in _CUT.finditer(text):
        if found.group() == ".":
            yield Statement(start, found.end(), True)
            start = _after_layout(text, found.end())
    if start < len(text):
        yield Statement(start, len(text.rstrip()), False)


def _after_layout(text: str, position: int) -> int:
    found = _LAYOUT.match(text, position)
    return found.end() if found else position
