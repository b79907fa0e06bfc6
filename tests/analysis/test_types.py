"""Declared types through the rules."""

from __future__ import annotations

import pytest

import larspark
from larspark.analysis.typing.arguments import describe_arguments
from larspark.language.facts import Signature
from larspark.language.parser import parse_program

DECLARED = "#input readings(machine: text, celsius: number), seen(machine: text, at: time), count(n: integer)."


@pytest.mark.parametrize(
    "rule",
    [
        "b(M) :- readings(M,C), M > 80.",
        "b(M) :- readings(M,C), C = high.",
        "b(M) :- readings(M,C), not seen(C,_), C + M > 3.",
        "b(X) :- readings(M,C), X = M * 2.",
        "b(M) :- readings(M,_), count(M).",
        "h(M,C) :- readings(M,C) [5]. b(M) :- h(M,C), always h(M,C) [3], C != x.",
        "b(N) :- N = #count{ M : readings(M,C), C > warm }.",
        "b(H) :- readings(M,_), H = hour(M).",
        "b(M) :- seen(M,T), T < abc.",
    ],
)
def test_a_text_and_a_number_do_not_mix(rule: str) -> None:
    (found,) = (one for one in larspark.check(f"{DECLARED} {rule}").diagnostics if one.code == "E207")
    assert "of `#input " in found.message
    assert "<text>:1:1" in found.message
    assert found.origin is not None


@pytest.mark.parametrize(
    "rule",
    [
        "b(M) :- readings(M,C), C > 80.5, M != m1.",
        "b(M) :- seen(M,T), readings(M,C), T > C, hour(T) < 12.",
        "b(M) :- other(M,C), C > 80, M > x.",
        "b(M) :- readings(M,_), other(M,C), C > 80.",
        "b(N) :- N = #sum{ C,M : readings(M,C) [5] }, N > 3.",
        "m(M) :- readings(M,_). m(N) :- count(N). b(M) :- m(M), M > 80.",
    ],
)
def test_what_is_alike_or_unknown_is_taken(rule: str) -> None:
    assert not [one for one in larspark.check(f"{DECLARED} {rule}").diagnostics if one.code == "E207"]


def test_types_and_names_come_from_the_inputs() -> None:
    found = describe_arguments(parse_program(f"{DECLARED} h(M,C,T,C+1,T+5,7) :- @T readings(M,C) [5], X = C."))
    (head,) = (told for one, told in found.items() if one == Signature("h", 6))
    assert [str(one.kind) for one in head] == ["text", "number", "time", "number", "time", "integer"]
    assert [one.name for one in head] == ["machine", "celsius", None, None, None, None]
