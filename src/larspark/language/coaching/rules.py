"""Lessons about heads, bodies, atoms and terms."""

from __future__ import annotations

from larspark.language.build.terms import UNITS
from larspark.language.coaching.failure import EITHER, IF_THEN, NOTHING, OPERANDS, Advice, Failure
from larspark.language.values import RESERVED, show_value

_COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


def second_neck(failure: Failure) -> Advice | None:
    """`a :- b :- c.`"""
    if failure.word().text != ":-" or not any(word.text == ":-" for word in failure.words[: failure.index]):
        return None
    return failure.advice(
        "E110", "A rule has one `:-`.", "End the rule before with `.`, or write `,` between literals."
    )


def negated_head(failure: Failure) -> Advice | None:
    """`not a :- b.`"""
    if failure.start != "statement" or failure.index != 0 or failure.word().text != "not":
        return None
    hint = "Write a constraint, `:- a, b.`; a head that is a formula stands in parentheses."
    return failure.advice("E121", "A head cannot start with `not`.", hint)


def connective_in_head(failure: Failure) -> Advice | None:
    """`a or b :- c.`"""
    before = [word.text for word in failure.words[: failure.index]]
    if failure.start != "statement" or failure.word().text not in ("and", "or") or ":-" in before:
        return None
    if failure.inside("(", ")") or failure.inside("{", "}"):
        return None
    hint = "Write `a, b` for several heads, or `a | b` for a disjunction."
    return failure.advice("E121", "Heads are not connected so.", hint)


def variable_first(failure: Failure) -> Advice | None:
    """`Dear reader, …`: only a choice starts with a variable, `N { a; b } :- c(N).`"""
    if failure.start != "statement" or failure.index != 1 or failure.word(-1).kind != "variable":
        return None
    hint = "What fits here: a name, a quoted text, `(`."
    return failure.advice("E101", f"`{failure.word(-1).text}` is not expected here.", hint, -1)


def choice_in_body(failure: Failure) -> Advice | None:
    """`a :- 1 { b; c }.`"""
    before = [word.text for word in failure.words[: failure.index]]
    if failure.word().text != "{" or ":-" not in before or failure.word(-1).kind == "directive":
        return None
    hint = "In a body, count: `1 <= #count{ X : b(X) }`."
    return failure.advice("E121", "A choice stands in a head.", hint)


def number_of_times(failure: Failure) -> Advice | None:
    """`at least a(X) [5]`, `at most 3 a(X) [5]`."""
    for offset in (-1, -2, -3):
        if failure.word(offset).text == "at" and failure.word(offset + 1).text in ("least", "most"):
            hint = f"Write `at {failure.word(offset + 1).text} 3 times a(X) [5 min]`."
            return failure.advice("E139", "This does not say how often what holds.", hint, offset, 0)
    return None


def denied_number_of_times(failure: Failure) -> Advice | None:
    """`not at least 2 times a(X) [5]`, `not 2 times a(X) [5]`."""
    for offset in (-1, -2):
        place = failure.index + offset
        if place < 0 or failure.word(offset).text != "not":
            continue
        said = [word.text for word in failure.words[place + 1 : place + 5]]
        hint = "Conclude what is denied with a rule of its own, and write `not` before that."
        match said:
            case ["at", "least", number, "times"] if number.isdigit() and int(number) > 0:
                hint = f"Write `at most {int(number) - 1} times` instead."
            case ["at", "most", number, "times"] if number.isdigit():
                hint = f"Write `at least {int(number) + 1} times` instead."
            case ["at", "least" | "most", _, "times"]:
                pass
            case [_, "times", *_]:
                said = said[:2]
            case _:
                continue
        return failure.advice("E139", "A number of times has no `not` before it.", hint, offset, offset + len(said))
    return None


def comparison_in_head(failure: Failure) -> Advice | None:
    """`X < 3 :- a.`"""
    before = [word.text for word in failure.words[: failure.index]]
    offset = 0 if failure.index > 0 else 1
    if failure.start != "statement" or ":-" in before or failure.word(offset).text not in _COMPARISONS:
        return None
    if failure.inside("(", ")"):
        return None
    return failure.advice("E121", "A head cannot be a comparison.", "Compare in the body, behind `:-`.", offset)


def upper_case_predicate(failure: Failure) -> Advice | None:
    """`Tram(X) :- a.`"""
    for offset in (0, -1):
        word = failure.word(offset)
        follows = failure.word(offset + 1).text
        if word.kind != "variable" or follows not in ("(", ":-", ".", ",", "[", "|", "at", "in", "always"):
            continue
        if offset == 0 and "NAME" not in failure.expected:
            continue
        lower = word.text[0].lower() + word.text[1:]
        message = f"`{word.text}` is a variable, not a predicate, because it starts with an upper-case letter."
        return failure.advice("E118", message, f'Write `{lower}`, or `"{word.text}"` in quotes.', offset)
    return None


def empty_arguments(failure: Failure) -> Advice | None:
    """`p()`."""
    if failure.texts(-1, 0) != ("(", ")") or failure.word(-2).kind not in ("name", "string"):
        return None
    name = failure.word(-2).text
    return failure.advice("E122", "The list of arguments is empty.", f"Without arguments, write just `{name}`.", -1, 0)


def at_without_time(failure: Failure) -> Advice | None:
    """`@ a :- b.`, `@T*2 a :- b.`, `@T+5 min a :- b.`"""
    length = _length_of_time(failure)
    if length is None:
        return None
    hint = "Write `@T a`, `@T+5 a`, or any other computed time in parentheses: `@(T+5 min) a`."
    if length == 0:
        return failure.advice("E125", "`@` is not followed by a time.", hint, -1)
    if failure.word().text in ("*", "/", "^", "\\"):
        return failure.advice("E125", "A time computed so stands in parentheses.", hint, -length, 1)
    if failure.word(-2).kind == "number" and failure.word(-1).text in UNITS and failure.word().kind in OPERANDS:
        return failure.advice("E125", "A time with a unit stands in parentheses.", hint, -length, -1)
    if length == 1 and failure.word(-1).kind == "name":
        message = f"`@` is not followed by a time but by `{failure.word(-1).text}`."
        return failure.advice("E125", message, hint, -2, -1)
    if failure.word(-1).text in ("+", "-"):
        return failure.advice("E125", "The time ends too early.", hint, -1 - length, -1)
    complete = length == 1 or failure.word(-2).text in ("+", "-")
    return failure.advice("E125", "There is no atom behind the time.", hint, -1 - length, -1) if complete else None


def _length_of_time(failure: Failure) -> int | None:
    """How many words of a sum stand between `@` and the failure; None when there is no `@` before them."""
    length = 0
    while (word := failure.word(-1 - length)).text in ("+", "-") or word.kind in OPERANDS:
        length += 1
    return length if word.text == "@" else None


def time_behind(failure: Failure) -> Advice | None:
    """`a :- b @T.`, `a :- b at [5].`"""
    if (failure.word().text == "@" and failure.word(-1).kind in OPERANDS) or failure.texts(-1, 0) == (")", "@"):
        hint = "Write `@T a`, or `a at T`; separate literals with `,`."
        return failure.advice("E125", "`@` and its time stand in front of the atom.", hint)
    if failure.word(-1).text == "at":
        return failure.advice("E125", "`at` is not followed by a time.", "Write `a at T`, or `a in [5]`.", -1)
    return None


def modal_behind_window(failure: Failure) -> Advice | None:
    """`a [5] always`."""
    right = {"always": "a always [5]", "at": "a at T [5]", "in": "a in [5]"}.get(failure.word().text)
    if failure.word(-1).text != "]" or right is None or failure.starts_line():
        return None
    hint = f"Write `{right}`, with the window last."
    return failure.advice("E132", f"`{failure.word().text}` stands before the window.", hint)


def comma_in_formula(failure: Failure) -> Advice | None:
    """`a :- (b, c).`"""
    if failure.word().text != "," or not failure.inside("(", ")") or "COMMA" in failure.expected:
        return None
    hint = "Write `a, b` without parentheses, or a formula, `(a and b)`."
    return failure.advice("E120", "A formula in parentheses has no commas.", hint)


def modal_without_formula(failure: Failure) -> Advice | None:
    """`always not a [5]`, `some, b`."""
    before = failure.word(-1).text
    if before not in ("always", "some", "reset", "not"):
        return None
    if before in ("always", "some") and failure.word().text in ("not", "reset"):
        hint = f"Write `{before} ({failure.word().text} …)`."
        return failure.advice("E133", f"`{failure.word().text}` behind `{before}` needs parentheses.", hint)
    return failure.advice("E133", f"Nothing follows `{before}`.", f"Write an atom behind it: `{before} a`.", -1)


def reserved_word(failure: Failure) -> Advice | None:
    """`p(in)`."""
    word = failure.word().text
    if word not in RESERVED or "NAME" not in failure.expected:
        return None
    return failure.advice(
        "E127", f"`{word}` is a word of the language.", f"As a symbol it is written `{show_value(word)}`."
    )


def connective_in_body(failure: Failure) -> Advice | None:
    """`a :- b and c.`"""
    word = failure.word().text
    if word not in ("and", "or", "->") or failure.inside("(", ")"):
        return None
    hint = {"and": "Separate literals with `,`.", "or": EITHER, "->": IF_THEN}[word]
    return failure.advice("E120", f"`{word}` stands only inside parentheses.", hint)


def leading_point(failure: Failure) -> Advice | None:
    """`X = .5`, cut behind the point."""
    if failure.word().text != "." or failure.word(-1).text not in (*_COMPARISONS, *"+-*/,("):
        return None
    hint = "Write a decimal with digits on both sides: `0.5`."
    return failure.advice("E128", "A number is missing before the dot.", hint)


def empty_body(failure: Failure) -> Advice | None:
    """`a :- , b.`, `a :- b, .`, `:- .`"""
    if failure.word().text not in (",", ".", ")") or failure.word(-1).text not in (",", ":-", "|", "(", "and", "or"):
        return None
    message = f"There is nothing between `{failure.word(-1).text}` and `{failure.word().text}`."
    return failure.advice("E134", message, "Write a literal there, or remove the separator.", -1, 0)


def missing_comma(failure: Failure) -> Advice | None:
    """`a :- b c.`, `p(X Y)`."""
    before, word = failure.word(-1), failure.word()
    ends = before.kind in OPERANDS or before.text in (")", "]", "}", "_")
    starts = word.kind in (*OPERANDS, "directive") or word.text in ("@", "not", "always", "some", "(")
    if (
        before is NOTHING
        or not (ends and starts)
        or ("COMMA" not in failure.expected and "DOT" not in failure.expected)
    ):
        return None
    hint = "Separate literals and arguments with `,`, and end a rule with `.`."
    return failure.behind(-1, "E119", f"A comma is missing before `{word.text}`.", hint)


LESSONS = (
    second_neck,
    negated_head,
    comparison_in_head,
    connective_in_head,
    choice_in_body,
    number_of_times,
    empty_arguments,
    at_without_time,
    time_behind,
    modal_behind_window,
    comma_in_formula,
    modal_without_formula,
    reserved_word,
    connective_in_body,
    leading_point,
    upper_case_predicate,
    empty_body,
    missing_comma,
    variable_first,
)
