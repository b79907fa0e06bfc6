"""What is preferred, by hand."""

from __future__ import annotations

import pytest

from larspark.language.parser import parse_program
from larspark.language.resolve import resolve
from larspark.semantics.output import Evaluator
from support.notation import fact

SUBSETS = "a :- not na. na :- not a. b :- not nb. nb :- not b. "
"""Every subset of {a, b}."""


def best(text: str, *facts: str) -> set[str]:
    evaluator = Evaluator(resolve(parse_program(SUBSETS + text)))
    evaluator.arrive(0, map(fact, facts))
    found = evaluator.evaluate(0).answer_streams
    return {"".join(sorted(str(one) for one in stream.output(0) if str(one) in ("a", "b"))) for stream in found}


@pytest.mark.parametrize(
    ("text", "preferred"),
    [
        ("", {"", "a", "b", "ab"}),
        ("#prefer 1 : a.", {"a", "ab"}),
        ("#prefer -1 : a.", {"", "b"}),
        ("#prefer 1 : a. #prefer 2 : b.", {"ab"}),
        ("#prefer 1 : a. #prefer 1 : b.", {"a", "b", "ab"}),  # the same tuple counts once
        ("#prefer 1, a : a. #prefer 1, b : b.", {"ab"}),
        ("#prefer 1, a : a. #prefer -1, b : b.", {"a"}),
        ("#prefer 1@1 : a. #prefer 9 : b, not a.", {"a", "ab"}),  # a level outweighs all lower ones
        ("#prefer 1@1 : a. #prefer 9 : not b.", {"a"}),
        ("#prefer 0.5, a : a. #prefer 0.25, b : not a. #prefer 0.25, c : not a, b.", {"a", "ab", "b"}),
        ("#prefer x : a.", {"", "a", "b", "ab"}),  # no number, no gain
        ("#prefer 1 / 0 : a.", {"", "a", "b", "ab"}),
        ("#const k = 2. #prefer k : a. #prefer 1, b : not a.", {"a", "ab"}),
        ("#prefer V : a, v(V). #prefer 6, no : not a.", {"a", "ab"}),  # 3 + 4
        ("#prefer 1, V : a, v(V). #prefer 2, no : not a.", {"", "a", "b", "ab"}),
        ("#prefer N : a, N = #count{ V : v(V) [3] }. #prefer 1, no : not a.", {"a", "ab"}),
        ("#prefer 12345678901234567890.5, a : a. #prefer 0.1234567890123456789012345678901234, b : b.", {"ab"}),
    ],
)
def test_the_best_answer_streams(text: str, preferred: set[str]) -> None:
    assert best(text, "v(3)", "v(4)") == preferred


def test_preferences_read_windows_at_the_evaluation_time() -> None:
    evaluator = Evaluator(resolve(parse_program("p :- not q. q :- not p. #prefer 1 : q, e [2].")))
    evaluator.arrive(1, [fact("e")])
    chosen = [" ".join(map(str, evaluator.evaluate(time).output or ())) for time in range(6)]
    assert chosen == ["p", "q", "q", "q", "q", "q"]
    assert [len(evaluator.evaluate(time).answer_streams) for time in (3, 4)] == [1, 2]
