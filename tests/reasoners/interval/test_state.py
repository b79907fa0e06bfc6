"""Snapshots, late arrivals, other rules and other background data: always as if it had been so from the start."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.tree import Program
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.state.arrivals import Arrivals
from support.analysed import analysed as from_text
from support.judged import analysed, of_accepted_programs
from support.random_programs import Scenario
from support.strategies import ARRIVING, STRATIFIED, scenarios
from support.tiers import partly


def reasoner_for(scenario: Scenario, lateness: int = 0) -> IntervalReasoner:
    return IntervalReasoner(analysed(scenario), scenario.background, scenario.stream.start, lateness=lateness)


def arriving(scenario: Scenario, time: int) -> list[Fact]:
    return [arrival.fact for arrival in scenario.stream.input if arrival.time == time]


@partly(200)
@given(scenarios(STRATIFIED) | scenarios(ARRIVING), st.integers(0, 12))
@of_accepted_programs
def test_a_restored_reasoner_goes_on_like_the_other(scenario: Scenario, when: int) -> None:
    reasoner = restored = reasoner_for(scenario)
    for time in scenario.times:
        facts = arriving(scenario, time)
        reasoner.advance(time, facts)
        if restored is not reasoner:
            restored.advance(time, facts)
        if time == scenario.stream.start + when:
            restored = IntervalReasoner.restore(reasoner.snapshot(), analysed(scenario))
        assert restored.answer() == reasoner.answer(), f"at {time}\n{scenario}"


@partly(250)
@given(scenarios(STRATIFIED) | scenarios(ARRIVING), st.randoms(use_true_random=False))
@of_accepted_programs
def test_late_arrivals_correct_the_answers(scenario: Scenario, random: Random) -> None:
    in_order, late = reasoner_for(scenario), reasoner_for(scenario, lateness=4)
    delays = [random.randint(0, 3) for _ in scenario.stream.input]
    last = max([arrival.time + delay for arrival, delay in zip(scenario.stream.input, delays, strict=True)], default=0)
    for time in range(scenario.stream.start, last + 3):
        in_order.advance(time, arriving(scenario, time))
        now = [
            (arrival.time, arrival.fact)
            for arrival, delay in zip(scenario.stream.input, delays, strict=True)
            if arrival.time + delay == time
        ]
        late.advance_batch(time, Arrivals.of(now, late.dictionary))
    by_arrival = sorted(
        zip(scenario.stream.input, delays, strict=True), key=lambda pair: (pair[0].time, pair[0].time + pair[1])
    )
    if [arrival for arrival, _ in by_arrival] == list(scenario.stream.input):
        assert late.answer() == in_order.answer(), scenario
    assert late.too_late == 0


def test_what_is_too_late_is_counted() -> None:
    reasoner = IntervalReasoner(from_text("b :- a [9]."), lateness=2)
    reasoner.advance(10)
    reasoner.advance_batch(10, Arrivals.of([(7, Fact("a")), (8, Fact("a"))], reasoner.dictionary))
    assert reasoner.too_late == 1
    assert reasoner.advance(17).disappeared == frozenset()
    assert reasoner.advance(18).disappeared == {Fact("b")}


def test_corrections_come_out_as_intervals() -> None:
    reasoner = IntervalReasoner(from_text("b(X) :- a(X) [3]."), lateness=5)
    reasoner.advance(10)
    (changes,) = reasoner.replay(10, Arrivals.of([(6, Fact("a", (1,)))], reasoner.dictionary))
    (rows,) = (rows.tolist() for relation, rows in changes.gained.items() if relation.name == "b/1")
    assert rows == [[reasoner.dictionary.encode(1), 6, 9]]


def test_time_does_not_go_back_without_lateness() -> None:
    reasoner = IntervalReasoner(from_text("b :- a [9]."))
    reasoner.advance(10)
    with pytest.raises(Rejected, match="lies before 10"):
        reasoner.advance(9)


@pytest.mark.parametrize("time", [4, 2**60])
def test_times_outside_the_timeline_are_refused(time: int) -> None:
    reasoner = IntervalReasoner(from_text("b :- a [9]."), start=5)
    with pytest.raises(Rejected, match="outside the timeline"):
        reasoner.advance(time, [Fact("a")])


def test_windows_larger_than_time_are_endless() -> None:
    reasoner = IntervalReasoner(from_text(f"b :- a [{10**30}]. c :- always a [{10**30}]. d :- a [3, +{10**30}]."))
    assert reasoner.advance(0, [Fact("a")]).appeared == {Fact("b"), Fact("c"), Fact("d")}
    assert reasoner.advance(2**59).disappeared == {Fact("c"), Fact("d")}


@partly(150)
@given(scenarios(STRATIFIED), st.integers(0, 12), st.integers(0, 5))
@of_accepted_programs
def test_rules_taken_away_are_as_if_they_had_not_been(scenario: Scenario, when: int, which: int) -> None:
    rules = scenario.program.rules
    fewer = Program(rules[:which] + rules[which + 1 :])
    background = {fact.signature for fact in scenario.background}
    reasoner = reasoner_for(scenario)
    plain = IntervalReasoner(analyse(fewer, background=background), scenario.background, scenario.stream.start)
    for time in scenario.times:
        facts = arriving(scenario, time)
        reasoner.advance(time, facts)
        plain.advance(time, facts)
        if time == scenario.stream.start + when:
            reasoner.change_program(analyse(fewer, background=background))
        if time >= scenario.stream.start + when:
            assert reasoner.answer() == plain.answer(), f"at {time}\n{scenario}"


def test_background_is_replaced() -> None:
    text = "q(X) :- a(X) [5], ok(X)."
    reasoner = IntervalReasoner(from_text(text), [Fact("ok", (1,))])
    reasoner.advance(1, [Fact("a", (1,)), Fact("a", (2,))])
    change = reasoner.replace_background([Fact("ok", (2,))])
    assert (change.appeared, change.disappeared) == ({Fact("q", (2,))}, {Fact("q", (1,))})
    assert reasoner.advance(7).disappeared == {Fact("q", (2,))}


def test_foreign_snapshots_are_refused() -> None:
    reasoner = IntervalReasoner(from_text("b :- a [9]."))
    reasoner.advance(3, [Fact("a")])
    data = reasoner.snapshot()
    with pytest.raises(Rejected, match="another program"):
        IntervalReasoner.restore(data, from_text("b :- a [8]."))
    with pytest.raises(Rejected, match="not a snapshot"):
        IntervalReasoner.restore(data[:40], from_text("b :- a [9]."))


def test_a_long_stream_leaves_no_trace_beyond_its_windows() -> None:
    reasoner = IntervalReasoner(from_text("q(X,Z) :- p(X,Y) [3], p(Y,Z) [3]. last(X) :- p(X,_) [2 #]."))
    tables, relations = reasoner.engine.tables, reasoner.engine.network.relations
    for time in range(4000):
        reasoner.advance(time, [Fact("p", (5 * time + number, 5 * time + number + 1)) for number in range(5)])
        assert sum(map(tables.size, relations)) < 10_000
    assert len(reasoner.snapshot()) < 5_000


def test_symbols_that_are_gone_can_be_forgotten() -> None:
    reasoner = IntervalReasoner(from_text("q(X) :- p(X,Y) [2], not r(Y) [2]. keep(x1)."))
    for time in range(50):
        reasoner.advance(time, [Fact("p", (f"s{time}", f"t{time}")), Fact("r", (f"t{time - 1}",))])
    before = reasoner.answer()
    assert len(reasoner.dictionary) > 100
    reasoner.renumber_values()
    assert len(reasoner.dictionary) < 12
    assert reasoner.answer() == before
    assert Fact("q", ("s49",)) in reasoner.advance(50, [Fact("r", ("t49",))]).disappeared
