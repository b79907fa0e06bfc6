"""Full formulas on Spark: lowered before the stages are found, the rows are those of the judge."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from larspark.analysis.partitioning.decompose import decompose
from larspark.analysis.partitioning.stages import stages
from larspark.language.parser import parse_fact, parse_program
from larspark.language.tree import Program
from larspark.spark import reason
from support.analysed import analysed
from support.contest import judged_for, verdict
from support.interval_rows import rows_of
from support.lowered_formulas import WRITTEN, random_arrivals, random_program
from support.random_programs import Scenario


def _in_partitions(program: Program, seed: int) -> str:
    scenario = Scenario(program, random_arrivals(Random(seed)), ())
    found = verdict("partitions", "partitions", judged_for("partitions", scenario))
    assert not found.wrong, f"{scenario}\n{found.detail}"
    return found.kind


@pytest.mark.parametrize("text", WRITTEN)
def test_what_people_write(text: str) -> None:
    kinds = {_in_partitions(parse_program(text), seed) for seed in range(6)}
    assert "agrees" in kinds or "|" in text or "#record" in text, kinds


@pytest.mark.random
@settings(max_examples=25)
@given(st.integers(0, 10**9))
def test_random_formulas(seed: int) -> None:
    _in_partitions(random_program(Random(seed)), seed)


def test_stages_are_told_by_the_predicates_of_the_program() -> None:
    found = stages(decompose(analysed("h(X) :- (always (a(X) or b(X))) [2]. z :- (always (some s [input 1])) [2].")))
    assert {(one.title, one.keyed) for one in found} == {("h/1", True), ("z/0", False), ("parts of formulas", False)}


def test_on_spark(spark: SparkSession) -> None:
    rows = [(0, "a(1)"), (1, "b(1)"), (2, "a(1)"), (2, "b(2)"), (3, "a(2)")]
    frame = spark.createDataFrame(rows, "time int, atom string")
    program = "h(X) :- (always (a(X) or b(X))) [1], not (a(X) and b(X) [1])."
    table = reason(program, frame, timeline=(0, 4), partitions=2)["h"]
    found = {("h", (row["arg1"],), row["from"], row["to"], row["at"]) for row in table.collect()}
    arrivals = [(time, parse_fact(atom)) for time, atom in rows]
    assert found == rows_of(analysed(program), arrivals, 0, 4, reasoner="reference") != set()
