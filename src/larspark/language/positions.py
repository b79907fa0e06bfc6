"""Where the parts of a parse tree lie in the text: what the builders ask for, and no more.

The parser's own way keeps lines and columns as well, for every chain of rules with one part each: half of the time that
reading a program takes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from lark import Lark, Token, Tree
from lark.parse_tree_builder import PropagatePositions

Part: TypeAlias = Tree[Token] | Token
Build: TypeAlias = Callable[[list[Part]], Part]


class TextSpan:
    """The offsets of a part: its own, and those of it with what encloses it and is not in the tree, as parentheses."""

    __slots__ = ("empty", "end_pos", "outer_end", "outer_start", "start_pos")

    def __init__(self) -> None:
        self.empty = True


class _Positions:
    """Makes a node with its positions."""

    def __init__(self, build: Build) -> None:
        self._build = build

    def __call__(self, children: list[Part]) -> Part:
        made = self._build(children)
        if not isinstance(made, Tree) or (len(children) == 1 and made is children[0]):
            return made
        span: Any = made._meta  # reading `meta` would make one of another kind
        if span is None:
            span = TextSpan()
            made._meta = span
        start = end = None
        for part in children:
            if isinstance(part, Token):
                start = part.start_pos
                break
            if not part.meta.empty:
                start = part.meta.outer_start  # type: ignore[attr-defined]
                break
        for part in reversed(children):
            if isinstance(part, Token):
                end = part.end_pos
                break
            if not part.meta.empty:
                end = part.meta.outer_end  # type: ignore[attr-defined]
                break
        if start is not None:
            if span.empty:
                span.start_pos, span.end_pos, span.empty = start, end, False
            span.outer_start, span.outer_end = start, end
        return made


def with_positions(parser: Lark) -> Lark:
    """The parser with this way in place of its own, where the library has the insides that are known here."""
    callbacks: Any = getattr(parser, "_callbacks", {})
    for rule, made in callbacks.items():
        if type(made) is PropagatePositions:
            callbacks[rule] = _Positions(made.node_builder)
    return parser
