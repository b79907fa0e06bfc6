"""Programs of many rules: the work per rule does not grow with their number. Calls are counted, not seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from larspark.python.session import Engine, check
from larspark.reasoners.interval import IntervalReasoner
from support.analysed import analysed

APART = "q{0}(X) :- a{0}(X) [20], not b{0}(X) [5]."
CHAIN = "q{1}(X) :- q{0}(X), not b{0}(X) [5]. @T p{1} :- @T p{0} [3], a{0}(X) [4]."
COUNTS = "q{0}(X,N) :- a{0}(X) [20], N = #count{{ Y : b{0}(X,Y) [20] }}, N > 1."
RING = "q{1}(X) :- q{0}(X), a{0}(X) [20]. q0(X) :- q{1}(X), b{0}(X)."


def program(form: str, count: int) -> str:
    return "\n".join(form.format(number, number + 1) for number in range(count))


def calls(action: Callable[..., object], *given: object) -> int:
    """How many Python functions an action calls; a generator that goes on counts as well."""
    found = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal found
        found += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        action(*given)
    finally:
        sys.setprofile(before)
    return found


@pytest.mark.parametrize("form", [APART, CHAIN, RING])
def test_checking_and_building_is_linear(form: str) -> None:
    few, many = program(form, 15), program(form, 60)
    for act in (check, Engine):
        act(few)  # what is loaded and remembered on first use
        assert calls(act, many) < 4.4 * calls(act, few), act


def test_feeding_aggregates_is_linear() -> None:
    """Not only calls: also the comparisons of rules with each other, which Python makes without being asked."""
    few, many = analysed(program(COUNTS, 60)), analysed(program(COUNTS, 240))
    IntervalReasoner(few)
    assert calls(IntervalReasoner, many) < 4.4 * calls(IntervalReasoner, few)


def test_a_step_costs_what_it_touches() -> None:
    counts = []
    for number in (10, 80):
        engine = Engine(program(APART, number))
        engine.advance(1, ["a0(1)", "b1(2)"])
        engine.advance(2, ["a2(1)", "b2(2)"])
        counts.append([calls(engine.advance, time, ["a0(3)", "b1(4)"]) for time in range(3, 30)])
    assert counts[0] == counts[1]
