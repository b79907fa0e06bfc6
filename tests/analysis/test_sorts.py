"""The sorts of arguments: what follows from the input's, and that no value of any answer lies outside them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, reject, settings

from larspark.analysis.pipeline import analyse
from larspark.analysis.typing.sorts import (
    ANYTHING,
    FLOATING,
    TIME,
    WHOLE,
    Sort,
    argument_sorts,
    sort_of_value,
    sorts_of_facts,
)
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_program
from larspark.reasoners.registry import make_reasoner
from support.random_programs import Scenario
from support.strategies import CONSTRAINED, scenarios

INPUT = {
    Signature("a", 2): (ANYTHING, WHOLE),
    Signature("d", 1): (Sort(scale=2),),
    Signature("f", 1): (FLOATING,),
}


@pytest.mark.parametrize(
    ("rules", "sorts"),
    [
        ("p(X, Y) :- a(X, Y) [3].", (ANYTHING, WHOLE)),
        ("p(Y + 1, Y / 2) :- a(_, Y).", (WHOLE, WHOLE)),
        ("p(Y ^ 2, 2 ^ Y) :- a(_, Y).", (WHOLE, ANYTHING)),
        ("p(X + 1.125, X * X) :- d(X).", (Sort(scale=3), Sort(scale=4))),
        ("p(X / 2, X) :- d(X), f(X).", (ANYTHING, Sort(scale=2))),
        ("p(X, X + 1) :- f(X).", (FLOATING, FLOATING)),
        ("p(T, X) :- @T a(X, Y) [5], X = Y.", (TIME, WHOLE)),
        ("p(T + 5, T - U) :- @T a(X, Y) [5], @U d(X).", (TIME, WHOLE)),
        ("p(now, b) :- a(_, _).", (TIME, ANYTHING)),
        ("p(N, S) :- N = #count{ X : a(X, _) }, S = #sum{ V : d(V) }.", (WHOLE, Sort(scale=2))),
        ("p(N, M) :- N = #max{ V : f(V) }, M = #avg{ Y : a(_, Y) }.", (FLOATING, ANYTHING)),
        ("p(Y, 0) :- a(_, Y). p(X, X) :- d(X).", (Sort(scale=2), Sort(scale=2))),
        ("p(Y, 0) :- a(_, Y). p(X, 0) :- f(X).", (FLOATING, WHOLE)),
        ("p(X, 1) :- d(X). p(X * 0.1, 1) :- p(X, _), X > 1.", (ANYTHING, WHOLE)),
        ("p(min(X, 3), abs(X)) :- d(X).", (Sort(scale=2), Sort(scale=2))),
        ("p(N, 1) :- N = #sum{ V : q(V) }. q(X) :- d(X).", (Sort(scale=2), WHOLE)),
        ("p(N, 1) :- N = #sum{ V : nowhere(V) }.", (WHOLE, WHOLE)),
    ],
)
def test_sorts_follow_from_the_input(rules: str, sorts: tuple[Sort, ...]) -> None:
    assert argument_sorts(parse_program(rules), INPUT)[Signature("p", 2)] == sorts


def test_what_no_rule_can_reach_has_no_sort() -> None:
    assert Signature("p", 1) not in argument_sorts(parse_program("p(X) :- q(X). q(X) :- p(X)."), INPUT)


def test_values() -> None:
    assert sort_of_value(Decimal("-12.125")) == Sort(scale=3, digits=2)
    assert sort_of_value(Decimal(f"-1.{'3' * 33}")) == Sort(scale=33, digits=1)
    assert sort_of_value(2**63) == sort_of_value("x") == ANYTHING
    assert (sort_of_value(10**18) | sort_of_value(Decimal("0.5"))).decimal
    assert not (sort_of_value(10**18) | sort_of_value(Decimal(f"0.{'3' * 20}"))).decimal


@settings(max_examples=60)
@given(scenarios(CONSTRAINED))
def test_no_answer_lies_outside(scenario: Scenario) -> None:
    arrivals = [(arrival.time, arrival.fact) for arrival in scenario.stream.input]
    analysis = analyse(scenario.program, background={fact.signature for fact in scenario.background})
    try:
        engine = make_reasoner("interval", analysis, scenario.background, scenario.times[0])
    except Rejected:
        reject()
    facts = [*(fact for _, fact in arrivals), *scenario.background]
    sorts = argument_sorts(analysis.program, sorts_of_facts(facts))
    for time in scenario.times:
        try:
            engine.advance(time, [fact for at, fact in arrivals if at == time])
        except Rejected:  # a recursion that goes on for ever in a later evaluation
            reject()
        for stream in engine.answer().answer_streams:
            for fact in (*stream.now, *(fact for facts in stream.at.values() for fact in facts)):
                for value, sort in zip(fact.args, sorts[fact.signature], strict=True):
                    assert fits(value, sort), (fact, sort)


def fits(value: int | Decimal | str, sort: Sort) -> bool:
    own = sort_of_value(value)
    return sort.symbols or (not own.symbols and own.scale <= sort.scale)


def test_facts_of_one_predicate_are_taken_together() -> None:
    facts = [Fact("a", (1,)), Fact("a", (Decimal("2.5"),)), Fact("b", ("x",))]
    assert sorts_of_facts(facts) == {Signature("a", 1): (Sort(scale=1, digits=1),), Signature("b", 1): (ANYTHING,)}
