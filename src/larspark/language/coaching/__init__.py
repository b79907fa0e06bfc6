"""Syntax errors, coached: what the text probably meant, and how to write it.

The grammar says where a statement stopped fitting. The lessons, asked in order, look at the words around that place;
the first that recognises a habit answers. What none recognises is reported with the tokens that would have fitted.
"""

from __future__ import annotations

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from larspark.diagnostics import Diagnostic
from larspark.language.coaching import directives, ends, foreign, rules, windows
from larspark.language.coaching.failure import Advice, Failure, words_of
from larspark.language.source import Source

LESSONS = (
    *ends.LESSONS,
    *foreign.LESSONS,
    *directives.LESSONS,
    rules.denied_number_of_times,  # before `times` is taken for a unit
    *windows.LESSONS,
    *rules.LESSONS,
)

_READABLE = {
    "NAME": "a name",
    "VARIABLE": "a variable",
    "INT": "a number",
    "STRING": "a quoted text",
    "COMPARE": "a comparison",
    "UNIT": "a unit",
    "DOT": "`.`",
    "COMMA": "`,`",
    "RPAR": "`)`",
    "RSQB": "`]`",
    "RBRACE": "`}`",
    "LSQB": "a window",
    "LPAR": "`(`",
}


def explain(
    error: UnexpectedInput, start: str, source: Source, part: str, offset: int
) -> tuple[Diagnostic, int | None]:
    """One diagnostic for a statement that the grammar refused, and where in it the next statement seems to start."""
    failure = _failure(error, start, part)
    advice = next((found for lesson in LESSONS if (found := lesson(failure))), None) or _plainly(failure)
    origin = source.origin(offset + advice.start, offset + advice.end)
    return Diagnostic(advice.code, advice.message, advice.hint, origin), advice.resume


def _failure(error: UnexpectedInput, start: str, part: str) -> Failure:
    words = words_of(part)
    expected: frozenset[str] = frozenset()
    at_end = True
    if isinstance(error, UnexpectedToken):
        expected, at_end = frozenset(error.accepts or error.expected), error.token.type == "$END"
    elif isinstance(error, UnexpectedCharacters):
        expected, at_end = frozenset(error.allowed or ()), False
    position = len(part) if at_end else (error.pos_in_stream or 0)
    index = next((i for i, word in enumerate(words) if word.end > position), len(words))
    return Failure(part, words, index, start, expected)


def _plainly(failure: Failure) -> Advice:
    readable = [text for name, text in _READABLE.items() if name in failure.expected]
    hint = (
        f"What fits here: {', '.join(readable)}." if readable else "Remove it, or compare with the language reference."
    )
    if failure.index >= len(failure.words):
        return failure.advice("E101", "The text ends too early.", hint)
    return failure.advice("E101", f"`{failure.word().text}` is not expected here.", hint)
