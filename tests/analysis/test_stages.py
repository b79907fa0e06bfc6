from __future__ import annotations

import pytest

from larspark.analysis.partitioning.stages import stages
from support.analysed import analysed


def keys(text: str) -> list[list[str]]:
    """Per stage the key variable of each rule."""
    return [[key.variable for key in stage.keys] for stage in stages(analysed(text))]


def obstacles(text: str) -> list[str]:
    return [found.because for stage in stages(analysed(text)) for found in stage.obstacles]


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
        # What is held ends with the next arrival of its key, so this is not torn apart.
        ("#hold a(X, Y) per X for 3. h(X) :- a(X, Y) [2], Y > 3. g(Y) :- a(X, Y).", [["X", "X"]]),
        # Stages grow while their rules agree on the place of the key.
        ("p(X) :- a(X) [3]. q(X) :- p(X), not b(X, _) [3].", [["X", "X"]]),
        # p is derived by the first argument and read by the second: an exchange lies between.
        ("p(X, Y) :- a(X, Y), b(X). q(Y) :- p(X, Y) [3], c(Y).", [["X"], ["Y"]]),
        # The key has its values from fixed data: the rule is guarded.
        ('#background "p.csv" as p/1. h(X) :- p(X), not a(X) [3].', [["X"]]),
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
        (
            "h(X) :- always a(X, Y) [2 # per X].",
            "`always` over a window per key reaches back to the oldest atom of all keys",
        ),
        (
            '#background "p.csv" as p/1. h :- p(X), Y = X + 1, not a(Y).',
            "nothing but a computation gives the key its values",
        ),
        ('#background "p.csv" as p/1. h(X) :- p(X), X > 3.', "it reads fixed data only"),
        ("a(X) :- s(X), not b(X). b(Y) :- t(X, Y), not a(Y), a(X).", "no variable is shared by all atoms of its body"),
        (":- a(X), b(Y), X < Y.", "no variable is shared by all atoms of its body"),
    ],
)
def test_one_partition_and_why(text: str, because: str) -> None:
    assert obstacles(text) == [because]


def test_a_guard_says_where_the_key_has_its_values() -> None:
    (stage,) = stages(analysed('#background "p.csv" as p/2. h(X) :- p(_, X), not a(X) [3].'))
    assert [(str(key.guard.signature), key.guard.position) for key in stage.keys if key.guard] == [("p/2", 1)]


def test_conclusions_about_one_atom_may_come_from_several_partitions() -> None:
    (stage,) = stages(analysed("p(X) :- a(X, Y), b(X). q(Y) :- a(X, Y), b(X)."))
    assert {str(one) for one in stage.settled} == {"p/1"}


def test_choices_are_made_together() -> None:
    (stage,) = stages(analysed("a(X) :- s(X), not b(X). b(X) :- s(X), not a(X). c(X) :- a(X) [3]. :- c(X), t(X)."))
    assert [key.variable for key in stage.keys] == ["X"] * 4
    assert stage.chooses


def test_choices_are_stages_of_their_own() -> None:
    text = """
        low(X) :- s(X) [2].
        a(X) | b(X) :- low(X).
        c(Y) | d(Y) :- t(X, Y).
        e | f :- low(X).
        up(X) :- a(X), c(X).
    """
    found = [(sorted(map(str, stage.predicates)), stage.keyed, stage.chooses) for stage in stages(analysed(text))]
    assert found == [
        (["low/1"], True, False),
        (["c/1", "d/1"], True, True),
        (["a/1", "b/1"], True, True),
        (["e/0", "f/0"], False, True),
        (["up/1"], True, False),
    ]


@pytest.mark.parametrize(
    ("text", "because", "line"),
    [
        # The choice between p(y) and q(y) would be made for each x with s(x,y).
        ("p(Y) | q(Y) :- s(X, Y).\np(Y) :- t(X, Y), u(X).", "what is decided together agrees on no key", 2),
        ("p(X) | q(X) :- s(X).\n:- p(X), q(Y).", "no variable is shared by all atoms of its body", 2),
        ("p(X) :- s(X), not q(X).\nq(X) :- s(X), not p(X).\nq(1).", "what is decided together agrees on no key", 3),
        (
            "#record w/1.\nw(X) :- s(X).\n:- w(X), t(X).",
            "what is recorded depends on whether there is an answer stream",
            2,
        ),
    ],
)
def test_what_is_decided_in_one_partition(text: str, because: str, line: int) -> None:
    (stage,) = stages(analysed(text))
    (found,) = stage.obstacles
    assert found.because == because
    assert found.rule.origin is not None
    assert found.rule.origin.line == line


def test_a_choice_over_fixed_data_is_guarded() -> None:
    text = '#background "n.csv" as n/1. on(X) | off(X) :- n(X). :- on(X), hot(X) [2].'
    (stage,) = stages(analysed(text))
    assert stage.keyed
    assert [str(key.guard.signature) for key in stage.keys if key.guard] == ["n/1"]
