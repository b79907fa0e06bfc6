"""Lessons about windows."""

from __future__ import annotations

from difflib import get_close_matches

from larspark.language.build.terms import UNITS
from larspark.language.coaching.failure import Advice, Failure

_LONG_UNITS = {
    "msecs": "ms", "millis": "ms", "milliseconds": "ms", "millisecond": "ms", "secs": "s", "second": "s",
    "seconds": "s", "mins": "min", "minute": "min", "minutes": "min", "m": "min", "hr": "h", "hrs": "h", "hour": "h",
    "hours": "h", "day": "d", "days": "d",
}  # fmt: skip


def negated_window(failure: Failure) -> Advice | None:
    """`a not in [w]` must never be read as something positive."""
    if failure.texts(0, 1) != ("not", "in"):
        return None
    hint = "Put `not` in front: `not a in [5]`."
    return failure.advice("E114", "`not in` is not a window operator.", hint, 0, 1)


def empty_window(failure: Failure) -> Advice | None:
    """`a []`, `a [s]`, `a [#]`, `a [hop 2 s]`: a window without a number."""
    hops = any(failure.texts(first, first + 1) == ("[", "hop") for first in (-4, -3))
    if failure.word().text == "]" and hops:
        return failure.advice("E115", "The window has no size.", "Say how long it is: `[hop 2 s over 10 s]`.")
    if failure.word().text == "]" and failure.word(-1).text == "[":
        return failure.advice("E115", "The window has no size.", "Say how far it reaches, as in `[5]`.", -1, 0)
    if failure.word(-1).text == "[" and failure.word().text == "#":
        return failure.advice("E115", "The window has no size.", "The number comes first: `[3 #]`.")
    if failure.word(-2).text == "[" and failure.word(-1).text in ("hop", "tumbling", *UNITS):
        return failure.advice("E115", "The window has no size.", "The number comes first: `[5 s hop 2 s]`.", -1)
    return None


def negative_window(failure: Failure) -> Advice | None:
    """`a [-5]`."""
    if failure.word().text != "-" or failure.word(-1).text not in ("[", ",", "+") or not failure.inside("[", "]"):
        return None
    hint = "Write the past without a sign, `[5]`, and the future with `+`, `[+5]`."
    return failure.advice("E126", "The size of a window has no minus sign.", hint, 0, 1)


def unknown_unit(failure: Failure) -> Advice | None:
    """`a [5 sek]`, `5 minutes`."""
    word = failure.word()
    if failure.word(-1).kind != "number" or word.kind not in ("name", "variable"):
        return None
    if failure.starts_line() or "UNIT" not in failure.expected:
        return None
    near = _LONG_UNITS.get(word.text.lower()) or next(iter(get_close_matches(word.text.lower(), UNITS, 1, 0.5)), None)
    hint = f"Did you mean `{near}`?" if near else f"The units are {', '.join(UNITS)}."
    return failure.advice("E116", f"`{word.text}` is not a unit of time.", hint)


def variable_in_window(failure: Failure) -> Advice | None:
    """`a(X) [D]`, `a [D s]`: how much is kept would hang on the data."""
    before = ("[", ",", "+", "hop", "over", "tumble", "session")
    if failure.word().kind != "variable" or failure.word(-1).text not in before or not failure.inside("[", "]"):
        return None
    name = failure.word().text
    hint = f"Compare times: `@T a, now - T <= {name}`, in a window that is long enough, `@T a [60]`."
    return failure.advice("E132", "The size of a window is a number or a constant, not a variable.", hint)


def fraction_in_window(failure: Failure) -> Advice | None:
    """`a [1.5 s]`."""
    word = failure.word()
    if word.kind != "number" or "." not in word.text or not failure.inside("[", "]"):
        return None
    hint = "Use a smaller unit, such as `[1500 ms]`."
    return failure.advice("E128", "The size of a window is a whole number.", hint)


def fraction_of_unit(failure: Failure) -> Advice | None:
    """`@(T + 1.5 s) a`."""
    if failure.word(-1).kind != "number" or "." not in failure.word(-1).text or failure.word().text not in UNITS:
        return None
    return failure.advice("E128", "A duration is a whole number of units.", "Use a smaller unit.", -1, 0)


def missing_comma_in_window(failure: Failure) -> Advice | None:
    """`a [3 s +1 s]`."""
    if failure.word().text != "+" or not failure.inside("[", "]"):
        return None
    hint = "Write `[3 s, +1 s]`."
    return failure.advice("E132", "Past and future of a window are separated by a comma.", hint)


def future_without_sign(failure: Failure) -> Advice | None:
    """`a [3, 1]`."""
    if failure.word(-1).text != "," or failure.word().kind != "number" or not failure.inside("[", "]"):
        return None
    hint = f"Write `+{failure.word().text}`."
    return failure.advice("E132", "What a window sees of the future has a `+`.", hint)


def mixed_window(failure: Failure) -> Advice | None:
    """`a [3 #, +1]`, `a [# 3]`, and whatever else goes wrong behind `[`."""
    if not failure.inside("[", "]"):
        return None
    message = f"`{failure.word().text}` does not fit into a window."
    timed = "`[5]`, `[5 s hop 2 s]`, `[tumble 5 s]`, `[hop 2 s over 5 s]`, `[3, +1]`, `[from 1 to 5]`"
    hint = f"Windows look like {timed}, `[3 #]`, `[1 # per Id]`, `[session 5 s per Id]`, `[of p/1]`."
    return failure.advice("E132", message, hint)


def interval_alone(failure: Failure) -> Advice | None:
    """`a :- [5], b.`, `a :- [A,B] near [C,D].`: what begins with a bracket is an interval, compared with another."""
    opened = [place for place in range(min(failure.index + 1, len(failure.words))) if _opens(failure, place)]
    if not opened:
        return None
    offset = opened[-1] - failure.index
    since = failure.texts(offset, 0)
    if since[:-1].count("]") == 1 and "," in since[: since.index("]")]:
        hint = "Write one of Allen's relations: `[A,B] during [C,D]`, `before`, `meets`, `met by`, `overlaps`, …"
        return failure.advice("E124", "The interval is not compared with another.", hint)
    if "]" not in since[:-2]:
        return failure.advice("E124", "The window stands alone.", "Write it behind an atom: `a [5]`.", offset)
    return None


def _opens(failure: Failure, place: int) -> bool:
    before = failure.words[place - 1].text if place else ""
    return failure.words[place].text == "[" and before in (",", ":-", "(", "not", "", ":", "and", "or")


def bare_window(failure: Failure) -> Advice | None:
    """`a :- X < 3 [5].`"""
    if failure.word().text != "[" or failure.word(-1).text == "at":
        return None
    hint = "Only atoms and formulas in parentheses have windows."
    return failure.advice("E124", "Nothing before this window can have one.", hint)


def in_without_window(failure: Failure) -> Advice | None:
    """`a in 5`."""
    if failure.word(-1).text != "in":
        return None
    return failure.advice("E115", "`in` is not followed by a window.", "Write the window in brackets: `a in [5]`.", -1)


LESSONS = (
    interval_alone,
    negated_window,
    empty_window,
    negative_window,
    fraction_in_window,
    fraction_of_unit,
    unknown_unit,
    variable_in_window,
    missing_comma_in_window,
    future_without_sign,
    mixed_window,
    bare_window,
    in_without_window,
)
