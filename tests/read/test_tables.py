"""Tables in memory as chunks: layouts, kinds of tables, refused rows and their places."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Signature
from larspark.read import Chunk, Rules, chunks_of_table
from support.chunks import arrivals, refused


def read(table: Any, rules: Rules = Rules(), predicate: str = "p", **options: Any) -> Chunk:  # noqa: B008 - frozen
    (chunk,) = chunks_of_table(table, rules, predicate, **options)
    return chunk


COLUMNS: dict[str, list[Any]] = {"time": [1, 2, 2], "x": ["a", "b", "a"], "y": [1.5, 2.0, -3.0]}


@pytest.mark.parametrize("kind", [dict, pa.table, pd.DataFrame, pl.DataFrame, pa.RecordBatch.from_pydict])
def test_kinds_of_tables(kind: Any) -> None:
    assert arrivals(read(kind(COLUMNS))) == [(0, 1, "p(a,1.5)"), (1, 2, "p(b,2)"), (2, 2, "p(a,-3)")]


def test_the_index_of_a_frame_is_a_column_if_it_has_a_name() -> None:
    frame = pd.DataFrame({"time": [1, 2], "x": ["a", "b"]})
    assert arrivals(read(frame.set_index("time"))) == [(0, 1, "p(a)"), (1, 2, "p(b)")]
    assert arrivals(read(frame[frame.x == "b"])) == [(0, 2, "p(b)")]


def test_what_is_no_table() -> None:
    with pytest.raises(TypeError, match="a table is needed, not int"):
        list(chunks_of_table(5, Rules()))


def test_named_columns_and_another_time() -> None:
    rules = Rules(columns={"p": ("y", "x")}, time="when")
    table = {"when": [4.0], "x": [True], "other": [None], "y": [7]}
    assert arrivals(read(table, rules, first=10)) == [(10, 4, 'p(7,"true")')]


def test_a_column_of_atoms() -> None:
    table = {"time": [1, 1, 2, 3, 3], "atom": ["a(1,b)", "c", "p(", 'a("x y",-2.50)', None]}
    chunk = read(table, name="t")
    assert arrivals(chunk) == [(0, 1, "a(1,b)"), (1, 1, "c"), (3, 3, 'a("x y",-2.5)')]
    assert refused(chunk) == [(2, "E403", "t:3:1"), (4, "E403", "t:5:1")]


def test_a_column_of_predicates() -> None:
    table = {
        "time": [1, 2, 3, 4],
        "predicate": ["a", "b", "a", "a"],
        "x": ["u", "", None, None],
        "y": [1, None, None, 2],
    }
    chunk = read(table)
    assert arrivals(chunk) == [(0, 1, "a(u,1)"), (1, 2, "b"), (2, 3, "a")]
    assert [one.diagnostic.message for one in chunk.refused] == ["The cell of `x` holds a missing value."]


def test_a_column_of_lists() -> None:
    table = {"time": [1, 2, 3, 4], "predicate": ["a", "b", "a", "a"], "args": [["u", "v"], [], ["w", "\0"], None]}
    assert arrivals(read(table)) == [(0, 1, "a(u,v)"), (1, 2, "b"), (2, 3, 'a(w,"\0")'), (3, 4, "a")]


def test_refused_rows_say_why_and_can_be_fed_again() -> None:
    table = {"time": [1, 5, None, 4, 6], "x": ["a", None, "c", "d", "e"], "y": [1.0, 2.0, float("nan"), 3.0, 4.0]}
    chunk = read(table, name="t", first=100)
    assert arrivals(chunk) == [(100, 1, "p(a,1)"), (103, 4, "p(d,3)"), (104, 6, "p(e,4)")]
    messages = ["The cell of `x` holds a missing value.", "The cell of `y` holds an infinite or undefined number."]
    assert [one.diagnostic.message for one in chunk.refused] == messages
    assert json.loads(chunk.refused[0].record) == {"time": 5, "x": None, "y": 2.0}


def test_time_does_not_go_backwards() -> None:
    table = {"time": [3, 1, 4, 2, 4], "x": [1, 2, 3, 4, 5]}
    chunk = read(table)
    assert arrivals(chunk) == [(0, 3, "p(1)"), (2, 4, "p(3)"), (4, 4, "p(5)")]
    assert [one.diagnostic.message for one in chunk.refused] == [
        "Time goes backwards, from 3 to 1.",
        "Time goes backwards, from 4 to 2.",
    ]
    assert len(read(table, Rules(ordered=False))) == 5


def test_what_the_program_refuses_does_not_move_time() -> None:
    refusal = Diagnostic("E409", "It is derived.", "Rename it.")
    rules = Rules(objection=lambda signature: refusal if signature == Signature("b", 0) else None)
    chunk = read({"time": [1, 9, 2, 1], "atom": ["a", "b", "a", "b"]}, rules, name="t")
    assert arrivals(chunk) == [(0, 1, "a"), (2, 2, "a")]
    assert refused(chunk) == [(1, "E409", "t:2:1"), (3, "E405", "t:4:1")]


def test_a_table_without_times() -> None:
    with pytest.raises(Rejected, match=r"E407: The table of p has no column `time`\. The columns are x;"):
        read({"x": [1, 2]})
    assert arrivals(read({"x": [1, 2], "time": [3, 4]}, Rules(timed=False))) == [(0, 0, "p(1,3)"), (1, 0, "p(2,4)")]


@pytest.mark.parametrize("rules", [Rules(columns={"p": ("z",)}), Rules(arity=3)])
def test_columns_that_do_not_fit(rules: Rules) -> None:
    with pytest.raises(Rejected) as caught:
        read({"time": [1], "x": [2]}, rules)
    assert [found.code for found in caught.value.diagnostics] == ["E407"]
