"""Programs with several answer streams: an answer stream, and the same one with any number of partitions."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.spark import reason
from larspark.spark.interface import plan_of
from larspark.spark.plan.plan import make_plan
from support.bounded_runs import rows_in_partitions
from support.choosing_programs import random_arrivals, random_program
from support.chosen_rows import all_answers, assert_chosen
from support.judged import analysed
from support.random_programs import Scenario
from support.strategies import CHOICES, DISJUNCTIVE, scenarios
from support.tables import as_rows, spelled
from support.tiers import partly

END = 12


@pytest.mark.thorough
@partly(80)
@given(st.integers(0, 2**48))
def test_choices_side_by_side(seed: int) -> None:
    random = Random(seed)
    analysis, plan = random_program(random)
    arrivals = random_arrivals(random)
    rows, *others = (rows_in_partitions(plan, arrivals, 0, END, buckets) for buckets in (1, 2, 7))
    assert others == [rows, rows]
    assert_chosen(rows, all_answers(analysis, arrivals, 0, END, plan.background))


@partly(40)
@given(scenarios(CHOICES) | scenarios(DISJUNCTIVE), st.sampled_from([1, 2, 7]))
def test_any_program(scenario: Scenario, buckets: int) -> None:
    analysis = analysed(scenario)
    start, end = scenario.times[0], scenario.times[-1]
    arrivals = [(arrival.time, arrival.fact) for arrival in scenario.stream.input]
    try:
        plan = make_plan(analysis, scenario.background)
        answers = all_answers(analysis, arrivals, start, end, scenario.background)
    except Rejected:
        reject()
    assert_chosen(rows_in_partitions(plan, arrivals, start, end, buckets), answers)


@pytest.mark.parametrize("choice", ["q | p.", "q | q.", "q(1) | q(2)."])
def test_a_choice_without_conditions_is_no_fact(choice: str) -> None:
    read = "q(Y)" if "(" in choice else "q"
    plan = plan_of(f"{choice} r(X) :- e(X), {read}.")
    arrivals = [(0, Fact("e", (1,))), (2, Fact("e", (2,)))]
    rows, *others = (rows_in_partitions(plan, arrivals, 0, 3, buckets) for buckets in (1, 2, 7))
    assert others == [rows, rows]
    assert_chosen(rows, all_answers(plan.analysis, arrivals, 0, 3, plan.background))


def test_random_choices_are_split() -> None:
    """Many of the random programs have several choices, and many of these are keyed."""
    plans = [random_program(Random(seed))[1] for seed in range(60)]
    found = [[(one.stage.keyed, one.stage.chooses) for one in plan.stages] for plan in plans]
    assert sum([chooses for _, chooses in one].count(True) > 1 for one in found) > 20
    assert sum((True, True) in one for one in found) > 20
    assert sum((False, True) in one for one in found) > 5
    assert sum(not one[-1][1] for one in found) > 10, "something follows from the choices"


@pytest.mark.parametrize("buckets", [2, pytest.param(7, marks=pytest.mark.thorough)])
def test_on_spark(spark: SparkSession, buckets: int) -> None:
    random = Random(buckets)
    plans = (random_program(random) for _ in range(100))
    analysis, plan = next((analysis, plan) for analysis, plan in plans if len(plan.stages) > 4)
    arrivals = random_arrivals(random)
    frame = spark.createDataFrame([(time, str(fact)) for time, fact in arrivals], "time long, atom string")
    tables = reason(analysis, frame, background=plan.background, timeline=(0, END), partitions=buckets)
    assert spelled(as_rows(tables)) == spelled(rows_in_partitions(plan, arrivals, 0, END, 1))
