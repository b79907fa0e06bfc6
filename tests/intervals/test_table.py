"""The compiled tables against a dictionary of interval sets."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.intervals.sets import FOREVER, IntervalSet, coalesce, intersect, subtract, unite
from larspark.intervals.tables.storage import META, SIZE, Rows, Table, clear, compact, content, new_table
from larspark.intervals.tables.table import absorb, absorb_own, covered, remove, remove_own, uncovered

Key = tuple[int, int]
row = st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 20), st.sampled_from([0, 1, 2, 5, FOREVER])).map(
    lambda r: (r[0], r[1], r[2], min(FOREVER, r[2] + r[3]))
)
batch = st.lists(row, max_size=6)
operations = st.sampled_from(["absorb", "absorb_own", "remove", "compact", "covered", "uncovered", "clear"])
steps = st.lists(st.tuples(operations, batch), max_size=8)


def as_rows(rows: list[tuple[int, ...]]) -> Rows:
    return np.array(rows, np.int64).reshape(len(rows), 4)


def by_key(rows: Rows) -> dict[Key, IntervalSet]:
    found: dict[Key, list[tuple[int, int]]] = {}
    for a, b, first, last in rows.tolist():
        found.setdefault((a, b), []).append((first, last))
    for pieces in found.values():
        assert len(coalesce(pieces)) <= len(pieces)
        assert sum(b - a + 1 for a, b in coalesce(pieces)) == sum(b - a + 1 for a, b in pieces), "pieces overlap"
    return {key: coalesce(pieces) for key, pieces in found.items()}


@settings(max_examples=400)
@given(steps)
def test_a_table_is_a_dictionary_of_interval_sets(script: list[tuple[str, list[tuple[int, int, int, int]]]]) -> None:
    table: Table = new_table(2, [(0,), (1,)])
    model: dict[Key, IntervalSet] = {}
    horizon = 0
    for operation, rows in script:
        asked = coalesced(rows)
        match operation:
            case "absorb" | "absorb_own":
                unite_rows = absorb if operation == "absorb" else absorb_own
                gained = by_key(unite_rows(table, as_rows(rows), horizon))
                assert gained == present({key: subtract(v, model.get(key, ())) for key, v in asked.items()})
                model = {key: unite(model.get(key, ()), asked.get(key, ())) for key in {**model, **asked}}
            case "remove":
                lost = by_key(remove(table, as_rows(rows)))
                assert lost == present({key: intersect(v, model.get(key, ())) for key, v in asked.items()})
                model = {key: subtract(v, asked.get(key, ())) for key, v in model.items()}
            case "covered":
                single = rows[:1]
                assert by_key(covered(table, as_rows(single))) == present(
                    {key: intersect(v, model.get(key, ())) for key, v in coalesced(single).items()}
                )
            case "uncovered":
                single = rows[:1]
                assert by_key(uncovered(table, as_rows(single))) == present(
                    {key: subtract(v, model.get(key, ())) for key, v in coalesced(single).items()}
                )
            case "compact":
                compact(table, 0)
            case "clear":
                clear(table)
                model = {}
        assert by_key(content(table)) == present(model)


@settings(max_examples=300)
@given(st.lists(st.tuples(st.booleans(), batch), max_size=8), st.integers(0, 12))
def test_what_is_taken_out_may_forget_what_ended_before_the_horizon(
    script: list[tuple[bool, list[tuple[int, int, int, int]]]], horizon: int
) -> None:
    table: Table = new_table(2, [(0,)])
    model: dict[Key, IntervalSet] = {}
    for taking, rows in script:
        asked = coalesced(rows)
        if taking:
            lost = by_key(remove_own(table, as_rows(rows), horizon))
            expected = {key: intersect(v, model.get(key, ())) for key, v in asked.items()}
            assert since(horizon, lost) == since(horizon, expected)
            model = {key: subtract(v, asked.get(key, ())) for key, v in model.items()}
        else:
            absorb(table, as_rows(rows), -FOREVER)
            model = {key: unite(model.get(key, ()), asked.get(key, ())) for key in {**model, **asked}}
        assert since(horizon, by_key(content(table))) == since(horizon, model)


def test_what_is_over_makes_room_when_more_is_taken_out() -> None:
    """A key that loses one stretch after the other takes no more room for it."""
    table = new_table(2, [])
    absorb(table, as_rows([(1, 1, 0, FOREVER)]), 0)
    for time in range(0, 1000, 10):
        remove_own(table, as_rows([(1, 1, time + 2, time + 4)]), time)
    assert table[META][SIZE] <= 3
    assert by_key(content(table))[1, 1][-1] == (995, FOREVER)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from([17, 900, 2500]), st.sampled_from([3, 400]))
def test_many_rows_at_once_are_like_a_few_after_the_other(seed: int, count: int, keys: int) -> None:
    """The chains of many rows are found ahead, in blocks; a compaction that finds all alive moves nothing."""
    random = np.random.default_rng(seed)
    whole, single = new_table(2, [(0,)]), new_table(2, [(0,)])
    for change in (absorb, remove, absorb_own, remove_own):
        rows = np.column_stack(
            (random.integers(0, keys, (count, 2)), *np.sort(random.integers(0, 60, (2, count)), axis=0))
        )
        told = []
        for table, parts in ((whole, [rows]), (single, np.array_split(rows, count // 8))):
            more = () if change is remove else (0,)
            told.append(by_key(np.concatenate([change(table, part.copy(), *more) for part in parts])))
            compact(table, 0)
        assert told[0] == told[1]
        assert by_key(content(whole)) == by_key(content(single))


def since(horizon: int, model: dict[Key, IntervalSet]) -> dict[Key, IntervalSet]:
    return present({key: intersect(v, ((horizon, FOREVER),)) for key, v in model.items()})


def test_compaction_forgets_what_ended_before_the_horizon() -> None:
    table = new_table(2, [])
    absorb(table, as_rows([(1, 1, 0, 4), (1, 1, 8, 9), (2, 2, 0, 3)]), 0)
    compact(table, 5)
    assert by_key(content(table)) == {(1, 1): ((8, 9),)}


def test_places_after_a_compaction_lead_to_the_same_keys() -> None:
    table = new_table(2, [(0,)])
    absorb(table, as_rows([(1, 1, 0, 4), (2, 2, 0, 3), (1, 1, 8, 9), (3, 3, 5, 6), (1, 1, 12, 13)]), 0)
    # The first interval of the key (1, 1) is over, its overflow entries stay; (2, 2) goes.
    assert compact(table, 5).tolist() == [0, -1, -1, 1, 2]
    assert by_key(content(table)) == {(1, 1): ((8, 9), (12, 13)), (3, 3): ((5, 6),)}


def coalesced(rows: list[tuple[int, int, int, int]]) -> dict[Key, IntervalSet]:
    found: dict[Key, IntervalSet] = {}
    for a, b, first, last in rows:
        found[a, b] = unite(found.get((a, b), ()), ((first, last),))
    return found


def present(model: dict[Key, IntervalSet]) -> dict[Key, IntervalSet]:
    return {key: v for key, v in model.items() if v}
