"""The online algorithm: cost, memory, bad input, negated input."""

from __future__ import annotations

import random
import time

import pytest

from larspark.diagnostics import Rejected
from larspark.hypothetical.offline.resolution import Resolution
from larspark.hypothetical.online.query import WatchOptions
from larspark.hypothetical.online_algorithm import Online
from larspark.hypothetical.theory.temporal_datalog import temporal_theory
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from support.temporal import goal

TURBINES = """
@T flag(X) :- @T temp(X,high).
@(T+1) cool(X) :- @T flag(X), @(T+1) flag(X).
@(T+1) shdn(X) :- @T cool(X), @(T+1) flag(X).
@(T-2) malf(X) :- @T shdn(X).
"""


def turbines(options: WatchOptions | None = None) -> Online:
    return Online(temporal_theory(parse_program(TURBINES)), goal("malf(X,T)"), options)


def hot(devices: range, share: float, seed: int) -> list[Fact]:
    chance = random.Random(seed)
    return [Fact("temp", (f"wt{i}", "high" if chance.random() < share else "low")) for i in devices]


def test_memory_is_bounded_by_the_window() -> None:
    online = turbines(WatchOptions(keep=0))
    sizes = []
    for t in range(60):
        online.advance(t, hot(range(200), 0.1, t))
        sizes.append(len(online))
    assert max(sizes[30:]) < 2 * max(sizes[5:30])


def test_a_step_costs_what_it_touches() -> None:
    """Rows that wait for a later time are not looked at: a crowd of them does not slow a quiet step down."""
    online = Online(temporal_theory(parse_program("@T r(X) :- @T a(X), @(T+1000) b(X).")), goal("r(X,T)"))
    online.advance(0, [Fact("a", (i,)) for i in range(100_000)])
    start = time.perf_counter()
    for t in range(1, 200):
        online.advance(t, [Fact("a", (t,))])
    assert time.perf_counter() - start < 1
    assert len(online) == 100_199


def test_preprocessing_thirty_rules_is_quick() -> None:
    rules = ["@T p0(X) :- @T e0(X)."]
    rules += [f"@T p{i}(X) :- @(T-1) p{i - 1}(X), @T e{i}(X)." for i in range(1, 30)]
    start = time.perf_counter()
    found = Resolution(temporal_theory(parse_program("\n".join(rules)))).preconditions(goal("p29(X,T)"))
    assert len(found[0].premises) == 30
    assert time.perf_counter() - start < 2


def test_negated_input_is_closed_at_its_time() -> None:
    online = Online(temporal_theory(parse_program("@T r(X) :- @T a(X), not @(T+1) e(X).")), goal("r(X,T)"))
    online.advance(0, [Fact("a", ("k",)), Fact("a", ("m",))])
    assert {(str(a.answer), a.definite) for a in online.answers()} == {("r(k,0)", False), ("r(m,0)", False)}
    online.advance(1, [Fact("e", ("k",))])
    assert {(str(a.answer), a.definite) for a in online.answers()} == {("r(m,0)", True)}


def test_anonymous_variables_under_negation_mean_none_at_all() -> None:
    online = Online(temporal_theory(parse_program("@T r(X) :- @T a(X), not @T e(X,_).")), goal("r(X,T)"))
    online.advance(0, [Fact("a", ("k",)), Fact("a", ("m",)), Fact("e", ("k", "u"))])
    assert [str(a.answer) for a in online.answers() if a.definite] == ["r(m,0)"]


def test_without_a_known_domain_exceptions_are_listed() -> None:
    program = "@(T+1) r(X) :- @(T+1) q(X), not @T p(X). @T p(X) :- @T s(X)."
    online = Online(temporal_theory(parse_program(program)), goal("r(X,T)"))
    online.advance(0, [Fact("s", ("a",))])
    (found,) = online.answers()
    assert (str(found.answer), found.exceptions) == ("r(X1,1)", frozenset({(("X1", "a"),)})) or found.exceptions == {
        (("X", "a"),)
    }


def test_skipped_time_points_count_as_empty() -> None:
    online = turbines()
    online.advance(0, [Fact("temp", ("a", "high"))])
    online.advance(5, [Fact("temp", ("a", "high"))])
    assert [str(a.answer) for a in online.answers()] == ["malf(a,5)"]


@pytest.mark.parametrize(
    ("delay", "about", "code"), [(0, 6, "E550"), (0, 4, "E549"), (3, 6, "E550"), (3, 1, "E549"), (0, 3, "E549")]
)
def test_facts_of_the_wrong_time_are_refused(delay: int, about: int, code: str) -> None:
    online = turbines(WatchOptions(delay=delay))
    online.advance(4)
    with pytest.raises(Rejected) as caught:
        online.advance_late(5, [(about, Fact("temp", ("a", "high")))])
    assert caught.value.diagnostics[0].code == code


def test_time_does_not_go_back() -> None:
    online = turbines()
    online.advance(4)
    with pytest.raises(Rejected):
        online.advance(3, [Fact("temp", ("a", "high"))])


def test_a_derived_fact_does_not_arrive() -> None:
    with pytest.raises(Rejected) as caught:
        turbines().advance(0, [Fact("flag", ("a",))])
    assert caught.value.diagnostics[0].code == "E551"
