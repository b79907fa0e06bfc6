"""The stages of a program in several partitions, beside the judge, on random programs; without Spark."""

from __future__ import annotations

import pytest

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.spark.plan.plan import make_plan
from support.bounded_runs import rows_in_partitions
from support.ordinary import agree


@pytest.mark.random
def test_the_same_rows() -> None:
    agree("partitions")


def test_data_that_is_given_and_arrives_meets_in_one_partition() -> None:
    given = Fact("e", ("x",))
    analysis = analyse(
        parse_program("#input e/1. q :- not f(1,X), 1 = #min{ V : e(V) }, e(X)."), background={given.signature}
    )
    plan = make_plan(analysis, (given,))
    for partitions in (1, 2, 3):
        found = rows_in_partitions(plan, [(0, Fact("e", (1,)))], 0, 2, partitions, [])
        assert found == {("q", (), 0, 0, None)}


def test_a_conclusion_about_another_time_meets_the_arrivals_of_its_own_predicate() -> None:
    """Where it is data, it is no conclusion."""
    plan = make_plan(analyse(parse_program("#input q/0. @T q :- @T e(X).")), ())
    arrivals = [(6, Fact("e", (1,))), (6, Fact("q", ())), (7, Fact("e", (2,)))]
    for partitions in (1, 2, 3):
        found = rows_in_partitions(plan, arrivals, 6, 9, partitions, [])
        assert found == {("q", (), 6, 7, None), ("q", (), 8, 9, 7)}
