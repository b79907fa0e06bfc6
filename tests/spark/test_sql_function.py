"""Rules as a table function of SQL: the same rows as `reason`, and calls that would split what belongs together."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from larspark.analysis.partitioning.stages import splits_by
from larspark.diagnostics import Rejected
from larspark.language.facts import Signature
from larspark.runtime.prepared import prepare
from larspark.spark import reason, register
from larspark.spark.session.failures import SparkError
from larspark.spark.sql.register import function_of

PROGRAM = """
#clock 1 min.
#input readings(machine: text, sensor: integer, celsius: number).
#show alarm(machine, sensor).
alarm(M, S) :- readings(M, S, C) [3 min], C > 80, not readings(M, S, 0) [3 min].
"""
ROWS = """
SELECT * FROM VALUES
  (TIMESTAMP'2026-03-10 08:00:10', 'press', 1, 91.5D), (TIMESTAMP'2026-03-10 08:01:00', 'press', 2, 0D),
  (TIMESTAMP'2026-03-10 08:04:00', 'press', 1, 79D),   (TIMESTAMP'2026-03-10 08:02:00', 'saw', 1, 85D),
  (TIMESTAMP'2026-03-10 08:03:00', 'saw', 1, 0D),      (TIMESTAMP'2026-03-10 08:09:00', 'saw', 2, 99D)
AS t(time, machine, sensor, celsius)
"""


@pytest.fixture
def readings(spark: SparkSession) -> SparkSession:
    spark.sql(ROWS).repartition(2).createOrReplaceTempView("readings")
    return spark


def rejection(session: SparkSession, text: str) -> str:
    with pytest.raises(SparkError) as caught:
        session.sql(text).collect()
    return str(caught.value)


def test_the_same_rows_as_reason(readings: SparkSession) -> None:
    returned = register(readings, "alarms", PROGRAM)
    assert returned == "`machine` string, `sensor` bigint, `from` timestamp, `to` timestamp, `at` timestamp"
    told = {tuple(row) for row in reason(PROGRAM, {"readings": readings.table("readings")})["alarm"].collect()}
    whole = "since => TIMESTAMP'2026-03-10 08:00:00', until => TIMESTAMP'2026-03-10 08:09:00'"
    for split in ("PARTITION BY machine", "PARTITION BY (machine, sensor)", "WITH SINGLE PARTITION"):
        found = readings.sql(f"SELECT * FROM alarms(TABLE(readings) {split} ORDER BY time, {whole})").collect()
        assert {tuple(row) for row in found} == told
        assert len(found) == len(told) == 3


def test_a_partition_is_a_stream_of_its_own(readings: SparkSession) -> None:
    register(readings, "alarms", PROGRAM, times="points")
    found = readings.sql("SELECT * FROM alarms(TABLE(readings) PARTITION BY (machine, sensor) ORDER BY time)").collect()
    minute = 29552160  # 08:00
    assert {(row.machine, row.sensor, row["from"] - minute, row.to - minute) for row in found} == {
        ("press", 1, 0, 3),
        ("saw", 1, 2, 2),
        ("saw", 2, 9, 9),
    }


def test_rows_that_meet_are_in_one_partition(readings: SparkSession) -> None:
    register(
        readings,
        "hottest",
        "#input readings(machine, sensor, celsius). a(M, C) :- C = #max{D : readings(M, S, D) [9]}, readings(M, _, _).",
    )
    for wrong in ("PARTITION BY (machine, sensor)", ""):
        told = rejection(readings, f"SELECT * FROM hottest(TABLE(readings) {wrong})")
        assert "E616" in told, wrong
        assert "PARTITION BY machine" in told, wrong
    assert readings.sql("SELECT * FROM hottest(TABLE(readings) PARTITION BY machine)").count() > 0


def test_order_where_rows_are_counted(readings: SparkSession) -> None:
    register(readings, "latest", "#input readings(machine, sensor, celsius). a(C) :- readings(_, _, C) [2 #].")
    told = rejection(readings, "SELECT * FROM latest(TABLE(readings) WITH SINGLE PARTITION ORDER BY celsius)")
    assert "ORDER BY time" in told
    assert "SINGLE PARTITION" in rejection(readings, "SELECT * FROM latest(TABLE(readings) PARTITION BY machine)")


def test_several_predicates_in_one_table(readings: SparkSession) -> None:
    register(
        readings,
        "both",
        "#input hot(machine: text). #input off(machine: text). on(M) :- hot(M) [2], not off(M) [9].",
        times="points",
    )
    united = "SELECT 1 AS time, * FROM VALUES ('hot', 'press'), ('off', 'saw'), ('hot', 'saw') AS t(predicate, m)"
    found = readings.sql(f"SELECT * FROM both(TABLE({united}) PARTITION BY m, until => 5)").collect()
    assert [tuple(row) for row in found] == [("press", 1, 3, None)]
    assert "AS predicate" in rejection(readings, "SELECT * FROM both(TABLE(readings) PARTITION BY machine)")


def test_bad_records_and_other_times(readings: SparkSession) -> None:
    register(readings, "alarms", PROGRAM)
    bad = "SELECT time, machine, sensor, CAST('nan' AS DOUBLE) AS celsius FROM readings"
    assert "E403" in rejection(readings, f"SELECT * FROM alarms(TABLE({bad}) PARTITION BY machine)")
    points = "SELECT 1 AS time, machine, sensor, celsius FROM readings"
    assert 'times="points"' in rejection(readings, f"SELECT * FROM alarms(TABLE({points}) PARTITION BY machine)")
    assert "no column `time`" in rejection(
        readings, "SELECT * FROM alarms(TABLE(SELECT machine, sensor, celsius FROM readings) PARTITION BY machine)"
    )


def test_what_is_returned_must_be_said() -> None:
    with pytest.raises(Rejected, match="shows b, c"):
        function_of("f", prepare("b :- a(X). c :- a(X).").require())
    with pytest.raises(Rejected, match="does not show d"):
        function_of("f", prepare("b :- a(X). c :- a(X).").require(), "d")
    with pytest.raises(Rejected, match="no type of times"):
        function_of("f", prepare("b :- a(X).").require(), times="seconds")


@pytest.mark.parametrize(
    ("text", "splits"),
    [
        ("b(X, Y) :- a(X, Y) [3].", {0, 1}),
        ("b(X) :- a(X, Y) [3].", {0}),
        ("b(X) :- a(X, Y) [3], a(X, Z).", {0}),
        ("b(X) :- a(X, Y) [3]. c(Y) :- b(Y), a(_, Y).", set()),
        ("b(Y) :- a(X, Y). c(Y) :- b(Y) [2], not a(_, Y) [3].", {1}),
        ("b(X) :- a(X, Y). c(X, Y) :- a(X, Y), b(Y). #show c/2.", set()),
        ("idle(X) :- m(X), not a(X, _) [3]. m(1). m(2).", set()),
        ("b(1). #show b/1. c :- a(X, Y).", set()),
        ("b(X) :- a(X, Y) [3 #].", set()),
        ("b :- a(X, Y).", set()),
    ],
)
def test_by_what_a_program_can_be_split(text: str, splits: set[int]) -> None:
    analysis = prepare(text).require().analysis
    answer = sorted(analysis.shown & analysis.intensional)[0]
    assert {one for one in (0, 1) if splits_by(analysis, {Signature("a", 2): one}, answer)} == splits
