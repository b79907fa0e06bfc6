"""Reading the small source languages: one grammar file each, every error positioned and coached."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Generic, TypeVar

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken, VisitError
from lark.tree import Meta

from larspark.diagnostics import Diagnostic, Origin, Rejected

ResultT = TypeVar("ResultT")

SYNTAX = "E801"
UNSUPPORTED = "E802"
UNKNOWN_NAME = "E803"
UNSAFE = "E804"
REPEATED_NAME = "E805"
AS_SETS = "W802"
NO_INFINITIES = "W803"
WITH_CASE = "W804"


@dataclass(frozen=True)
class Reader(Generic[ResultT]):
    """A grammar of this package (`ltl/ltl.lark`) with the words that coach its users."""

    language: str
    grammar: str
    builder: Callable[[str], Transformer[Token, ResultT]]
    """Makes the tree, given the file name."""
    hint: str
    """What a statement of the language looks like, said at any syntax error without a better hint."""
    hints: Mapping[str, str]
    """A better hint for a word that people know from a relative of the language."""

    def read(self, text: str, file: str) -> ResultT:
        """The tree of a text, or Rejected."""
        try:
            parsed = _parser(self.grammar).parse(text)
        except (UnexpectedToken, UnexpectedCharacters, UnexpectedEOF) as error:
            raise Rejected([self._syntax_error(error, text, file)]) from None
        try:
            return self.builder(file).transform(parsed)
        except VisitError as error:
            if isinstance(error.orig_exc, Rejected):
                raise error.orig_exc from None
            raise

    def _syntax_error(
        self, error: UnexpectedToken | UnexpectedCharacters | UnexpectedEOF, text: str, file: str
    ) -> Diagnostic:
        if isinstance(error, UnexpectedToken) and error.token.type != "$END":
            word = str(error.token)
        elif isinstance(error, UnexpectedCharacters):
            word = text[error.pos_in_stream or 0]
        else:
            lines = text.rstrip().split("\n")
            end = Origin(file, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 1)
            return Diagnostic(SYNTAX, f"The {self.language} text ends too early.", self.hint, end)
        origin = Origin(file, error.line, error.column, error.line, error.column + len(word))
        hint = self.hints.get(word)
        if hint is not None:
            return Diagnostic(UNSUPPORTED, f"`{word}` is not part of the supported {self.language}.", hint, origin)
        return Diagnostic(SYNTAX, f"`{word}` cannot stand here in {self.language}.", self.hint, origin)


def origin_of(meta: Meta | Token, file: str) -> Origin | None:
    """The place of a parsed piece; None for an empty one, which has no place."""
    if isinstance(meta, Meta) and meta.empty:
        return None
    line, column, end_line, end_column = meta.line, meta.column, meta.end_line, meta.end_column
    if line is None or column is None or end_line is None or end_column is None:
        return None
    return Origin(file, line, column, end_line, end_column)


def unquote(literal: str) -> str:
    """The text of a quoted string."""
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), literal[1:-1])


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


@cache
def _parser(grammar: str) -> Lark:
    text = resources.files(__package__).joinpath(grammar).read_text(encoding="utf-8")
    return Lark(text, parser="lalr", propagate_positions=True, maybe_placeholders=False)


__all__ = [
    "AS_SETS",
    "NO_INFINITIES",
    "REPEATED_NAME",
    "SYNTAX",
    "UNKNOWN_NAME",
    "UNSAFE",
    "UNSUPPORTED",
    "WITH_CASE",
    "Reader",
    "origin_of",
    "unquote",
]
