"""How long facts matter. The timelines show the evaluation time t and the farthest fact that is still read."""

from __future__ import annotations

import pytest

from larspark.analysis import Retention
from larspark.analysis.analysis import KeptSession, Latest
from support.analysed import analysed, signature


def kept(text: str, predicate: str) -> Retention:
    return analysed(text).retention[signature(predicate)]


@pytest.mark.parametrize(
    ("text", "past", "future"),
    [
        ("h :- a.", 0, 0),
        ("h :- a [5].", 5, 0),
        ("h :- always a [5].", 5, 0),
        ("h :- @T a [5].", 5, 0),
        ("h :- not a [5], a [7].", 7, 0),
        ("h :- a [+4]. @(T + 2) a :- @T b [3].", 0, 4),
        # Input does not lie in the future, whatever the window says.
        ("h :- a [2, +4].", 2, 0),
        # Hop 3: at t = 8 the pivot is 6 and the window [1,6], so a fact of 7 points ago is read.
        ("h :- a [5 hop 3].", 7, 0),
        # What is held is seen as long after its end.
        ("#hold a for 4. h :- a [5].", 9, 0),
        ("#hold a. h :- a [5].", None, 0),
        ("h :- @T a.", None, 0),
        ("h :- a [all].", None, 0),
        ("h :- a [from 3 to 8].", None, 0),
        # The inner window cannot see what the outer one cut off.
        ("h :- a [3] [7].", 3, 0),
        ("h :- a [from now-3 to now] [1].", 1, 0),
        # The evaluation time lies outside what the first window selects, so the second selects nothing less.
        ("h :- a [from now-3 to now-1] [1].", 3, 0),
        # Five minutes before each of the last sixty.
        ("h :- (always (some a [input 5])) [60].", 65, 0),
        ("h :- N = #count{ T : @T a [9] }, N > 3.", 9, 0),
        # Arrivals of a predicate that is also derived matter as long as a conclusion can be pinned to their time.
        ("#input a/0. @T a :- @T b [4].", 4, 0),
        ("#input a/0. @(T - 2) a :- @T b [4].", 6, 0),
        ("#input a/0. @(T + 9) a :- @T b [4].", 0, 0),
        ("#input a/0. @T a :- @T b [4], @T c [3].", 3, 0),
        ("#input a/0. @(now - 5) a :- b.", 5, 0),
        ("#record a/0. @X a :- c(X) [4].", None, 0),
        ("@X a :- c(X) [4].", 0, 0),
    ],
)
def test_reach_in_time(text: str, past: int | None, future: int | None) -> None:
    retention = kept(text, "a/0")
    assert (retention.past, retention.future) == (past, future)


def test_a_tuple_window_keeps_the_latest_arrivals() -> None:
    assert kept("h :- a(X, Y) [3 #], X < Y.", "a/2").latest == (Latest((), 3),)


def test_a_partition_window_keeps_the_latest_per_key() -> None:
    retention = kept("h(X) :- a(X, Y) [2 # per X], Y > 3. g :- a(_, 1) [7].", "a/2")
    assert (retention.past, retention.latest) == (7, (Latest((0,), 2),))


def test_what_is_counted_together_is_kept_together() -> None:
    text = "h(X) :- a(X) [2 # whole of a(X), b(_,X) per X]. g(X) :- a(X) [session 3 of a/1, b/2 per 1]."
    both = ((signature("a/1"), (0,)), (signature("b/2"), (0,)))
    assert (kept(text, "b/2").latest, kept(text, "b/2").sessions) == (
        (Latest((1,), 2, True),),
        (KeptSession((0,), 3, both),),
    )
    assert kept(text, "a/1").latest == (Latest((0,), 2, True),)


def test_the_latest_of_a_filtered_argument_may_be_old() -> None:
    assert not kept("h :- a(1) [of a(1)] [2 #].", "a/1").bounded


def test_what_a_filter_lets_through_is_counted() -> None:
    text = "h :- a(X) [2 # of a/1, b/0]. g :- c [of c/0, d/0] [3]."
    assert kept(text, "b/0").latest == (Latest((), 2),)
    assert kept(text, "d/0") == Retention()


def test_an_unbounded_reach_names_its_rule() -> None:
    retention = kept("g :- a [3].\nh :- @T a, T < now.\nk :- a [9].", "a/0")
    assert not retention.bounded
    assert retention.rule is not None
    assert retention.rule.origin is not None
    assert retention.rule.origin.line == 2


def test_background_is_not_retained() -> None:
    assert not analysed('#background "p.csv" as p/1. h :- p(_) [3].').retention.keys() & {signature("p/1")}
