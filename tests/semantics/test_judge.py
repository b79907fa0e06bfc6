"""The judge on single programs: what it says in the corners, and what it refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from larspark import register_window
from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.parser import parse_formula, parse_program
from larspark.language.resolve import resolve
from larspark.language.tree import Atom, Program, RegisteredWindow, Rule, Some, Windowed
from larspark.language.windows.selection import Selection
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.queries import answers, holds
from larspark.semantics.streams import Stream
from larspark.semantics.structures import Structure
from support.notation import fact


def stream(text: str, end: int | None = None) -> Stream:
    """`3:a 5:e(x)`."""
    arrivals = [arrival.split(":") for arrival in text.split()]
    return Stream.of(0, end, [(int(time), fact(atom)) for time, atom in arrivals])


def now(text: str, arrivals: str, at: int, *, background: str = "", end: int | None = None) -> list[str]:
    """The output of each answer stream."""
    found = answer_streams(
        resolve(parse_program(text)),
        stream(arrivals, end),
        at,
        background=[fact(atom) for atom in background.split()],
    )
    return [" ".join(sorted(map(str, answer.output(at)))) for answer in found]


@pytest.mark.parametrize(
    ("text", "arrivals", "at", "expected"),
    [
        ("p :- not e(_) [2].", "1:e(x)", 3, ""),
        ("p :- not e(x-1) [2].", "1:e(x)", 3, ""),  # no value, no instance, also where nothing is seen
        ("p :- not e(x-1) [2].", "", 3, ""),
        ("p :- not @9 e(x-1).", "", 3, ""),
        ("p :- not e(_) [2].", "1:e(x)", 4, "p"),
        # a variable that is an argument itself takes values that no constant of program and stream is
        ("p :- t(X,X+1). t(X-1,-0.25) :- e(X).", "3:e(-0.25)", 3, "p t(-1.25,-0.25)"),
        ("p(X) :- t(X,X*2,X). t(X+5,Y+Y,Y) :- e(X), Y = X + 5.", "3:e(1)", 3, "p(6) t(6,12,6)"),
        ("p(X) :- t(X,X-1). t(X,X) :- e(X). t(x,X) :- e(X).", "3:e(1)", 3, "t(1,1) t(x,1)"),
        ("p(X) :- @(X+1) t(X). t(T-1) :- @T e(_).", "3:e(7)", 3, "p(2) t(2)"),
        ("p(X,Y) :- @(max(Y,now)) t(X,Y). t(1,T) :- @T e(X).", "3:e(7)", 3, "p(1,3) t(1,3)"),
        ("p :- not always e(_) [1].", "1:e(x) 2:e(y)", 2, "p"),
        # `_` is existential in what is negated, wherever the negation stands
        ("p(X) :- (e(X) and not t(_)).", "3:e(1) 3:t(2)", 3, ""),
        ("p(X) :- (e(X) and not t(_)).", "2:t(2) 3:e(1)", 3, "p(1)"),
        ("p :- (not t(_) and true).", "3:t(2)", 3, ""),
        ("p :- (some (not t(_))) [0].", "3:t(2)", 3, ""),
        ("p :- (always (not t(_))) [1].", "2:t(2)", 3, ""),
        ("p :- (always (not t(_))) [1].", "1:t(2) 3:e(1)", 3, "p"),
        ("p :- (not t(_) or e(7)).", "3:t(2) 3:e(1)", 3, ""),
        ("p :- not (e(_) and not t(_)).", "3:e(1)", 3, ""),
        ("p :- not (e(_) and not t(_)).", "3:e(1) 3:t(1)", 3, "p"),
        ("p(N) :- N = #count{ X : (e(X) and not t(_)) }.", "3:e(1) 3:t(2)", 3, "p(0)"),
        ("p(N) :- N = #count{ X : e(X) [3] }.", "1:e(x) 2:e(x) 2:e(y)", 3, "p(2)"),
        ("p(N) :- N = #count{ X : e(X) [3] }.", "", 3, "p(0)"),
        ("p(N) :- N = #sum{ X : e(X) [3] }.", "1:e(4) 2:e(4) 2:e(5)", 3, "p(9)"),
        ("p(N) :- N = #sum{ X,T : @T e(X) [3] }.", "1:e(4) 2:e(4) 2:e(5)", 3, "p(13)"),
        ("p(N) :- N = #avg{ X : e(X) [3] }.", "1:e(1) 2:e(2)", 3, "p(1.5)"),
        ("p(N) :- N = #avg{ X : e(X) [3] }.", "", 3, ""),
        ("p(N) :- N = #min{ X : e(X) [3] }.", "1:e(y) 2:e(2)", 3, "p(2)"),
        ("p(N) :- N = #max{ X : e(X) [3] }.", "1:e(y) 2:e(2)", 3, "p(y)"),
        ("p(N) :- N = #sum{ X : e(X) [3] }.", "1:e(y)", 3, ""),
        ("p(N,M) :- N = #count{ X : e(X) [3] }, M = #count{ X : f(X) [3] }.", "1:e(a) 2:e(b) 2:f(b)", 3, "p(2,1)"),
        ("p :- not #count{ X : e(X) [3] } > 2.", "1:e(a) 2:e(b)", 3, "p"),
        ("p :- not #count{ X : e(X) [3] } > 1.", "1:e(a) 2:e(b)", 3, ""),
        ("p(X) :- e(X) [9], not #min{ Y : f(X,Y) [9] } < 3.", "1:e(a) 2:e(b) 3:f(a,1)", 4, "p(b)"),
        ("p(X,N) :- e(X) [9], N = #count{ Y : f(X,Y) [9] }.", "1:e(a) 2:e(b) 3:f(a,1)", 4, "p(a,1) p(b,0)"),
        ("p(X/0) :- e(X) [9]. q :- e(X) [9], X + 1 > 1.", "1:e(a)", 4, ""),
        ("p :- e(X) [9], not X + 1 > 1.", "1:e(a)", 4, ""),
        ("p :- e(X) [9], not f(_,X + 1) [9].", "1:e(a)", 4, ""),
        ("p :- e(X) [9], not @_ f(X) [from X + 1 to 9].", "1:e(a)", 4, ""),
        ("p :- e(X) [9], a [from X + 1 to 9].", "1:e(a) 2:e(1) 3:a", 4, "p"),
        ("p(X) :- @T e(X) [2], @T b [from T - 1 to 9].", "1:e(a) 2:e(b) 2:b", 3, "p(b)"),
        ("p(T) :- @T e(X) [from T to X + 1].", "1:e(a) 2:e(b) 3:e(2) 4:e(2)", 5, "p(3)"),
        ("p(X) :- e(X) [from X to 9].", "1:e(1) 2:e(4)", 5, "p(1)"),
        ("p(X) :- @X bg(X).", "1:a", 1, "p(5)"),
        ("p(now) :- a [2].", "1:a", 3, "p(3)"),
        ("p(M) :- T = M, @T a.", "1:a", 3, "p(1)"),
        ("p(M) :- M = T, @T a.", "1:a", 3, "p(1)"),
        ("p(N) :- N = #count{ X*2 : e(X) [3] }.", "1:e(y) 2:e(2)", 3, "p(1)"),
        ("p(Y) :- bg(X,Y), e(X) [9].", "1:e(a)", 4, "p(z)"),
        ("p :- bg(a,z) [3 #].", "1:a", 4, "p"),
        ("p :- always bg(a,z) [3].", "1:a", 4, "p"),
        ("p :- always bg(a,z).", "1:a", 4, "p"),
        ("p :- (always (some a [input 2])) [3].", "1:a 3:a 5:a", 6, "p"),
        ("p :- (always (some a [2])) [3].", "1:a 3:a 5:a", 7, ""),
        ("p :- ((a [3] and not b [3]) or c).", "1:a", 3, "p"),
        ("p :- (b [3] -> c).", "1:a", 3, "p"),
        ("p :- always a [of a/0].", "0:a 1:a", 1, ""),
        ("p(T) :- @T a [from 1 to 2].", "1:a 3:a", 9, "p(1)"),
        ("p(X) :- e(X,Y) [1 # per X], Y > 1.", "", 9, ""),
    ],
)
def test_output(text: str, arrivals: str, at: int, expected: str) -> None:
    assert now(text, arrivals, at, background="bg(a,z) bg(5)") == [expected]


def test_partition_windows_keep_the_last_arrivals_per_key() -> None:
    text = "p(X,Y) :- f(X,Y) [1 # per X]."
    assert now(text, "1:f(a,1) 2:f(b,1) 3:f(a,2) 4:c", 9) == ["p(a,2) p(b,1)"]


def test_an_atom_that_arrives_twice_is_counted_twice() -> None:
    assert now("p :- a [2 #].", "1:a 2:b 2:b", 3) == [""]
    assert now("p :- a [3 #].", "1:a 2:b 2:b", 3) == ["p"]


def test_formula_heads() -> None:
    assert now("(p and q) :- a.", "1:a", 1) == ["p q"]
    assert sorted(now("p | q :- a.", "1:a", 1)) == ["p", "q"]
    assert len(now("some p :- a.", "1:a", 1, end=3)) == 4
    assert now("(always p) [2] :- a.", "3:a", 3) == ["p"]


def test_time_variables_range_over_the_timeline() -> None:
    text = "@U p :- @T a, U < T."
    (answer,) = answer_streams(resolve(parse_program(text)), stream("3:a", 5), 4)
    assert sorted(answer.derived) == [0, 1, 2]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("@U p :- @T a, U < T.", "E502"),
        ("@T p :- @T (not a).", "E502"),
        ("always p :- a.", "E503"),
        ("some p | q :- a.", "E503"),
        ("@(T+1) p :- @T p. @T p :- @T a.", "E505"),
        ("q | p(X+1) :- p(X). p(1) :- a.", "E505"),
        ("p(N) :- N = #count{ X : p(X) }.", "E506"),
    ],
)
def test_what_has_no_finite_answer_is_refused(text: str, code: str) -> None:
    with pytest.raises(Rejected) as refused:
        now(text, "3:a", 3)
    assert [diagnostic.code for diagnostic in refused.value.diagnostics] == [code]
    assert all(diagnostic.hint for diagnostic in refused.value.diagnostics)


def test_background_at_all_time_points_is_refused() -> None:
    with pytest.raises(Rejected, match="infinitely many"):
        now("p(T) :- @T b.", "3:a", 3, background="b")
    assert now("p(T) :- @T b, q(T).", "3:q(9)", 3, background="b") == ["p(9)"]


def test_large_enumerations_are_refused_and_the_limit_can_be_raised() -> None:
    program = resolve(parse_program("@T p | @T q :- @T a."))
    data = stream(" ".join(f"{time}:a" for time in range(4)))
    with pytest.raises(Rejected, match="limit"):
        answer_streams(program, data, 4, limit=100)
    assert len(answer_streams(program, data, 4)) == 16


def test_large_searches_for_choices_are_refused() -> None:
    program = resolve(parse_program("@T p :- @T a, not @T q. @T q :- @T a, not @T p."))
    data = stream(" ".join(f"{time}:a" for time in range(6)))
    with pytest.raises(Rejected, match="limit"):
        answer_streams(program, data, 6, limit=20)
    assert len(answer_streams(program, data, 6)) == 64


def test_window_functions_can_be_plugged_in() -> None:
    """Over conclusions as well: b holds at the time of c unless the window drops it."""

    def without_company(source: Selection, time: int, *names: str) -> Selection:
        present = {one.fact.predicate for one in source.arrivals if one.time == time}
        return replace(source, arrivals=[one for one in source.arrivals if not present.issuperset(names)])

    register_window("lonely", without_company, everything=True)
    program = Program(
        (
            Rule(Atom("b"), (Atom("a"),)),
            Rule(Atom("d"), (Windowed(RegisteredWindow("lonely", ("b", "c")), Some(Atom("b"))),)),
            Rule(Atom("e"), (Windowed(RegisteredWindow("nowhere"), Some(Atom("b"))),)),
        )
    )
    kept = replace(program, rules=program.rules[:2])
    found = [answer_streams(kept, stream(data), 3)[0].derived[3] for data in ("3:a", "3:a 3:c")]
    assert [{fact.predicate for fact in facts} for facts in found] == [{"b", "d"}, {"b"}]
    with pytest.raises(Rejected, match="no window `nowhere`"):
        answer_streams(program, stream("3:a"), 3)
    assert analyse(kept).reasoners == ("reference",)


def test_queries_at_a_time_variable_over_an_open_end() -> None:
    m = Structure.of(stream("3:a 5:a"))
    assert answers(m, "U", parse_formula("a [1]")) == [{"U": time} for time in (3, 4, 5, 6)]
    with pytest.raises(Rejected, match="infinitely many"):
        answers(m, "U", parse_formula("not a"))


def test_a_query_outside_the_timeline_is_answered_no() -> None:
    m = Structure.of(stream("3:a", 5))
    assert not holds(m, 9, parse_formula("true"))
    assert answers(m, 9, parse_formula("some e(X)")) == []


def test_an_aggregate_inside_a_formula_waits_for_the_variables_it_shares() -> None:
    program = parse_program("t(X) :- (1 <= #count{ X : b [2] }) [1], e(X).")
    (found,) = answer_streams(program, stream("3:b 3:e(7)"), 3)
    assert {str(fact) for fact in found.output(3)} == {"t(7)"}
