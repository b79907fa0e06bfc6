"""MATCH_RECOGNIZE, read from the tokens of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from larspark.language.tree import Duration
from larspark.translations.cql.table_functions import duration_points


@dataclass(frozen=True)
class PatternVariable:
    """One part of a pattern: a row, or with `+` one row or more."""

    name: str
    repeated: bool
    greedy: bool
    """`+`, as many as there are, rather than `+?`, as few as possible."""


@dataclass(frozen=True)
class MatchRecognize:
    """Rows of a partition one after the other that fit a pattern; one row of measures for each match."""

    keys: tuple[str, ...]
    time: str
    measures: tuple[tuple[str, exp.Expr], ...]
    pattern: tuple[PatternVariable, ...]
    defined: tuple[tuple[str, exp.Expr], ...]
    within: int | None
    past_last_row: bool
    """Whether the next match begins behind the last row of one, rather than behind its first."""


_CLAUSES = ("PARTITION", "ORDER", "MEASURES", "ONE", "ALL", "AFTER", "PATTERN", "WITHIN", "DEFINE", "SUBSET")


def match_recognize(tokens: Sequence[Token], text: str, clock: Duration) -> MatchRecognize:
    """What stands between the parentheses; ValueError for what has no translation."""
    clauses = _clauses(tokens)
    for word, why in (("ALL", "ALL ROWS PER MATCH"), ("SUBSET", "SUBSET")):
        if word in clauses:
            raise ValueError(f"{why} has no translation.")
    for word in ("ORDER", "MEASURES", "PATTERN", "DEFINE"):
        if word not in clauses:
            raise ValueError(f"MATCH_RECOGNIZE has no {word}{' BY' if word == 'ORDER' else ''}.")
    order = _words(clauses["ORDER"])[1:]
    if len(order) != 1 and order[1:] != ["ASC"]:
        raise ValueError("ORDER BY names the time of the stream.")
    pattern = _pattern(clauses["PATTERN"])
    defined = tuple(_definition(part, text) for part in _parts(clauses["DEFINE"]))
    skipped = _words(clauses.get("AFTER", []))
    to_next = [word.upper() for word in skipped] == ["MATCH", "SKIP", "TO", "NEXT", "ROW"]
    if skipped and not to_next and [word.upper() for word in skipped] != ["MATCH", "SKIP", "PAST", "LAST", "ROW"]:
        raise ValueError("A match is followed by SKIP TO NEXT ROW or SKIP PAST LAST ROW.")
    return MatchRecognize(
        tuple(word for word in _words(clauses.get("PARTITION", []))[1:] if word != ","),
        order[0],
        tuple(_measure(part, text) for part in _parts(clauses["MEASURES"])),
        pattern,
        defined,
        duration_points(clauses["WITHIN"], clock) if "WITHIN" in clauses else None,
        not to_next,
    )


def _clauses(tokens: Sequence[Token]) -> dict[str, list[Token]]:
    """The tokens of each clause, without its first word."""
    found: dict[str, list[Token]] = {}
    depth, current = 0, ""
    for token in tokens:
        word = token.text.upper().split()[0] if token.text.strip() else ""
        if not depth and word in _CLAUSES and token.token_type != TokenType.STRING and current not in ("ONE", "AFTER"):
            current = word
            found[current] = [token] if " " in token.text else []
        elif not depth and word in _CLAUSES and current in ("ONE", "AFTER") and word in ("PATTERN", "AFTER", "ONE"):
            current = word
            found[current] = []
        elif current:
            found[current].append(token)
        else:
            raise ValueError(f"`{token.text}` cannot stand here.")
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
    return found


def _words(tokens: Sequence[Token]) -> list[str]:
    """The words of a clause; that of `PARTITION BY` and `ORDER BY` begin with BY."""
    words = [word for token in tokens for word in token.text.split()]
    return words[1:] if words and words[0].upper() in ("PARTITION", "ORDER") else words


def _parts(tokens: Sequence[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
        if token.token_type == TokenType.COMMA and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _pattern(tokens: Sequence[Token]) -> tuple[PatternVariable, ...]:
    inside = [token.text for token in tokens]
    if inside[:1] != ["("] or inside[-1:] != [")"] or len(inside) < 3:
        raise ValueError("The pattern is written as `PATTERN (A B+ C)`.")
    found: list[PatternVariable] = []
    for text in inside[1:-1]:
        if text.isidentifier():
            found.append(PatternVariable(text.upper(), False, False))
        elif text == "+" and found and not found[-1].repeated:
            found[-1] = PatternVariable(found[-1].name, True, True)
        elif text == "?" and found and found[-1].greedy:
            found[-1] = PatternVariable(found[-1].name, True, False)
        else:
            raise ValueError(f"`{text}` in a pattern has no translation; there are names, `+` and `+?`.")
    if found[-1].repeated:
        raise ValueError("The last part of a pattern is one row.")
    if len({one.name for one in found}) < len(found):
        raise ValueError("A name stands once in a pattern.")
    return tuple(found)


def _measure(tokens: Sequence[Token], text: str) -> tuple[str, exp.Expr]:
    if len(tokens) < 3 or tokens[-2].text.upper() != "AS":
        raise ValueError("A measure is written as `A.price AS first_price`.")
    return tokens[-1].text, _expression(tokens[:-2], text)


def _definition(tokens: Sequence[Token], text: str) -> tuple[str, exp.Expr]:
    if len(tokens) < 3 or tokens[1].text.upper() != "AS":
        raise ValueError("A definition is written as `A AS A.price > 10`.")
    return tokens[0].text.upper(), _expression(tokens[2:], text)


def _expression(tokens: Sequence[Token], text: str) -> exp.Expr:
    written = text[tokens[0].start : tokens[-1].end + 1]
    try:
        # Behind blanks, so that places in it are those of the text.
        return sqlglot.parse_one(" " * tokens[0].start + written)
    except SqlglotError:
        raise ValueError(f"`{written}` is no expression.") from None
