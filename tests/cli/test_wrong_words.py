"""What people type instead of what is meant: the message names the place, and the hint is the line to write."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import larspark as api
from larspark.diagnostics import Rejected

PROGRAMS = {
    "NOT": ("alarm(M) :- NOT smoke(M).", "1:13: error E120: `NOT` means nothing before an atom.", "written `not`"),
    "sometimes": ("a(X) :- sometimes b(X).", "error E120: `sometimes` means nothing before an atom.", "`b(X) [5]`"),
    "over": ("a(M) :- hot(M) over [10 min].", "error E120: `over` means nothing before a window.", "`hot(M) [10 min]`"),
    "date": ("a(X) :- @T b(X) [3], T > 2026-03-10.", "`2026-03-10` is no date", '`date(T) > "2026-03-10"`'),
    "moment": ('a(X) :- @"2026-03-10T08:00:00Z" b(X).', "times in rules are time points", 'date(T) = "2026-03-10"'),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(larspark, write, name):
    text, message, hint = PROGRAMS[name]
    outcome = larspark("check", write("p.lars", text))
    assert message in outcome.err
    assert hint in outcome.err


@pytest.fixture
def program(write):
    return write("p.lars", "b(X) :- a(X) [3].")


def test_a_missing_file(larspark, program, tmp_path):
    pq.write_table(pa.table({"time": [1], "x": [1]}), tmp_path / "a.parquet")
    outcome = larspark("eval", program, "--stream", str(tmp_path / "a.parket"))
    assert (outcome.status, f"There is no file or folder `{tmp_path / 'a.parket'}`." in outcome.err) == (1, True)
    assert f"Did you mean `{tmp_path / 'a.parquet'}`?" in outcome.err
    far = larspark("eval", program, "--stream", str(tmp_path / "x"))
    assert f"Data in `{tmp_path}`: a.parquet." in far.err
    gone = larspark("eval", program, "--stream", str(tmp_path / "no" / "x"))
    assert f"There is no folder `{tmp_path / 'no'}` either." in gone.err


def test_parquet_without_times(larspark, program, tmp_path):
    pq.write_table(pa.table({"when": [1], "x": [1]}), tmp_path / "a.parquet")
    outcome = larspark("eval", program, "--stream", str(tmp_path / "a.parquet"))
    first, second = outcome.err.splitlines()
    assert first.endswith("error E407: The table of a has no column `time`.")
    assert second.startswith("  hint: The columns are when, x; call the one with the times `time`, or declare it")


def test_another_number_of_arguments(larspark, program, write):
    outcome = larspark("eval", program, "--stream", write("s.jsonl", '{"time": 1, "atom": "a(1,2)"}\n'))
    assert "E410: a/2 has another number of arguments than in the program, which uses a/1." in outcome.err
    assert "`#input a(COLUMN, …).` chooses the columns" in outcome.err


def test_options(larspark, program, write):
    assert "`5` has no unit. Write `5s`" in larspark("check", program, "--clock", "5").err
    assert "Zones are called `Europe/Vienna`" in larspark("check", program, "--timezone", "Wien").err
    stream = write("s.jsonl", '{"time": 1, "atom": "a(1)"}\n')
    assert larspark("eval", program, "--input", stream).out == larspark("eval", program, "--stream", stream).out
    assert "did you mean 'eval'?" in larspark("evl", program).err


def test_pipeline_files(larspark, program, write):
    pipeline = write("pipe.yml", f"program: {Path(program).name}\nepoch: 2027-01-01\n")
    outcome = larspark("check", pipeline)
    assert "is a pipeline file, not a program." in outcome.err
    assert f"`larspark run {pipeline} --explain`" in outcome.err
    assert larspark("run", pipeline, "--explain").status == 0
    assert "epoch: soon" in larspark("run", write("soon.yml", "program: p.lars\nepoch: soon\n")).err


@pytest.mark.parametrize(
    ("time", "code"), [(datetime(2026, 3, 10, tzinfo=UTC), None), ((1, 2), "E404"), (None, "E402"), ([3], "E404")]
)
def test_times_of_an_engine(time, code):
    engine = api.Engine("#clock 1 s. b(X) :- a(X) [3].")
    if code is None:
        assert engine.advance(time, ["a(1)"]).appeared
        return
    with pytest.raises(Rejected, match=f"error {code}: .+") as caught:
        engine.advance(time, ["a(1)"])
    assert caught.value.diagnostics[0].hint
