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
from larspark.spark.exchange import run_stages
from larspark.spark.intake import REFUSED
from larspark.spark.plan import Span, make_plan
from larspark.spark.sources import intake_of_frame
from larspark.spark.union import united
from support.many_programs import END, many_programs
from support.partitions import decoded

PROGRAMS = 20
"""In one Spark job; 60 in all."""


@pytest.mark.parametrize("buckets", [1, 2, 7])
def test_many_random_programs(spark: SparkSession, buckets: int) -> None:
    many = many_programs(Random(buckets), PROGRAMS)
    plan = make_plan(analyse(parse_program(many.text), background={Signature("bg", 1)}), many.background)
    frame = spark.createDataFrame([(time, str(fact)) for time, fact in many.arrivals], "time long, atom string")
    arrivals = intake_of_frame(frame, "atoms", plan.vocabulary).drop(*REFUSED)
    conclusions = run_stages(plan, arrivals, Span(0, 0, END), buckets)
    assert set(decoded(plan, united(plan, conclusions, buckets).toArrow())) == many.expected
