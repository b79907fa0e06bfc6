"""Questions about a run on Spark: from its tables in Python, and from its results on disk."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from larspark.cli.main import main
from larspark.diagnostics import Rejected
from larspark.runtime.prepared import prepare
from larspark.spark import reason
from larspark.spark.asking import AskedRun

RULES = "alarm(M) :- always hot(M,_) [2], not technician(_) [4]."


def test_tables_are_asked_in_a_notebook(spark: SparkSession) -> None:
    hot = spark.createDataFrame(
        [(time, m, 7) for time in range(200) for m in ("press", "saw")], "time long, m string, c long"
    )
    technician = spark.createDataFrame([(190, "ann")], "time long, name string")
    result = reason(RULES, {"hot": hot, "technician": technician})
    row = result["alarm"].where("`to` > 100").orderBy("from").collect()[0]
    found = result.why(row, table="alarm")
    assert found.json["holds"]
    assert found.json["nodes"][0]["kind"] == "rule"
    assert result.why("alarm(saw)", at=150).json["nodes"][0]["bindings"] == {"M": "saw"}
    assert "technician(ann)" in str(result.why_not("alarm(press)", 192))
    with pytest.raises(Rejected):
        result.why("alarm(press)")


@pytest.mark.parametrize("kind", ["timestamp", "timestamp_ntz"])
def test_tables_with_timestamps_are_asked(spark: SparkSession, kind: str) -> None:
    """Of a row with times among its arguments, and of an atom at a moment; rows far away in time are not fetched."""
    rules = """
    #clock 1 min. #timezone "Europe/Vienna". #input hot(m: text, c: number).
    last(M, T) :- @T hot(M, C) [5 min], C > 80.
    """
    rows = [("2026-03-01 08:00:00", "press", 99.0), ("2026-03-10 08:00:10", "press", 84.0)]
    rows.append(("2026-03-10 08:04:00", "saw", 60.0))
    zone = " Europe/Vienna" if kind == "timestamp" else ""
    texts = spark.createDataFrame([(f"{time}{zone}", m, c) for time, m, c in rows], "time string, m string, c double")
    hot = texts.withColumn("time", texts["time"].cast(kind))
    result = reason(rules, {"hot": hot})
    row = result["last"].orderBy("from").collect()[-1]
    found = result.why(row, table="last")
    stamp = "2026-03-10T08:00:00" + ("+01:00" if kind == "timestamp" else "")
    assert str(found).splitlines()[0] == f'last(press,"{stamp}") holds at {stamp}'
    missing = result.why_not(f'last(saw,"{stamp}")', at=datetime(2026, 3, 10, 8, 4))
    assert "does not hold at 2026-03-10T08:04:00" in str(missing)
    with pytest.raises(Rejected, match="does not hold at 2026-03-10T08:04:00"):
        result.why(f'last(lathe,"{stamp}")', at=datetime(2026, 3, 10, 8, 4))
    asked = AskedRun(prepare(rules), {"hot": hot}, (0, 1 << 40))
    case = asked.case("last(press,0)", 29_552_100, "why-not")
    assert [one.time for one in case.arrivals] == [29_552_100]


def test_results_on_disk_are_asked(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    times = [time for time in range(100) for _ in range(2)]
    table = pa.table({"time": times, "machine": ["press", "saw"] * 100, "celsius": [7] * 200})
    pq.write_table(table, tmp_path / "hot.parquet", row_group_size=40)
    (tmp_path / "alarms.lars").write_text(RULES + "\n#input technician/1.\n")
    program, data, output = (str(tmp_path / name) for name in ("alarms.lars", "hot.parquet", "results"))
    assert main(["run", program, "--input", data, "--output", output]) == 0
    capsys.readouterr()
    assert main(["why", "alarm(saw)", "--run", output, "--at", "50"]) == 0
    told = capsys.readouterr().out
    assert "alarm(saw) holds at 50, since 0" in told
    assert "hot.parquet" in told


def test_programs_are_compared_on_spark(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [(time, m) for time in range(60) for m in ("press", "saw") if time % 7 != len(m) % 3]
    table = pa.table({"time": [time for time, _ in rows], "machine": [m for _, m in rows]})
    pq.write_table(table, tmp_path / "hot.parquet", row_group_size=20)
    programs = []
    for window in (4, 3):
        programs.append(str(tmp_path / f"rules{window}.lars"))
        Path(programs[-1]).write_text(f"alarm(M) :- always hot(M) [{window}].\ncalm(M) :- hot(M) [2], not alarm(M).\n")
    told = []
    for more in ([], ["--spark"]):
        words = ["diff", *programs, "--stream", str(tmp_path / "hot.parquet"), "--format", "json", *more]
        assert main(words) == 0
        told.append([json.loads(line) for line in capsys.readouterr().out.splitlines()])
    assert len(told[0]) > 10
    without = [[{name: one[name] for name in ("from", "to", "atom", "sign")} for one in side] for side in told]
    assert without[0] == without[1]
    assert [one["rule"] for one in told[1][:10]] == [one["rule"] for one in told[0][:10]]


def test_changed_arrivals_are_compared_on_spark(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [(time, m) for time in range(60) for m in ("press", "saw") if time % 7 != len(m) % 3]
    begin = datetime(2026, 3, 10, 8, tzinfo=UTC)
    times = [begin + timedelta(minutes=time) for time, _ in rows]
    pq.write_table(pa.table({"time": times, "machine": [m for _, m in rows]}), tmp_path / "hot.parquet")
    program, data, output = (str(tmp_path / name) for name in ("rules.lars", "hot.parquet", "results"))
    Path(program).write_text("#clock 1 min.\nalarm(M) :- always hot(M) [3].\n")
    other = str(tmp_path / "other.lars")
    Path(other).write_text("#clock 1 min.\nalarm(M) :- always hot(M) [2].\n")
    assert main(["run", program, "--input", data, "--output", output]) == 0
    capsys.readouterr()
    changes = ["--add", '@"2026-03-10T08:44:00Z" hot(press)', "--drop", '@"2026-03-10T08:20:00Z" hot(saw)']
    told = []
    for where in (["--run", output], [program, "--stream", data]):
        for spark_too in ([], ["--spark"]):
            assert main(["what-if", *where, *changes, *spark_too]) == 0
            told.append(capsys.readouterr().out)
    assert len(set(told)) == 1
    assert "+ 2026-03-10T08:4" in told[0]
    assert "- 2026-03-10T08:20:00Z" in told[0]
    told = []
    for spark_too in ([], ["--spark"]):
        assert main(["diff", other, "--run", output, *spark_too]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert "other.lars:2" in told[0]
    for drop, code in (("line 3", "names a line"), ("@7 hot(nobody)", "to be dropped")):
        assert main(["what-if", "--run", output, "--drop", drop, "--spark"]) == 1
        assert code in capsys.readouterr().err
