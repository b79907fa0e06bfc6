"""Tables that arrive at an engine: kinds of tables, cuts, refusals, and who is told."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from larspark import Change, Engine, Fact, Rejected

PROGRAM = "alarm(M) :- hot(M) [2], not seen [0]. @T due(M) :- alarm(M), @S hot(M) [2], T = S + 4."
COLUMNS = {"time": [3, 3, 5], "atom": ["hot(a)", "hot(b)", "seen"]}


def rows(engine: Engine, data: Any) -> list[tuple[object, ...]]:
    return sorted(tuple(map(str, row.values())) for row in engine.advance(data).to_pylist())


@pytest.mark.parametrize(
    "make", [dict, pa.table, pd.DataFrame, pl.DataFrame], ids=["columns", "arrow", "pandas", "polars"]
)
def test_a_table_is_a_table(make: Any) -> None:
    assert rows(Engine(PROGRAM), make(COLUMNS)) == rows(Engine(PROGRAM), COLUMNS)


def test_a_table_for_each_predicate() -> None:
    data = {"hot": {"time": [3, 3], "machine": ["a", "b"]}, "seen": {"time": [5]}}
    assert rows(Engine(PROGRAM), data) == rows(Engine(PROGRAM), COLUMNS)


@pytest.mark.parametrize("cut", [1, 2])
@pytest.mark.parametrize("reasoner", ["interval", "clingo"])
def test_more_may_arrive_at_the_present_time_point(cut: int, reasoner: str) -> None:
    """What holds in the end is the same; between the parts of a time point there are changes to tell."""
    whole, parts = Engine(PROGRAM, reasoner), Engine(PROGRAM, reasoner)
    whole.advance(COLUMNS)
    for part in (slice(None, cut), slice(cut, None)):
        parts.advance({name: column[part] for name, column in COLUMNS.items()})
    assert (parts.time, parts.answer()) == (whole.time, whole.answer())


def test_single_calls_and_tables_follow_each_other() -> None:
    engine = Engine("alarm(M) :- hot(M) [2].")
    engine.advance(1, ["hot(a)"])
    assert rows(engine, {"time": [1, 2], "atom": ["hot(b)", "hot(a)"]}) == [("1", "+", "alarm(b)", "None")]
    assert engine.advance(4) == Change(4, disappeared=frozenset({Fact("alarm", ("b",))}))


def test_nothing_is_told_before_the_first_row() -> None:
    assert rows(Engine("p. q :- a."), {"time": [7], "atom": ["a"]}) == [
        ("7", "+", "p", "None"),
        ("7", "+", "q", "None"),
    ]


@pytest.mark.parametrize(
    "bad",
    [
        {"time": [4, 2], "atom": ["hot(c)", "hot(d)"]},
        {"time": [6, 7], "atom": ["hot(c)", "alarm(c)"]},
        {"time": [6, 7], "atom": ["hot(c)", "boom"]},
    ],
    ids=["earlier", "derived", "in-the-evaluation"],
)
def test_a_refused_table_changes_nothing(bad: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("larspark.reasoners.interval.engine.engine.MOST_WAVES", 50)
    program = f"{PROGRAM} n(0) :- boom. n(Y) :- n(X), Y = X + 1."
    engine, untouched = Engine(program), Engine(program)
    for one in (engine, untouched):
        one.advance(COLUMNS)
    with pytest.raises(Rejected):
        engine.advance(bad)
    assert (engine.time, engine.answer()) == (untouched.time, untouched.answer())
    more = {"time": [6], "atom": ["hot(c)"]}
    assert rows(engine, more) == rows(untouched, more)


def test_listeners_are_told_every_change() -> None:
    told, expected = list[Change](), list[Change]()
    engine, singly = Engine(PROGRAM), Engine(PROGRAM)
    engine.on_change(told.append)
    singly.on_change(expected.append)
    engine.advance(COLUMNS)
    singly.advance(3, ["hot(a)", "hot(b)"])
    singly.advance(4)
    singly.advance(5, ["seen"])
    assert told == expected


def test_late_rows_are_taken_as_far_as_allowed() -> None:
    engine = Engine("steady :- always beat [2].", lateness=3)
    engine.advance({"time": [0, 2], "atom": ["beat", "beat"]})
    assert rows(engine, {"time": [1], "atom": ["beat"]}) == [("2", "+", "steady", "None")]


def test_an_empty_table_is_no_step() -> None:
    engine = Engine(PROGRAM)
    assert not len(engine.advance({"time": pa.array([], pa.int64()), "atom": pa.array([], pa.string())}))
    assert engine.time is None
