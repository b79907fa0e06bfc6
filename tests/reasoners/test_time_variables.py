"""A time variable stands for time points of the timeline, and background holds at all of them, in every reasoner."""

from __future__ import annotations

import pytest

from larspark.analysis import analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.reasoners.registry import make_reasoner

P, Q = Fact("p"), Fact("q")
ARRIVING = {5: [Fact("e", (1,)), Fact("n", (9,)), Fact("n", ("x",))]}
REASONERS = ("reference", "interval", "clingo", "answer-update", "jtms")


def shown(name: str, text: str) -> tuple[set[str], dict[int, set[str]]]:
    """What holds at 5, and elsewhere, when p is background."""
    analysis = analyse(parse_program(text, "t.lars"), background={P.signature})
    reasoner = make_reasoner(name, analysis, [P])
    for time in range(6):
        reasoner.advance(time, ARRIVING.get(time, []))
    (stream,) = reasoner.answer().answer_streams
    return set(map(str, stream.now)), {time: set(map(str, facts)) for time, facts in stream.at.items()}


@pytest.mark.parametrize("name", REASONERS)
@pytest.mark.parametrize(
    ("text", "now", "at"),
    [
        ("c(V) :- n(U), V = U - 20, not @V e(1).", set(), {}),
        ("c(V) :- n(U), V = U - 5, not @V e(1).", {"c(4)"}, {}),
        ("c(U) :- n(U), not @U e(1) [7].", {"c(9)"}, {}),
        ("c(U) :- n(U), not @(U - 20) e(1).", {"c(9)"}, {}),
        ("@V c :- n(U), V = U - 20.", set(), {}),
        ("@V c :- n(U), V = U - 1.", set(), {8: {"c"}}),
    ],
)
def test_other_values_make_no_instance(name: str, text: str, now: set[str], at: dict[int, set[str]]) -> None:
    assert shown(name, text) == (now, at)


@pytest.mark.parametrize("name", ["reference", "interval", "clingo", "jtms"])
@pytest.mark.parametrize(
    ("text", "now", "at"),
    [
        ("c(U) :- @U p, n(U).", {"c(9)"}, {}),
        ("@U q :- n(U), @U p.", set(), {9: {"q"}}),
        ("c(U) :- n(U), @U p [of p].", {"c(9)"}, {}),
        ("c :- @_ p, e(_).", {"c"}, {}),
        ("c(U) :- n(U), not @U p.", set(), {}),
        ("c(U) :- n(U), not @(U - 20) p.", {"c(9)"}, {}),
        ("@U q :- @U p [1, +1], e(_).", {"q"}, {4: {"q"}, 6: {"q"}}),
        ("@U q :- @U p [from 4 to 6], e(_).", {"q"}, {4: {"q"}, 6: {"q"}}),
    ],
)
def test_background_holds_at_every_time_point(name: str, text: str, now: set[str], at: dict[int, set[str]]) -> None:
    assert shown(name, text) == (now, at)


@pytest.mark.parametrize("name", ["reference", "interval", "clingo"])
@pytest.mark.parametrize("text", ["c(U) :- @U p, e(_).", "c :- always e(1) [from U to now], @U p, e(_)."])
def test_infinitely_many_time_points_are_refused(name: str, text: str) -> None:
    with pytest.raises(Rejected) as refused:
        shown(name, text)
    assert [finding.code for finding in refused.value.diagnostics] == ["E502"]


@pytest.mark.parametrize("name", REASONERS)
def test_what_has_arrived_is_not_listed_as_pinned(name: str) -> None:
    analysis = analyse(parse_program("#input q/0. @T q :- @T e(_) [3].", "t.lars"))
    reasoner = make_reasoner(name, analysis)
    listed = []
    for time in range(8):
        reasoner.advance(time, [Q] if time == 2 else [Fact("e", (1,))] if time == 3 else [])
        if time == 2:
            reasoner.advance(time, [Fact("e", (1,))])
        (stream,) = reasoner.answer().answer_streams
        listed.append((bool(stream.now), sorted(stream.at)))
    assert listed == [
        (False, []),
        (False, []),
        (True, []),
        (True, []),
        (False, [3]),
        (False, [3]),
        (False, [3]),
        (False, []),
    ]
