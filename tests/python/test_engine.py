"""`larspark.Engine` as a Python program uses it."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime
from decimal import Decimal
from enum import IntEnum
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import larspark
from larspark import Change, Engine, Fact, Rejected
from larspark.reasoners.registry import REASONERS
from support.random_programs import Scenario
from support.strategies import ARRIVING, CHOICES, STRATIFIED, scenarios

ALARM = "alarm(M) :- always hot(M) [2], not seen(_) [2]."


class Colour(IntEnum):
    RED = 3


def test_atoms_are_facts_texts_and_tuples() -> None:
    said = ["a(1)", Fact("a", (2,)), ("a", "x"), ("a", 1.5), ("a", True), ("a", np.int64(7)), ("a", Decimal("2.0"))]
    expected = {1, 2, "x", Decimal("1.5"), "true", 7}
    for atoms in (said, tuple(said), iter(said)):
        engine = Engine("p(X) :- a(X).")
        assert {fact.args[0] for fact in engine.advance(0, atoms).appeared} == expected


def test_a_value_is_the_same_however_it_is_said() -> None:
    engine = Engine("p(X) :- a(X), b(X).")
    twice = [("a", 3), Fact("b", (Colour.RED,)), ("a", Decimal("0.50")), Fact("b", (0.5,))]
    assert {fact.args for fact in engine.advance(0, twice).appeared} == {(3,), (Decimal("0.5"),)}


@pytest.mark.parametrize(
    ("time", "atoms", "code"),
    [
        (2.5, [], "E404"),
        (True, [], "E404"),
        ("soon", [], "E404"),
        (-1, [], "E404"),
        (None, [], "E402"),
        (0, [], "E405"),
        (1 << 61, [], "E404"),
        (3, ["hot("], "E117"),
        (3, "hot(m1)", "E403"),
        (3, 7, "E403"),
        (3, [None], "E403"),
        (3, [()], "E403"),
        (3, [("hot", None)], "E403"),
        (3, [("hot", float("nan"))], "E403"),
        (3, [Fact("hot", (None,))], "E403"),  # type: ignore[arg-type]
        (3, [Fact("hot", ["m1"])], "E403"),  # type: ignore[arg-type]
        (3, [Fact(7, ("m1",))], "E403"),  # type: ignore[arg-type]
        (3, [("hot", ("m1",))], "E403"),
        (3, [Fact("hot", (["m1"],))], "E403"),  # type: ignore[arg-type]
        (3, ["hot(m1)", "alarm(m1)"], "E409"),
        (3, ["hot(m1, 2)"], "E410"),
    ],
)
@pytest.mark.parametrize("reasoner", ["interval", "clingo", "jtms"])
def test_a_rejected_call_changes_nothing(reasoner: str, time: object, atoms: object, code: str) -> None:
    left, right = (Engine("alarm(M) :- always hot(M) [2].", reasoner) for _ in range(2))
    for engine in (left, right):
        engine.advance(1, ["hot(m1)"])
    with pytest.raises(Rejected, match=code):
        left.advance(time, atoms)  # type: ignore[arg-type]
    assert left.time == right.time == 1
    assert left.answer() == right.answer()
    for later in (2, 3):
        assert left.advance(later, ["hot(m1)"]) == right.advance(later, ["hot(m1)"])


def test_moments_of_the_calendar() -> None:
    engine = Engine("p :- a [1].", clock="1 min", epoch=datetime(2026, 1, 1, tzinfo=UTC))
    assert engine.advance(datetime(2026, 1, 1, 0, 3, 20, tzinfo=UTC), ["a"]).time == 3


def test_what_is_shown_is_told(tmp_path: Path) -> None:
    program = tmp_path / "p.lars"
    program.write_text("#show p/1. q(X) :- a(X). p(X) :- q(X). @(T+1) r(X) :- @T a(X) [2].")
    for reasoner in ("interval", "clingo", "jtms", "answer-update", "reference"):
        engine = Engine(program, reasoner)
        assert engine.advance(0, ["a(1)"]) == Change(0, frozenset({Fact("p", (1,))}))
        (stream,) = engine.answer().answer_streams
        assert (stream.now, stream.at) == ({Fact("p", (1,))}, {})


def test_a_change_is_a_value() -> None:
    engine = Engine("p(X) :- a(X).")
    first, second = engine.advance(0, ["a(1)"]), engine.advance(1)
    assert [bool(change) for change in (first, second, engine.advance(2))] == [True, True, False]
    assert first == Change(0, frozenset({Fact("p", (1,))}))
    assert {first, Change(0, frozenset({Fact("p", (1,))}))} == {first}
    assert repr(second) == "Change(1, disappeared={Fact(predicate='p', args=(1,))})"
    assert first != second


# -- lateness, rules, background -------------------------------------------------------------------


def test_late_atoms_correct_the_present() -> None:
    engine = Engine("p :- always a [2].", lateness="2 s")
    engine.advance(0, ["a"])
    engine.advance(2, ["a"])
    assert not engine.answer().answer_streams[0].now
    assert engine.advance(1, ["a"]) == Change(2, frozenset({Fact("p")}))
    assert (engine.time, engine.too_late) == (2, 0)
    engine.advance(5)
    assert not engine.advance(2, ["a"])
    assert engine.too_late == 1


@pytest.mark.parametrize("reasoner", ["clingo", "jtms", "answer-update", "reference"])
def test_a_reasoner_says_what_it_cannot_do(reasoner: str) -> None:
    with pytest.raises(Rejected, match="E509"):
        Engine("p :- a.", reasoner, lateness=1)
    engine = Engine("p :- a.", reasoner)
    for change in (lambda: engine.add_rule("q :- a."), lambda: engine.replace_background(["b"])):
        with pytest.raises(Rejected, match="E509"):
            change()
    assert engine.advance(0, ["a"]).appeared == {Fact("p")}


def test_rules_come_and_go() -> None:
    engine = Engine("#const k = 2. p(X) :- a(X) [k].", constants={"k": 3})
    engine.advance(0, ["a(1)"])
    assert engine.add_rule("q(X) :- a(X) [k], not b(X).").appeared == {Fact("q", (1,))}
    assert engine.advance(1, ["b(1)"]).disappeared == {Fact("q", (1,))}
    assert engine.remove_rule("p(X):-a(X)[k].").disappeared == {Fact("p", (1,))}
    assert engine.advance(2).appeared == {Fact("q", (1,))}
    before = engine.answer()
    for wrong, code in (("p(X) :- a(X).", "E510"), ("q(X", "E117")):
        with pytest.raises(Rejected, match=code):
            engine.remove_rule(wrong)
    for wrong, code in (("r(X) :- not a(X).", "E201"), ("r :- not s. s :- not r.", "E514")):
        with pytest.raises(Rejected, match=code):
            engine.add_rule(wrong)
    assert engine.answer() == before


def test_a_predicate_that_is_no_longer_derived_may_arrive() -> None:
    engine = Engine("p(X) :- a(X). q(X) :- p(X).")
    with pytest.raises(Rejected, match="E409"):
        engine.advance(0, ["p(1)"])
    engine.remove_rule("p(X) :- a(X).")
    assert engine.advance(0, ["p(1)"]).appeared == {Fact("q", (1,))}


def test_background_is_replaced_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("x\n1\n2\n")
    (tmp_path / "p.lars").write_text('#background "b.csv" as b/1. p(X) :- a [5], b(X).')
    engine = Engine(str(tmp_path / "p.lars"))
    assert {fact.args[0] for fact in engine.advance(0, ["a"]).appeared} == {1, 2}
    change = engine.replace_background(["b(2)", ("b", 3)])
    assert (change.appeared, change.disappeared) == ({Fact("p", (3,))}, {Fact("p", (1,))})
    engine.add_rule("q(X) :- b(X), a [5].")
    (stream,) = engine.answer().answer_streams
    assert {str(fact) for fact in stream.now} == {"p(2)", "p(3)", "q(2)", "q(3)"}
    with pytest.raises(Rejected, match="E202"):
        engine.replace_background(["p(1)"])
    assert engine.answer().answer_streams == (stream,)


# -- snapshots -------------------------------------------------------------------------------------


@settings(max_examples=150)
@given(
    scenarios(STRATIFIED) | scenarios(ARRIVING) | scenarios(CHOICES),
    st.sampled_from(sorted(REASONERS)),
    st.integers(0, 9),
)
def test_a_restored_engine_goes_on_like_the_other(scenario: Scenario, reasoner: str, when: int) -> None:
    try:
        engine = Engine(scenario.program, reasoner, background=scenario.background, start=scenario.stream.start)
        for time in scenario.times:
            engine.advance(time, [arrival.fact for arrival in scenario.stream.input if arrival.time == time])
    except Rejected:
        reject()
    engine = restored = Engine(scenario.program, reasoner, background=scenario.background, start=scenario.stream.start)
    for place, time in enumerate(scenario.times):
        arriving = [arrival.fact for arrival in scenario.stream.input if arrival.time == time]
        change = engine.advance(time, arriving)
        if restored is not engine:
            assert restored.advance(time, arriving) == change, f"{reasoner} at {time}\n{scenario}"
            assert restored.answer() == engine.answer(), f"{reasoner} at {time}\n{scenario}"
        elif place == when:
            restored = Engine.restore(engine.snapshot(), scenario.program)


def test_what_is_no_snapshot_is_rejected() -> None:
    engine = Engine(ALARM)
    engine.advance(0, ["hot(m1)"])
    snapshot = engine.snapshot()
    for data, program in (
        (b"", ALARM),
        (snapshot[:-9], ALARM),
        (b"cos\nsystem\n(S'ls'\ntR.", ALARM),
        (snapshot, "p :- a."),
    ):
        with pytest.raises(Rejected, match="E508"):
            Engine.restore(data, program)


def test_nothing_unpickles_but_the_transport_of_spark_and_the_users_own_kernels() -> None:
    package = Path(larspark.__file__).parent
    found = {path.name for path in package.rglob("*.py") if "pickle.loads" in path.read_text(encoding="utf-8")}
    assert found <= {"operators.py", "loading.py"}


def test_the_calls_of_a_replayed_reasoner_are_forgotten_with_their_windows() -> None:
    engine = Engine("p(X) :- a(X) [5].", "jtms")
    for time in range(3000):
        engine.advance(time, [("a", time)])
    assert len(engine.snapshot()) < 40_000
    restored = Engine.restore(engine.snapshot(), "p(X) :- a(X) [5].")
    assert restored.advance(3000) == engine.advance(3000)


# -- telling ---------------------------------------------------------------------------------------


def test_callbacks_hear_of_changes_until_they_are_taken_away() -> None:
    engine, heard = Engine("p(X) :- a(X). :- a(X), b(X)."), list[Change]()
    stop = engine.on_change(heard.append)
    engine.advance(0)
    engine.advance(1, ["a(1)"])
    engine.advance(2, ["a(1)"])
    engine.advance(3, ["a(1)", "b(1)"])
    engine.advance(4)
    stop()
    engine.advance(5, ["a(2)"])
    assert [(change.time, change.consistent) for change in heard] == [(1, True), (3, False), (4, True)]


def test_changes_can_be_awaited_also_from_another_thread() -> None:
    engine = Engine("p(X) :- a(X).")

    def feed() -> None:
        for time in range(3):
            engine.advance(time, [("a", time)])
        engine.close()

    async def listen() -> list[int]:
        changes = engine.changes()
        thread = threading.Thread(target=feed)
        thread.start()
        heard = [change.time async for change in changes]
        thread.join()
        return heard

    assert asyncio.run(listen()) == [0, 1, 2]


def test_what_is_public() -> None:
    for name in larspark.__all__:
        assert getattr(larspark, name) is not None
    clock = larspark.HandClock(3)
    clock.point += 1
    assert clock.now() == 4
    assert repr(Engine(ALARM)) == "<Engine interval, 1 rule, before its first time point>"
