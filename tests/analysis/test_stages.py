from __future__ import annotations

import pytest

from larspark.analysis.stages import stages
from support.analysed import analysed


def keys(text: str) -> list[list[str]]:
    """Per stage the key variable of each rule."""
    return [[key.variable for key in stage.keys] for stage in stages(analysed(text))]


def obstacles(text: str) -> list[str]:
    return [stage.because for stage in stages(analysed(text)) if not stage.keyed]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("h(X) :- a(X, Y) [3], b(Y, X).", [["X"]]),
        ("h(X) :- a(X, Y), not b(Y) [3].", [["Y"]]),
        ("h(S, N) :- s(S), N = #count{ I : a(I, S) [3] }.", [["S"]]),
        ('#background "p.csv" as p/1. h(X) :- a(X), p(Y), Y < X.', [["X"]]),
        ("p(1). p(2). h(X) :- a(X), p(Y), Y < X.", [[], ["X"]]),
        # Reachability from a fixed start keeps its first argument all the way.
        ("r(X, Y) :- s(X, Y) [3]. r(X, Z) :- r(X, Y), t(X, Y, Z).", [["X", "X"]]),
        ("h(X) :- a(X, Y) [2 # per X], Y > 3.", [["X"]]),
    ],
)
def test_keys(text: str, expected: list[list[str]]) -> None:
    assert keys(text) == expected
    assert obstacles(text) == []


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("h(X) :- a(X), b(Y), X < Y.", "no variable is shared by all atoms of its body"),
        ("h(N) :- N = #count{ X : a(X) [3] }.", "no variable is shared by all atoms of its body"),
        ("h :- not a(_).", "no variable is shared by all atoms of its body"),
        ("h(X) :- a(X) [3 #].", "a tuple window counts the whole stream"),
        ("h(Y) :- a(X, Y) [2 # per X], b(Y).", "no variable is shared by all atoms of its body"),
        ("r(X, Y) :- e(X, Y). r(X, Z) :- r(X, Y), e(Y, Z).", "the recursion keeps no argument in its place"),
        (":- a(X), b(Y), X < Y.", "no variable is shared by all atoms of its body"),
    ],
)
def test_one_partition_and_why(text: str, because: str) -> None:
    assert obstacles(text) == [because]
