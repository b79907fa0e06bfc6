"""Changes of a recording in Parquet: the same differences as of all of it, from the time around the changes."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from larspark.diagnostics import Rejected
from larspark.explain.differences.differences import difference_lines
from larspark.questions.explaining import Case
from larspark.questions.large import LargeCase
from larspark.runtime.prepared import prepare
from larspark.runtime.sourced import read_sourced

RULES = "alarm(M) :- always hot(M) [3].  calm(M) :- hot(M) [2], not alarm(M).  @(T+2) due(M) :- @T hot(M) [1]."


@pytest.fixture
def recording(tmp_path: Path) -> str:
    rows = [(time, m) for time in range(5, 200) for m in ("press", "saw") if time % 7 != len(m) % 3]
    table = pa.table({"time": [time for time, _ in rows], "machine": [m for _, m in rows]})
    pq.write_table(table, tmp_path / "hot.parquet", row_group_size=20)
    return str(tmp_path / "hot.parquet")


@pytest.mark.parametrize(
    ("add", "drop"),
    [
        (["@51 hot(press)"], []),
        ([], ["@50 hot(saw)"]),
        ([], ["line 100"]),
        (["@5 hot(lathe)", "@210 hot(saw)"], ["hot.parquet:1", "line 2", "@31 hot(press)"]),
    ],
)
def test_as_of_the_whole_recording(recording: str, add: list[str], drop: list[str]) -> None:
    prepared = prepare(RULES)
    large = LargeCase.of(prepared, recording)
    assert large is not None
    whole = Case.of(prepared, read_sourced(recording, prepared).arrivals)
    found, words = large.what_if(add, drop)
    assert list(difference_lines(found, words)) == list(difference_lines(whole.what_if(add, drop), whole.words))
    assert found


def test_what_is_not_there_cannot_be_dropped(recording: str) -> None:
    large = LargeCase.of(prepare(RULES), recording)
    assert large is not None
    for drop in ("line 100000", "@9 hot(nobody)"):
        with pytest.raises(Rejected, match="no arrival"):
            large.what_if([], [drop])
