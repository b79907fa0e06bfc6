"""Heavy keys on a real Spark: divided in time, with the same rows."""

from __future__ import annotations

from random import Random

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.spark.bounded import run, start
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_frames import Results, run_to_frames
from larspark.spark.plan.plan import SparkPlan, make_plan
from larspark.spark.read.inputs import inputs_of_frames
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
def large_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "SAMPLED", 2)
    monkeypatch.setattr(start, "SAMPLED", 2)


def run_over(spark: SparkSession, plan: SparkPlan, arrivals: list[tuple[int, Fact]]) -> Results:
    frame = spark.createDataFrame([(time, str(fact)) for time, fact in arrivals], "time long, atom string")
    return run_to_frames(spark, plan, inputs_of_frames({"atoms": frame}, plan.vocabulary), RunOptions(partitions=3))


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
    done = run_over(spark, plan, arrivals)
    assert any(told.startswith(f"stage {stage}: ") and note in told for told in done.notes), done.notes
    assert as_rows(done.tables) == rows_of(plan.analysis, arrivals, 0, arrivals[-1][0])


def test_the_heavy_key_runs_in_several_tasks(spark: SparkSession) -> None:
    plan = make_plan(analyse(parse_program(IN_TWO_STEPS)))
    done = run_over(spark, plan, heavy_key(Random(7), 900))
    number = plan.vocabulary.numbers[Fact("q", ("k0",)).signature]
    *_, evaluated, _ = done.ran.frames  # before the intervals are united
    concluded = evaluated.where((sf.col("stage") == len(plan.stages)) & (sf.col("predicate") == number))
    assert concluded.select(sf.spark_partition_id()).distinct().count() > 3
