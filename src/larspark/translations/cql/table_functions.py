"""Windows of Flink's and Spark's SQL, found among the tokens of a text.

`TABLE(TUMBLE(TABLE bid, DESCRIPTOR(t), INTERVAL '10' SECOND))` stands for the table `bid` with a window;
`GROUP BY window(t, '10 seconds')` for the column `window_start` of the table in FROM, which then has that window;
`WATERMARK FOR t AS …` says which column of a table is its time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot.tokenizer_core import Token, TokenType

from larspark.language.tree import Duration
from larspark.translations.cql.windows import Hop, Session, SqlWindow

_UNITS = {"millisecond": "ms", "second": "s", "minute": "min", "hour": "h", "day": "d"}
UNIT_NAMES = _UNITS | {f"{name}s": unit for name, unit in _UNITS.items()} | {unit: unit for unit in _UNITS.values()}

_FUNCTIONS = {"TUMBLE": 1, "HOP": 2, "SESSION": 1, "CUMULATE": 2}
"""Table functions with their number of durations."""
_BOUNDS = {"START": "window_start", "END": "window_end"}


@dataclass(frozen=True)
class WindowCall:
    """A window function in the text: what it is put in place of, where, and what for."""

    start: int
    end: int
    """The characters of the call."""
    shown: tuple[int, str]
    """What stands there instead, and from where on."""
    table: int
    """Where the name of its table ends."""
    window: SqlWindow
    time: str


def word(tokens: Sequence[Token], index: int) -> str:
    """The token in capitals, nothing beyond the end."""
    return tokens[index].text.upper() if 0 <= index < len(tokens) else ""


def closing(tokens: Sequence[Token], opening: int) -> int:
    """The parenthesis that closes this one; the last token if none does."""
    depth = 0
    for index in range(opening, len(tokens)):
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(tokens[index].token_type, 0)
        if depth == 0:
            return index
    return len(tokens) - 1


def window_call(tokens: Sequence[Token], index: int, clock: Duration) -> WindowCall | None:
    """The window function that begins at a token, if one does; ValueError for one that has no translation."""
    if word(tokens, index) == "TABLE" and word(tokens, index + 1) == "(" and word(tokens, index + 2) in _FUNCTIONS:
        return _table_function(tokens, index, clock)
    name, _, bound = word(tokens, index).partition("_")
    if name in _FUNCTIONS and bound in ("", *_BOUNDS) and word(tokens, index + 1) == "(":
        return _grouping(tokens, index, clock, name, _BOUNDS.get(bound, "window_start"))
    if word(tokens, index) in ("WINDOW", "SESSION_WINDOW") and word(tokens, index + 1) == "(":
        kind = "SESSION" if word(tokens, index) == "SESSION_WINDOW" else "WINDOW"
        return _grouping(tokens, index, clock, kind, "window_start")
    return None


def bound_of_window(tokens: Sequence[Token], index: int) -> tuple[int, str] | None:
    """Spark's `window.start`: where it ends, and the column that it is."""
    if word(tokens, index) in ("WINDOW", "SESSION_WINDOW") and word(tokens, index + 1) == ".":
        column = _BOUNDS.get(word(tokens, index + 2))
        return (tokens[index + 2].end + 1, column) if column else None
    return None


def _table_function(tokens: Sequence[Token], index: int, clock: Duration) -> WindowCall:
    name = word(tokens, index + 2)
    last = closing(tokens, index + 1)
    parts = _arguments(tokens, index + 3)
    while len(parts) > 2 + _FUNCTIONS[name] and word(parts[1], 0) != "DESCRIPTOR":
        # A comma between the columns of PARTITION BY.
        parts[:2] = [parts[0] + parts[1]]
    if len(parts) != 2 + _FUNCTIONS[name] or [word(parts[0], 0), word(parts[1], 0)] != ["TABLE", "DESCRIPTOR"]:
        raise ValueError(f"{name} is not called like this.")
    table, time = parts[0][1], parts[1][2].text
    keys: tuple[str, ...] = ()
    if len(parts[0]) > 2:
        # `PARTITION BY` may be one token.
        words = " ".join(token.text for token in parts[0][2:]).split()
        if [one.upper() for one in words[:2]] != ["PARTITION", "BY"] or name != "SESSION":
            raise ValueError(f"{name} is not called like this.")
        keys = tuple(one for one in words[2:] if one != ",")
    window = _window(name, [duration_points(part, clock) for part in parts[2:]], keys)
    return WindowCall(tokens[index].start, tokens[last].end + 1, (table.start, table.text), table.end, window, time)


def _grouping(tokens: Sequence[Token], index: int, clock: Duration, kind: str, column: str) -> WindowCall:
    """A window that is named in GROUP BY: it is that of the table in FROM."""
    source = _source(tokens, index)
    if source + 1 >= len(tokens) or word(tokens, source + 1) in ("(", "TABLE"):
        raise ValueError("This window needs the name of a table in FROM.")
    parts = _arguments(tokens, index + 1)
    durations = [duration_points(part, clock) for part in parts[1:]]
    if not durations or len(durations) > 2 or not parts[0]:
        raise ValueError("This window is not called like this.")
    if kind == "WINDOW":
        # Spark names the length before the slide, Flink after it.
        kind, durations = ("TUMBLE", durations) if len(durations) == 1 else ("HOP", durations[::-1])
    if len(durations) != _FUNCTIONS[kind]:
        raise ValueError("This window is not called like this.")
    if kind == "SESSION":
        raise ValueError("The keys of a session are named where it stands for a table.")
    end = tokens[closing(tokens, index + 1)].end + 1
    start = tokens[index].start
    table = tokens[source + 1]
    return WindowCall(start, end, (start, column), table.end, _window(kind, durations, ()), parts[0][-1].text)


def _source(tokens: Sequence[Token], index: int) -> int:
    """The word FROM of the query that a token stands in."""
    for step in (-1, 1):
        depth, place = 0, index
        while 0 <= place < len(tokens) and depth >= 0 and word(tokens, place) != ";":
            if word(tokens, place) == "FROM" and not depth:
                return place
            if word(tokens, place) == "SELECT" and not depth and step < 0:
                break  # In the list of SELECT the table is yet to come.
            depth += step * {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(tokens[place].token_type, 0)
            place += step
    return len(tokens)


def _window(kind: str, durations: list[int], keys: tuple[str, ...]) -> SqlWindow:
    match kind, durations:
        case "TUMBLE", [length]:
            return Hop(length, length)
        case "HOP", [slide, length] if slide <= length:
            return Hop(slide, length)
        case "SESSION", [gap]:
            return Session(keys, gap)
        case "HOP", _:
            raise ValueError("The window slides by more than its length, so it would skip some.")
    raise ValueError(f"{kind} has no translation.")


def _arguments(tokens: Sequence[Token], opening: int) -> list[list[Token]]:
    """The arguments of a call, as tokens."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens[opening + 1 : closing(tokens, opening)]:
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
        if token.token_type == TokenType.COMMA and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def duration_points(tokens: Sequence[Token], clock: Duration) -> int:
    """`INTERVAL '10' SECOND` or `'10 seconds'` in time points."""
    words = [part for token in tokens if token.text.upper() != "INTERVAL" for part in token.text.split()]
    unit = UNIT_NAMES.get(words[1].lower()) if len(words) == 2 else None
    if unit is None or not words[0].isdecimal():
        raise ValueError(f"`{' '.join(token.text for token in tokens)}` is no duration.")
    points, rest = divmod(Duration(int(words[0]), unit).milliseconds, clock.milliseconds)
    if rest or not points:
        raise ValueError(f"{words[0]} {unit} is not a multiple of the clock, {clock.amount} {clock.unit}.")
    return points
