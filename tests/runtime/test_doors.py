"""Through every door without Spark, the published cases, the examples and random programs say the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from support.corpus import NOT_AT_DOORS, Together, obstacle
from support.door_questions import (
    CASES,
    GROUPS,
    NAMES,
    PUBLISHED,
    check_background,
    check_cases,
    check_example,
    check_random_programs,
    check_refusal,
)
from support.doors import HERE, Door
from support.mended_cases import REFUSED

doors = pytest.mark.parametrize("door", HERE, ids=str)


def test_which_cases_run() -> None:
    found = Counter(map(obstacle, CASES))
    assert found.keys() == {None, *NOT_AT_DOORS}
    assert found[None] == sum(len(group.parts) for group in PUBLISHED) == 64


@doors
@pytest.mark.parametrize("group", GROUPS, ids=str)
def test_cases(door: Door, group: Together, tmp_path: Path) -> None:
    check_cases(door, group, tmp_path)


@doors
@pytest.mark.parametrize("case", [name for name, *_ in REFUSED])
def test_refusals(door: Door, case: str, tmp_path: Path) -> None:
    check_refusal(door, case, tmp_path)


@doors
@pytest.mark.parametrize("name", NAMES)
def test_examples(door: Door, name: str, tmp_path: Path) -> None:
    check_example(door, name, tmp_path)


@pytest.mark.random
@doors
@pytest.mark.parametrize("seed", range(3))
def test_random_programs(door: Door, seed: int, tmp_path: Path) -> None:
    check_random_programs(door, seed, 10, tmp_path)


@doors
def test_background_is_read_through_every_door(door: Door, tmp_path: Path) -> None:
    check_background(door, tmp_path)
