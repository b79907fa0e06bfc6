"""Lessons about directives and aggregates."""

from __future__ import annotations

from difflib import get_close_matches

from larspark.language.coaching.failure import Advice, Failure

USAGE = {
    "#clock": "#clock 1 s.",
    "#const": "#const k = 5.",
    "#include": '#include "more.lars".',
    "#timezone": '#timezone "Europe/Vienna".',
    "#show": "#show p/1.",
    "#input": "#input tram/2.",
    "#background": '#background "plan.csv" as plan/4.',
    "#function": '#function humidex/2 from "helpers.py".',
    "#record": "#record alarm/1.",
    "#hold": "#hold readings/2 per 1 for 5 min.",
    "#temporal": "#temporal cool/2.",
    "#say": '#say alarm(M) "machine {M} is too hot".',
    "#prefer": "#prefer 2@1, X : use(X).",
}
"""Every directive with an example."""

AGGREGATES = ("#count", "#sum", "#min", "#max", "#avg")
RANKS = ("#top", "#bottom")


def unknown_directive(failure: Failure) -> Advice | None:
    """`#shwo p/1.`"""
    if failure.index != 0 or failure.word().kind != "directive" or failure.word().text in USAGE:
        return None
    name = failure.word().text
    near = get_close_matches(name, USAGE, 1)
    hint = f"Did you mean `{near[0]}`?" if near else f"The directives are {', '.join(USAGE)}."
    return failure.advice("E123", f"There is no directive `{name}`.", hint)


def malformed_directive(failure: Failure) -> Advice | None:
    """`#const k 5.`: shown how it is written."""
    if not failure.words or failure.words[0].text not in USAGE:
        return None
    if failure.index >= len(failure.words) and failure.words[-1].text != ".":
        return None  # only the final dot is missing
    name = failure.words[0].text
    word = failure.word().text
    message = f"`{name}` is incomplete." if word == "." else f"`{word}` does not fit into `{name}`."
    return failure.advice("E129", message, f"It is written `{USAGE[name]}`.")


def malformed_aggregate(failure: Failure) -> Advice | None:
    """`#count(X : p(X))`, `#cnt{…}`, `count{…}`, an aggregate without comparison."""
    word, before = failure.word(), failure.word(-1)
    example = "N = #count{ Id : tram(Id,S) [10 min] }"
    if word.text in RANKS:
        hint = f"Write `(R,X) = {word.text}{{ 3; Y : p(Y) [5] }}`: a rank, then a tuple."
        return failure.advice("E310", f"`{word.text}` gives more than one value.", hint)
    if word.kind == "directive" and failure.index > 0 and word.text not in AGGREGATES:
        near = get_close_matches(word.text, AGGREGATES, 1)
        hint = f"Did you mean `{near[0]}`?" if near else f"The aggregates are {', '.join(AGGREGATES)}."
        return failure.advice("E130", f"There is no aggregate `{word.text}`.", hint)
    if before.text in AGGREGATES:
        return failure.advice("E130", f"`{before.text}` is not followed by braces.", f"Write `{example}`.", -1)
    if word.text == "{" and before.kind == "name":
        message = f"`{before.text}{{` does not start an aggregate."
        return failure.advice("E130", message, f"Write `{example}`.", -1, 0)
    if word.text in (",", ".") and before.text == "}":
        hint = f"Compare its result, as in `{example}`."
        return failure.advice("E130", "The aggregate is not compared with anything.", hint, -1)
    return None


LESSONS = (unknown_directive, malformed_directive, malformed_aggregate)
