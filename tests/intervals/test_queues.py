"""The compiled queues of tuple windows against a list per partition."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import new_table
from larspark.intervals.windows.queues import enqueue, new_queues

Arrival = tuple[int, int, bool]
"""Partition, argument, and whether it is of the predicate asked for; the time is that of its chunk."""

chunks = st.lists(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.booleans()), max_size=7), min_size=1, max_size=6
)


@settings(max_examples=200)
@given(chunks, st.integers(1, 4), st.booleans(), st.integers(0, 2))
def test_a_queue_holds_the_last_arrivals_of_its_partition(
    stream: list[list[Arrival]], size: int, whole: bool, behind: int
) -> None:
    queues, partitions, latest = new_queues(), new_table(1, []), new_table(2 + behind, [])
    arrived: dict[int, list[tuple[int, ...]]] = {}
    inside: set[tuple[int, ...]] = set()
    number = 0
    for time, chunk in enumerate(stream):
        keys = np.array([(partition, 0, 0) for partition, _, _ in chunk], np.int64).reshape(-1, 3)
        numbered = [
            (partition, argument, place << 1, time << 1) for place, (partition, argument, _) in enumerate(chunk, number)
        ]
        rows = np.array(numbered, np.int64).reshape(-1, 4)
        asked = np.array([wanted for _, _, wanted in chunk], np.int64)
        gained, lost = enqueue(queues, partitions, latest, keys, rows, asked, size, whole, behind, 0)
        for partition, argument, wanted in chunk:
            arrived.setdefault(partition, []).append((partition, argument, number << 1, time << 1, wanted))
            number += 1
        for row in lost.tolist():
            assert row[-2:] == [time, FOREVER]
            inside.remove(tuple(row[:-2]))
        inside |= {tuple(row[:-2]) for row in gained.tolist() if row[-1] == FOREVER}
        assert all(row[-1] < time for row in gained.tolist() if row[-1] != FOREVER), "came and went at once"
        assert inside == {
            _told(entry, behind)
            for entries in arrived.values()
            for entry in (entries[-size:] if not whole else [one for one in entries if one[3] >= entries[-size:][0][3]])
            if entry[4]
        }


def _told(entry: tuple[int, ...], behind: int) -> tuple[int, ...]:
    return entry[:2] + entry[4 - behind : 4]


def test_an_endless_window_loses_nothing() -> None:
    queues, tables = new_queues(), (new_table(0, []), new_table(2, []))
    keys, rows = np.zeros((2, 2), np.int64), np.array([(7, 0), (8, 0)], np.int64)
    gained, lost = enqueue(queues, *tables, keys, rows, np.ones(2, np.int64), FOREVER, False, 2, 0)
    assert gained.tolist() == [[7, 0, 0, FOREVER], [8, 0, 0, FOREVER]]
    assert not len(lost)
