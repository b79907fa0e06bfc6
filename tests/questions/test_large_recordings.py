"""Of a recording in Parquet only a part is read, and the answers are those for the whole of it."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from larspark.diagnostics import Rejected
from larspark.questions.explaining import Case
from larspark.questions.large import LargeCase
from larspark.runtime.prepared import prepare
from larspark.runtime.sourced import read_sourced

PROGRAM = """
hot(M) :- reading(M,C) [6], C > 6.
calm(M) :- reading(M,_) [6], not hot(M).
alarm(M) :- hot(M) [3], not calm(M), not reading(M,0) [4].
seen(M) :- @T reading(M,_) [20], T > 0.
known(A,B) :- reading(A,_) [3], reading(B,_) [3], A < B.
linked(A,B) :- known(A,B).
linked(A,C) :- linked(A,B), known(B,C).
"""


def written(folder: Path, seed: int, late: bool = False) -> str:
    chosen = random.Random(seed)
    times = sorted(chosen.randrange(400) for _ in range(300))
    if late:
        times[150], times[250] = 40, 90
    rows = {
        "time": times,
        "machine": [f"m{chosen.randrange(8)}" for _ in times],
        "celsius": [chosen.randrange(9) for _ in times],
    }
    path = folder / "reading.parquet"
    pq.write_table(pa.table(rows), path, row_group_size=25)
    return str(path)


def answer(case: Case | LargeCase, atom: str, time: int) -> object:
    """The whole proof; or when it last held, since what is near, and so what is worth a try, may be others."""
    try:
        return case.why(atom, time)[0].as_json()
    except Rejected as rejected:
        if rejected.diagnostics[0].code != "E563":
            return rejected.diagnostics[0].code
    return case.why_not(atom, time).last_held


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_answers_are_those_for_the_whole(tmp_path: Path, seed: int, late: bool) -> None:
    path, prepared = written(tmp_path, seed, late), prepare(PROGRAM)
    on_error = "skip" if late else "stop"
    stream = read_sourced(path, prepared, on_error)
    whole = Case.of(prepared, stream.arrivals, refused=stream.refused)
    large = LargeCase.of(prepared, path, on_error=on_error)
    assert large is not None
    chosen = random.Random(seed)
    for _ in range(12):
        atom = chosen.choice(["hot(m1)", "calm(m2)", "alarm(m3)", "seen(m4)", "linked(m1,m3)", "known(m0,m5)"])
        time = chosen.randrange(20, 400)
        assert answer(large, atom, time) == answer(whole, atom, time), (atom, time)


def test_row_groups_of_other_times_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, prepared = written(tmp_path, 1), prepare("hot(M) :- reading(M,C) [6], C > 6.")
    read: list[int] = []
    batches = pq.ParquetFile.iter_batches

    def counted(table: pq.ParquetFile, *given: object, **named: object) -> object:
        read.extend(named["row_groups"])
        return batches(table, *given, **named)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", counted)
    large = LargeCase.of(prepared, path)
    assert large is not None
    large.stretch("hot(m1)", "why", 200, 190)
    assert 0 < len(read) < 4


def test_what_counts_arrivals_is_read_as_a_whole(tmp_path: Path) -> None:
    assert LargeCase.of(prepare("hot(M) :- reading(M,C) [6 #], C > 6."), written(tmp_path, 1)) is None
