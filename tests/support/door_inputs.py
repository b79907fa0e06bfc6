"""Inputs, well and ill formed, with what they are: the same through every door that reads them."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from larspark.cli.main import main
from larspark.language.parser import parse_fact
from larspark.language.values import Value
from support.doors import text

PROGRAM = """#clock 1 s. #input a/1, n(v: number), i(v: integer), t(v: text), b(v: boolean), m(v: time).
p(X) :- a(X). p(X) :- n(X). p(X) :- i(X). p(X) :- t(X). p(X) :- b(X). p(X) :- m(X)."""
"""`a` takes anything, the others what their types say."""


@dataclass(frozen=True)
class Line:
    """A line of a stream at time 1."""

    text: str
    means: Value | None = None
    """The argument of the atom `a` that it is."""
    code: str | None = None
    """Why it is none."""
    live: bool = True
    """False: a live source reads it otherwise, since there a line needs no time and may be an atom."""


LINES = (
    Line('{"time": 1, "atom": "a(1)"}', 1),
    Line('{"time": 1, "atom": "a(-2)"}', -2),
    Line('{"time": 1, "atom": "a(2.50)"}', Decimal("2.5")),
    Line('{"time": 1, "predicate": "a", "args": [3.50]}', Decimal("3.5")),
    Line('{"time": 1, "predicate": "a", "args": [4.0]}', 4),
    Line('{"time": 1, "predicate": "a", "args": [true]}', "true"),
    Line('{"time": 1, "predicate": "a", "args": ["two words"]}', "two words"),
    Line('{"time": 1, "predicate": "a", "args": [123456789012345678901234567890]}', 123456789012345678901234567890),
    Line('{"time": "1", "atom": "a(text_time)"}', "text_time"),
    Line('{"time": "1970-01-01T00:00:01Z", "atom": "a(zulu)"}', "zulu"),
    Line('{"time": "1970-01-01T02:00:01+02:00", "atom": "a(zone)"}', "zone"),
    Line('{"time": 1.0, "atom": "a(whole)"}', "whole"),
    Line('{"time": 1.5, "atom": "a(91)"}', code="E404"),
    Line('{"time": -1, "atom": "a(92)"}', code="E404"),
    Line('{"time": true, "atom": "a(93)"}', code="E404"),
    Line('{"time": "soon", "atom": "a(94)"}', code="E404"),
    Line('{"time": null, "atom": "a(95)"}', code="E402", live=False),
    Line('{"atom": "a(96)"}', code="E402", live=False),
    Line('{"time": 1}', code="E402"),
    Line('{"time": 1, "atom": "a(X)"}', code="E403"),
    Line('{"time": 1, "atom": "a("}', code="E403"),
    Line('{"time": 1, "predicate": "a", "args": [null]}', code="E403"),
    Line('{"time": 1, "predicate": "a", "args": [[1]]}', code="E403"),
    Line('{"time": 1, "predicate": "a", "args": 3}', code="E403"),
    Line('{"time": 1, "predicate": 3, "args": []}', code="E403"),
    Line('{"time": 1, "predicate": "a", "args": [NaN]}', code="E401"),
    Line('{"time": 1, "atom": ', code="E401"),
    Line("[1]", code="E401", live=False),
    Line('{"time": 1, "atom": "p(1)"}', code="E409"),
    Line('{"time": 1, "atom": "a(1,2)"}', code="E410"),
    Line('{"time": 1, "atom": "n(10.5)"}', Decimal("10.5")),
    Line('{"time": 1, "predicate": "n", "args": ["11.5"]}', Decimal("11.5")),
    Line('{"time": 1, "predicate": "n", "args": ["1e-05"]}', Decimal("0.00001")),
    Line('{"time": 1, "atom": "n(high)"}', code="E413"),
    Line('{"time": 1, "predicate": "n", "args": ["91,5"]}', code="E413"),
    Line('{"time": 1, "predicate": "n", "args": ["NaN"]}', code="E403"),
    Line('{"time": 1, "predicate": "n", "args": [""]}', code="E403"),
    Line('{"time": 1, "predicate": "i", "args": [12]}', 12),
    Line('{"time": 1, "predicate": "i", "args": [12.5]}', code="E413"),
    Line('{"time": 1, "predicate": "t", "args": ["13"]}', "13"),
    Line('{"time": 1, "predicate": "t", "args": [14]}', code="E413"),
    Line('{"time": 1, "predicate": "t", "args": [" "]}', code="E403"),
    Line('{"time": 1, "predicate": "b", "args": [false]}', "false"),
    Line('{"time": 1, "predicate": "b", "args": ["yes"]}', code="E413"),
    Line('{"time": 1, "predicate": "m", "args": ["1970-01-01T00:00:15Z"]}', 15),
    Line('{"time": 1, "predicate": "m", "args": [16]}', 16),
    Line('{"time": 1, "predicate": "m", "args": ["soon"]}', code="E413"),
)


@dataclass(frozen=True)
class Cell:
    """A row of a table of texts, with the predicate and its argument."""

    predicate: str
    text: str
    means: Value | None = None
    code: str | None = None

    @property
    def row(self) -> str:
        quoted = '"' + self.text + '"' if "," in self.text else self.text
        return f"1,{self.predicate},{quoted},"


CELLS = (
    Cell("a", "1", 1),
    Cell("a", "2.50", Decimal("2.5")),
    Cell("a", "two words", "two words"),
    Cell("a", "91 C", "91 C"),
    Cell("a", "NaN", code="E403"),
    Cell("a", "-inf", code="E403"),
    Cell("a", "Infinity", code="E403"),
    Cell("n", "3.50", Decimal("3.5")),
    Cell("n", " 4.5 ", Decimal("4.5")),
    Cell("n", "+5.5", Decimal("5.5")),
    Cell("n", "6.5e1", 65),
    Cell("n", "inf", code="E403"),
    Cell("n", "nan", code="E403"),
    Cell("n", "91,5", code="E413"),
    Cell("n", "91.5 C", code="E413"),
    Cell("i", "7", 7),
    Cell("i", "8.0", 8),
    Cell("i", "8.5", code="E413"),
    Cell("t", "007", "007"),
    Cell("t", "1.50", "1.50"),
    Cell("t", "nan", "nan"),
    Cell("b", "TRUE", "true"),
    Cell("b", "1", code="E413"),
    Cell("m", "1970-01-01T00:00:20Z", 20),
    Cell("m", "21", 21),
    Cell("m", "yesterday", code="E413"),
)
"""What stands in the cells of CSV files and in columns of texts."""
TYPED_CELLS = tuple(cell for cell in CELLS if cell.predicate != "a")
EMPTY = tuple(Cell(predicate, "", code="E403") for predicate in ("n", "i", "t", "b", "m"))
"""In a table with one predicate; where a column names it, an empty cell at the end is no argument."""


def expected_cells(cells: tuple[Cell, ...]) -> Reading:
    return Reading(
        {text(cell.means) for cell in cells if cell.means is not None},
        {cell.row: cell.code for cell in cells if cell.code is not None},
    )


def written_cells(cells: tuple[Cell, ...], folder: Path) -> tuple[Path, Path]:
    """The program, and the cells as CSV; its last column is empty, so that spaces stay inside."""
    (folder / "p.lars").write_text(PROGRAM)
    (folder / "s.csv").write_text("time,predicate,v,w\n" + "".join(f"{cell.row}\n" for cell in cells))
    return folder / "p.lars", folder / "s.csv"


@dataclass(frozen=True)
class Reading:
    """What became of a file of lines: arguments as text, and the code of each line that was refused."""

    values: set[str]
    refused: dict[str, str]

    @classmethod
    def expected(cls, lines: tuple[Line, ...]) -> Reading:
        return cls(
            {text(line.means) for line in lines if line.means is not None},
            {line.text: line.code for line in lines if line.code is not None},
        )


def written(lines: tuple[Line, ...], folder: Path) -> tuple[Path, Path]:
    """The program and the stream as files."""
    (folder / "p.lars").write_text(PROGRAM)
    (folder / "s.jsonl").write_text("".join(f"{line.text}\n" for line in lines))
    return folder / "p.lars", folder / "s.jsonl"


def _told(*words: object) -> tuple[str, list[Any]]:
    written, err = io.BytesIO(), io.StringIO()
    with redirect_stdout(io.TextIOWrapper(written, encoding="utf-8", write_through=True)), redirect_stderr(err):
        assert main([*map(str, words), "--format", "json"]) == 0, err.getvalue()
        printed = written.getvalue().decode()
    return printed, [json.loads(line) for line in err.getvalue().splitlines() if line.startswith("{")]


def _refused(found: list[Any], stream: Path) -> dict[str, str]:
    lines = stream.read_text().splitlines()
    return {lines[one["line"] - 1]: one["code"] for one in found if "code" in one and one["line"]}


def read_by_eval(lines: tuple[Line, ...], folder: Path) -> Reading:
    return _by_eval(*written(lines, folder))


def cells_by_eval(cells: tuple[Cell, ...], folder: Path) -> Reading:
    return _by_eval(*written_cells(cells, folder))


def _by_eval(program: Path, stream: Path) -> Reading:
    printed, told = _told("eval", program, "--stream", stream, "--on-error", "skip")
    (answer,) = json.loads(printed)["answer_streams"]
    return Reading({text(parse_fact(one).args[0]) for one in answer["now"]}, _refused(told, stream))


def read_by_tick(lines: tuple[Line, ...], folder: Path) -> Reading:
    return _by_tick(*written(lines, folder), folder)


def cells_by_tick(cells: tuple[Cell, ...], folder: Path) -> Reading:
    return _by_tick(*written_cells(cells, folder), folder)


def _by_tick(program: Path, stream: Path, folder: Path) -> Reading:
    words = ("-i", stream, "-o", folder / "out", "-f", "p", "-l", "warn")
    _, told = _told("tick", "-p", program, *words)
    *_, last = map(json.loads, (folder / "out").read_text().splitlines())
    return Reading({text(parse_fact(one).args[0]) for one in last["model"]}, _refused(told, stream))


def read_by_run(lines: tuple[Line, ...], folder: Path) -> Reading:
    return _by_run(*written(lines, folder), folder)


def cells_by_run(cells: tuple[Cell, ...], folder: Path) -> Reading:
    return _by_run(*written_cells(cells, folder), folder)


def _by_run(program: Path, stream: Path, folder: Path) -> Reading:
    _told("run", program, "--input", stream, "--output", folder / "out", "--on-error", "skip", "--partitions", 1)
    return _of_tables(folder / "out")


def read_by_run_follow(lines: tuple[Line, ...], folder: Path) -> Reading:
    program, stream = written(lines, folder)
    (folder / "in").mkdir()
    stream.rename(folder / "in" / stream.name)
    words = ("--input", folder / "in", "--output", folder / "out", "--follow", "--once", "--partitions", 1)
    _told("run", program, *words)
    return _of_tables(folder / "out")


def _of_tables(output: Path) -> Reading:
    values = [row["v"] for path in (output / "p").glob("*.parquet") for row in pq.read_table(path).to_pylist()]
    letters = [row for path in (output / "_dead_letters").glob("*.parquet") for row in pq.read_table(path).to_pylist()]
    return Reading(set(map(text, values)), {row["record"]: str(row["objection"])[:4] for row in letters})


VALUES: tuple[tuple[object, Value | None], ...] = (
    (1, 1),
    (-(10**30), -(10**30)),
    ("two words", "two words"),
    (2.5, Decimal("2.5")),
    (4.0, 4),
    (Decimal("3.50"), Decimal("3.5")),
    (True, "true"),
    (np.int64(7), 7),
    (np.float64(0.25), Decimal("0.25")),
    (date(2026, 1, 31), "2026-01-31"),
    (None, None),
    (float("nan"), None),
    (float("inf"), None),
    ([1], None),
    (b"x", None),
    (object(), None),
)
"""Arguments as Python has them and the values that they are; None: they are none, which is E403."""

TIMES: tuple[tuple[object, int | str], ...] = (
    (3, 3),
    (np.int64(3), 3),
    (datetime(1970, 1, 1, 0, 0, 3, tzinfo=UTC), 3),
    (3.0, 3),
    ("3", 3),
    ("1970-01-01T00:00:03Z", 3),
    (2.5, "E404"),
    (float("nan"), "E404"),
    (True, "E404"),
    ("soon", "E404"),
    ([3], "E404"),
    (None, "E402"),
    (-1, "E404"),
    (1 << 60, "E404"),
)
"""Times as Python has them, and the time points that they are or the code of their refusal."""
