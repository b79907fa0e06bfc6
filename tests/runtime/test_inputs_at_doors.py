"""Values, times and bad records are the same through every door without Spark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import larspark
import larspark.read
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.values import Value
from support.door_inputs import (
    CELLS,
    EMPTY,
    LINES,
    PROGRAM,
    TIMES,
    TYPED_CELLS,
    VALUES,
    Cell,
    Line,
    Reading,
    cells_by_eval,
    cells_by_tick,
    expected_cells,
    read_by_eval,
    read_by_tick,
)

LIVE = tuple(line for line in LINES if line.live)


@pytest.mark.parametrize(("read", "lines"), [(read_by_eval, LINES), (read_by_tick, LIVE)])
def test_lines(read: Callable[[tuple[Line, ...], Path], Reading], lines: tuple[Line, ...], tmp_path: Path) -> None:
    found, expected = read(lines, tmp_path), Reading.expected(lines)
    assert found.refused == expected.refused
    assert found.values == expected.values


@pytest.mark.parametrize("read", [cells_by_eval, cells_by_tick])
def test_cells(read: Callable[[tuple[Cell, ...], Path], Reading], tmp_path: Path) -> None:
    found, expected = read(CELLS, tmp_path), expected_cells(CELLS)
    assert found.refused == expected.refused
    assert found.values == expected.values


def column_by_engine(cell: Cell) -> set[Value]:
    return {fact.args[0] for fact in larspark.Engine(PROGRAM).advance(1, [(cell.predicate, cell.text)]).appeared}


def column_by_evaluate(cell: Cell) -> set[Value]:
    (block,) = larspark.evaluate(PROGRAM, {cell.predicate: {"time": [1], "v": [cell.text]}}).blocks
    return {fact.args[0] for fact in block.facts()}


def column_by_arrivals(cell: Cell) -> set[Value]:
    (block,) = larspark.evaluate(PROGRAM, [(1, (cell.predicate, cell.text))]).blocks
    return {fact.args[0] for fact in block.facts()}


@pytest.mark.parametrize("door", [column_by_engine, column_by_evaluate, column_by_arrivals])
@pytest.mark.parametrize("cell", [*TYPED_CELLS, *EMPTY], ids=lambda cell: f"{cell.predicate}-{cell.text}")
def test_texts_are_read_as_the_declared_type(door: Callable[[Cell], set[Value]], cell: Cell) -> None:
    if cell.code is not None:
        with pytest.raises(Rejected, match=cell.code):
            door(cell)
    else:
        (found,) = door(cell)
        assert (type(found), found) == (type(cell.means), cell.means)


@pytest.mark.parametrize("cell", EMPTY, ids=lambda cell: cell.predicate)
def test_an_empty_cell_of_a_table_is_a_bad_record(cell: Cell, tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(PROGRAM)
    for predicate in (cell.predicate, "a"):
        (tmp_path / f"{predicate}.csv").write_text('time,v\n1,""\n1,\n')
        with pytest.raises(Rejected, match="E403"):
            list(larspark.read.CheckedChunks(larspark.read.read_chunks(tmp_path / f"{predicate}.csv", rules())))


def rules() -> larspark.read.Rules:
    return larspark.prepare(PROGRAM).rules


def by_engine_as_tuple(value: object) -> set[Value]:
    return {fact.args[0] for fact in larspark.Engine(PROGRAM).advance(0, [("a", value)]).appeared}


def by_engine_as_fact(value: object) -> set[Value]:
    atom = Fact("a", (value,))  # type: ignore[arg-type]
    return {fact.args[0] for fact in larspark.Engine(PROGRAM).advance(0, [atom]).appeared}


def by_engine_as_background(value: object) -> set[Value]:
    engine = larspark.Engine("p(X) :- b(X), c.", background=[("b", value)])
    return {fact.args[0] for fact in engine.advance(0, ["c"]).appeared}


def by_replaced_background(value: object) -> set[Value]:
    engine = larspark.Engine("p(X) :- b(X), c.", background=["b(0)"])
    engine.replace_background([("b", value)])
    return {fact.args[0] for fact in engine.advance(0, ["c"]).appeared}


def by_evaluate(value: object) -> set[Value]:
    (block,) = larspark.evaluate(PROGRAM, [(0, ("a", value))]).blocks
    return {fact.args[0] for fact in block.facts()}


@pytest.mark.parametrize(
    "door",
    [by_engine_as_tuple, by_engine_as_fact, by_engine_as_background, by_replaced_background, by_evaluate],
)
@pytest.mark.parametrize(("value", "means"), VALUES, ids=[repr(value)[:20] for value, _ in VALUES])
def test_values(door: Callable[[object], set[Value]], value: object, means: Value | None) -> None:
    if means is None:
        with pytest.raises(Rejected, match="E403"):
            door(value)
    else:
        (found,) = door(value)
        assert (type(found), found) == (type(means), means)


def at_engine(time: object) -> int:
    return larspark.Engine(PROGRAM).advance(time, ["a(1)"]).time  # type: ignore[arg-type]


def at_evaluate(time: object) -> int:
    (block,) = larspark.evaluate(PROGRAM, [(time, "a(1)")]).blocks
    return int(block.times[0])


def at_foresee(time: object) -> int:
    (found,) = larspark.foresee(PROGRAM, "p(X)", [(time, "a(1)")], larspark.Outlook(horizon=0))  # type: ignore[list-item]
    return found


@pytest.mark.parametrize("door", [at_engine, at_evaluate, at_foresee])
@pytest.mark.parametrize(("time", "means"), TIMES, ids=[repr(time)[:20] for time, _ in TIMES])
def test_times(door: Callable[[object], int], time: object, means: int | str) -> None:
    if isinstance(means, str):
        with pytest.raises(Rejected, match=means):
            door(time)
    else:
        assert door(time) == means
