"""Every query row by row beside SQLite, which computes it anew at every end of a window."""

from __future__ import annotations

import pytest

from larspark.bench.nexmark.answers import at, intervals, of_events, rows_to_compare
from larspark.bench.nexmark.catalogue import QUERIES, NexmarkQuery
from larspark.bench.nexmark.expected import database_of, expected_rows, moment
from larspark.bench.nexmark.generator import BEGIN, GeneratedEvents, tables

MIDNIGHT = BEGIN + 86_400_000
STREAM = GeneratedEvents(3_000, rate=100, begin=MIDNIGHT - 12_000)


@pytest.mark.parametrize("query", QUERIES.values(), ids=str)
def test_sql_says_the_same_at_every_window_end(query: NexmarkQuery) -> None:
    database = database_of(STREAM)
    found = intervals(query, tables(STREAM), STREAM)
    if query.by_event:
        expected = expected_rows(database, query)
        assert of_events(found) == expected
        assert rows_to_compare(query, found, STREAM) == len(expected)
        return
    counts = {}
    for end in query.ends(STREAM.begin, STREAM.end):
        expected = expected_rows(database, query, end)
        assert at(found, end) == expected, f"at {moment(end)}"
        counts[end] = len(expected)
    assert sum(counts.values()) > 0
    compared = sum(counts[end] for end in query.compared_at(STREAM.begin, STREAM.end))
    assert rows_to_compare(query, found, STREAM) == compared
