"""What the random programs do not say in so many words."""

from __future__ import annotations

import pytest

from larspark.diagnostics import Rejected
from larspark.language.parser import parse_fact
from larspark.reasoners.clingo import ClingoReasoner
from larspark.reasoners.clingo.encoding import encoded_at
from larspark.reasoners.clingo.order import allows_native_order
from larspark.reasoners.reference import ReferenceReasoner
from support.analysed import analysed
from support.vectors import Case, cases


def reasoner(text: str, *background: str, start: int = 0) -> ClingoReasoner:
    return ClingoReasoner(analysed(text), [parse_fact(fact) for fact in background], start)


def shown(reasoner: ClingoReasoner) -> list[set[str]]:
    return [set(map(str, stream.now)) for stream in reasoner.answer(None).answer_streams]


def step(reasoner: ClingoReasoner, time: int, *facts: str) -> list[set[str]]:
    reasoner.advance(time, [parse_fact(fact) for fact in facts])
    return shown(reasoner)


def expanded(fact: str) -> list[str]:
    """`value(1..9).` as its facts."""
    name, _, rest = fact.rstrip(".").partition("(")
    first, _, last = rest.rstrip(")").partition("..")
    return [f"{name}({number})" for number in range(int(first), int(last) + 1)]


def test_answer_streams_that_clasp_finds_twice():
    program = reasoner("""
        #input b/0.
        r(1) :- not r(x). r(1) :- r(x), not r(2). r(2) :- r(x), not r(1).
        r(x) :- not q. r(x) :- not r(2), not r(1).
        q :- b, r(1).
    """)
    assert sorted(map(sorted, step(program, 0))) == [["r(1)", "r(x)"], ["r(2)", "r(x)"]]
    assert len(program.answer(2).answer_streams) == 2


@pytest.mark.parametrize("case", cases("asp"), ids=str)
def test_asp(case: Case):
    program = reasoner("\n".join(case["program"]))
    assert sorted(map(sorted, step(program, 0))) == sorted(map(sorted, case["expect"]))


@pytest.mark.parametrize("case", cases("asp_project"), ids=str)
def test_asp_project(case: Case):
    background = [fact for facts in case["facts"] for fact in expanded(facts)]
    program = reasoner("\n".join(case["program"]), *background)
    found = [{fact for fact in answer if fact.split("(")[0] in case["project"]} for answer in step(program, 0)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, case["expect"]))


@pytest.mark.parametrize(
    "values", [("1.5", "2"), ("3000000000", "-5"), ('"two words"', "abc"), ("12345678901234567890", "0.001")]
)
def test_values_of_every_kind_are_compared_and_computed_exactly(values: tuple[str, str]):
    text = """
    less(X,Y) :- v(X) [3], v(Y) [3], X < Y.
    twice(X + X) :- v(X) [3].
    smallest(X) :- X = #min{ Y : v(Y) [3] }.
    """
    exact = ReferenceReasoner(analysed(text))
    program = reasoner(text)
    for time, value in enumerate(values):
        facts = [parse_fact(f"v({value})")]
        exact.advance(time, facts)
        program.advance(time, facts)
        assert program.answer().answer_streams == exact.answer().answer_streams


def test_sums_beyond_32_bits_are_refused():
    program = reasoner("total(N) :- N = #sum{ X : v(X) [3] }.")
    assert step(program, 0, "v(2000000000)") == [{"total(2000000000)"}]
    with pytest.raises(Rejected, match="32-bit"):
        step(program, 1, "v(1999999999)")


def test_sums_of_decimals_are_exact():
    program = reasoner("total(N) :- N = #sum{ X : v(X) [3] }. mean(N) :- N = #avg{ X : v(X) [3] }.")
    assert step(program, 0, "v(0.1)", "v(0.2)") == [{"total(0.3)", "mean(0.15)"}]


def test_times_beyond_32_bits_are_refused():
    with pytest.raises(Rejected, match="32-bit"):
        step(reasoner("b :- a."), 1_700_000_000_000, "a")


def test_a_program_that_runs_into_the_future_is_refused():
    with pytest.raises(Rejected, match="ahead"):
        step(reasoner("@(T+100000) b :- @T b. @T b :- @T a."), 0, "a")


def test_no_answer_stream_is_a_result():
    program = reasoner(":- a, not b. b :- c [2].")
    assert step(program, 0, "a") == []
    assert not program.advance(0).consistent
    assert step(program, 1) == [set()]
    assert step(program, 2, "a", "c") == [{"b"}]


def test_the_previous_choice_is_kept_while_it_is_an_answer_stream():
    program = reasoner("p(X) :- c(X) [all], not q(X). q(X) :- c(X) [all], not p(X). :- p(X), no(X). :- q(X), yes(X).")
    program.advance(0, [parse_fact(f"c({number})") for number in range(6)])
    program.advance(1, [parse_fact(fact) for fact in ("no(0)", "yes(1)", "no(2)", "yes(3)", "no(4)", "yes(5)")])
    chosen = program.answer().answer_streams[0].now
    assert {str(fact) for fact in chosen} == {"q(0)", "p(1)", "q(2)", "p(3)", "q(4)", "p(5)"}
    assert not program.advance(2).appeared
    assert program.answer().answer_streams[0].now == chosen
    program.advance(3, [parse_fact("no(1)")])
    assert program.answer().answer_streams[0].now == chosen - {parse_fact("p(1)")} | {parse_fact("q(1)")}


@pytest.mark.parametrize("time_shows", [False, True])
def test_the_shown_part_of_a_choice_is_kept_when_the_whole_cannot_be(time_shows: bool):
    """left and right both mean go; when left is closed, going on must not be given up."""
    text = """
    left :- open [all], not right, not stay.  right :- open [all], not left, not stay.  stay :- not left, not right.
    go :- left.  go :- right.  :- left, closed(left).  :- right, closed(right).  :- stay, move.
    #show go/0.
    """
    program = reasoner(text + ("@T seen :- @T open [1]." if time_shows else ""))
    program.advance(0, [parse_fact(fact) for fact in ("open", "move", "closed(right)")])
    assert {"left", "go"} <= {str(fact) for fact in program.answer().answer_streams[0].now}
    program.advance(1, [parse_fact("closed(left)")])
    assert {"right", "go"} <= {str(fact) for fact in program.answer().answer_streams[0].now}


def test_recorded_conclusions_are_seen_later():
    text = "alarm :- hot. again :- alarm [3], not hot. #record alarm/0."
    exact = ReferenceReasoner(analysed(text))
    program = reasoner(text)
    for time, facts in ((0, ["hot"]), (2, []), (3, []), (6, []), (7, ["hot"])):
        atoms = [parse_fact(fact) for fact in facts]
        exact.advance(time, atoms)
        program.advance(time, atoms)
        assert program.answer().answer_streams == exact.answer().answer_streams
    assert step(reasoner(text), 0, "hot") == [{"alarm"}]


def test_input_of_a_derived_predicate_is_part_of_the_answer_when_it_arrives():
    program = reasoner("p(X) :- e(X) [1]. w(X) :- p(X) [of p(1)] [2]. #input p/1.")
    assert step(program, 0, "p(1)", "p(2)") == [{"p(1)", "p(2)", "w(1)"}]
    assert step(program, 1) == [{"w(1)"}]


def test_the_generated_program_is_readable():
    analysis = analysed("b(X) :- a(X) [2], not always c(X) [1].")
    assert encoded_at(analysis, (), [(5, parse_fact("a(x)"))], 3, 5).splitlines() == [
        "#const now = 5.",
        "% b(X) :- a(X) [2], not always c(X) [1].",
        "b(X,now) :- _w1(X), not _w2(X).",
        "% answer",
        "#show.",
        "#show b/2.",
        "% windows",
        "_w1(X0) :- _span1(_L,_U), a(X0,_T), _L <= _T, _T <= _U.",
        "_w2(X0) :- _span2(_L,_U), c(X0,_L), c(X0,_T) : _T = _L.._U.",
        "% the windows at this time",
        "_span1(3,5).",
        "_span2(4,5).",
        "% input",
        "a(x,5).",
    ]


@pytest.mark.parametrize(
    ("program", "native"),
    [
        ("b(X) :- a(X), a(Y), X < Y.", True),
        ("b(X) :- a(X), a(Y), X = Y / 3.", True),
        ("b(X) :- a(X), a(Y), not X = Y / 3, X + 1 != Y.", True),
        ("b(X) :- a(X), a(Y), X + 1 < Y.", True),
        ("b(X) :- a(Y), X = Y / 3.", False),
        ("b(X + 1) :- a(X).", False),
        ("b(N) :- N = #sum{ X : a(X) }.", False),
        ("b(N) :- N = #count{ X : a(X), X + 1 > 3 }.", False),
    ],
)
def test_clingo_compares_values_itself_where_rules_make_no_new_ones(program: str, native: bool):
    analysis = analysed(program)
    assert allows_native_order(analysis.program, [1, 2, "x"]) is native
    assert not allows_native_order(analysis.program, [1, 2**40])


def test_a_comparison_with_something_computed_is_not_left_to_clingo():
    """2^31 - 1 + 1 would be negative there."""
    program = reasoner("b(X) :- a(X), a(Y), X + 1 > Y, X > 5.")
    assert step(program, 0, "a(2147483647)", "a(1)") == [{"b(2147483647)"}]


@pytest.mark.parametrize(
    "text",
    [
        "#record p/1. p(X) :- e(X), not q(X). q(X) :- e(X), not p(X). r(X) :- p(X) [2], not e(X).",
        "p(X) | q(X) :- e(X) [2].",
        "@(T+1) p(X) :- @T e(X) [3], not @T q(X). @T q(X) :- @T e(X) [3], not @(T+1) p(X).",
    ],
)
def test_a_resumed_reasoner_knows_all_answer_streams(text: str) -> None:
    first = reasoner(text)
    for time in range(6):
        first.advance(time, [parse_fact(f"e({time % 2})")] if time != 3 else [])
        second = reasoner(text)
        second.resume(first.snapshot())
        told = [{(one.now, *one.at.items()) for one in each.answer(None).answer_streams} for each in (first, second)]
        assert told[0] == told[1]


def test_sums_that_are_too_large_are_told_with_their_place() -> None:
    large = "x(1).\ns(S) :- S = #sum{ D : b(D) [5] }."
    for text, place, told in (
        (large, (2, 9), "clingo."),
        (large + "\n{p}. #prefer 3 : p.", None, "The program adds at t.lars:2:9, t.lars:3:6."),
    ):
        program = reasoner(text)
        with pytest.raises(Rejected) as refused:
            step(program, 1, f"b({2**31 - 1})")
        (found,) = refused.value.diagnostics
        assert found.code == "E518"
        assert found.message.endswith(told)
        assert (found.origin and (found.origin.line, found.origin.column)) == place
