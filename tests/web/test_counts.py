"""What rules have done and what they cost, for every reasoner that answers questions."""

from __future__ import annotations

import pytest

from larspark.web.counts import EVALUATIONS, rule_counts
from support.explained import case

PROGRAM = "a(X) :- b(X) [2].  c :- a(1), not d [1].  @(T+1) e :- @T d [1].  a(X) :- f(X).  g(1)."
STREAM = "0:b(1) 4:d 5:b(1) 5:b(2) 9:f(1)"


@pytest.mark.parametrize("reasoner", ["clingo", "reference"])
def test_other_reasoners_count_as_the_interval_reasoner_does(reasoner: str) -> None:
    expected = rule_counts(case(PROGRAM, STREAM, (0, 12), "interval"))
    found = rule_counts(case(PROGRAM, STREAM, (0, 12), reasoner))
    assert [one and (one["count"], one["last"]) for one in expected] == [
        one and (one["count"], one["last"]) for one in found
    ]
    assert [one and one["count"] for one in found] == [3, 3, 1, 1, None]


def test_choices_are_counted_in_the_chosen_answer_stream() -> None:
    asked = case("a :- e [3], not b.  b :- e [3], not a.  :- b.", "0:e 9:e", (0, 12), "clingo")
    assert [one and (one["count"], one["last"]) for one in rule_counts(asked)] == [(2, 12), (0, None), None]


def test_many_evaluations_are_not_looked_at_one_by_one() -> None:
    assert rule_counts(case("a :- e [3].", "0:e", (0, EVALUATIONS), "clingo")) == [None]


def test_costs_are_told_for_each_rule() -> None:
    asked = case("a(X) :- b(X) [2].\nc :- a(1), not d [1].", "0:b(1) 1:b(2)", (0, 9))
    first, second = rule_counts(asked)
    assert first is not None
    assert second is not None
    assert (first["rows"], second["rows"]) == (2, 1)
    assert first["seconds"] > 0
