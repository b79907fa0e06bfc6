"""Bounded runs on a real Spark, with 1, 2 and 7 partitions."""

from __future__ import annotations

from decimal import Decimal
from functools import reduce
from pathlib import Path
from random import Random

import pytest
from pyspark.sql import DataFrame, SparkSession

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_file, parse_program
from larspark.read import Rules, read_backgrounds, read_chunks
from larspark.spark import reason
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_frames import Results, run_to_frames
from larspark.spark.plan.plan import SparkPlan, make_plan
from larspark.spark.read.inputs import inputs_of_sources
from support.interval_rows import rows_of
from support.keyed_programs import BACKGROUND, random_arrivals, random_rules
from support.tables import as_rows, spelled

EXAMPLES = Path(__file__).parents[2] / "examples"


def run_files(spark: SparkSession, plan: SparkPlan, path: Path, partitions: int | None = None) -> Results:
    inputs = inputs_of_sources(spark, [str(path)], plan.vocabulary)
    return run_to_frames(spark, plan, inputs, RunOptions(partitions=partitions))


def arrivals_of(path: Path) -> list[tuple[int, Fact]]:
    return [arrival for chunk in read_chunks(path, Rules()) for arrival in chunk.arrivals()]


@pytest.mark.parametrize("name", ["transport", pytest.param("cooling", marks=pytest.mark.quick), "machines", "network"])
def test_the_examples_from_files(spark: SparkSession, name: str) -> None:
    path = EXAMPLES / f"{name}.lars"
    analysis = analyse(parse_file(path)).require()
    background = read_backgrounds(analysis.program)
    arrivals = arrivals_of(path.with_suffix(".jsonl"))
    plan = make_plan(analysis, background)
    done = run_files(spark, plan, path.with_suffix(".jsonl"), 3)
    assert (done.start, done.end, done.arrivals) == (arrivals[0][0], arrivals[-1][0], len(arrivals))
    expected = rows_of(analysis, arrivals, done.start, done.end, background)
    assert spelled(as_rows(done.tables)) == spelled(expected)


MORE = [pytest.param(*one, marks=pytest.mark.thorough) for one in [(4, 2), (11, 7), (12, 2)]]


@pytest.mark.parametrize(("seed", "buckets"), [(3, 1), *MORE])
def test_random_programs(spark: SparkSession, seed: int, buckets: int) -> None:
    random = Random(seed)
    background = tuple(Fact("bg", (value,)) for value in random.sample(BACKGROUND, 3))
    analysis = analyse(parse_program("\n".join(random_rules(random))), background={background[0].signature})
    arrivals = random_arrivals(random)
    frame = spark.createDataFrame([(time, str(fact)) for time, fact in arrivals], "time long, atom string")
    tables = reason(analysis, frame, background=background, timeline=(0, 15), partitions=buckets)
    assert spelled(as_rows(tables)) == spelled(rows_of(analysis, arrivals, 0, 15, background))


def test_typed_columns_keep_their_types(spark: SparkSession) -> None:
    rows = [(0, 1, 1.5, "a", True), (1, 2, 2.0, "b", False), (1, 2**61, 0.1, "two words", True)]
    frame = spark.createDataFrame(rows, "time int, n long, d double, s string, b boolean")
    tables = reason("p(N, D, S, B) :- e(N, D, S, B).", {"e": frame}, partitions=2)
    found = {tuple(row)[:5] for row in tables["p"].collect()}
    assert found == {
        (1, 1.5, "a", True, 0),
        (2, 2.0, "b", False, 1),
        (2**61, 0.1, "two words", True, 1),
    }
    kinds = [field.dataType.typeName() for field in tables["p"].schema][:4]
    assert kinds == ["long", "double", "string", "boolean"]


def test_a_decimal_and_a_float_of_the_same_value_meet(spark: SparkSession) -> None:
    whole = spark.createDataFrame([(0, Decimal("2.50")), (0, Decimal("3.00"))], "time int, v decimal(10,2)")
    floats = spark.createDataFrame([(0, 2.5), (0, 3.0)], "time int, v double")
    tables = reason("p(V) :- d(V), f(V).", {"d": whole, "f": floats}, partitions=7)
    assert {row["arg1"] for row in tables["p"].collect()} == {Decimal("2.5"), Decimal(3)}


def test_large_decimals_keep_their_zeros(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(0, Decimal(5 * 10**18))], "time int, v decimal(38,0)")
    assert [row["arg1"] for row in reason("p(V) :- d(V).", {"d": frame})["p"].collect()] == [5 * 10**18]


def test_timestamps_leave_as_timestamps_or_as_points(spark: SparkSession) -> None:
    frame = spark.sql(
        "select timestamp'1970-01-01 00:02:59' as time, 'x' as s union all select timestamp'1970-01-01 00:05:00', 'y'"
    )
    program = "#clock 1 min. #input e(name: text). p(S) :- e(S) [1 min]."
    tables = reason(program, {"e": frame.withColumnRenamed("s", "name")}, points=True)
    assert {tuple(row)[:3] for row in tables["p"].collect()} == {("x", 2, 3), ("y", 5, 5)}
    table = reason(program, {"e": frame.withColumnRenamed("s", "name")})["p"]
    assert [field.dataType.typeName() for field in table.schema][:3] == ["string", "timestamp", "timestamp"]
    read = frame.withColumnRenamed("s", "name").alias("r").join(table.alias("p"), "name")
    assert read.where("r.time between p.from and p.to").count() == 2


def test_predicates_in_one_table_or_each_in_its_own(spark: SparkSession, tmp_path: Path) -> None:
    text = "#input tram(id, station). meet(A, B, S) :- tram(A, S) [3], bus(B, S) [3]."
    atoms = spark.createDataFrame(
        [(1, "tram", "t1", "main"), (3, "bus", "b1", "main")], "time int, predicate string, a string, b string"
    )
    tram = spark.createDataFrame([("main", "late", "t1", 1)], "station string, note string, id string, time int")
    bus = spark.createDataFrame([(3, "b1", "main")], "time int, id string, station string")
    assert as_rows(reason(text, atoms)) == as_rows(reason(text, {"tram": tram, "bus": bus}))
    plan = make_plan(analyse(parse_program(text)))
    tram.write.parquet(str(tmp_path / "tram.parquet"))
    (tmp_path / "bus.csv").write_text("time,id,station\n3,b1,main\n")
    assert as_rows(run_files(spark, plan, tmp_path).tables) == as_rows(reason(text, atoms))


def test_a_choice_is_made_in_every_partition(spark: SparkSession) -> None:
    text = "on(X) :- a(X) [2], not off(X). off(X) :- a(X) [2], not on(X). :- off(X), b(X)."
    frame = spark.createDataFrame([(0, f"a({n})") for n in range(8)] + [(1, "b(3)")], "time int, atom string")
    tables = reason(text, frame, partitions=3)
    on, off = ({row["arg1"] for row in tables[name].where("from <= 1 and to >= 1").collect()} for name in ("on", "off"))
    assert on | off == set(range(8))
    assert not on & off
    assert 3 in on


def test_no_answer_stream_in_one_partition_is_none_anywhere(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(0, "a(1)"), (1, "b(1)"), (0, "a(2)"), (2, "a(3)")], "time int, atom string")
    tables = reason("p(X) :- a(X) [5]. :- p(X), b(X).", frame, partitions=7)
    assert {tuple(row)[:3] for row in tables["p"].collect()} == {(1, 0, 0), (1, 2, 2), (2, 0, 0), (2, 2, 2), (3, 2, 2)}


def test_arrivals_are_counted_in_the_order_of_the_file(spark: SparkSession, tmp_path: Path) -> None:
    lines = [f'{{"time": {n // 4}, "atom": "{"ab"[n % 3 == 0]}({n})"}}' for n in range(40)]
    (tmp_path / "s.jsonl").write_text("\n".join(lines) + '\n{"time": 10, "atom": "unknown"}\n')
    text = "p(X) :- a(X) [3 #]. q(X) :- p(X), not b(X)."
    analysis = analyse(parse_program(text))
    arrivals = arrivals_of(tmp_path / "s.jsonl")
    plan = make_plan(analysis)
    done = run_files(spark, plan, tmp_path / "s.jsonl", 2)
    assert as_rows(done.tables) == rows_of(analysis, arrivals, 0, 10)


def test_background_tables_are_frames_too(spark: SparkSession) -> None:
    heat = spark.createDataFrame([(0, "t1", 90), (0, "t2", 90)], "time int, id string, v int")
    limits = spark.createDataFrame([("t1", 80.5), ("t2", 95.0), ("t2", 95.0)], "id string, most double")
    text = "hot(T) :- heat(T, V), limit(T, M), V > M. silent(T) :- limit(T, _), not heat(T, _) [2]."
    tables = reason(text, {"heat": heat}, background={"limit": limits}, timeline=(0, 4), partitions=2)
    assert as_rows(tables) == {
        ("hot", ("t1",), 0, 0, None),
        ("silent", ("t1",), 3, 4, None),
        ("silent", ("t2",), 3, 4, None),
    }


@pytest.mark.parametrize(
    ("columns", "code"), [("id string", "E410"), ("id string, v map<int, int>", "E407"), ("id string, v int", "E403")]
)
def test_background_tables_are_checked(spark: SparkSession, columns: str, code: str) -> None:
    rows = [("t1",) + (None,) * columns.count(",")] if code == "E403" else []
    with pytest.raises(Rejected) as caught:
        reason("p(T) :- b(T, _), e.", {}, background={"b": spark.createDataFrame(rows, columns)})
    assert caught.value.diagnostics[0].code == code


def test_nothing_at_all(spark: SparkSession) -> None:
    frame = spark.createDataFrame([], "time int, x string")
    assert as_rows(reason("p :- not e(_). q(X) :- e(X).", {"e": frame}, timeline=(0, 3))) == {("p", (), 0, 3, None)}


def test_all_tables_are_one_after_the_other(spark: SparkSession) -> None:
    frames = [spark.createDataFrame([(n, "e(1)")], "time int, atom string") for n in range(3)]
    tables = reason("p(X) :- always e(X) [2].", reduce(DataFrame.unionByName, frames))
    assert as_rows(tables) == {("p", (1,), 0, 2, None)}
