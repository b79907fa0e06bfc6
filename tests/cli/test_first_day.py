"""What a new user met on the first day with 200,000 machine readings and a maintenance log: a test for each trap.

Some are shown by tests of their own, which stand in `ELSEWHERE`; the rest is here.
"""

from __future__ import annotations

import ast
import json
import logging
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import larspark as api
from larspark.diagnostics import Rejected

TESTS = Path(__file__).parents[1]

ELSEWHERE = {
    "rubbish in cells raises alarms": (
        "runtime/test_inputs_at_doors.py::test_cells",
        "spark/test_spark_doors.py::test_cells",
        "spark/test_poisoned_inputs.py::test_poisoned_cells_of_tables",
        "cli/test_nothing_is_silent.py::test_mixed_comparisons_are_counted",
    ),
    "integers come out where timestamps went in": (
        "write/test_times_as_given.py::test_timestamps_without_zone_stay_without",
        "write/test_times_as_given.py::test_moments_stay_moments",
        "spark/test_told_on_spark.py::test_nanoseconds_are_followed",
        "spark/test_machines_example.py::test_joined_back_with_pandas",
        "spark/test_machines_example.py::test_joined_back_with_spark",
    ),
    "columns are called arg1 and change their types": (
        "write/test_times_as_given.py::test_types_do_not_depend_on_the_values",
        "analysis/test_types.py::test_types_and_names_come_from_the_inputs",
        "spark/test_inputs.py::test_columns_keep_their_types",
    ),
    "a time without zone means one thing here and another there": (
        "write/test_times_as_given.py::test_one_rule_for_times_without_zone",
    ),
    "a wrong name is silent": (
        "cli/test_nothing_is_silent.py::test_a_wrong_name_is_told_from_both_sides",
        "spark/test_told_on_spark.py::test_a_frame_with_an_unknown_name",
        "spark/test_told_on_spark.py::test_the_command_tells",
    ),
    "always over samples fails without a word": (
        "cli/test_nothing_is_silent.py::test_windows_over_conclusions_about_the_present",
        "cli/test_nothing_is_silent.py::test_samples_from_which_something_follows_under_always",
        "spark/test_told_on_spark.py::test_the_command_tells",
    ),
    "a daily run cuts windows at midnight": (
        "spark/test_daily_runs.py::test_windows_reach_over_midnight",
        "spark/test_daily_runs.py::test_random_programs",
        "spark/test_machines_example.py::test_a_day_at_a_time",
    ),
    "Unix times beside a clock of a minute": (
        "cli/test_nothing_is_silent.py::test_unix_times_beside_a_clock_that_does_not_fit",
    ),
    "dead letters cannot be had, infinities end in Spark, nanoseconds are refused": (
        "spark/test_told_on_spark.py::test_a_frame_with_an_unknown_name",
        "spark/test_told_on_spark.py::test_nanoseconds_are_followed",
        "spark/test_poisoned_inputs.py::test_poisoned_cells_of_tables",
    ),
    "eval walks 1.7 billion points, a second stream replaces the first": (
        "cli/test_times_on_the_command_line.py::test_without_data_nothing_is_walked",
        "cli/test_nothing_is_silent.py::test_a_second_stream_is_refused",
    ),
    "Engine takes no datetimes, tuples or dictionaries, and hides what it finds": (
        "python/test_engine.py::test_atoms_are_facts_texts_and_tuples",
        "python/test_engine.py::test_moments_of_the_calendar",
        "python/test_engine.py::test_what_is_shown_is_told",
    ),
}


@pytest.mark.parametrize(("trap", "named"), ELSEWHERE.items(), ids=list(ELSEWHERE))
def test_the_tests_that_show_it_are_there(trap: str, named: tuple[str, ...]) -> None:
    for one in named:
        file, _, name = one.partition("::")
        tree = ast.parse((TESTS / file).read_text())
        assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}, f"{trap}: {one}"


READINGS = 'time,machine,celsius\n1,a,91.5\n1,b,\n1,c,NaN\n1,d,inf\n1,e,"91,5"\n1,f,91.5 C\n1,g,70\n'
TYPED = "#input readings(machine: text, celsius: number). big(M,C) :- readings(M,C), C > 80."


def test_rubbish_in_cells_is_no_alarm(larspark, write):
    program, stream = write("p.lars", TYPED), write("readings.csv", READINGS)
    outcome = larspark("eval", program, "--stream", stream, "--on-error", "skip", "--format", "json")
    assert outcome.json[0]["answer_streams"][0]["now"] == ["big(a,91.5)"]
    told = [(one["line"], one["code"]) for one in outcome.errors]
    assert told == [(3, "E403"), (4, "E403"), (5, "E403"), (6, "E413"), (7, "E413")]


def test_the_same_nulls_in_a_frame():
    frame = pd.DataFrame({"time": [1, 1, 1], "machine": ["a", "b", "c"], "celsius": [91.5, None, float("inf")]})
    with pytest.raises(Rejected) as caught:
        api.evaluate(TYPED, {"readings": frame})
    assert [one.code for one in caught.value.diagnostics] == ["E403", "E403"]


STAMPED = "time,machine,celsius\n2026-03-10T08:00:10,press,84.0\n2026-03-10T08:02:00,saw,70.0\n"
NAMED = "#clock 1 min. #input readings(machine: text, celsius: number). hot(M,C) :- readings(M,C) [1 min], C > 80."


def test_timestamps_in_timestamps_out(larspark, write, tmp_path):
    program, stream = write("p.lars", NAMED), write("readings.csv", STAMPED)
    outcome = larspark("eval", program, "--stream", stream, "--as", "intervals")
    assert outcome.out.splitlines() == ["2026-03-10T08:00:00..2026-03-10T08:01:00: hot(press,84)"]
    at = larspark("eval", program, "--stream", stream, "--at", "2026-03-10T08:01:00", "--format", "json")
    (answer,) = at.json
    assert (answer["time"], answer["answer_streams"][0]["now"]) == ("2026-03-10T08:01:00", ["hot(press,84)"])
    written = tmp_path / "out.parquet"
    assert larspark("eval", program, "--stream", stream, "--as", "intervals", "--output", str(written)).status == 0
    schema = pq.read_schema(written)
    assert (schema.field("from").type, schema.field("to").type) == (pa.timestamp("us"), pa.timestamp("us"))
    told = json.loads(schema.metadata[b"larspark"])
    assert (told["clock"], told["epoch"]) == ("1 min", "1970-01-01T00:00:00+00:00")


def test_names_and_types_stay():
    """Of whole values as of others, and where there is nothing."""
    found = set()
    for celsius in ([84.5], [84.0], []):
        frame = pd.DataFrame(
            {"time": pd.to_datetime(["2026-03-10T08:00:10"])[: len(celsius)], "machine": ["a"][: len(celsius)]}
        )
        frame["celsius"] = pd.Series(celsius, dtype="float64")
        frame["machine"] = frame["machine"].astype("str")
        table = api.evaluate(NAMED, {"readings": frame})["hot"].to_arrow()
        found.add(tuple((field.name, str(field.type)) for field in table.schema))
    times = [(name, "timestamp[us]") for name in ("from", "to", "at")]
    assert found == {(("machine", "string"), ("celsius", "double"), *times)}


@pytest.mark.parametrize("directive", ['#timezone "Europe/Vienna".', ""])
def test_hours_follow_the_zone(larspark, write, directive):
    program = write("p.lars", f"#clock 1 min. {directive} h(hour(T)) :- @T a [5 min].")
    stream = write("a.csv", "time\n2026-07-01T07:30:00Z\n")
    words = () if directive else ("--timezone", "Europe/Vienna")
    outcome = larspark("eval", program, "--stream", stream, *words, "--as", "intervals")
    assert "h(9)" in outcome.out


def test_a_wrong_file_and_a_wrong_frame(larspark, write, caplog):
    program = write("p.lars", NAMED)
    missing = larspark("eval", program, "--stream", "reading.csv")
    assert missing.status == 1
    assert "E406" in missing.err
    with caplog.at_level(logging.WARNING, "larspark"):
        api.evaluate(NAMED, {"reading": {"time": [1], "machine": ["a"], "celsius": [91.5]}})
    told = [record.getMessage() for record in caplog.records]
    assert any(
        "W410: 1 atoms of reading/2 arrived, but no rule reads it. Did you mean readings/2?" in one for one in told
    )
    assert any("W411" in one for one in told)


def test_texts_that_are_computed_with_are_told_in_python(caplog):
    with caplog.at_level(logging.WARNING, "larspark"):
        api.evaluate("p(D+1) :- a(D).", [(1, "a(5)"), (2, "a(z)")])
    (told,) = (record.getMessage() for record in caplog.records)
    assert "W412: 1 of 2 values of argument 1 of a/1 are texts, and `D+1` computes with them" in told


def test_rules_that_never_fired_are_told_in_python(caplog):
    with caplog.at_level(logging.WARNING, "larspark"):
        api.evaluate("hot(M) :- r(M,C), C > 80.", [(1, "r(a,70)")])
    (told,) = (record.getMessage() for record in caplog.records)
    assert "W415: This rule never fired, though r/2 was there." in told


def test_nanoseconds_of_pandas(larspark, write, tmp_path):
    program = write("p.lars", NAMED)
    frame = pd.DataFrame(
        {"time": pd.to_datetime(["2026-03-10T08:00:10.000000001"]), "machine": ["a"], "celsius": [84.5]}
    )
    frame.to_parquet(tmp_path / "readings.parquet")
    outcome = larspark("eval", program, "--stream", str(tmp_path / "readings.parquet"), "--as", "intervals")
    assert outcome.out.startswith("2026-03-10T08:00:00")


def test_an_engine_takes_what_people_have(caplog):
    with caplog.at_level(logging.WARNING, "larspark"):
        engine = api.Engine(
            "#clock 1 s. #show alarm/1. hot(M) :- r(M,C), C > 80. alarm(M) :- hot(M), r(M, _). q :- r(_, _)."
        )
    assert any("W204: q/0 is derived" in record.getMessage() for record in caplog.records)
    moment = datetime(2026, 3, 10, 8, tzinfo=UTC)
    change = engine.advance(
        moment, [("r", "M-01", 1e-05), {"predicate": "r", "args": ["M-02", 90.5]}, {"atom": 'r("M-03", 8)'}]
    )
    assert [str(fact) for fact in change.appeared] == ['alarm("M-02")']
    for text in ("r(M-01, 3)", "r(a, 1e-05)"):
        with pytest.raises(Rejected, match=r"a tuple needs none, \('hot', 'M-01', 1e-05\)"):
            engine.advance(moment, [text])
    with pytest.raises(Rejected) as caught:
        engine.advance(None, [])  # type: ignore[arg-type]
    assert "E4" in str(caught.value)
    with pytest.raises(Rejected) as wrong:
        api.Engine("a :- b")
    assert "E104" in str(wrong.value)
    assert "dot" in str(wrong.value)
