"""clingo and the JTMS on small programs that some reasoner once got wrong, beside the judge at points and ticks."""

from __future__ import annotations

import pytest

from larspark.diagnostics import Rejected
from larspark.reasoners.registry import make_reasoner
from support.beside_judge import analysed, assert_agrees
from support.limits import small_limits

SOLVERS = ("clingo", "jtms")


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    ("text", "stream"),
    [
        ("d :- always a [1]. e :- not always a [1].", "0:a 1:r(1) 1:a"),
        ("d :- always a [1].", "0:a 0:a 1:b 1:a 1:a 2:b 2:a 4:b 4:a"),
    ],
)
def test_always_goes_on_at_a_later_tick(reasoner: str, text: str, stream: str) -> None:
    assert_agrees(reasoner, text, stream)


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    "literal",
    [
        "p(X) [from now-1 to now]",
        "@_ p(X) [from now-1 to now]",
        "p(X) [from now-1 to now] [1 #]",
        "p(X) [3 #] [from now-1 to now]",
        "p(X) [from 2*now-3 to now+1] [1]",
        "p(X) [of p/1] [from now-1 to now] [1 # per X]",
        "q(X) [9], not p(X) [from now-1 to now]",
        "q(X) [9], not p(X) [from now-1 to now] [2 #]",
        "p(X) [from now-1 to 1.5]",
        "@T q(X) [9], p(X) [from T+1 to now]",
        "q(X) [9], p(X) [from X to 1]",
    ],
)
def test_intervals_that_move_with_the_clock(reasoner: str, literal: str) -> None:
    assert_agrees(reasoner, f"d(X) :- {literal}.", "0:p(1) 0:q(1) 1:p(2) 1:p(1) 3:q(2) 3:p(1) 4:q(1) 5:p(2)")


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize("bounds", ["from 0.5 to T", "from T-1 to 4.5", "from x to T", "from T to x"])
def test_a_bound_that_is_no_whole_number_beside_a_computed_one(reasoner: str, bounds: str) -> None:
    for text in ("d(X) :- @T q(_) [9], p(X) [{}].", "d(X) :- q(X) [9], not p(X) [{}], @T q(_) [9]."):
        assert_agrees(reasoner, text.format(bounds), "0:p(1) 0:q(1) 1:p(2) 1:p(1) 3:q(2) 3:p(1) 4:q(1) 5:p(2)")


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    "literal",
    [
        "@T p(X) [from 1 to max(1,now)] [1]",
        "p(X) [from min(2,now) to abs(now-9)] [3 #]",
        "q(X) [9], not p(X) [from 1 to max(now,3)] [2]",
        "q(X) [9], not always p(X) [from min(now,1) to now]",
    ],
)
def test_intervals_with_calls_as_bounds(reasoner: str, literal: str) -> None:
    assert_agrees(reasoner, f"d(X) :- {literal}.", "0:p(1) 0:q(1) 1:p(2) 1:p(1) 3:q(2) 3:p(1) 4:q(1) 5:p(2)")


@pytest.mark.parametrize("reasoner", ["clingo", "jtms", "answer-update", "interval"])
@pytest.mark.parametrize(
    "rules",
    [
        "s(N) :- N = #sum{ now }. d(N) :- N = #max{ 3; now }. q :- 1 != #avg{ 1 }. r(X,N) :- p(X), N = #sum{ X }.",
        "d :- not 1 < #min{ }. e(X) :- p(X), not X < #max{ Y : p(Y), Y > X }.",
        "d(X) :- p(X) [1], not X/2 < #min{ Y : p(Y) [1], Y > X }. e(X) :- p(X), not X-1 = #avg{ Y : q(Y) [1] }.",
        "d :- not 1/0 < #count{ }. e :- not 1/0 < #min{ }. r :- 1/0 != #count{ }.",
        "d(N) :- N = #max{ X,1/(X-4) : p(X) [3] }. e :- 1 >= #min{ X,X-1,1/0 : p(X) }.",
    ],
)
def test_aggregates_without_conditions_or_without_values(reasoner: str, rules: str) -> None:
    assert_agrees(reasoner, rules, "0:p(1) 1:p(x) 2:p(4) 2:q(3) 3:p(2) 5:q(x)")


@pytest.mark.parametrize("reasoner", ["clingo", "jtms", "answer-update"])
@pytest.mark.parametrize("literal", ["@T a [2 #] [of a/0]", "@T b [1 #] [3 #, +1 # per]", "@T a [3 #] [1] [of a/0]"])
def test_what_is_counted_and_then_left_out(reasoner: str, literal: str) -> None:
    """Arrivals that later windows of a chain leave out go on counting, also after reasoners have tidied up."""
    with small_limits():
        assert_agrees(
            reasoner, f"r(T) :- {literal}. s :- b [1 # per].", "0:a 0:a 0:c 0:f(1,1) 0:b 1:e(1) 1:a 3:c 3:b 3:c"
        )


@pytest.mark.parametrize("reasoner", SOLVERS)
def test_heads_without_value_before_the_timeline(reasoner: str) -> None:
    assert_agrees(reasoner, "@1 t(Y-T,X) :- @T f(X,Y).", "7:f(1,x) 9:f(1,2)", start=7)


def test_times_that_an_atom_of_background_names_itself() -> None:
    assert_agrees("clingo", "p(X) :- @X bg(X). q :- @X bg(X).", "11:a", ["bg(1)", "bg(12)", "bg(x)"], start=10)


@pytest.mark.parametrize("reasoner", SOLVERS)
def test_times_that_only_an_aggregate_asks_for(reasoner: str) -> None:
    assert_agrees(reasoner, "q(N) :- N = #sum{ U }, @U bg(X), @U e.", "1:e 3:e", ["bg(0)"])


def test_times_without_bound_that_only_an_aggregate_asks_for() -> None:
    analysis, known = analysed("q :- N = #avg{ U }, @U bg(X), e.", ["bg(0)"])
    with pytest.raises(Rejected, match="infinitely many"):
        make_reasoner("clingo", analysis, known, 0)


@pytest.mark.parametrize("reasoner", SOLVERS)
def test_negated_interval_with_variable_bounds(reasoner: str) -> None:
    assert_agrees(reasoner, "d(X) :- @T q(X) [9], not p(X) [from T+1 to now].", "0:p(1) 0:q(1) 1:p(2) 2:q(2) 2:p(1)")


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    "rule",
    [
        "d(N) :- N = #count{ X : @_ p(X) }.",
        "d(N) :- N = #count{ X,S : @S p(X), @S q [3] }.",
        "d(N) :- N = #count{ X,S : @S p(X) [2] }.",
        "d(N,M) :- N = #count{ X : p(X) [3] }, M = #max{ X : p(X) [3], X > N }.",
        "d(N,M) :- M = #min{ X : p(X) [3], X > N }, N = #count{ X : p(X) [3] }, 0 = #count{ X : p(X), X > N + 1 }.",
        "d(N,M) :- N = #max{ X : p(X) [3] }, M = #min{ X : p(X) [3] }.",
        "d(M) :- p(M) [2], not 1 = #count{ S : @S p(M) [3], @S q }.",
        "d(N,Y) :- N = #count{ X : p(X) [3] }, @N p(Y).",
        "d(X) :- @now p(X), X < #min{ V : p(V) [2], V > X }.",
        "d(X) :- @2 p(X), not X != #count{ V : p(V), V != X }, not q [from X to 5].",
        "d(M) :- p(M) [2], 0 = #count{ X : p(X) [3], not q [from X to 2] }.",
    ],
)
def test_aggregates_over_background(reasoner: str, rule: str) -> None:
    assert_agrees(reasoner, rule, "0:q 0:p(3) 1:p(7) 2:p(2) 2:q", ["p(1)"])


@pytest.mark.parametrize("reasoner", SOLVERS)
def test_a_time_with_infinitely_many_values_inside_an_aggregate(reasoner: str) -> None:
    analysis, known = analysed("d(N) :- N = #sum{ S : @S p(X) }.", ["p(1)"])
    with pytest.raises(Rejected, match="infinitely many"):
        make_reasoner(reasoner, analysis, known)


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    "literal",
    ["p(X) [from T to now] [1 #]", "p(X) [from T+1 to now] [1]", "bg(X) [from T to 3]"],
)
def test_what_has_no_encoding_is_said_beforehand(reasoner: str, literal: str) -> None:
    analysis, _ = analysed(f"d(X) :- @T q, {literal}.", ["bg(1)"])
    assert [reason.code for reason in analysis.accepts[reasoner]] == ["E519"]


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    ("text", "stream"),
    [
        ("#input d/0. @(T+2) d :- @T a [3]. e :- d [2].", "0:d 1:a 3:d 4:d 8:x"),
        ("#input d/0. #record d/0. d :- a [2]. @T e :- @T d [5].", "0:d 1:a 4:d 8:x"),
        ("#record d/0. @(T-1) d :- @T q(_,_).", "5:a 6:q(2,2) 9:q(1,1)"),
        ("#record d/0. @(now+2) d :- a [1]. e :- d [1].", "0:a 3:a 4:b 4:b 9:a"),
    ],
)
def test_a_change_is_the_difference_of_answers(reasoner: str, text: str, stream: str) -> None:
    assert_agrees(reasoner, text, stream)


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    "text",
    [
        "alarm(M) :- always hot(M) [10 hop 5], machine(M).",
        "alarm(M) :- always hot(M) [10 hop 5].",
        "d(X) :- always bg(X) [10 hop 5]. e(X) :- bg(X) [10 hop 5]. f(T) :- @T bg(_) [10 hop 5].",
        "d :- not always hot(1) [10 hop 5]. e :- not bg(1) [10 hop 5]. f(X) :- always hot(X) [from 7 to 6].",
    ],
)
def test_in_a_window_without_time_points_nothing_holds(reasoner: str, text: str) -> None:
    assert_agrees(reasoner, text, "3:machine(1) 4:hot(1) 5:machine(1) 5:hot(1) 6:hot(1) 6:machine(1)", ["bg(1)"], 3)


@pytest.mark.parametrize(
    "text",
    [
        "reach(X) :- q(X). reach(Y) :- reach(X), v(X,Y) [4], 0 = #count{ K : p(K) [4], K > X }.",
        "busy(X,N) :- q(X) [3], N = #count{ K : p(K) [4], K > X }, N > 0.",
        "s(N) :- N = #sum{ X,T : @T p(X) [2]; -X : q(X) [1] }. t(M) :- M = #max{ N : s(N) }, not M < #avg{ X : p(X) }.",
        "go(X) :- p(X) [2], not out(X). out(X) :- p(X) [2], not go(X). n(N) :- N = #count{ X : go(X) }.",
        "go(X) | out(X) :- p(X) [2]. :- go(X), q(X) [3]. n(N) :- N = #count{ X : q(X) }. :- n(2), out(2).",
        "@(T+1) d(X) | e(X) :- @T p(X) [2]. e(X) :- d(X), q(X).",
        "x :- p(1), not x. y :- p(2), not q(2) [1]. :- y, q(1).",
        "d(T) :- @T p(X) [5], @T bg(X). e(T) :- @T p(_) [5], not @T bg(7).",
    ],
)
def test_what_truth_maintenance_takes(text: str) -> None:
    assert_agrees("jtms", text, "0:q(1) 0:v(1,5) 1:p(1) 1:q(2) 2:v(5,6) 2:p(2) 2:p(7) 3:p(1) 5:q(1)", ["bg(1)"])


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    "literal",
    [
        "N = #sum{ X : p(X) [1] }",
        "N = #count{ X + 1 : p(X) [1] }",
        "N = #max{ X * 2, X : p(X) [1]; 1 : q }",
        "N = 1, not N < #sum{ X : p(X) [1] }",
        "N = 1, not N = #count{ X - 1, X : p(X) [1] }",
    ],
)
def test_symbols_that_cannot_be_computed_with(reasoner: str, literal: str) -> None:
    assert_agrees(reasoner, f"d(N) :- {literal}.", "0:p(1) 1:p(2) 2:p(x) 3:q 5:p(1)")


@pytest.mark.parametrize("reasoner", SOLVERS)
def test_background_in_a_partition_window_without_arrivals(reasoner: str) -> None:
    """Without arrivals of its predicate the window has no other time point than the present one."""
    assert_agrees(reasoner, "p :- @1 bg(X) [1 #, +1 # per].", "0:e 3:e", ["bg(1)"])


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    "text",
    [
        "d(X) :- @now bg(X), (N,_) = #top{ 1; V : bg(V) }.",
        "d(X) :- @T bg(X), T = #count{ V : p(V) [3], V > Y }, p(Y).",
        "d(X,N) :- @T bg(X), p(T) [4], not p(X) [from X to T], N = #count{ V : p(V) [3], V >= X }.",
    ],
)
def test_times_of_background_beside_aggregates(reasoner: str, text: str) -> None:
    """Neither asks for the other where it need not: both would wait."""
    assert_agrees(reasoner, text, "0:p(1) 1:p(2) 1:p(0) 3:p(1)", ["bg(1)", "bg(2)"])


def test_a_counting_window_selects_all_where_the_evaluation_time_is_lost() -> None:
    """Also what rules derive; most reasoners keep arrivals apart, and say so."""
    text = "#input p/0. @T p :- @T e(_). d :- p [from 1 to 1] [1 # per]."
    assert_agrees("answer-update", text, "1:e(1) 2:p 3:e(1)", start=1)
    analysis, _ = analysed(text)
    for reasoner in (*SOLVERS, "interval"):
        with pytest.raises(Rejected, match=r"loses the evaluation time|cannot follow the windows"):
            make_reasoner(reasoner, analysis, (), 1)


@pytest.mark.parametrize("reasoner", ["clingo", "jtms", "answer-update"])
@pytest.mark.parametrize(
    "text",
    [
        "r :- 1 < #count{ S : @S e(V) [from V to now] }.",
        "c(N) :- N = #count{ V : e(V) [from now - 9 to V] }.",
        "c(N) :- N = #count{ V : e(V) [from V to now]; V,V : @V q(_) }.",
        "c(N) :- N = #count{ V : q(V) [4], not e(V) [from V to now] }.",
        "d(V) :- q(V) [3], e(_) [from V - 9 to V + 3].",
        "d(V) :- q(V) [3], not e(_) [from V - 9 to V + 0.5].",
    ],
)
def test_intervals_with_bounds_that_are_no_time_points(reasoner: str, text: str) -> None:
    """They select nothing; a whole number before the timeline does, where no rule takes it as a time."""
    low = -(10**30)
    assert_agrees(reasoner, text, f"5:e(1) 5:q(9.5) 5:q(x) 6:q(5) 6:e(6) 6:e(-0.25) 6:e(x) 7:e({low}) 7:q(2)", start=5)


@pytest.mark.parametrize("reasoner", ["clingo", "jtms", "answer-update", "interval"])
@pytest.mark.parametrize(
    "body",
    [
        "N < #min{ }, N = #max{ }",
        "N < #count{ X : p(X) }, N = #max{ X : p(X) }",
        "N = #count{ X : p(X), X < M }, M = K - 1, K = #max{ X : p(X), X < Y }, p(Y) [2]",
        "N = #count{ X : p(X) }, not N = #sum{ X : p(X), X < M }, M = #max{ X : p(X) }",
    ],
)
def test_aggregates_that_need_the_values_of_later_ones(reasoner: str, body: str) -> None:
    assert_agrees(reasoner, f"s(N) :- {body}.", "0:p(1) 0:p(2) 1:p(0) 2:p(3)")


@pytest.mark.parametrize(
    "text",
    [
        "#hold e/1 for 2. t(X) :- e(X) [1 #] [from X to 1].",
        "t(X) :- e(X) [2 #] [from now - 1 to X].",
        "t(X,T) :- @T e(X) [2 #] [from T to X] [1 #].",
        "t(X,Y) :- e(Y) [9], e(X) [5] [from Y to Y] [2 #] [from 0 to X].",
    ],
)
def test_bounds_that_counted_arrivals_give(text: str) -> None:
    """What is old by time is still counted."""
    assert_agrees("answer-update", text, "1:e(1) 2:e(4) 3:e(2) 4:e(9) 4:r(1)")


@pytest.mark.parametrize("reasoner", SOLVERS)
def test_what_one_of_several_heads_has_recorded_is_data(reasoner: str) -> None:
    """The other head lies before the timeline, so that there is no choice."""
    assert_agrees(reasoner, "#record s/1. @T s(1) | @1 t(T) :- @T a.", "10:a 12:b", start=10)


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    "text",
    ["#input p/0. @T p | @T q :- @T c [1].", "#input p/0. @(T-1) p | @T q :- @T c [3].", "#record p/0. @1 p | q. p."],
)
def test_data_of_another_time_is_one_of_several_heads(text: str, reasoner: str) -> None:
    assert_agrees(reasoner, text, "0:p 0:c 1:c 3:p 4:c 5:b")


@pytest.mark.parametrize(
    "text",
    [
        "#prefer 800000000, X : go(X). go(X) | out(X) :- p(X) [3].",
        "n(N) :- N = #sum{ 1000000000,X : p(X) [3] }.",
        "n(N) :- N = #avg{ 1000000000,X : p(X) [3] }.",
        "n(N) :- N = #sum{ 2147483645 : p(1) [3]; X : p(X) [3], X > 1 }.",
    ],
)
def test_weights_of_many_tuples_do_not_overflow(text: str) -> None:
    """A weight that is the same for all tuples counts once for each of them."""
    with pytest.raises(Rejected, match="32-bit arithmetic of clingo"):
        assert_agrees("clingo", text, "0:p(1) 1:p(2) 2:p(3)")


def test_a_sum_just_below_the_border_of_32_bits() -> None:
    assert_agrees("clingo", "n(N) :- N = #sum{ 2147483645 : p(1) [3]; 1,X : p(X) [3], X > 1 }.", "0:p(1) 1:p(2) 6:p(2)")


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    "text",
    [
        "s(Y) :- always e(Y) [from T to now], @_ r(X) [1, +all], always e(T) [from X to now].",
        "s(Y) :- always e(Y) [from T to T], always e(T) [from X to X], always f(X,_) [from Z to Z], e(Z) [9].",
        "s(Y) :- always f(X,_) [from Z to Z], always e(Y) [from T to T], always e(T) [from X to X], @Z e(_) [9].",
    ],
)
def test_intervals_that_ask_each_other_for_their_bounds(text: str, reasoner: str) -> None:
    assert_agrees(reasoner, text, "0:e(1) 1:e(2) 1:e(1) 2:e(1) 2:f(2,3) 5:e(5) 6:f(1,1)", ["r(1)", "r(5)"])


@pytest.mark.parametrize("reasoner", SOLVERS)
@pytest.mark.parametrize(
    "text",
    [
        "s(now) | @1 t(T,T+x) :- @T e(_).",
        "p | @(min(now,X)) q :- e(X).",
        "@(T-1) r(X+x) :- @T e(X). t | s :- b.",
        "t(X+x) | s :- e(X). s | t(1) :- e(_).",
    ],
)
def test_a_head_of_which_one_part_has_no_value_is_no_instance(reasoner: str, text: str) -> None:
    assert_agrees(reasoner, text, "7:e(0.5) 7:b 9:e(1)", start=7)
