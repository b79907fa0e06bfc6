"""What is decided apart."""

from __future__ import annotations

import pytest

from larspark.analysis.partitioning.splitting import layers
from larspark.analysis.structure.consistency import can_leave_timeline
from support.analysed import analysed

LOOP = "c(X) :- s(X), not d(X). d(X) :- s(X), not c(X). "


def split(text: str) -> list[list[str]]:
    """The predicates of each layer: those below, then those of each choice, then those above."""
    found = layers(analysed(text))
    names = [{one.predicate for part in layer for one in part.predicates} for layer in (found.below, found.above)]
    choices = [sorted(one.predicate for one in part.predicates) for part in found.choices]
    return [sorted(names[0]), *choices, sorted(names[1])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p(X) :- a(X), not q(X). q(X) :- b(X).", [["p", "q"], []]),
        (LOOP, [[], ["c", "d"], []]),
        # The data may be shared, and what follows from it.
        (LOOP + "low(X) :- s(X). e(X) | f(X) :- low(X), s(X).", [["low"], ["c", "d"], ["e", "f"], []]),
        # What follows from two choices does not connect them …
        (LOOP + "e(X) | f(X) :- s(X). up(X) :- c(X), e(X).", [[], ["c", "d"], ["e", "f"], ["up"]]),
        # … a constraint about it does, or a choice that depends on it, or a time at which nothing can hold.
        (LOOP + "e(X) | f(X) :- s(X). up(X) :- c(X), e(X). :- up(X), t(X).", [[], ["c", "d", "e", "f", "up"], []]),
        (LOOP + "up(X) :- c(X). e(X) | f(X) :- up(X).", [[], ["c", "d", "e", "f", "up"], []]),
        (LOOP + "@(T - 1) up(X) :- @T c(X).", [[], ["c", "d", "up"], []]),
        (LOOP + "@(T + 1) up(X) :- @T c(X). over(X) :- up(X).", [[], ["c", "d"], ["over", "up"]]),
        (LOOP + "e(X) | f(X) :- s(X). :- c(X), e(Y).", [[], ["c", "d", "e", "f"], []]),
        (LOOP + "e(X) | f(X) :- s(X). :- s(X), t(X).", [[], ["c", "d"], ["e", "f"], []]),
    ],
)
def test_layers(text: str, expected: list[list[str]]) -> None:
    assert split(text) == expected


def test_every_rule_is_in_one_layer() -> None:
    text = LOOP + "low(X) :- s(X). :- low(X), t(X). :- c(X), low(X). up(X) :- d(X). up(1)."
    analysis = analysed(text)
    found = layers(analysis)
    rules = [rule for layer in (found.below, found.choices, found.above) for part in layer for rule in part.rules]
    assert sorted(map(id, rules)) == sorted(map(id, analysis.program.rules))
    assert [len(part.rules) for part in found.choices] == [3]


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("h(X) :- a(X).", False),
        ("@T h(X) :- @T a(X) [3].", False),
        ("@(T + 2) h(X) :- @T a(X) [3].", False),
        ("@(T - 2) h(X) :- @T a(X) [3].", True),
        ("@T h(X) :- a(X, T).", False),
        ("@(T + D) h(X) :- @T a(X), b(X, D).", True),
        ("@T h(X) :- a(X, T), not @T b(X).", False),
    ],
)
def test_heads_before_the_timeline(text: str, leaves: bool) -> None:
    assert can_leave_timeline(analysed(text).program.rules[0]) is leaves
