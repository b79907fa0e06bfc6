"""Through the doors of Spark, the published cases, the examples and random programs say the same as everywhere.

Cases that do not disturb each other share a run; the others and more examples are tried with `LARSPARK_EXHAUSTIVE`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from support.corpus import Together
from support.door_inputs import (
    CELLS,
    LINES,
    Line,
    Reading,
    cells_by_run,
    expected_cells,
    read_by_run,
    read_by_run_follow,
)
from support.door_questions import (
    GROUPS,
    NAMES,
    check_background,
    check_cases,
    check_example,
    check_random_programs,
    check_refusal,
)
from support.doors import ON_SPARK, Door
from support.mended_cases import REFUSED

EXHAUSTIVE = bool(os.environ.get("LARSPARK_EXHAUSTIVE"))
PROGRAMS = 20 if EXHAUSTIVE else 6
"""Random ones, for each door; `test_many_programs.py` and `test_random_streams.py` try more of them."""
doors = pytest.mark.parametrize("door", ON_SPARK, ids=str)
CASES = [
    pytest.param(door, group, id=f"{group}-{door}", marks=() if door.name == "run" else pytest.mark.thorough)
    for group in GROUPS
    for door in ON_SPARK
    if EXHAUSTIVE or len(group.parts) > 1 or door.name == "run"
]
REFUSALS = [
    pytest.param(
        door, name, id=f"{name}-{door}", marks=() if (door, place) == (ON_SPARK[0], 0) else pytest.mark.thorough
    )
    for place, (name, *_) in enumerate(REFUSED)
    for door in ON_SPARK
]


@pytest.mark.parametrize(("door", "group"), CASES)
def test_cases(spark: SparkSession, door: Door, group: Together, tmp_path: Path) -> None:
    check_cases(door, group, tmp_path)


@pytest.mark.parametrize(("door", "case"), REFUSALS)
def test_refusals(spark: SparkSession, door: Door, case: str, tmp_path: Path) -> None:
    check_refusal(door, case, tmp_path)


@doors
@pytest.mark.parametrize("name", NAMES if EXHAUSTIVE else ("caching",))
def test_examples(spark: SparkSession, door: Door, name: str, tmp_path: Path) -> None:
    check_example(door, name, tmp_path)


@pytest.mark.thorough
@doors
def test_random_programs(spark: SparkSession, door: Door, tmp_path: Path) -> None:
    check_random_programs(door, 3, PROGRAMS, tmp_path)


@doors
def test_background_is_read_through_every_door(spark: SparkSession, door: Door, tmp_path: Path) -> None:
    check_background(door, tmp_path)


@pytest.mark.parametrize("read", [read_by_run, read_by_run_follow])
def test_lines(spark: SparkSession, read: Callable[[tuple[Line, ...], Path], Reading], tmp_path: Path) -> None:
    """Values, times and bad records are those of every other door."""
    found, expected = read(LINES, tmp_path), Reading.expected(LINES)
    assert found.refused == expected.refused
    assert found.values == expected.values


def test_cells(spark: SparkSession, tmp_path: Path) -> None:
    """What stands in cells means the same as through every other door."""
    found, expected = cells_by_run(CELLS, tmp_path), expected_cells(CELLS)
    assert found.refused == expected.refused
    assert found.values == expected.values
