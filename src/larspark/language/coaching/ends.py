"""Lessons about where a bracket or a statement ends."""

from __future__ import annotations

from dataclasses import replace

from larspark.language.coaching.failure import OPERANDS, Advice, Failure

_PAIRS = {"(": ")", "[": "]", "{": "}"}


def unbalanced(failure: Failure) -> Advice | None:
    """`p(X :- q.`: a bracket without its partner."""
    stack: list[int] = []
    for index, word in enumerate(failure.words):
        offset = index - failure.index
        if word.text in _PAIRS:
            stack.append(offset)
        elif word.text in _PAIRS.values():
            if stack and _PAIRS[failure.word(stack[-1]).text] == word.text:
                stack.pop()
            elif stack:
                opened = failure.word(stack[-1]).text
                message = f"`{opened}` is closed by `{word.text}`."
                return failure.advice("E117", message, f"Close it with `{_PAIRS[opened]}`.", offset)
            else:
                message = f"`{word.text}` closes nothing."
                return failure.advice("E117", message, "Remove it, or add the bracket that opens.", offset)
    if not stack:
        return None
    opened = failure.word(stack[-1]).text
    return failure.advice("E117", f"`{opened}` is never closed.", f"Add `{_PAIRS[opened]}`.", stack[-1])


def empty_statement(failure: Failure) -> Advice | None:
    """`a :- b..`"""
    if failure.start != "statement" or failure.index != 0 or failure.word().text != ".":
        return None
    return failure.advice("E134", "There is no rule before this dot.", "Remove the dot.")


def two_dots(failure: Failure) -> Advice | None:
    """`a :- b..` before another rule."""
    for offset in (0, -1):
        if failure.texts(offset, offset + 1) == (".", ".") and failure.start == "statement":
            hint = "A rule ends with one dot; a range stands in an argument or behind `=`: `p(1..5)`, `X = 1..5`."
            return failure.advice("E134", "There are two dots.", hint, offset, offset + 1)
    return None


def missing_dot(failure: Failure) -> Advice | None:
    """`a :- b` at the end of the text, or before the next rule."""
    if failure.start != "statement":
        return None
    hint = "Every rule and directive ends with `.`."
    if failure.index >= len(failure.words):
        return failure.behind(-1, "E104", "The final dot is missing.", hint)
    ends = failure.word(-1).kind in OPERANDS or failure.word(-1).text in (")", "]", "}")
    later = [word.text for word in failure.words[failure.index :]]
    another = failure.word().kind == "directive" or ":-" in later
    if ends and another and failure.starts_line():
        return replace(failure.behind(-1, "E104", "The final dot is missing.", hint), resume=failure.word().start)
    return None


LESSONS = (unbalanced, empty_statement, two_dots, missing_dot)
