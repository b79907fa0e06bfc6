"""From text to SQL statements: the brackets of CQL are read here, all other text is left to the SQL parser.

Window brackets and the word STREAM of `CREATE STREAM` are taken out of the token sequence and blanked in the text,
so that every position in the parsed SQL still is a position in what the user wrote.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType
from sqlglot.tokens import Tokenizer

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.tree import UNBOUNDED, Duration
from larspark.translations.cql.windows import NOW, CqlWindow, PartitionedRows, Range, Rows
from larspark.translations.reading import SYNTAX

Windows: TypeAlias = dict[int, CqlWindow]
"""Windows by the offset at which the table name before the bracket ends."""

DEFAULT_CLOCK = Duration(1, "s")

_UNITS = {"millisecond": "ms", "second": "s", "minute": "min", "hour": "h", "day": "d"}
_UNIT_NAMES = _UNITS | {f"{name}s": unit for name, unit in _UNITS.items()} | {unit: unit for unit in _UNITS.values()}

_WINDOW_HINT = "Write [RANGE n], [RANGE n SLIDE d], [RANGE UNBOUNDED], [NOW], [ROWS n] or [PARTITION BY a, b ROWS n]."


@dataclass(frozen=True)
class Script:
    """The statements of a text, with what SQL does not know."""

    text: str
    file: str
    statements: tuple[exp.Expr, ...]
    windows: Windows
    streams: frozenset[int]
    """Where the names of tables start that are declared as streams."""

    def origin(self, node: exp.Expr) -> Origin | None:
        """The place of a node: its first name that has a position."""
        starts = [i.meta["start"] for i in node.find_all(exp.Identifier) if "start" in i.meta]
        if not starts:
            return self.origin(node.parent) if node.parent is not None else None
        ends = [i.meta["end"] + 1 for i in node.find_all(exp.Identifier) if "end" in i.meta]
        return span(self.text, self.file, min(starts), max(ends))

    def window(self, table: exp.Table) -> CqlWindow | None:
        """The window behind the name of a table."""
        return self.windows.get(table.this.meta.get("end", -1))


def read(text: str, file: str = "<cql>", clock: Duration = DEFAULT_CLOCK) -> Script:
    """The statements of a text; durations in windows become time points of the clock."""
    try:
        tokens = Tokenizer().tokenize(text)
    except SqlglotError as error:
        start = Origin(file, 1, 1, 1, 1)
        raise Rejected(
            [Diagnostic(SYNTAX, "The text is not SQL.", str(error).split("\n", maxsplit=1)[0], start)]
        ) from None
    cutter = _Cutter(text, file, clock, tokens)
    cutter.run()
    if cutter.problems:
        raise Rejected(cutter.problems)
    try:
        with _quiet():
            parsed = sqlglot.parse("".join(cutter.blanked))
    except SqlglotError as error:
        raise Rejected(_syntax_errors(error, file)) from None
    statements = tuple(statement for statement in parsed if statement is not None)
    return Script(text, file, statements, cutter.windows, frozenset(cutter.streams))


@contextmanager
def _quiet() -> Iterator[None]:
    """The SQL parser logs what it does not know; here that is a diagnostic."""
    logger = logging.getLogger("sqlglot")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def span(text: str, file: str, start: int, end: int) -> Origin:
    """The place of the characters start..end-1."""

    def place(offset: int) -> tuple[int, int]:
        return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)

    return Origin(file, *place(start), *place(end))


def _syntax_errors(error: SqlglotError, file: str) -> list[Diagnostic]:
    found = []
    for detail in getattr(error, "errors", []):
        line, end = detail["line"] or 1, detail["col"] or 1
        word = detail["highlight"] or ""
        origin = Origin(file, line, max(1, end - len(word) + 1), line, end + 1)
        message = f"`{word}` cannot stand here in CQL." if word else "The CQL text ends too early."
        found.append(Diagnostic(SYNTAX, message, "Write SELECT … FROM … WHERE …, statements separated by `;`.", origin))
    return found


class _Cutter:
    """Walks over the tokens, reads the brackets behind table names and `CREATE STREAM`."""

    def __init__(self, text: str, file: str, clock: Duration, tokens: list[Token]) -> None:
        self.text, self.file, self.clock, self.tokens = text, file, clock, tokens
        self.blanked = list(text)
        self.windows: Windows = {}
        self.streams: set[int] = set()
        self.problems: list[Diagnostic] = []

    def run(self) -> None:
        for index, token in enumerate(self.tokens):
            before = self.tokens[index - 1] if index else None
            if token.token_type == TokenType.L_BRACKET and before is not None:
                self._window(index, before)
            elif token.text.upper() == "STREAM" and before is not None and before.token_type == TokenType.CREATE:
                self.blanked[token.start : token.end + 1] = "TABLE".ljust(token.end + 1 - token.start)
                if index + 1 < len(self.tokens):
                    self.streams.add(self.tokens[index + 1].start)

    def _window(self, index: int, name: Token) -> None:
        inside = []
        for token in self.tokens[index + 1 :]:
            if token.token_type == TokenType.R_BRACKET:
                break
            inside.append(token)
        last = inside[-1].end + 1 if inside else self.tokens[index].end
        closing = self.text.find("]", last)
        end = closing + 1 if closing >= 0 else len(self.text)
        start = self.tokens[index].start
        for offset in range(start, end):
            if self.blanked[offset] != "\n":
                self.blanked[offset] = " "
        # A token like `PARTITION BY` spans several words.
        words = [word for token in inside for word in token.text.split()]
        try:
            self.windows[name.end] = self._read(words)
        except ValueError as error:
            origin = span(self.text, self.file, start, end)
            self.problems.append(Diagnostic(SYNTAX, str(error), _WINDOW_HINT, origin))

    def _read(self, words: list[str]) -> CqlWindow:
        match [word.upper() for word in words]:
            case ["NOW"]:
                return NOW
            case ["RANGE", "UNBOUNDED"] | ["UNBOUNDED"]:
                return Range(UNBOUNDED)
            case ["RANGE", *rest]:
                length, rest = self._points(rest, 0)
                slide, rest = self._points(rest[1:], 1) if rest[:1] == ["SLIDE"] else (1, rest)
                if slide > max(length, 1):
                    raise ValueError(f"The window slides by {slide} but is only {length} long, so it would skip some.")
                if not rest:
                    return Range(length, slide)
            case ["ROWS", number]:
                return Rows(_number(number, 1))
            case ["PARTITION", "BY", *columns, "ROWS", number] if columns and columns[1::2] == [","] * (
                len(columns) // 2
            ):
                return PartitionedRows(tuple(words[2:-2:2]), _number(number, 1))
        raise ValueError(f"`[{' '.join(words)}]` is not a window of CQL.")

    def _points(self, words: list[str], least: int) -> tuple[int, list[str]]:
        """A leading number, with or without a unit, in time points; and the rest."""
        if not words:
            raise ValueError("The size of the window is missing.")
        amount = _number(words[0], least)
        unit = _UNIT_NAMES.get(words[1].lower()) if len(words) > 1 else None
        if unit is None:
            return amount, words[1:]
        points, remainder = divmod(Duration(amount, unit).milliseconds, self.clock.milliseconds)
        if remainder:
            raise ValueError(f"{amount} {unit} is not a multiple of the clock, {self.clock.amount} {self.clock.unit}.")
        return points, words[2:]


def _number(word: str, least: int) -> int:
    if not word.isdecimal() or int(word) < least:
        raise ValueError(f"`{word}` is not a whole number of at least {least}.")
    return int(word)
