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
from larspark.translations.cql.match_recognize import MatchRecognize, match_recognize
from larspark.translations.cql.table_functions import (
    UNIT_NAMES,
    bound_of_window,
    closing,
    window_call,
    word,
)
from larspark.translations.cql.windows import NOW, CqlWindow, PartitionedRows, RangeWindow, RowsWindow
from larspark.translations.reading import SYNTAX, UNSUPPORTED

Windows: TypeAlias = dict[int, CqlWindow | MatchRecognize]
"""Windows by the offset at which the table name before the bracket ends."""

DEFAULT_CLOCK = Duration(1, "s")

_WINDOW_HINT = "Write [RANGE n], [RANGE n SLIDE d], [RANGE UNBOUNDED], [NOW], [ROWS n] or [PARTITION BY a, b ROWS n]."
_FUNCTION_HINT = (
    "Write TABLE(TUMBLE(TABLE s, DESCRIPTOR(t), INTERVAL '10' SECOND)), HOP with slide and length, or SESSION with "
    "TABLE s PARTITION BY a and a gap; or GROUP BY window(t, '10 seconds')."
)
_PATTERN_HINT = (
    "Write MATCH_RECOGNIZE (PARTITION BY a ORDER BY t MEASURES A.x AS y AFTER MATCH SKIP TO NEXT ROW PATTERN (A B+? C) "
    "DEFINE A AS A.x > 1, …)."
)


@dataclass(frozen=True)
class Script:
    """The statements of a text, with what SQL does not know."""

    text: str
    file: str
    statements: tuple[exp.Expr, ...]
    windows: Windows
    streams: frozenset[int]
    """Where the names of tables start that are declared as streams."""
    descriptors: dict[int, str]
    """The time columns that windows of SQL name, by the offset at which the name of their table ends."""
    times: dict[int, str]
    """The time columns of declared tables, by the offset at which their names start."""

    def origin(self, node: exp.Expr) -> Origin | None:
        """The place of a node: its first name that has a position."""
        starts = [i.meta["start"] for i in node.find_all(exp.Identifier) if "start" in i.meta]
        if not starts:
            return self.origin(node.parent) if node.parent is not None else None
        ends = [i.meta["end"] + 1 for i in node.find_all(exp.Identifier) if "end" in i.meta]
        return span(self.text, self.file, min(starts), max(ends))

    def window(self, table: exp.Table) -> CqlWindow | MatchRecognize | None:
        """The window or the pattern behind the name of a table."""
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
    streams = frozenset(cutter.streams)
    return Script(text, file, statements, cutter.windows, streams, cutter.descriptors, cutter.times)


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
        self.read_to = 0
        """The end of the last window function."""
        self.descriptors: dict[int, str] = {}
        self.times: dict[int, str] = {}
        self.problems: list[Diagnostic] = []

    def run(self) -> None:
        for index, token in enumerate(self.tokens):
            before = self.tokens[index - 1] if index else None
            if token.start < self.read_to:
                continue
            if token.token_type == TokenType.L_BRACKET and before is not None:
                self._window(index, before)
            elif token.text.upper() == "STREAM" and before is not None and before.token_type == TokenType.CREATE:
                self.blanked[token.start : token.end + 1] = "TABLE".ljust(token.end + 1 - token.start)
                if index + 1 < len(self.tokens):
                    self.streams.add(self.tokens[index + 1].start)
            elif token.text.upper() == "MATCH_RECOGNIZE" and before is not None:
                self._match(index, before)
            elif token.text.upper() == "WATERMARK" and word(self.tokens, index + 1) == "FOR":
                self._watermark(index)
            elif (bound := bound_of_window(self.tokens, index)) is not None:
                self._put(token.start, bound[0], token.start, bound[1])
            else:
                self._window_call(index)

    def _window_call(self, index: int) -> None:
        """A window function of SQL, with what it stands for in its place."""
        try:
            call = window_call(self.tokens, index, self.clock)
        except ValueError as error:
            origin = span(self.text, self.file, self.tokens[index].start, self.tokens[index].end + 1)
            self.problems.append(Diagnostic(UNSUPPORTED, str(error), _FUNCTION_HINT, origin))
            return
        if call is not None:
            self._put(call.start, call.end, *call.shown)
            self.read_to = call.end
            self.windows[call.table] = call.window
            self.descriptors[call.table] = call.time

    def _match(self, index: int, table: Token) -> None:
        """`table MATCH_RECOGNIZE (…)`: a table with a pattern instead of a window."""
        last = closing(self.tokens, index + 1)
        end = self.tokens[last].end + 1
        try:
            found = match_recognize(self.tokens[index + 2 : last], self.text, self.clock)
        except ValueError as error:
            origin = span(self.text, self.file, self.tokens[index].start, self.tokens[index].end + 1)
            self.problems.append(Diagnostic(UNSUPPORTED, str(error), _PATTERN_HINT, origin))
        else:
            self.windows[table.end] = found
            self.descriptors[table.end] = found.time
        self._put(self.tokens[index].start, end, self.tokens[index].start, "")
        self.read_to = end

    def _watermark(self, index: int) -> None:
        """`, WATERMARK FOR t AS …` at the end of the columns: t is the time of the table."""
        opening = max((place for place in range(index) if word(self.tokens, place) == "CREATE"), default=0)
        names = [token for token in self.tokens[opening:index] if token.token_type == TokenType.L_PAREN]
        name = next((place for place in range(opening, index) if self.tokens[place] in names[:1]), index) - 1
        last = closing(self.tokens, name + 1)
        if index + 2 < len(self.tokens) and index and word(self.tokens, index - 1) == ",":
            self.times[self.tokens[name].start] = self.tokens[index + 2].text
            self._put(self.tokens[index - 1].start, self.tokens[last].start, self.tokens[index - 1].start, "")

    def _put(self, start: int, end: int, at: int, shown: str) -> None:
        """Blanks from start to end, but for what is shown instead."""
        for offset in range(start, end):
            if self.blanked[offset] != "\n":
                self.blanked[offset] = " "
        self.blanked[at : at + len(shown)] = shown

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
                return RangeWindow(UNBOUNDED)
            case ["RANGE", *rest]:
                length, rest = self._points(rest, 0)
                slide, rest = self._points(rest[1:], 1) if rest[:1] == ["SLIDE"] else (1, rest)
                if slide > max(length, 1):
                    raise ValueError(f"The window slides by {slide} but is only {length} long, so it would skip some.")
                if not rest:
                    return RangeWindow(length, slide)
            case ["ROWS", number]:
                return RowsWindow(_number(number, 1))
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
        unit = UNIT_NAMES.get(words[1].lower()) if len(words) > 1 else None
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
