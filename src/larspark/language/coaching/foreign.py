"""Lessons about signs and habits of other languages, and about brackets."""

from __future__ import annotations

import re
import unicodedata

from larspark.language.coaching.failure import EITHER, IF_THEN, NOTHING, Advice, Failure

_SIGNS = {
    "==": "Equality is written `=`.",
    "<>": "Inequality is written `!=`.",
    "=<": "At most is written `<=`.",
    "=>": f"At least is written `>=`. {IF_THEN}",
    "&&": "Separate the literals of a body with `,`.",
    "&": "Separate the literals of a body with `,`.",
    "||": f"A disjunctive head is written `a | b`. {EITHER}",
    "!": "Negation is written `not`.",
    "~": "Negation is written `not`.",
    "\\+": "Negation is written `not`.",
    ";": f"Separate the literals of a body with `,`. {EITHER}",
    "is": "Equality is written `=`.",
    "'": 'Quote a symbol with `"`.',
    "`": 'Quote a symbol with `"`.',
    "“": 'Quote a symbol with the plain `"`.',
    "”": 'Quote a symbol with the plain `"`.',
    "„": 'Quote a symbol with the plain `"`.',
    "≤": "At most is written `<=`.",
    "≥": "At least is written `>=`.",
    "≠": "Inequality is written `!=`.",
    "¬": "Negation is written `not`.",
    "∧": "Separate the literals of a body with `,`.",
    "∨": EITHER,
    "→": IF_THEN,
    "◇": "◇ is written `some`.",
    "□": "□ is written `always`.",
    "⊞": "A window is written behind its formula: `a [5]`.",
    "▷": "▷ is written `reset`.",
}

_EXPONENT = re.compile(r"[eE][0-9]*\Z")
_NECKS = ("<-", ":=", ":", "->", "<=", "=>", "←", "-", "if")


def misread_comment(failure: Failure) -> Advice | None:
    """`a :- b % 3.`: between operands, `%` is modulo."""
    for offset in range(-2, 1):
        if failure.word(offset).text == "%":
            hint = "Write the comment with `//`, or the modulo with `\\`."
            return failure.advice("E135", "This `%` is read as modulo, because operands stand around it.", hint, offset)
    return None


def optimisation(failure: Failure) -> Advice | None:
    """`:~ a. [1@2]`, `#minimize{ 1@2 : a }.`, `#maximize{ 1@2 : a }.`"""
    if failure.start != "statement" or failure.index > 1:
        return None
    hint = "Write `#prefer 2@1, X : use(X).`, with a negative weight for what is to be avoided."
    if tuple(word.text for word in failure.words[:2]) == (":", "~"):
        return failure.advice("E120", "There are no weak constraints.", hint, -failure.index, 1 - failure.index)
    if failure.index == 0 and failure.word().text in ("#minimize", "#maximize"):
        return failure.advice("E123", f"There is no directive `{failure.word().text}`.", hint)
    return None


def classical_negation(failure: Failure) -> Advice | None:
    """`-a :- b.`, `a :- -b.`"""
    hint = "Negation is written `not`, in front of a body literal."
    message = "`-` does not negate an atom."
    if failure.start == "statement" and failure.index == 0 and failure.word().text == "-":
        return failure.advice("E120", message, hint)
    for offset in (-2, -1, 0):
        starts = failure.word(offset - 1).text in (":-", ",", "not") and not failure.inside("(", ")")
        if starts and failure.word(offset).text == "-" and failure.word(offset + 1).kind == "name":
            return failure.advice("E120", message, hint, offset, offset + 1)
    return None


def json_line(failure: Failure) -> Advice | None:
    """A stream given as a program."""
    first, second = ([*failure.words, NOTHING, NOTHING])[:2]
    opens = first.text == "[" or (first.text == "{" and second.kind == "string")
    if failure.start != "statement" or failure.index > 4 or not opens:
        return None
    hint = "A program consists of rules such as `a :- b [5].`; streams are given separately."
    return failure.advice("E101", "This looks like data, not like a rule.", hint, -failure.index)


def exponent(failure: Failure) -> Advice | None:
    """`1e5`."""
    word = failure.word()
    if failure.word(-1).kind != "number" or word.start != failure.word(-1).end or not _EXPONENT.match(word.text):
        return None
    hint = "Write the number in full: 100000, not 1e5."
    return failure.advice("E128", f"`{failure.word(-1).text}{word.text}` is not a number.", hint, -1, 0)


def misspelled_neck(failure: Failure) -> Advice | None:
    """`a <- b.`, `a : b.`: another sign between head and body."""
    sign, before = failure.word().text, failure.words[: failure.index]
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


def empty_alternative(failure: Failure) -> Advice | None:
    """`p(1;).`, `p(;1).`, `{ a; }.`: a pool, or a list of elements, with nothing beside a `;`."""
    opening, closing = ("(", "{"), (")", "}")
    for offset in (-1, 0):
        before, after = failure.texts(offset, offset + 1)
        if (before == ";" and after in (";", *closing)) or (before in opening and after == ";"):
            message = f"There is nothing between `{before}` and `{after}`."
            return failure.advice("E134", message, "Write what is missing, or remove the `;`.", offset, offset + 1)
    return None


def foreign_sign(failure: Failure) -> Advice | None:
    """`X == 1`, `a && b`: signs other languages use."""
    for offset in (0, -1):  # `==` is noticed only at its second half
        sign = failure.word(offset).text
        if sign in _SIGNS:
            return failure.advice("E120", f"`{sign}` is not a sign of this language.", _SIGNS[sign], offset)
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


_WORDS_BEFORE = {
    "NOT": "Negation is written `not`, in lower case.",
    "ALWAYS": "It is written `always`, in lower case.",
    "sometimes": "◇ is written `some`, or left out before a window: `b(X) [5]`.",
    "eventually": "◇ is written `some`, or left out before a window: `b(X) [5]`.",
    "once": "◇ is written `some`, or left out before a window: `b(X) [5]`.",
    "never": "Write `not b(X) [5]`: at no time point of the window.",
}
_WORDS_BEHIND = ("over", "within", "during", "for", "last")


def word_for_a_modality(failure: Failure) -> Advice | None:
    """`NOT smoke(M)`, `sometimes b(X)`, `hot(M) over [10 min]`."""
    before = failure.word(-1).text
    if before in _WORDS_BEFORE and failure.word().kind == "name":
        return failure.advice("E120", f"`{before}` means nothing before an atom.", _WORDS_BEFORE[before], -1)
    word = failure.word().text
    if word in _WORDS_BEHIND and failure.word(1).text == "[":
        hint = "A window stands directly behind its atom: `hot(M) [10 min]`."
        return failure.advice("E120", f"`{word}` means nothing before a window.", hint)
    return None


LESSONS = (
    misread_comment,
    word_for_a_modality,
    optimisation,
    classical_negation,
    json_line,
    exponent,
    misread_arrow,
    misspelled_neck,
    empty_alternative,
    foreign_sign,
    foreign_character,
)
