"""The same stream in every format, and what is said about records that are not in order."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language import Fact, Signature, parse_duration
from larspark.language.calendar import Calendar
from larspark.language.tree import Input
from larspark.read import CheckedChunks, OnError, Rules, named_columns, read_chunks
from larspark.read.formats.lines import SIZE
from larspark.read.rules import Objection, no_objection

ARRIVALS = (
    (3, Fact("tram", ("a1", "b"))),
    (3, Fact("bus", ("two words", -2))),
    (36, Fact("tram", ("a1", Decimal("1.5")))),
    (36, Fact("stop")),
)
MINUTES = Calendar(datetime(2024, 2, 29, 8, tzinfo=UTC), parse_duration("1 min"))


@dataclass
class Read:
    """A whole stream."""

    arrivals: tuple[tuple[int, Fact], ...]
    skipped: int
    diagnostics: tuple[Diagnostic, ...]


def read_stream(
    source: str | Path,
    calendar: Calendar | None = None,
    on_error: OnError = "stop",
    inputs: Sequence[Input] = (),
    objection: Objection = no_objection,
) -> Read:
    rules = Rules(calendar, named_columns(inputs), objection=objection)
    reading = CheckedChunks(read_chunks(source, rules), on_error)
    arrivals = tuple(arrival for chunk in reading for arrival in chunk.arrivals())
    return Read(arrivals, reading.skipped, tuple(reading.diagnostics))


def write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def write_parquet(path: Path, columns: dict[str, Any]) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


JSON_LINES = """\
{"time": 3, "atom": "tram(a1,b)"}
{"time": 3, "predicate": "bus", "args": ["two words", -2]}

{"time": 36, "atom": " tram( a1 , 1.50 ) "}
{"time": 36, "predicate": "stop", "args": [], "comment": "fields of no concern"}
"""
CSV = "time,predicate,x,y\n3,tram,a1,b\n3,bus,two words,-2\n\n36,tram,a1,1.50\n36,stop,,\n"
CSV_ATOMS = 'time,atom\n3,"tram(a1,b)"\n3,"bus(""two words"",-2)"\n36,"tram(a1,1.5)"\n36,stop\n'


@pytest.mark.parametrize(("name", "text"), [("s.jsonl", JSON_LINES), ("s.csv", CSV), ("atoms.csv", CSV_ATOMS)])
def test_text_formats(tmp_path: Path, name: str, text: str) -> None:
    assert read_stream(write(tmp_path / name, text)).arrivals == ARRIVALS
    assert read_stream(write(tmp_path / name, "\ufeff" + text.replace("\n", "\r\n"))).arrivals == ARRIVALS


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(JSON_LINES.encode())))
    assert read_stream("-").arrivals == ARRIVALS


def test_parquet_with_a_predicate_column(tmp_path: Path) -> None:
    columns = {"time": [1, 2], "predicate": ["p", "q"], "args": [["a", "b"], []]}
    path = write_parquet(tmp_path / "s.parquet", columns)
    assert read_stream(path).arrivals == ((1, Fact("p", ("a", "b"))), (2, Fact("q")))


def test_parquet_named_after_its_predicate(tmp_path: Path) -> None:
    moments = [datetime(2024, 2, 29, 8, tzinfo=UTC) + timedelta(seconds=s) for s in (0, 61)]
    columns = {"level": [1.5, 2.0], "time": moments, "id": ["a", "b"], "on": [True, False]}
    path = write_parquet(tmp_path / "sensor.parquet", columns)
    named = Input(Signature("sensor", 3), ("id", "level", "on"))
    assert read_stream(path, calendar=MINUTES, inputs=[named]).arrivals == (
        (0, Fact("sensor", ("a", Decimal("1.5"), "true"))),
        (1, Fact("sensor", ("b", 2, "false"))),
    )


def test_a_folder_is_merged_by_time(tmp_path: Path) -> None:
    write(tmp_path / "tram.csv", "time,id\n1,a\n4,b\n")
    write(tmp_path / "bus.csv", "id,time\nx,1\ny,3\n")
    write(tmp_path / "README", "not data")
    facts = [(time, str(fact)) for time, fact in read_stream(tmp_path).arrivals]
    assert facts == [(1, "bus(x)"), (1, "tram(a)"), (3, "bus(y)"), (4, "tram(b)")]


def test_timestamps_need_a_calendar(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", '{"time": "2024-02-29T08:05:30Z", "atom": "a"}\n')
    assert read_stream(path, calendar=MINUTES).arrivals == ((5, Fact("a")),)
    with pytest.raises(Rejected) as caught:
        read_stream(path)
    assert [found.code for found in caught.value.diagnostics] == ["E404"]


BAD_JSON = [
    ('{"time": 1, "atom": "a"', "E401", 24),
    ("[1, 2]", "E401", 1),
    ('{"time": 1, "predicate": "p", "args": [NaN]}', "E401", 1),
    ("[" * 100_000, "E401", 1),
    ('{"time": ' + "9" * 5000 + ', "atom": "a"}', "E401", 1),
    ('{"time": 1e' + "9" * 50 + ', "atom": "a"}', "E401", 1),
    ("\udcff", "E401", 1),
    ('{"time": 1}', "E402", 1),
    ('{"atom": "a"}', "E402", 1),
    ('{"time": 1, "atom": "p(X)"}', "E403", 1),
    ('{"time": 1, "atom": "p("}', "E403", 1),
    ('{"time": 1, "atom": "a :- b"}', "E403", 1),
    ('{"time": 1, "atom": 5}', "E403", 1),
    ('{"time": 1, "predicate": "p", "args": "a"}', "E403", 1),
    ('{"time": 1, "predicate": "p", "args": [null]}', "E403", 1),
    ('{"time": 1, "predicate": "p", "args": [[1]]}', "E403", 1),
    ('{"time": -1, "atom": "a"}', "E404", 1),
    ('{"time": 1.5, "atom": "a"}', "E404", 1),
    ('{"time": true, "atom": "a"}', "E404", 1),
    ('{"time": "yesterday", "atom": "a"}', "E404", 1),
    ('{"time": 0, "atom": "late"}', "E405", 1),
]


@pytest.mark.parametrize(("line", "code", "column"), BAD_JSON, ids=lambda value: str(value)[:40])
def test_bad_json_lines_are_placed(tmp_path: Path, line: str, code: str, column: int) -> None:
    path = tmp_path / "s.jsonl"
    text = f'{{"time": 1, "atom": "a"}}\n{line}\n{{"time": 2, "atom": "b"}}\n'
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(Rejected) as caught:
        read_stream(path)
    (found,) = caught.value.diagnostics
    assert (found.code, str(found.origin)) == (code, f"{path}:2:{column}")
    assert found.message
    assert found.hint
    skipping = read_stream(path, on_error="skip")
    assert skipping.arrivals == ((1, Fact("a")), (2, Fact("b")))
    assert (skipping.skipped, skipping.diagnostics) == (1, (found,))


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("time,predicate,x\n1,p,a\n2,p\n", "E401", 3),
        ('time,predicate,x\n1,p,"a\n', "E401", 2),
        ("time,predicate,x\n1,p,\udcff\n", "E403", 2),
        ("time,predicate,x\nsoon,p,a\n", "E404", 2),
        ("time,predicate,x\n2,p,a\n1,p,a\n", "E405", 3),
        ("id,station\na,b\n", "E407", 1),
        ("", "E407", 1),
    ],
)
def test_bad_csv_is_placed(tmp_path: Path, text: str, code: str, line: int) -> None:
    path = tmp_path / "s.csv"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(Rejected) as caught:
        read_stream(path)
    assert [(found.code, str(found.origin)) for found in caught.value.diagnostics] == [(code, f"{path}:{line}:1")]


def test_declared_columns_must_exist(tmp_path: Path) -> None:
    path = write(tmp_path / "tram.csv", "time,id,halt\n1,a,b\n")
    with pytest.raises(Rejected) as caught:
        read_stream(path, inputs=[Input(Signature("tram", 2), ("id", "station"))])
    assert [found.code for found in caught.value.diagnostics] == ["E407"]


@pytest.mark.parametrize(
    ("name", "code"), [("gone.jsonl", "E406"), ("gone.csv", "E406"), ("gone.parquet", "E406"), ("gone", "E406")]
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, code: str) -> None:
    with pytest.raises(Rejected) as caught:
        read_stream(tmp_path / name)
    assert [found.code for found in caught.value.diagnostics] == [code]


def test_a_file_that_is_not_parquet(tmp_path: Path) -> None:
    with pytest.raises(Rejected) as caught:
        read_stream(write(tmp_path / "s.parquet", "time,predicate\n"))
    assert [found.code for found in caught.value.diagnostics] == ["E406"]


def test_what_the_program_objects_to_is_placed_at_its_record(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", '{"time": 1, "atom": "a"}\n{"time": 2, "atom": "derived"}\n')
    refusal = Diagnostic("E409", "derived/0 is derived.", "Rename it.")
    stream = read_stream(
        path, on_error="skip", objection=lambda signature: refusal if signature.predicate == "derived" else None
    )
    assert stream.arrivals == ((1, Fact("a")),)
    assert [(found.code, str(found.origin)) for found in stream.diagnostics] == [("E409", f"{path}:2:1")]


def test_what_stands_before_a_bad_record_is_given(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", '{"time": 1, "atom": "a"}\n' * 3 + "broken\n" + '{"time": 1, "atom": "b"}\n')
    reading = iter(CheckedChunks(read_chunks(path, Rules())))
    assert next(reading).arrivals() == [(1, Fact("a"))] * 3
    with pytest.raises(Rejected):
        next(reading)


def test_large_files_are_read_in_pieces(tmp_path: Path) -> None:
    line = '{"time": 1, "atom": "a"}\n'
    chunks = read_chunks(write(tmp_path / "s.jsonl", line * (SIZE // len(line) + 2)), Rules())
    assert len(next(chunks)) < len(next(chunks)) + SIZE // len(line)


def test_findings_are_counted_and_the_first_ones_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", '{"time": 1, "atom": "a"}\n' + "broken\n" * 2000)
    stream = read_stream(path, on_error="skip")
    assert (len(stream.arrivals), stream.skipped, len(stream.diagnostics)) == (1, 2000, 1000)
    assert str(stream.diagnostics[-1].origin) == f"{path}:1001:1"


@pytest.mark.parametrize("name", ["s.jsonl", "s.csv", "p.parquet"])
def test_numbers_with_whole_values_are_times(tmp_path: Path, name: str) -> None:
    write(tmp_path / "s.jsonl", '{"time": 1.0, "atom": "p(a)"}\n{"time": 2e0, "atom": "p(b)"}\n')
    write(tmp_path / "s.csv", "time,atom\n1,p(a)\n+2,p(b)\n")
    write_parquet(tmp_path / "p.parquet", {"time": [1.0, 2.0], "x": ["a", "b"]})
    assert read_stream(tmp_path / name).arrivals == ((1, Fact("p", ("a",))), (2, Fact("p", ("b",))))


def test_only_needed_columns_of_parquet_are_read(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "p.parquet", {"time": [1], "x": ["a"], "other": [[1, 2]]})
    named = Input(Signature("p", 1), ("x",))
    assert read_stream(path, inputs=[named]).arrivals == ((1, Fact("p", ("a",))),)


def test_damaged_parquet_is_told(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "p.parquet", {"time": list(range(5000)), "x": [str(one) for one in range(5000)]})
    content = bytearray(path.read_bytes())
    content[100:4000] = b"x" * 3900
    path.write_bytes(bytes(content))
    with pytest.raises(Rejected) as caught:
        read_stream(path)
    assert [found.code for found in caught.value.diagnostics] == ["E406"]


def test_parquet_columns_with_names_that_are_no_text_are_told(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "p.parquet", {"time": [1], "x": ["a"]})
    path.write_bytes(path.read_bytes().replace(b"\x18\x04time", b"\x18\x04tim\xe5"))
    with pytest.raises(Rejected) as caught:
        read_stream(path)
    assert [found.code for found in caught.value.diagnostics] == ["E406"]


def test_a_file_of_any_other_name_is_read_as_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "events.log"
    path.write_text('{"time": 3, "atom": "a"}\n')
    assert read_stream(path).arrivals == ((3, Fact("a")),)
