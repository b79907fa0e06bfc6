"""A program laid out as everybody lays it out: spaces and indentation, never the words, the comments or their order.

Line breaks are the author's, except that blank lines never come in twos; what continues a statement is indented. The
result parses to an equal tree, and laying it out again changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from larspark.diagnostics import Rejected
from larspark.language.layout import blank_comments, comments, statements
from larspark.language.parser import parse_program
from larspark.language.source import Source

INDENT = "    "

_TOKEN = re.compile(
    r'"(?:\\.|[^"\\\n])*"|#[a-z]+|:-|->|!=|<=|>=|\.\.|[0-9]+\.[0-9]+|[A-Za-z0-9_]+|\S',
)
_SPACED = frozenset({":-", "->", "=", "!=", "<", "<=", ">", ">=", "|", ":"})
_TIGHT_BEFORE = frozenset({",", ";", ")", "]"})
_TIGHT_AFTER = frozenset({"(", "["})
_DEEPER, _BACK = frozenset("([{"), frozenset(")]}")


class Piece(NamedTuple):
    """A token or a comment."""

    text: str
    start: int
    comment: bool = False
    final: bool = False
    """The dot that ends a statement."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def format_program(text: str, file: str = "<text>") -> str:
    """The text, laid out; raises Rejected when it does not parse."""
    source = Source(file, text)
    if re.search(r"^\s*#include\b", blank_comments(source)[0], re.MULTILINE) is None:
        parse_program(text, file)
    elif comments(source)[1]:
        raise Rejected(part.diagnostic for part in comments(source)[1])
    lines = "".join(_laid_out(text, list(_pieces(source)))).split("\n")
    return "\n".join(lines).strip("\n") + "\n" if any(lines) else ""


def _pieces(source: Source) -> Iterator[Piece]:
    blanked, _ = blank_comments(source)
    ends = {one.end for one in statements(blanked) if one.closed}
    found = [Piece(source.text[start:end], start, comment=True) for start, end in comments(source)[0]]
    for token in _TOKEN.finditer(blanked):
        found.append(Piece(token.group(), token.start(), final=token.group() == "." and token.end() in ends))
    return iter(sorted(found, key=lambda piece: piece.start))


def _laid_out(text: str, pieces: list[Piece]) -> Iterator[str]:
    inside, nesting = False, [""]
    for place, piece in enumerate(pieces):
        before = pieces[place - 1] if place else None
        if piece.text in _BACK and not piece.comment and len(nesting) > 1:
            nesting.pop()
        if before is not None:
            gap = text[before.end : piece.start]
            yield _gap(before, piece, gap, inside=inside, nesting=nesting)
        yield piece.text.rstrip() if piece.comment else piece.text
        if piece.comment:
            continue
        if piece.text in _DEEPER:
            nesting.append(piece.text)
        inside = not piece.final
        if piece.final:
            nesting = [""]


def _gap(before: Piece, piece: Piece, gap: str, *, inside: bool, nesting: list[str]) -> str:
    """What stands between two pieces."""
    breaks = gap.count("\n")
    if breaks or (before.comment and _runs_to_the_end(before)):
        line = "\n" if inside else "\n" * min(max(breaks, 1), 2)
        return line + (INDENT * len(nesting) if inside else "")
    if piece.comment or before.comment:
        return gap or " "
    if before.final or piece.text == ":-":  # rules may stand in columns
        return gap or " "
    if piece.final or piece.text in _TIGHT_BEFORE:
        return ""
    if before.text in _TIGHT_AFTER:
        return ""
    return _between(before.text, piece.text, gap, nesting[-1])


def _runs_to_the_end(piece: Piece) -> bool:
    return not piece.text.startswith(("/*", "%*"))


def _between(left: str, right: str, gap: str, bracket: str) -> str:
    if left == "," or right == "[":
        return " "
    if left == ";" or "{" in (left, right) or "}" in (left, right):
        return _around_braces(left, right)
    if ":" in (left, right) and bracket == "(":  # the type of a column
        return "" if right == ":" else " "
    if left in _SPACED or right in _SPACED:
        return " "
    return " " if gap else ""


def _around_braces(left: str, right: str) -> str:
    if right == "{" and left.startswith("#"):
        return ""
    return "" if (left, right) == ("{", "}") else " "
