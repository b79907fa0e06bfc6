"""Random programs on a real Spark: the rows of the interval reasoner alone, with 1, 2 and 7 partitions."""

from __future__ import annotations

from random import Random

import pytest
from pyspark.sql import SparkSession

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Signature
from larspark.language.parser import parse_program
from larspark.spark.batch import run_bounded
from larspark.spark.plan import make_plan
from larspark.spark.sources import intake_of_frame
from support.many_programs import END, ManyPrograms, many_programs
from support.partitions import decoded

PROGRAMS = 35
"""In one Spark job; with three seeds there are 105."""


@pytest.fixture(scope="module", params=[1, 2, 3])
def many(request: pytest.FixtureRequest) -> ManyPrograms:
    return many_programs(Random(request.param), PROGRAMS)


@pytest.mark.parametrize("buckets", [1, 2, 7])
def test_many_random_programs(spark: SparkSession, many: ManyPrograms, buckets: int) -> None:
    analysis = analyse(parse_program(many.text), background={Signature("bg", 1)})
    frame = spark.createDataFrame([(time, str(fact)) for time, fact in many.arrivals], "time long, atom string")
    plan = make_plan(analysis, many.background)
    intake = intake_of_frame(frame, "atoms", plan.vocabulary)
    done = run_bounded(plan, intake, timeline=(0, END), partitions=buckets)
    assert set(decoded(plan, done.conclusions.toArrow())) == many.expected
    done.close()
