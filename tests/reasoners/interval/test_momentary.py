"""What is taken past the engine: the same intervals as the judge's, whatever the rules compute and the data repeats."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.blocks import Block
from larspark.language.facts import Fact, Signature
from larspark.language.values import Value
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.momentary.passing import PassingArrivals
from larspark.runtime.prepared import prepare
from larspark.runtime.replay import Replay
from support.interval_rows import Row, rows_of

GIVEN = "known(1,a). known(2,b). known(2,c). known(a,a). known(1.5,2). single(2). single(b). twice(1,1). twice(a,b). "
PROGRAMS = (
    "p(X,Y) :- a(X,Y).",
    "p(X) :- a(X,_). p(Y) :- a(_,Y).",
    "p(X) :- a(X,X). p(X) :- b(X).",
    "p(X,Y) :- a(X,Y), X < Y. p(X,X) :- b(X), X != 2.",
    "p(X,Z) :- a(X,Y), Z = X * 0.5 + Y.",
    "p(Z) :- a(X,Y), Z = X / Y. p(Z) :- a(X,Y), Z = X % Y.",
    "p(Z,X) :- a(X,Y), Z = X - Y, Z >= -1. q(Z) :- a(X,Y), Z = X * Y.",
    "p(X,V) :- a(X,_), known(X,V). p(X,none) :- a(X,_), not known(X,_).",
    "p(X,Y) :- a(X,Y), known(X,Y), not single(X). q(K) :- b(X), known(K,X).",
    "p(X,V) :- a(X,Y), known(K,V), K = X + Y. q(X) :- b(X), twice(X,X).",
    "p(X,Y,now) :- a(X,Y), now > 2. q(H) :- b(_), H = now * now.",
    "p(X) :- a(X,2). p(X) :- a(X,b), single(b). p(7) :- b(1).",
    "q(X,Y) :- a(X,Y), X >= 1. p(Y) :- q(X,Y), Y <= 2. r(X) :- b(X), p(X). #show p/1. #show q/2.",
    "p(X,Y) :- a(X,Y). :- b(2). :- b(X), X = a.",
    "p(X) :- a(X,_). q(X) :- a(X,_), b(X). s(X) :- c(X).",
    "p(X) :- a(X,_) . q(X) :- b(X) [2]. s(X) :- b(X).",
    "p(X,M) :- a(X,Y), M = max(X,Y), N = min(X,Y), N >= 0. q(Z) :- b(X), Z = abs(X).",
    "p(X) :- b(X), X = Y, a2(Y). p(X) :- b(X), 1 = X.",
    "p(X,N) :- a(X,_), N = #count{ V : known(X,V) }. q(X) :- b(X), not 1 <= #count{ V : known(X,V) }.",
    "p(X,V) :- a(X,_), (1,V) = #top{ 1; K : single(K) }. q(X) :- b(X), X = #max{ K : known(K,_) }.",
)
VALUES: Sequence[Value] = (
    0, 1, 2, 3, -1, "a", "b", "two words", "\0", "1", Decimal("1.5"), Decimal("-0.25"), 2**61, 2**62, -(2**63), 2**64,
    Decimal("0.0000000000000000001"),
)  # fmt: skip
START, END = 0, 9

arrivals = st.lists(
    st.tuples(
        st.integers(START, END),
        st.one_of(
            st.tuples(st.just("a"), st.tuples(st.sampled_from(VALUES), st.sampled_from(VALUES))),
            st.tuples(st.just("b"), st.tuples(st.sampled_from(VALUES))),
            st.tuples(st.just("c"), st.tuples(st.integers(0, 3))),
        ),
    ),
    max_size=14,
)


def replayed(text: str, arriving: list[tuple[int, Fact]], piece: int) -> list[Row]:
    prepared = prepare(text)
    reasoner = prepared.reasoner("interval", START)
    assert isinstance(reasoner, IntervalReasoner)
    chunks = [blocks(arriving[first : first + piece]) for first in range(0, len(arriving), piece)]
    return [
        (fact.predicate, fact.args, first, last, None)
        for block in Replay(reasoner, prepared.analysis.shown).intervals(chunks, END, used_up=True)
        for fact, first, last in zip(block.facts(), block.times.tolist(), untils(block), strict=True)
    ]


def untils(block: Block) -> list[int]:
    assert block.until is not None
    found: list[int] = block.until.tolist()
    return found


def blocks(arriving: Sequence[tuple[int, Fact]]) -> list[Block]:
    found: dict[Signature, list[tuple[int, tuple[Value, ...]]]] = {}
    for time, fact in arriving:
        found.setdefault(fact.signature, []).append((time, fact.args))
    return [Block.of(signature, rows) for signature, rows in found.items()]


@pytest.mark.parametrize("rules", PROGRAMS)
@settings(max_examples=12)
@given(arrivals, st.integers(1, 6))
def test_the_same_history(rules: str, drawn: list[tuple[int, tuple[str, tuple[Value, ...]]]], piece: int) -> None:
    arriving = sorted(((time, Fact(*fact)) for time, fact in drawn), key=lambda one: one[0])
    text = (
        GIVEN + rules if "#show" in rules else f"{GIVEN}{rules} #show p/1. #show p/2. #show p/3. #show q/1. #show s/1."
    )
    prepared = prepare(text)
    expected = rows_of(prepared.analysis, arriving, START, END, reasoner="reference")
    found = replayed(text, arriving, piece)
    assert len(found) == len(set(found))
    assert set(found) == {row for row in expected if Signature(row[0], len(row[1])) in prepared.analysis.shown}


GROWING = [(time, Fact("a", (10 * time + number, "x"))) for time in range(5) for number in range(3)]


@pytest.mark.parametrize("again", [GROWING[-1], (5, GROWING[-1][1]), (5, GROWING[0][1]), (5, Fact("a", ("y", "x")))])
@pytest.mark.parametrize("piece", [1, 2, 16])
def test_rows_that_differ_at_first(again: tuple[int, Fact], piece: int) -> None:
    """As long as a number grows, rows are handed out as they are; then equal ones meet, also those held back."""
    arriving = [*GROWING, again]
    found = replayed("p(X,Y) :- a(X,Y).", arriving, piece)
    expected = rows_of(prepare("p(X,Y) :- a(X,Y).").analysis, arriving, START, END, reasoner="reference")
    assert len(found) == len(set(found))
    assert set(found) == expected


@pytest.mark.parametrize(
    ("rules", "taken"),
    [
        ("p(X) :- a(X).", {"a"}),
        ("p(X) :- a(X). q(X) :- a(X), b(X).", set()),
        ("p(X) :- a(X). q(X) :- b(X) [2].", {"a"}),
        ("p(X) :- a(X). p(X) :- b(X) [2].", set()),
        ("p(X) :- a(X). q(N) :- N = #count{ X : p(X) }.", set()),
        ("p(X) :- a(X). q(X) :- p(X) [3].", {"a"}),
        ("p(X) :- a(X). q(X) :- b(X) [3 #].", set()),
        ("@U p(X) :- a(X), U = now + 1.", set()),
        ("p(X) :- a(X). p(Y) :- p(X), Y = X + 1, Y < 9.", set()),
        ("p(X) :- a(X), hour(now) = 3. q(X) :- p(X), not b(X).", set()),
        (":- a(X). p(X) :- b(X).", {"b"}),
        ("p(X) :- a(X), not c(X). c(1). c(2).", {"a"}),
        ("p(X) :- a(X), 1 <= #count{ Y : c(X,Y) }. c(1,2). q(X) :- b(X).", {"b"}),
    ],
)
def test_what_is_taken_past(rules: str, taken: set[str]) -> None:
    reasoner = prepare(rules).reasoner("interval", 0)
    assert isinstance(reasoner, IntervalReasoner)
    found = PassingArrivals.of(reasoner.engine, ())
    assert {signature.predicate for signature in (found.inputs if found else ())} == taken


def test_nothing_is_taken_past_where_costs_are_asked_for() -> None:
    reasoner = prepare("p(X) :- a(X).").reasoner("interval", 0)
    assert isinstance(reasoner, IntervalReasoner)
    profile = reasoner.profiled()
    found = list(Replay(reasoner, [Signature("p", 1)]).intervals([blocks([(1, Fact("a", (1,)))])], 2, used_up=True))
    assert len(found) == 1
    assert profile is reasoner.engine.tables.profile


def test_rules_over_columns_have_fired() -> None:
    prepared = prepare("p(X) :- a(X), X > 3. q(X) :- a(X), X > 5.")
    reasoner = prepared.reasoner("interval", 0)
    assert isinstance(reasoner, IntervalReasoner)
    list(Replay(reasoner, prepared.analysis.shown).intervals([blocks([(1, Fact("a", (4,)))])], 2, used_up=True))
    assert {head.predicate for head, _ in reasoner.engine.fired} == {"p"}


def test_a_reasoner_that_goes_on_sees_everything() -> None:
    """Questions about a recording ask for its history, and then for what holds at its end."""
    prepared = prepare("p(X) :- a(X).")
    reasoner = prepared.reasoner("interval", 0)
    assert isinstance(reasoner, IntervalReasoner)
    found = list(Replay(reasoner, prepared.analysis.shown).intervals([blocks([(1, Fact("a", (1,)))])], 1))
    (stream,) = reasoner.answer().answer_streams
    assert len(found) == 1
    assert stream.now == {Fact("p", (1,))}
