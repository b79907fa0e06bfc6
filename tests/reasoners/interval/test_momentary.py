"""What is taken past the engine: the same intervals as the judge's, whatever the rules compute and the data repeats."""

from __future__ import annotations

from collections.abc import Sequence

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
from support.momentary_programs import ARRIVALS, END, PROGRAMS, START, shown


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
@given(ARRIVALS, st.integers(1, 6))
def test_the_same_history(rules: str, arriving: list[tuple[int, Fact]], piece: int) -> None:
    text = shown(rules)
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
