"""What is coloured how: one list of patterns, in the order in which they are tried, for every editor."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from larspark.language.words import words


class Coloured(NamedTuple):
    """A kind of text: its name among TextMate's scopes, and among Pygments' tokens."""

    scope: str
    token: str
    pattern: str


class TextBlock(NamedTuple):
    """Text between two signs, perhaps over several lines."""

    scope: str
    token: str
    begin: str
    end: str


BLOCKS = (
    TextBlock("comment.block", "Comment.Multiline", r"/\*", r"\*/"),
    TextBlock("comment.block", "Comment.Multiline", r"%\*", r"\*%"),
)


def coloured() -> tuple[Coloured, ...]:
    """Everything outside blocks. A `%` behind an operand and before one is modulo, as the grammar says."""
    known = words()
    return (
        Coloured("comment.line.percentage", "Comment.Single", r"//.*$"),
        Coloured("keyword.operator.arithmetic", "Operator", r"(?<=[0-9A-Za-z_)]) ?%(?= ?[0-9A-Z(])"),
        Coloured("comment.line.percentage", "Comment.Single", r"%.*$"),
        Coloured("string.quoted.double", "String", r'"(?:\\.|[^"\\])*"'),
        Coloured("keyword.control.directive", "Keyword.Namespace", rf"{_any(known.directives)}\b"),
        Coloured("support.function.aggregate", "Name.Builtin", rf"{_any(known.aggregates)}\b"),
        Coloured("keyword.control", "Keyword", rf"\b{_any(known.reserved)}\b"),
        Coloured("constant.numeric", "Number", r"\b[0-9]+(?:\.[0-9]+)?"),
        Coloured("storage.type.unit", "Keyword.Type", rf"(?<=[0-9])\s*{_any(known.units)}\b"),
        Coloured("keyword.other.window", "Keyword.Reserved", rf"\b{_any(known.contextual)}\b(?!\()"),
        Coloured("variable.parameter", "Name.Variable", r"\b[A-Z][A-Za-z0-9_]*|\b_\b"),
        Coloured("entity.name.function", "Name.Function", r"\b[a-z][A-Za-z0-9_]*"),
        Coloured("keyword.operator", "Operator", r":-|->|!=|<=|>=|[=<>+*/^\\|@#-]"),
        Coloured("punctuation", "Punctuation", r"[()\[\]{},.;:]"),
    )


def _any(alternatives: Iterable[str]) -> str:
    """The longest first, so that `msec` is not read as `ms`."""
    return f"(?:{'|'.join(re.escape(word) for word in sorted(alternatives, key=lambda word: (-len(word), word)))})"
