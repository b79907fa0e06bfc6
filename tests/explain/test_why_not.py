"""Every word of the vocabulary, near misses in their order, and repairs that work and are minimal."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, reject, settings

from larspark.diagnostics import Rejected
from larspark.explain.evaluations.history import RecordPlace, Refusal, Sourced
from larspark.explain.faces.why_not_text import why_not_text
from larspark.explain.misses.reasons import VOCABULARY
from larspark.explain.misses.repairs import applied
from larspark.language.parser import parse_program
from larspark.questions.explaining import Case
from larspark.runtime.prepared import prepare
from support.explained import case, case_of
from support.notation import fact
from support.random_programs import Scenario
from support.strategies import STRATIFIED, scenarios

PRESS = "alarm(M) :- always hot(M) [3], not technician(_) [5]."


@pytest.mark.parametrize(
    ("program", "stream", "atom", "time", "reason", "details"),
    [
        ("a(X) :- b(X) [3].", "0:b(2)", "a(1)", 2, "other-value", {"atom": "b(2)", "at": 0, "differs": [1]}),
        ("a(X) :- b(X) [3].", "0:c", "a(1)", 2, "never", {"pattern": "b(1)"}),
        ("a(X) :- b(X) [3].", "0:b(1) 9:c", "a(1)", 5, "expired", {"at": 0, "left": 4, "line": 1}),
        ("a(X) :- b(X) [3].", "0:c 9:b(1)", "a(1)", 5, "not-yet", {"at": 9, "line": 2}),
        ("a(X) :- b(X).", "0:b(1) 9:c", "a(1)", 5, "expired", {"at": 0, "left": 1}),
        (PRESS, "0:hot(x) 1:hot(x) 3:hot(x)", "alarm(x)", 3, "gap", {"had": [[0, 1], [3, 3]], "missing": [[2, 2]]}),
        ("a(X) :- b(X) [1 #].", "0:b(1) 1:c", "a(1)", 1, "pushed-out", {"at": 0, "arrivals": 1}),
        ("a(X) :- b(X,Y) [1 # per X], Y > 2.", "0:b(1,1)", "a(1)", 1, "comparison", {"left": 1, "right": 2}),
        (PRESS, "0:hot(x) 1:technician(ann) 1:hot(x)", "alarm(x)", 1, "blocked", {"until": 7}),
        ("a :- b [3], 2 <= #count{ X : c(X) [3] }.", "0:b 1:c(1)", "a", 1, "aggregate", {"value": 1, "needed": 2}),
        ("a(X) :- b(X) [tumble 5].", "0:z 7:b(1) 9:z", "a(1)", 9, "not-yet", {"at": 7, "seen": 10}),
        ("a(X) :- b(X) [tumble 5].", "0:z 1:b(1) 11:z", "a(1)", 11, "expired", {"at": 1, "left": 10}),
        ("a(X) :- b(X) [4 hop 2].", "0:z 1:b(1) 9:z", "a(1)", 9, "expired", {"at": 1, "left": 6}),
        ("a(X) :- b(X) [session 3 per X].", "1:b(1) 3:b(1) 9:z", "a(1)", 9, "expired", {"at": 3, "left": 7}),
        ("@(T+5) b(X) :- @T c(X) [9]. a(X) :- b(X).", "1:c(1) 4:z", "a(1)", 4, "not-yet", {"atom": "b(1)", "at": 6}),
        ("a(X) :- b(X) [2 # of b/1].", "1:b(1) 2:c 3:b(2) 4:b(3)", "a(1)", 4, "pushed-out", {"arrivals": 2}),
        ("a :- e, not b [from now-5 to now-1].", "1:b 3:e", "a", 3, "blocked", {"until": 7}),
        ("@(T+3) b :- @T c [9]. a :- not b [+2].", "1:c 3:z", "a", 3, "blocked", {"until": 5}),
        ("#record b/0. b :- c. a :- e, not b [3].", "1:c 3:e", "a", 3, "blocked", {"until": 5}),
        ("a :- (always (b -> c)) [3].", "1:b 2:b 2:c 3:z", "a", 3, "gap", {"had": [[2, 3]], "missing": [[1, 1]]}),
        ("a :- (b and c) [2].", "1:b 2:b", "a", 2, "never", {"pattern": "c"}),
        ("a :- (b and not c) [2].", "1:b 2:b 2:c", "a", 2, "blocked", {"until": 3}),
        ("a(X) | c(X) :- b(X) [3]. c(1) :- b(1).", "1:b(1)", "a(1)", 1, "chosen-otherwise", {"taken": ["c(1)"]}),
    ],
)
def test_the_word_for_a_reason(program, stream, atom, time, reason, details) -> None:
    found = case(program, stream).why_not(atom, time)
    failing = next(one for one in found.candidates[0].conditions if not one.ok)
    assert failing.reason == reason
    assert {name: failing.details[name] for name in details} == details
    assert f"{reason}:" in why_not_text(found)


def test_bounds_of_a_window_that_are_not_known() -> None:
    """What would give X its value fails, and the window is computed from it."""
    asked = case("a :- b(X) [3], c [from max(X,1) to now].", "0:c 1:z", reasoner="reference")
    found = asked.why_not("a", 1)
    assert [one.reason for one in found.candidates[0].conditions] == ["never", "never"]


REPAIRED = [
    ("a(X) :- b(X,Y) [3], Y > 2.", "0:b(1,1)", "a(1)", [{"add": [{"atom": "b(1,3)", "at": 0}]}]),
    ("a(X) :- b(X,Y), Y > 2.", "0:b(1,5) 1:z", "a(1)", [{"add": [{"atom": "b(1,5)", "at": 1}]}]),
    ("a :- e, 1 >= #count{ X : c(X) [3] }.", "0:c(1) 1:c(2) 1:e", "a", [{"remove": [{"atom": "c(2)", "at": 1}]}]),
    ("a :- e, 10 < #sum{ V,M : r(M,V) [3] }.", "0:r(x,7) 0:e", "a", [{"add": [{"atom": "r(any1,4)", "at": 0}]}]),
    ("a :- d(X) : t(X) [3]; e.", "0:t(1) 0:e", "a", [{"add": [{"atom": "d(1)", "at": 0}]}]),
    ("a :- (b and c) [2].", "0:b", "a", [{"add": [{"atom": "c", "at": 0}]}]),
]


@pytest.mark.parametrize(("program", "stream", "atom", "first"), REPAIRED)
def test_values_and_counts_are_repaired(program, stream, atom, first) -> None:
    asked = case(program, stream)
    assert [one.as_json() for one in asked.why_not(atom, asked.end).repairs][:1] == first


@pytest.mark.parametrize(
    ("program", "stream", "atom", "first", "following"),
    [
        ("path(X,Z) :- path(X,Y), edge(Y,Z) [9]. path(X,Y) :- edge(X,Y) [9].", "0:edge(1,2)", "path(1,3)", None, 3),
        ("a :- b [3], c [3].", "0:b", "a", "c", 3),
        ("#hold b/0. a :- b, c [3].", "0:b", "a", "c", 3),
        ("a :- b [1 #], c [3].", "0:c", "a", "b", None),  # c comes after it
        ("a :- b [3, +2].", "0:c", "a", "b", 3),
        ("a :- @(now-2) b.", "0:c", "a", None, 5),
    ],
)
def test_what_one_rule_gives_and_what_it_does_not(program, stream, atom, first, following) -> None:
    found = case(program, stream, (0, 9)).why_not(atom, 2)
    assert found.next_if_complete == following
    if first is not None:
        assert [str(one.fact) for one in found.repairs[0].changes] == [first]


def test_background_is_no_repair() -> None:
    prepared = prepare(parse_program("a(X) :- b(X,Y) [3], k(X,Z), Y > Z."), background=["k(1,5)"])
    asked = Case.of(prepared, [Sourced(0, fact("b(1,2)"))])
    (repair,) = asked.why_not("a(1)", 0).repairs
    assert [str(one.fact) for one in repair.changes] == ["b(1,6)"]


def test_refused_records_are_reasons() -> None:
    refusal = Refusal(RecordPlace("stream.jsonl", 7), "Time goes backwards.", "E405", 3, fact("b(1)"))
    asked = Case.of(prepare(parse_program("a(X) :- b(X) [3].")), [Sourced(5, fact("c"))], refused=[refusal])
    failing = asked.why_not("a(1)", 5).candidates[0].conditions[0]
    assert (failing.reason, failing.details["line"]) == ("refused", 7)


def test_chosen_otherwise() -> None:
    asked = case("a :- e [3], not b. b :- e [3], not a.", "0:e", reasoner="clingo")
    (now,) = [one for one in ("a", "b") if (0, fact(one)) not in asked.answer_streams(0)[0]]
    failing = [one for one in asked.why_not(now, 0).candidates[0].conditions if not one.ok]
    assert [one.reason for one in failing] == ["chosen-otherwise"]


def test_the_nearest_miss_comes_first() -> None:
    program = "a(X) :- b(X) [3], c(X) [3]. a(X) :- d(X) [3], e(X), f(X), g(X)."
    found = case(program, "0:b(1) 0:b(2) 1:d(1)").why_not("a(1)", 1)
    assert [one.distance for one in found.candidates] == [1, 3]


def test_repairs() -> None:
    found = case(PRESS, "0:hot(x) 1:hot(x) 3:hot(x)").why_not("alarm(x)", 3)
    assert [one.as_json() for one in found.repairs] == [
        {"add": [{"atom": "hot(x)", "at": 2}]},
        {"edit": {"file": "program.lars", "line": 1, "index": 0, "literal": 0, "window": "[0]"}},
    ]
    found = case(PRESS, "0:hot(x) 1:technician(ann) 1:hot(x)").why_not("alarm(x)", 1)
    assert [one.as_json() for one in found.repairs] == [{"remove": [{"atom": "technician(ann)", "at": 1}]}]


def test_a_head_before_the_timeline_leaves_no_answer_stream() -> None:
    asked = case("q :- 1 = #count{ V : e(V) }, e(X). @(T-2) p :- @T e(X) [0].", "9:e(1)", (3, 9))
    assert asked.why_not("q", 3).repairs == ()
    assert asked.why_not("q", 5).repairs != ()


def test_no_repair_lies_before_the_timeline() -> None:
    asked = case("p :- 1 <= #count{ X : e(X) [5 hop 4] }.", "7:b", (7, 9))
    for time in (7, 8, 9):
        repairs = asked.why_not("p", time).repairs
        assert all(one.time >= 7 for repair in repairs for one in repair.changes)


def test_when_it_held_and_will_hold() -> None:
    found = case(PRESS, "0:hot(x) 1:hot(x) 3:hot(x)").why_not("alarm(x)", 3)
    assert (found.last_held, found.next_if_complete) == (1, 6)


def test_a_reason_for_everything_in_the_vocabulary() -> None:
    assert len(set(VOCABULARY)) == 12


@given(scenarios(STRATIFIED))
@settings(suppress_health_check=list(HealthCheck), max_examples=25)
def test_repairs_work_and_are_minimal(scenario: Scenario) -> None:
    """An atom that holds at another time, asked about where it does not."""
    asked = case_of(scenario)
    try:
        history = asked.setting.evaluate(asked.arrivals, asked.end)
    except Rejected:
        reject()
    tried = 0
    for one in history.stretches[:3]:
        time = next((time for time in scenario.times if not _holds(history, one.fact, time)), None)
        if one.at is not None or time is None or (time, one.fact) in [each[:2] for each in asked.arrivals]:
            continue
        found = asked.why_not(str(one.fact), time)
        tried += 1
        for condition in (each for candidate in found.candidates for each in candidate.conditions):
            assert condition.reason in (None, *VOCABULARY)
        for repair in found.repairs:
            if repair.edit is None:
                changed = [applied(asked.setting.until(time), part) for part in _parts(repair.changes)]
                held = [_holds(asked.setting.evaluate(each, time), one.fact, time) for each in changed]
                assert held == [True, *[False] * len(repair.changes)], f"{one.fact} at {time}: {repair}"


def _parts(changes):
    """All changes, then all but one."""
    return [changes, *([one for one in changes if one is not left] for left in changes)]


def _holds(history, fact, time) -> bool:
    return any(first <= time <= last for first, last in history.spans(fact))


def test_an_aggregate_over_a_variable_whose_condition_fails() -> None:
    found = case("a :- b(X) [3], 1 <= #sum{ X+Y : c(Y) [3] }.", "0:c(1)").why_not("a", 1)
    assert [one.reason for one in found.candidates[0].conditions] == ["never", "aggregate"]


def test_values_of_repairs_are_written_as_short_as_can_be() -> None:
    found = case("a(X) :- b(X,Y) [3], Y < 2.", "0:b(1,2.5)").why_not("a(1)", 1)
    assert [str(change.fact) for change in found.repairs[0].changes] == ["b(1,1)"]
