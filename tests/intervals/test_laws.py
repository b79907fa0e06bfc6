"""The laws of the algebra, each over arbitrary sets, with plain Python sets of points as the model."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.intervals.sets import (
    EMPTY,
    FOREVER,
    Interval,
    IntervalSet,
    coalesce,
    complement,
    contains,
    expire,
    intersect,
    islands,
    subtract,
    unite,
)
from support.vectors import Case, cases

LIMIT = 30
pairs = st.tuples(st.integers(0, LIMIT), st.integers(0, LIMIT))
sets = st.lists(pairs, max_size=6).map(coalesce)
laws = settings(max_examples=200)


def members(intervals: IntervalSet) -> set[int]:
    return {point for first, last in intervals for point in range(first, last + 1)}


@laws
@given(st.lists(pairs))
def test_coalesce_is_the_one_sorted_separated_form(intervals: list[Interval]) -> None:
    merged = coalesce(intervals)
    assert members(merged) == {p for a, b in intervals for p in range(a, b + 1)}
    assert all(a[1] + 1 < b[0] for a, b in pairwise(merged))
    assert coalesce(merged) == merged


@laws
@given(sets, sets)
def test_unite_intersect_subtract_are_those_of_sets(left: IntervalSet, right: IntervalSet) -> None:
    assert members(unite(left, right)) == members(left) | members(right)
    assert members(intersect(left, right)) == members(left) & members(right)
    assert members(subtract(left, right)) == members(left) - members(right)


@laws
@given(sets, sets, sets)
def test_distribution_and_duality(a: IntervalSet, b: IntervalSet, c: IntervalSet) -> None:
    assert intersect(a, unite(b, c)) == unite(intersect(a, b), intersect(a, c))
    assert subtract(a, unite(b, c)) == intersect(subtract(a, b), subtract(a, c))
    assert unite(subtract(a, b), intersect(a, b)) == a


@laws
@given(sets, pairs)
def test_complement_within_an_interval(a: IntervalSet, within: Interval) -> None:
    assert members(complement(within, a)) == set(range(within[0], within[1] + 1)) - members(a)


@laws
@given(sets, st.integers(0, LIMIT))
def test_expire_keeps_the_rest(a: IntervalSet, before: int) -> None:
    assert members(expire(a, before)) == {p for p in members(a) if p >= before}


@laws
@given(sets, st.integers(0, 4), st.integers(0, 4), st.integers(0, 6))
def test_islands_are_the_times_with_a_full_window(a: IntervalSet, past: int, future: int, start: int) -> None:
    full = {t for t in range(start, LIMIT + 10) if set(range(max(start, t - past), t + future + 1)) <= members(a)}
    assert members(islands(a, past, future, start)) == full


@laws
@given(sets, st.integers(0, LIMIT))
def test_contains(a: IntervalSet, point: int) -> None:
    assert contains(a, point) == (point in members(a))


def test_open_ends_stay_open() -> None:
    assert unite(((3, FOREVER),), ((1, 2),)) == ((1, FOREVER),)
    assert subtract(((3, FOREVER),), ((5, 6),)) == ((3, 4), (7, FOREVER))
    assert subtract(((3, FOREVER),), ((5, FOREVER),)) == ((3, 4),)
    assert islands(((3, FOREVER),), 2, 5, 0) == ((5, FOREVER),)
    assert expire(EMPTY, 5) == EMPTY


@pytest.mark.parametrize("case", cases("laser_join"), ids=str)
def test_the_annotation_of_a_body_is_the_intersection(case: Case) -> None:
    body: IntervalSet = ((0, FOREVER),)
    for first, last in case["annotations"]:
        body = intersect(body, ((first, FOREVER if last == "inf" else last),))
    assert body == (EMPTY if case["expect"] is None else (tuple(case["expect"]),))
