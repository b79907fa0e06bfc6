"""What the answer-update reasoner adds to the definition: stability, a bounded memory."""

from __future__ import annotations

import pytest

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.intervals.sets import FOREVER
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact, parse_program
from larspark.reasoners.answer_update import AnswerUpdateReasoner
from larspark.reasoners.answer_update.nodes import PlainAtom
from larspark.reasoners.pinned import Pinned


def reasoner(text: str, *background: str, start: int = 0) -> AnswerUpdateReasoner:
    return AnswerUpdateReasoner(analyse(parse_program(text)), map(parse_fact, background), start)


def atoms(*texts: str) -> list[Fact]:
    return [parse_fact(text) for text in texts]


def now(running: AnswerUpdateReasoner) -> list[str]:
    (answer,) = running.answer().answer_streams
    return sorted(map(str, answer.now))


def test_a_choice_is_kept_while_it_is_possible() -> None:
    running = reasoner("left(X) :- go(X) [5], not right(X). right(X) :- go(X) [5], not left(X). :- left(X), no(X) [9].")
    running.advance(0, atoms("go(1)", "go(2)", "go(3)", "no(2)"))
    chosen = now(running)
    assert "right(2)" in chosen
    assert len(running.answer(None).answer_streams) == 4
    for time in range(1, 4):
        running.advance(time, atoms(f"go({time + 3})"))
        assert set(chosen) <= set(now(running))
    kept = [atom for atom in now(running) if atom not in {"left(1)", "right(1)"}]
    running.advance(5, atoms("no(1)"))
    assert sorted(["right(1)", *kept]) == now(running)


def test_only_what_is_affected_is_relabelled() -> None:
    running = reasoner("left(X) :- go(X) [5], not right(X). right(X) :- go(X) [5], not left(X).")
    running.advance(0, atoms("go(1)", "go(2)"))
    running.advance(1, atoms("go(3)"))
    (state,) = running.states
    assert {str(node.fact) for node in state.trace.unknown} == {"left(3)", "right(3)"}


def test_going_back_to_a_lower_stratum() -> None:
    """The constraint reads the choice through a window, one stratum further up."""
    running = reasoner("a :- not b. b :- not a. c :- a [1]. :- c [2], stop [3].")
    running.advance(0)
    assert running.answer(None).answer_streams[0].now in ({parse_fact("a"), parse_fact("c")}, {parse_fact("b")})
    running.advance(1, atoms("stop"))
    assert now(running) == ["b"]


def test_an_odd_loop_has_no_answer_stream_until_it_is_broken() -> None:
    running = reasoner("a :- go [1], not a, not calm.")
    assert running.advance(0).consistent
    assert not running.advance(1, atoms("go")).consistent
    assert running.answer(None).answer_streams == ()
    assert running.advance(2, atoms("calm")).consistent
    assert not running.advance(3, atoms("go")).consistent
    assert running.advance(5).consistent
    assert now(running) == []


def test_positive_loops_do_not_hold_themselves_up() -> None:
    running = reasoner("a :- b. b :- a. a :- go [1].")
    assert running.advance(0, atoms("go")).appeared == frozenset(atoms("a", "b"))
    assert running.advance(1).appeared == frozenset()
    assert running.advance(2).disappeared == frozenset(atoms("a", "b"))


def test_the_facts_of_a_program_hold_before_anything_arrives() -> None:
    running = reasoner("p(1). q :- not r.", start=4)
    running.advance(4)
    assert now(running) == ["p(1)", "q"]


def test_changes_report_pinned_atoms() -> None:
    running = reasoner("@(T+2) due :- @T go [1].")
    (due,) = atoms("due")
    assert running.advance(3, atoms("go")).pinned == {(5, due)}
    assert running.advance(4) == running.advance(4)
    assert running.advance(5).unpinned == {(5, due)}


def test_due_atoms_are_ordinary_atoms_at_their_time() -> None:
    running = reasoner("@(T+2) due :- @T go [5]. ring :- due.")
    running.advance(3, atoms("go"))
    assert now(running) == []
    running.advance(5)
    assert now(running) == ["due", "ring"]
    assert running.reference_times(parse_fact("due")) == (5,)


@pytest.mark.parametrize("holding", ["on.", "on :- not off."])
def test_a_window_that_hops_sees_what_goes_on_holding_again(holding: str) -> None:
    running = reasoner(f"{holding} ring :- on [4, +1 hop 4].")
    heard = []
    for time in range(10):
        running.advance(time)
        heard.append((now(running) == ["on", "ring"], running.next_change()))
    rings, changes = zip(*heard, strict=True)
    assert rings == (True, True, False, False) * 2 + (True, True)
    assert changes == (1, 2, 4, 4, 5, 6, 8, 8, 9, 10)


def test_labels_say_how_long() -> None:
    running = reasoner("on :- go [3]. @(T+9) late :- @T go [3], on. calm :- not on. fixed :- wall.", "wall")
    running.advance(2, atoms("go"))
    assert running.label(PlainAtom(parse_fact("on"))) == ("in", ((2, 5),))
    assert running.label(Pinned(11, parse_fact("late"))) == ("in", ((2, 5),))
    assert running.label(PlainAtom(parse_fact("calm"))) == ("out", ((2, 2),))
    assert running.label(PlainAtom(parse_fact("fixed"))) == ("in", ((0, FOREVER),))


def test_memory_stays_bounded() -> None:
    running = reasoner("p(X) :- a(X) [3]. q(X) :- a(X) [2 #]. r(X) :- a(X) [1 # per X].")
    for time in range(3000):
        running.advance(time, atoms(f"a({time % 5})"))
    history = running._input.history
    assert len(history.log) < 600
    assert len(list(history.points(parse_fact("a(1)").signature))) == 4
    assert [atom for atom in now(running) if atom.startswith("r")] == [f"r({n})" for n in range(5)]


def test_endless_recursion_is_refused() -> None:
    running = reasoner("p(X+1) :- p(X). p(0) :- go.")
    with pytest.raises(Rejected, match="more and more atoms"):
        running.advance(0, atoms("go"))


def test_arithmetic_without_value_does_not_fire() -> None:
    running = reasoner("p(X+1) :- a(X). q(X) :- a(X), not p(X+1). s(N) :- N = #sum{ X : a(X) }.")
    running.advance(0, atoms("a(1)", "a(red)"))
    assert now(running) == ["p(2)"]


def test_a_negated_equation_waits_for_its_variables() -> None:
    running = reasoner("p(X) :- not X = 0, e(X). q(N) :- not N = 1, N = #count{ X : e(X) }.")
    running.advance(0, atoms("e(0)", "e(1)"))
    assert now(running) == ["p(1)", "q(2)"]


def test_a_window_that_reaches_a_pinned_time_later() -> None:
    running = reasoner("@T q :- not g(1), @T b. s(1) :- q [tumble 4].")
    running.advance(0, atoms("b"))
    running.advance(1)
    assert running.next_change() == 4
    assert running.advance(4).appeared == {*atoms("s(1)")}
