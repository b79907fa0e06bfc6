"""Random programs on a real Spark: the rows of the interval reasoner alone, with 1, 2 and 7 partitions.

`test_partitions.py` tries more of them with all these numbers of partitions, without Spark.
"""

from __future__ import annotations

from random import Random

import pytest
from pyspark.sql import SparkSession

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Signature
from larspark.language.parser import parse_program
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_frames import run_to_frames
from larspark.spark.plan.plan import make_plan
from larspark.spark.read.inputs import inputs_of_frames
from support.bounded_runs import concluded
from support.many_programs import END, many_programs

PROGRAMS = 20
"""In one Spark job; 60 in all."""


@pytest.mark.thorough
@pytest.mark.parametrize("buckets", [1, 2, 7])
def test_many_random_programs(spark: SparkSession, buckets: int) -> None:
    many = many_programs(Random(buckets), PROGRAMS)
    plan = make_plan(analyse(parse_program(many.text), background={Signature("bg", 1)}), many.background)
    frame = spark.createDataFrame([(time, str(fact)) for time, fact in many.arrivals], "time long, atom string")
    done = run_to_frames(
        spark, plan, inputs_of_frames({"atoms": frame}, plan.vocabulary), RunOptions((0, END), buckets)
    )
    assert concluded(done, plan) == many.expected
