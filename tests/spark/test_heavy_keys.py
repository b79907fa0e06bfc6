"""Heavy keys on a real Spark: divided in time, with the same rows."""

from __future__ import annotations

from random import Random

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.spark import profile
from larspark.spark.balance import Balance
from larspark.spark.batch import run_bounded
from larspark.spark.exchange import Load, run_stages
from larspark.spark.intake import REFUSED
from larspark.spark.plan import Plan, Span, make_plan
from larspark.spark.profile import profile_of
from larspark.spark.sources import intake_of_frame
from support.interval_rows import rows_of
from support.tables import as_rows
from support.uneven_arrivals import SKEWED, heavy_key

IN_TWO_STEPS = """
    p(V, X) :- f(X, V) [9], e(X) [3].
    @T s(X, V) :- @T f(X, V) [4], not g(V).
    q(X) :- p(_, X), not g(X) [2], always s(X, _) [1].
    q(X) :- s(X, 1) [2], p(0, X).
"""
"""Of p and s, a later stage reads conclusions by X, where one key is heavy."""
IN_ONE_PARTITION = "pair(X, Y) :- g(X) [1], f(Y, 0) [2], X < Y. quiet :- not e(_). :- g(k3)."


@pytest.fixture(autouse=True)
def small_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile, "SAMPLED", 0.5)


def intake(spark: SparkSession, plan: Plan, arrivals: list[tuple[int, Fact]]) -> DataFrame:
    frame = spark.createDataFrame([(time, str(fact)) for time, fact in arrivals], "time long, atom string")
    return intake_of_frame(frame, "atoms", plan.vocabulary)


@pytest.mark.parametrize(
    ("text", "stage", "note"),
    [
        (SKEWED, 1, "divided in time"),
        (IN_TWO_STEPS, 3, "divided in time"),
        (IN_ONE_PARTITION, 1, "everything is in one partition; divided in time"),
        ("p(X) :- e(X) [all], not g(X) [2].", 1, "e/1 can matter for ever"),
    ],
)
def test_a_heavy_partition_is_divided_or_it_is_told_why_not(
    spark: SparkSession, text: str, stage: int, note: str
) -> None:
    arrivals = heavy_key(Random(7), 900)
    plan = make_plan(analyse(parse_program(text)))
    done = run_bounded(plan, intake(spark, plan, arrivals), partitions=3)
    assert any(told.startswith(f"stage {stage}: ") and note in told for told in done.notes), done.notes
    assert as_rows(done.tables) == rows_of(plan.analysis, arrivals, 0, arrivals[-1][0])


def test_the_heavy_key_runs_in_several_tasks(spark: SparkSession) -> None:
    plan = make_plan(analyse(parse_program(IN_TWO_STEPS)))
    given = intake(spark, plan, heavy_key(Random(7), 900))
    seen, span = profile_of(plan, given, 3), Span(0, 0, 44)
    rows = run_stages(plan, given.drop(*REFUSED), span, 3, Load(seen.filled, Balance(plan, seen, span, 3)))
    concluded = rows.where(sf.col("predicate") == plan.vocabulary.numbers[Fact("q", ("k0",)).signature])
    tasks = concluded.where(sf.col("s0") == "k0").select(sf.spark_partition_id()).distinct().count()
    assert tasks > 3
