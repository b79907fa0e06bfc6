"""Programs that were once answered otherwise than the definition says, in their smallest form, beside the judge."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.reasoners.interval import IntervalReasoner
from support import judged
from support.analysed import analysed
from support.beside_judge import assert_agrees
from support.random_programs import Scenario
from support.strategies import WIDE, scenarios

JOBS = "0:limit(1) 0:job(7) 1:limit(3) 1:v(1,7) 2:job(2) 3:v(1,9) 5:job(8) 9:limit(0)"
EDGES = "0:q(1) 0:v(1,5) 1:p(3) 2:v(5,2) 3:v(2,9) 3:q(4) 7:p(9) 8:q(2) 8:v(2,1)"
MIXED = "0:r(1) 1:p(1) 1:p(2) 2:r(2) 3:p(1) 4:p(1) 4:a 5:a 6:a 8:a 9:p(1)"


@pytest.mark.parametrize(
    "text",
    [
        "busy(X,N) :- limit(X), N = #count{ K : job(K) [4], K > X }, N > 0.",
        "d(X,N) :- limit(X) [5], N = #sum{ X,K : job(K) [4] }.",
        "d(X,N) :- limit(X) [5], N = #count{ K : job(K) [4], not v(X,K) [3] }.",
        "d(X,N) :- limit(X) [5], N = #count{ K : job(K) [4]; V : v(X,V) [3] }, N > 1.",
        "r(I,R) :- v(I,P) [9], R0 = #count{ J : v(J,Q) [9], Q > P }, R = R0 + 1.",
        "d(N,M) :- N = #count{ X : job(X) [3], X > M }, M = #count{ X : job(X) [3] }.",
        "d(X,N) :- limit(X) [5], N = #max{ K : job(K) [4], K < X + 7 }, not #min{ K : job(K) [4], K > X } = 8.",
        "d(X) :- limit(X) [5], N = #count{ K : job(K) [3], K > X }, N > 0, not job(_) [from X to 9].",
        "d(X,T) :- limit(X) [5], T = #count{ U : @U job(K) [4], K + now > X * 3 }.",
    ],
)
def test_outer_variables_that_elements_do_not_bind(text: str) -> None:
    assert_agrees("interval", text, JOBS)


@pytest.mark.parametrize(
    "text",
    [
        "reach(X) :- q(X) [3]. reach(Y) :- reach(X), v(X,Y) [4], 0 = #count{ K : p(K) [4], K > X }.",
        # only the recursion itself says which groups there are
        "c(X) :- q(X) [3]. c(M) :- c(N), M = N + 1, 0 < #count{ K : p(K) [4], K > N }. d(X) :- q(X) [9], not c(X).",
        "c(0) :- q(_) [6]. c(M) :- c(N), M = N + C, C = #count{ K : p(K) [6], K > N }, C > 0.",
        "r(X) :- q(X) [5]. r(Y) :- r(X), Y = X + 1, X < 9, not p(_) [from X to 5]. s(N) :- N = #count{ X : r(X) }.",
        "r(X) :- q(X) [5]. r(Y) :- r(X), Y = X + 1, X < 9, always v(_,_) [from X to X + 1].",
        "e(X) :- q(X) [4]. o(Y) :- e(X), Y = X + 1, X < 6, #count{ K : p(K) [5], K > X } > 0. e(Y) :- o(X), Y = X + 1.",
    ],
)
def test_aggregates_and_conditions_that_a_recursion_asks_for(text: str) -> None:
    assert_agrees("interval", text, EDGES)


def test_demands_of_a_recursion_are_forgotten() -> None:
    """Keys that nobody asks for any more do not stay, and can be asked for again."""
    text = "c(X) :- q(X). c(M) :- c(N), M = N + 1, 0 < #count{ K : p(K) [2], K > N }."
    reasoner = IntervalReasoner(analysed(text))
    for time in range(3000):
        reasoner.advance(time, [Fact("q", (time,)), Fact("p", (time + 2,))])
        assert reasoner.answer().answer_streams[0].now == {Fact("c", (time + more,)) for more in range(3)}
    demanded = next(one for one in reasoner.engine.network.relations if one.name == "demanded")
    assert len(reasoner.engine.tables.content(demanded)) < 1500
    reasoner.advance(3000, [Fact("q", (5,)), Fact("p", (6,))])
    assert Fact("c", (6,)) in reasoner.answer().answer_streams[0].now


def test_a_recursion_without_end_is_refused_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("larspark.reasoners.interval.engine.engine.MOST_WAVES", 50)
    text = "c(X) :- q(X) [2]. c(M) :- c(N), M = N + 1, 0 < #count{ K : p(K) [2], K > N }."
    reasoner, other = IntervalReasoner(analysed(text)), IntervalReasoner(analysed(text))
    for one in (reasoner, other):
        one.advance(0, [Fact("q", (1,)), Fact("p", (3,))])
    with pytest.raises(Rejected, match="derives ever new atoms"):
        reasoner.advance(1, [Fact("p", (1000,))])
    assert reasoner.advance(1, [Fact("p", (4,))]) == other.advance(1, [Fact("p", (4,))])
    assert reasoner.answer() == other.answer()


@pytest.mark.parametrize(
    "window",
    [
        "[3 #] [1 # per X]",
        "[1 #] [of p/1] [1 #]",
        "[3 #] [2 # of p/1]",
        "[of p/1] [3 #] [2 #]",
        "[4] [3 #] [2 # of p/1] [2]",
        "[of p/1, r/1] [3 #] [1 # per X] [3]",
        "[1 # per X] [2 #]",
        "[2 #] [4 hop 3]",
        "[from now - 3 to now - 2] [1 #]",
    ],
)
def test_chains_of_counting_windows(window: str) -> None:
    rules = "d(X) :- p(X) {0}. e(X) :- p(X) [9], not p(X) {0}. f(X,T) :- @T p(X) {0}. g(X) :- always p(X) {0}."
    text = rules.format(window)
    assert_agrees("interval", text, MIXED)
    assert_agrees("interval", f"#input p/1. {text}", MIXED, ["p(9)", "p(1)"])


@pytest.mark.parametrize(
    "window",
    [
        "[from now-1 to now]",
        "[from now-3 to now-2]",
        "[from now to now]",
        "[from now+1 to now+2]",
        "[from now-1 to now-2]",
        "[from now - 2 to 1 + now]",
        "[from 2 to now - 1]",
        "[from now / 2 to now]",
        "[from now * 2 - 4 to now * 2]",
        "[from 1.5 to 9]",
    ],
)
def test_intervals_that_move_with_the_evaluation_time(window: str) -> None:
    rules = "d(X) :- p(X) {0}. e(X) :- p(X) [9], not p(X) {0}. f(X,T) :- @T p(X) {0}. g(X) :- always p(X) {0}."
    assert_agrees("interval", rules.format(window), MIXED)
    derived = (
        "@(now + 1) h :- a. k :- h {0}. l(T) :- @T h {0}. m :- always h {0}. n :- not always h {0}. i :- a. j :- i {0}."
    )
    assert_agrees("interval", derived.format(window), MIXED)


@pytest.mark.parametrize(
    "text",
    [
        "d(M) :- -X = M, @now p(X) [1], not @(now + 2) a [0], r(_) [4].",
        "d(Y) :- Y <= Y, always a [+3] [0], not @Y p(1), @now p(Y) [1] [3 #].",
        "d(N) :- a [2], N = #sum{ S / V : @S a, @S p(V) [1]; V,V : r(V) [5], @now p(V) [from 0 to now] [all] }.",
        "d(X,N) :- p(X) [4], N = #sum{ V,V : p(V) [of p/1]; x : @now r(X), a [from 3 to 6], not @4 p(X) [1] }.",
    ],
)
def test_parts_that_wait_for_the_evaluation_time(text: str) -> None:
    assert_agrees("interval", text, MIXED)


@pytest.mark.parametrize("literal", ["v(_,now) [of v/2]", "v(1,now) [all]", "v(X,now) [9]", "@_ v(_,now)"])
def test_arrivals_that_a_later_evaluation_time_asks_for(literal: str) -> None:
    assert_agrees("interval", f"d :- {literal}.", "0:v(1,1) 0:v(1,3) 2:v(1,2) 4:v(2,3) 6:a")


@pytest.mark.parametrize("text", ["d(N) :- N = #count{ }, a.", "d :- 2 > #sum{ }, a.", "d :- a, not 0 <= #max{ }."])
def test_aggregates_without_elements(text: str) -> None:
    assert_agrees("interval", text, MIXED)


@pytest.mark.parametrize(
    "window",
    [
        "[from 1 to now - 1] [from 0 to X]",
        "[from X to 9] [from 2 to 5]",
        "[2] [from X to now - 1]",
        "[4] [+1] [from 0 to X + 3]",
        "[of a/0] [3] [from X / 2 to now]",
        "[2 #] [from X to 6]",
    ],
)
def test_windows_before_intervals_with_variables(window: str) -> None:
    text = f"d(X) :- p(X) [5], a {window}. e(X) :- p(X) [5], not a {window}. f(X,T) :- p(X) [5], @T a {window}."
    assert_agrees("interval", text, MIXED)
    if "#" not in window:
        assert_agrees(
            "interval", f"g(X) :- p(X) [5], always a {window}. h(X) :- p(X) [5], not always a {window}.", MIXED
        )


@pytest.mark.parametrize(
    "window", ["[from X to now]", "[from 3 to X]", "[all] [from X + 0.5 to 9]", "[2, +all] [from 0 to X]"]
)
def test_given_facts_in_intervals_with_variables(window: str) -> None:
    text = "d(X) :- p(X) [5], bg(1) {0}. e(X) :- p(X) [5], always bg(1) {0}. f(X) :- p(X) [5], not always bg(1) {0}. "
    text += (
        "g(X) :- p(X) [5], @_ bg(_) {0}. h(X,T) :- p(X) [5], @T a [9], @T bg(1) {0}. i(X) :- p(X) [5], not bg(1) {0}."
    )
    assert_agrees("interval", text.format(window), MIXED, ["bg(1)"])


def test_bounds_that_are_no_integers() -> None:
    assert_agrees(
        "interval", "h(X) :- p(X) [9], not a [from X/2 to now]. k(X) :- p(X) [3], not a [from X + 0.5 to 9].", MIXED
    )


@settings(max_examples=300)
@given(scenarios(WIDE))
def test_windows_that_cannot_be_followed_are_known_before(scenario: Scenario) -> None:
    """`check` says so; only given facts at times that nothing tells are found later."""
    analysis = judged.analysed(scenario)
    if analysis.ok and not analysis.accepts["interval"]:
        assert refusals(analysis, scenario) <= {"E502"}, scenario


def refusals(analysis: Analysis, scenario: Scenario) -> set[str]:
    try:
        IntervalReasoner(analysis, scenario.background, scenario.stream.start)
    except Rejected as rejected:
        return {finding.code for finding in rejected.diagnostics}
    return set()


def test_tuples_of_different_length() -> None:
    text = """
    @U d0(Z) :- @U b, p(Z) [1 # of p/1, r/1].
    d1 :- @U d0(Y), always a [of a/0] [1 #], N = #count{ 2,V : @S d0(V), V < Y; V : d0(V) [all,+all] }.
    """
    assert_agrees("interval", text, "0:p(2) 0:a 0:b 2:p(1) 2:b 3:a")


def test_windows_without_time_points() -> None:
    text = "alarm(M) :- always hot(M) [10 hop 5], machine(M). calm(M) :- machine(M), not always hot(M) [10 hop 5]."
    assert_agrees("interval", text, "3:hot(1) 4:hot(1) 5:hot(1) 6:hot(1)", ["machine(1)"], 3)
    assert_agrees("interval", "alarm(M) :- always hot(M) [10 hop 5].", "3:hot(1) 4:hot(1) 5:hot(1)", (), 3)


@pytest.mark.parametrize(
    "window", ["[0] [4 hop 3]", "[2] [from 4 to 5]", "[2 #] [4 hop 3]", "[2 hop 2] [0]", "[3 #] [from 2 to 3]"]
)
def test_given_facts_need_a_time_point(window: str) -> None:
    text = (
        f"#input p/1. d :- p(9) {window}. e :- always p(9) {window}. f :- not p(9) {window}. g(T) :- @T p(9) {window}."
    )
    assert_agrees("interval", text, MIXED, ["p(9)"])


@pytest.mark.parametrize("window", ["[2 #]", "[2 #] [3]", "[1 # per X]", "[2 # of r/1]", "[3 hop 2] [2 #]"])
def test_given_facts_at_the_times_of_counting_windows(window: str) -> None:
    text = f"d(T,X) :- @T p(X) {window}. s :- @4 p(X) {window}. @(T - 1) e :- @T p(X), @T p(X) {window}, T > 0."
    assert_agrees("interval", f"#input p/1. {text}", MIXED, ["p(9)"])


@pytest.mark.parametrize(
    "text",
    [
        "#record on/0. on :- @(now - 1) s [1]. seen :- on [5].",
        "#record on/1. on(N) :- N = #count{ T : @T s [2] }, N < 2. seen(T,N) :- @T on(N) [5].",
        "#record on/0. on :- not s [2]. seen(T) :- @T on [5].",
        "#record a/1. @T a(T) :- @T s [3]. b(T) :- @T a(_) [9]. c :- a(_).",
        "#record a/1. @(T + 3) a(T) :- @T s [1]. b(T,X) :- @T a(X) [9]. c(X) :- a(X). d :- always a(_) [from 3 to 4].",
        "#record a/1. @(T - 1) a(T) :- @T s, T > 0. b(T,X) :- @T a(X) [9]. n(N) :- N = #count{ X : a(X) [9] }.",
        "#record s1/0. @T s1 :- @T s [2], not x. :- s1 [1], x. t(T) :- @T s1 [9].",
    ],
)
def test_records_at_time_points_passed_over(text: str) -> None:
    assert_agrees("interval", text, "0:s 1:x 5:s 5:x 14:x")
    assert_agrees("interval", text, "2:s 3:x 7:s 7:x")


@pytest.mark.parametrize("value", [2**60, 2**61 - 1, 2**61, 2**70])
def test_conclusions_too_far_ahead_are_refused_and_nothing_changes(value: int) -> None:
    reasoner = IntervalReasoner(analysed("@X d :- r(X). e(X) :- r(X) [2]. @(X + 1) f :- s(X)."))
    reasoner.advance(0, [Fact("r", (3,))])
    before = reasoner.answer()
    for predicate in ("r", "s"):
        with pytest.raises(Rejected, match="time points are counted up to"):
            reasoner.advance(1, [Fact(predicate, (value,))])
        assert reasoner.answer() == before
    assert reasoner.advance(1, [Fact("r", (2,))]).pinned == {(2, Fact("d"))}


@pytest.mark.parametrize("value", [2**60, 2**61 - 1, 2**61, -(2**61), 2**70])
def test_large_numbers_are_kept(value: int) -> None:
    text = """
    d(T) :- r(T), not @T a [5]. e(X + 1, X - 1, X * 2) :- r(X) [3]. s(N) :- N = #sum{ X : r(X) [3] }.
    t(T) :- r(T), @T p(9) [3, +all]. u(X) :- r(X), a [from 0 to X]. v(X) :- r(X), not always a [from 1 to X].
    w :- always a [from 1 to 4611686018427387904].
    x(N) :- N = #count{ X : r(X) [9], X < 5 }, a [99999999999999999999 #].
    """
    assert_agrees("interval", f"#input p/1. {text}", f"1:r({value}) 1:a 2:a 3:r(1)", ["p(9)"])


@pytest.mark.parametrize(
    ("text", "stream"),
    [
        ("d :- bg(x) [from now-2 to now-1] [0] [from now to now+1].", "7:p(2)"),
        ("d :- p(X) [from now-2 to now-1] [0] [from now to now+1].", "4:p(1) 7:p(2)"),
        ("d(X) :- p(X) [2 tumbling] [from now-1 to now].", "4:p(1) 7:p(2)"),
    ],
)
def test_intervals_after_the_evaluation_time_is_lost(text: str, stream: str) -> None:
    assert_agrees("interval", text, stream, ["bg(x)"], start=3)


@pytest.mark.parametrize(
    "literal",
    [
        "not q [from X-1 to X+1]",
        "not always q [from X/2 to 9]",
        "not bg(x) [from X*2 to 9]",
        "not bg(_) [from 1-X to 9]",
    ],
)
def test_negated_intervals_whose_bounds_are_no_times(literal: str) -> None:
    assert_agrees("interval", f"d(X) :- p(X), {literal}.", "3:p(2) 4:p(x) 5:q 5:p(1.5) 6:q 6:p(6)", ["bg(x)"])


def test_an_equation_of_a_variable_with_itself() -> None:
    assert_agrees("interval", "r(X) :- @now r(X), X = X. r(X) :- @now e(X), X = X.", "0:e(1) 2:e(x)")


def test_always_in_a_recursion_through_computed_intervals_is_refused() -> None:
    analysis = analysed("s(X) :- always s(X) [from 1 to now]. s(X) :- e(X).")
    assert [one.code for one in analysis.accepts["interval"]] == ["E507"]


def test_sums_do_not_depend_on_an_order() -> None:
    """On the way a sum may need more digits than it has in the end."""
    large, small = "12345678901234567890.5", "0.1234567890123456789012345678901234"
    stream = f"0:p({large}) 1:p({small}) 2:p(-{large}) 4:p(1) 8:p({small})"
    text = "s(N) :- N = #sum{ X : p(X) [3] }. m(N) :- N = #avg{ X : p(X) [3] }."
    for reasoner in ("interval", "answer-update", "jtms"):
        assert_agrees(reasoner, text, stream)


@pytest.mark.parametrize("literal", ["always p [1 #]", "not always p [2 #]", "always p [1 #, +1 #]", "p [1 # per]"])
def test_records_are_not_counted(literal: str) -> None:
    assert_agrees("interval", f"#input p/0. #record p/0. p :- e. s :- {literal}.", "0:p 1:e 2:e 2:p 3:p 5:p 6:a 6:p")


def test_records_behind_a_lost_evaluation_time_are_refused_before_the_run() -> None:
    analysis = analysed("#input p/0. #record p/0. p :- e. s :- p [2 tumbling] [1 #].")
    assert [one.code for one in analysis.accepts["interval"]] == ["E507"]


@pytest.mark.parametrize(
    "literal",
    ["not always e(_) [from 1 to now]", "always e(_) [from 1 to now]", "b(X) [5], not always f(X,_) [from X to now]"],
)
def test_any_value_at_all_times_of_a_computed_interval(literal: str) -> None:
    """One value must be there at all of them, not one at each."""
    assert_agrees(
        "interval", f"q :- {literal}.", "1:e(1) 1:f(1,1) 2:e(1) 2:b(1) 2:f(1,2) 3:e(1) 3:e(2) 4:e(2) 6:b(6) 6:f(6,1)"
    )


def test_an_equation_that_computes_a_variable_from_itself() -> None:
    assert_agrees("interval", "p(X) :- @now e(X) [1], X+X = X. :- @now f(X) [1], X*2 = X.", "0:e(0) 1:e(1) 3:e(0)")


@pytest.mark.parametrize(
    "windows",
    ["[all, +all] [1, +1]", "[1, +all] [2, +1]", "[2 hop 2] [all, +all]", "[all, +all] [from 1 to 4]"],
)
def test_background_ahead_in_a_chain_with_a_window_without_end(windows: str) -> None:
    assert_agrees("interval", f"r(X,T) :- @T b(X) {windows}. s(X) :- @1 b(X) {windows}.", "0:e(1) 4:e(2)", ["b(1)"])


@pytest.mark.parametrize(
    "elements",
    [
        "V,V : always e(V) [from 0 to now]",
        "V,V : always e(V) [from 0 to now]; 1",
        "V : e(V) [2], not always f(V,_) [from 1 to now]",
    ],
)
def test_values_at_all_times_of_a_computed_interval_as_elements(elements: str) -> None:
    text = f"r(N) :- N = #min{{ {elements} }}. s(N) :- N = #count{{ V : f(V,_) [3] }}, N > 0."
    assert_agrees("interval", text, "0:e(1) 0:e(4) 1:e(1) 1:f(1,1) 2:f(1,2) 2:e(1) 3:f(4,1) 4:e(4)")


@pytest.mark.parametrize(
    "text",
    [
        "#hold e/1 for 3. r :- e(x) [0] [tumble 1]. s :- always e(x) [0] [tumble 1]. t :- not e(x) [0] [hop 1 over 1].",
        "#record p/0. p :- e(x). r :- p [0] [tumble 1]. s :- always p [0] [tumble 1]. t :- always p [0] [1].",
        "b. r :- always b [0] [tumble 1]. s :- not b [0] [tumble 1]. t(T) :- @T b [0] [tumble 1].",
    ],
)
def test_chains_that_select_no_time_point(text: str) -> None:
    assert_agrees("interval", text, "0:e(x) 1:e(x) 2:f 4:e(x)")


@pytest.mark.parametrize("time", ["max(0,X)", "X + 1", "X * 1", "X - 20"])
def test_head_times_that_are_no_whole_numbers(time: str) -> None:
    """Such a rule does not fire; a whole number before the timeline has no answer stream."""
    assert_agrees("interval", f"@({time}) q :- f(X).", "0:f(10.001) 1:f(x) 2:f(-0.25) 3:f(12)")


@pytest.mark.parametrize("windows", ["[tumble 1] [1]", "[3 hop 2] [1]", "[1 hop 2] [2]", "[tumble 2] [1]"])
@pytest.mark.parametrize("other", ["e(X) [5]", "@_ e(X)", "e(X) [3 #]"])
def test_what_a_chain_of_windows_loses_may_follow_from_another_rule(windows: str, other: str) -> None:
    """A chain that is looked up at every time point takes its conclusions back; arrivals must be found again then."""
    text = f"q :- {other}. q :- e(X) {windows}. p(X) :- e(X) [4]. p(X) :- always e(X) [+1 hop 2] [1]. s :- p(_), q."
    assert_agrees("interval", text, "0:e(1) 3:e(2) 4:e(2)")


@pytest.mark.parametrize("more", ["now = M", "M = now", "M = now + 0", "M = N, N = now"])
def test_two_comparisons_that_give_one_variable_the_time(more: str) -> None:
    assert_agrees("interval", f"p(M) :- now = M, {more}. q :- e(X) [3], now = M, {more}, X <= M.", "0:e(1) 2:e(5)")


def test_tuples_of_other_elements_that_are_looked_for_again() -> None:
    text = ":- @T a [1 #], N = #sum{ V : e(V) [1]; W,S : T = now, @S e(V), e(W), S > T }."
    assert_agrees("interval", text, "2:e(1) 3:e(1)", ["a"], start=2)


def test_an_absence_of_a_value_that_a_comparison_gives() -> None:
    """What is there with another value takes back nothing."""
    text = "s :- 0 = #count{ V : e(V), V = N }, N = #count{ X : f(X) [2] }. d(X) :- f(X) [5], Y = X + 1, not g(Y) [2]."
    assert_agrees("interval", text, "0:e(1) 0:f(3) 1:g(3) 2:g(4) 3:e(0)")


@pytest.mark.parametrize("size", [0, 3])
def test_a_count_beside_an_empty_one(size: int) -> None:
    reasoner = IntervalReasoner(analysed(f"s(now) :- N = #count{{  }}, M = #sum{{ V : e(V) [{size}], V = N }}."))
    reasoner.advance(0)
    reasoner.advance(0, [Fact("e", (1,))])
    (stream,) = reasoner.answer().answer_streams
    assert stream.now == {Fact("s", (0,))}


def test_background_without_facts_is_taken_like_any_other() -> None:
    text = '#background "known.csv" as bg/1. p :- always bg(_) [2 # whole per] [from 1 to X], e(X).'
    assert_agrees("interval", text, "0:e(3) 1:e(1)")


@pytest.mark.parametrize("recursion", ["r(Y) :- bg(Y), r(X).", "r(1) :- r(_). r(x) :- r(_).", "s :- r(_). r(3) :- s."])
@pytest.mark.parametrize("later", ["x", "1.5"])
def test_recursion_over_a_value_that_is_computed_otherwise_from_now_on(recursion: str, later: str) -> None:
    """What an aggregate had before is over, and is not told once more; a recursion would follow it for ever."""
    assert_agrees(
        "interval", f"r(2) :- 0 < #max{{ V : e(V) [1] }}. {recursion}", f"8:e(1) 11:e({later}) 15:e(2)", ["bg(x)"]
    )


@pytest.mark.parametrize("bounds", ["3 to 3", "2 to 3", "0 to 0", "3 to 4", "9 to 9"])
@pytest.mark.parametrize("stream", ["0:e(1)", "0:e(1) 1:e(1) 3:e(1) 4:e(1) 9:e(1)"])
def test_every_point_of_a_fixed_interval_away_from_the_evaluation_time(bounds: str, stream: str) -> None:
    pins = "@2 r(X) :- e(X). @3 r(X) :- e(X). @T r(X) :- @T e(X) [1]."
    assert_agrees("interval", f"{pins} s(X) :- always r(X) [from {bounds}].", stream)


@pytest.mark.parametrize("windows", ["[1 #] [1 # whole per]", "[3 #] [1 # whole]", "[1 # whole] [1 #]", "[2 # whole]"])
@pytest.mark.parametrize("count", [1, 3, 4, 5, 9, 40])
def test_many_arrivals_of_one_time_that_leave_together(windows: str, count: int) -> None:
    """What is lost needs room twice, in the table and for what still looks for it, before what has come is read."""
    assert_agrees("interval", f"r(T) :- @T b {windows}.", "0:b " + "2:b " * count + "3:b 5:b")
    each = " ".join(f"2:e({value})" for value in range(count))
    assert_agrees("interval", f"r(T,X) :- @T e(X) {windows.replace('per', 'per 1')}.", f"0:e(1) {each} 3:e(2) 5:e(1)")


@pytest.mark.parametrize(
    "rule",
    [
        "q :- r(5) [3, +all hop 2] [from T to T], @T a [9].",
        "q :- @_ r(5) [0, +all hop 3] [from 0 to T], @T a [9].",
        "q(T) :- not r(5) [1, +all hop 3] [from T to T], @T a [20].",
    ],
)
def test_given_facts_between_bounds_and_after_a_pivot(rule: str) -> None:
    """What is given holds from the pivot of the window on, and not from the evaluation time."""
    assert_agrees("interval", rule, "1:a 3:z 5:b 9:a 12:b", ["r(5)"])


@pytest.mark.parametrize(
    "rule",
    [
        "h(N) :- N = #count{ U : @U b, always e(_) [from U+1 to now] }.",
        "h(N) :- N = #count{ X,U : @U b [9], always t(_,X) [from U+1 to now], not e(X) }.",
        "h(N) :- @U b [9], N = #count{ X : e(X) [9], not always t(X,_) [from U+1 to now] }.",
        "h(U) :- @U b [9], always e(_) [from U+1 to now], 0 <= #count{ X : e(X) [3] }.",
        "h(U,N) :- @U b [9], not always e(_) [from U+1 to now], N = #count{ X : e(X) [3] }.",
        "h :- not (e(_) since b [3]).",
    ],
)
def test_one_value_throughout_a_computed_interval_beside_an_aggregate(rule: str) -> None:
    """`_` is one value at all these times, and not one for each."""
    assert_agrees("interval", rule, "0:b 1:e(1) 1:t(1,2) 2:e(2) 2:t(1,3) 2:e(1) 3:b 4:t(2,2) 4:t(1,1) 4:e(3) 5:t(1,1)")


@pytest.mark.parametrize("size", [2**63 - 1, 2**63, 10**20])
@pytest.mark.parametrize(
    "window", ["{}", "session {}", "session {} per X", "hop 2 over {}", "tumble {}", "{} #", "+{}"]
)
def test_windows_longer_than_64_bits_can_say(size: int, window: str) -> None:
    text = f"d(X) :- v(X,_) [{window.format(size)}]. @T t(X) :- @T v(X,_) [{window.format(size)}], q(X) [9]."
    assert_agrees("interval", text, EDGES)
