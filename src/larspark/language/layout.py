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
_LAYOUT = re.compile(r"\s*")
_CUT = re.compile(r'"(?:\\.|[^"\\\n])*"|[0-9]+\.[0-9]+|\.')


@dataclass(frozen=True, slots=True)
class Statement:
    """A stretch of the source from the first character of a statement to behind its final dot."""

    start: int
    end: int
    closed: bool
    """False: the text ended before a final dot."""


def blank_comments(source: Source) -> tuple[str, list[Diagnostic]]:
    """The text with every comment replaced by blanks, and what was left open."""
    text, pieces, problems, position = source.text, [], [], 0
    while found := _INTERESTING.search(text, position):
        start = found.start()
        end, problem = _token_end(source, start, found.group())
        pieces.append(text[position:start])
        token = text[start:end]
        kept = token.startswith('"') or (token == "%" and _is_modulo(text, start))  # a lone `%` may be a comment
        pieces.append(token if kept else re.sub(r"[^\n]", " ", token))
        if problem is not None:
            problems.append(problem)
        position = end
    pieces.append(text[position:])
    return "".join(pieces), problems


def _token_end(source: Source, start: int, opening: str) -> tuple[int, Diagnostic | None]:
    text = source.text
    if opening == '"':
        if string := _STRING.match(text, start):
            return string.end(), None
        end = _line_end(text, start)
        return end, Diagnostic(
            "E102",
            "The quoted text is not closed on its line.",
            'End it with `"`; write a quote inside as `\\"` and a line break as `\\n`.',
            source.origin(start, end),
        )
    if opening == "%" and text.startswith("%*", start):
        return _block_end(source, start, "*%")
    if opening == "/*":
        return _block_end(source, start, "*/")
    if opening == "%" and _is_modulo(text, start):
        return start + 1, None
    return _line_end(text, start), None


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _block_end(source: Source, start: int, closing: str) -> tuple[int, Diagnostic | None]:
    end = source.text.find(closing, start + 2)
    if end >= 0:
        return end + 2, None
    return len(source.text), Diagnostic(
        "E103",
        "The comment that starts here is never closed.",
        f"End it with `{closing}`.",
        source.origin(start, start + 2),
    )


def _is_modulo(text: str, position: int) -> bool:
    line_start = text.rfind("\n", 0, position) + 1
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
