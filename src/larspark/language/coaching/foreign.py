"""Lessons about signs and habits of other languages, and about brackets."""

from __future__ import annotations

import unicodedata

from larspark.language.coaching.failure import Advice, Failure

_PAIRS = {"(": ")", "[": "]", "{": "}"}

_SIGNS = {
    "==": ("=", "Equality is written `=`."),
    "<>": ("!=", "Inequality is written `!=`."),
    "=<": ("<=", "At most is written `<=`."),
    "=>": (">=", "At least is written `>=`; an implication is written `->`, in parentheses."),
    "&&": (",", "Separate the literals of a body with `,`."),
    "&": (",", "Separate the literals of a body with `,`."),
    "||": ("|", "A disjunctive head is written `a | b`; in a body write `(a or b)`."),
    "!": ("not", "Negation is written `not`."),
    "~": ("not", "Negation is written `not`."),
    "\\+": ("not", "Negation is written `not`."),
    ";": (",", "Separate the literals of a body with `,`; write `(a or b)` for a choice."),
    "'": ('"', 'Quote a symbol with `"`.'),
    "`": ('"', 'Quote a symbol with `"`.'),
    "“": ('"', 'Quote a symbol with the plain `"`.'),
    "”": ('"', 'Quote a symbol with the plain `"`.'),
    "„": ('"', 'Quote a symbol with the plain `"`.'),
    "≤": ("<=", "At most is written `<=`."),
    "≥": (">=", "At least is written `>=`."),
    "≠": ("!=", "Inequality is written `!=`."),
    "¬": ("not", "Negation is written `not`."),
    "∧": ("and", "Write `and` inside parentheses, `,` in a body."),
    "∨": ("or", "Write `or` inside parentheses."),
    "→": ("->", "Implication is written `->`, inside parentheses."),
    "◇": ("some", "◇ is written `some`."),
    "□": ("always", "□ is written `always`."),
    "⊞": ("[w]", "A window is written behind its formula: `a [5]`."),
    "▷": ("reset", "▷ is written `reset`."),
}

_NECKS = ("<-", ":=", ":", "->", "<=", "=>", "←", "-:")


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


def misspelled_neck(failure: Failure) -> Advice | None:
    """`a <- b.`, `a : b.`: another sign between head and body."""
    sign, before = failure.word().text, failure.words[: failure.index]
    if sign == "-" and failure.word(-1).text == "<":  # `a < -b` reads as a comparison up to here
        return None
    inside = failure.inside("(", ")") or failure.inside("[", "]") or failure.inside("{", "}")
    if failure.start != "statement" or sign not in _NECKS or inside or any(word.text == ":-" for word in before):
        return None
    if before and before[0].kind == "directive":
        return None
    return failure.advice("E110", f"`{sign}` does not separate head and body.", "Write `:-` between them.")


def misread_arrow(failure: Failure) -> Advice | None:
    """`a <- b, c.`: read as `a < -b`, it fails only later, or where a head cannot be a comparison."""
    if failure.start != "statement":
        return None
    for index, word in enumerate(failure.words):
        if word.text == ":-" or word.kind == "directive":
            return None
        if word.text == "<-":
            offset = index - failure.index
            message = "`<-` does not separate head and body."
            return failure.advice("E110", message, "Write `:-` between them.", offset)
    return None


def foreign_sign(failure: Failure) -> Advice | None:
    """`X == 1`, `a && b`: signs other languages use."""
    for offset in (0, -1):  # `==` is noticed only at its second half
        sign = failure.word(offset).text
        if sign in _SIGNS:
            ours, hint = _SIGNS[sign]
            return failure.advice("E120", f"`{sign}` is not a sign of this language.", hint, offset)
    return None


def foreign_character(failure: Failure) -> Advice | None:
    """A character no token starts with."""
    character = failure.word().text[:1]
    if not character or (character.isascii() and character.isprintable()):
        return None
    name = unicodedata.name(character, f"character {ord(character)}").lower()
    shown = f"`{character}` ({name})" if character.isprintable() else f"An unprintable character ({name})"
    hint = "Put text with other letters in quotes." if character.isalpha() else "Remove it, or put it in quotes."
    return failure.advice("E131", f"{shown} means nothing outside quotes.", hint)


LESSONS = (unbalanced, misread_arrow, misspelled_neck, foreign_sign, foreign_character)
