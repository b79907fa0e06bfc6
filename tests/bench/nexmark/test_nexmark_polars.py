"""The queries in polars say what SQLite says, about all events or at every end of a window."""

from __future__ import annotations

from pathlib import Path

import pytest

from larspark.bench.nexmark.answers import in_order
from larspark.bench.nexmark.catalogue import QUERIES, NexmarkQuery
from larspark.bench.nexmark.expected import database_of, expected_rows, moment
from larspark.bench.nexmark.generator import BEGIN, GeneratedEvents, write
from larspark.bench.nexmark.run_polars import answers, measured

STREAM = GeneratedEvents(3_000, rate=100, begin=BEGIN + 86_400_000 - 12_000)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("nexmark")
    write(STREAM, place)
    return place


@pytest.mark.parametrize("query", QUERIES.values(), ids=str)
def test_polars_says_the_same(folder: Path, query: NexmarkQuery) -> None:
    database, ends = database_of(STREAM), query.ends(STREAM.begin, STREAM.end)
    if query.by_event:
        (found,) = answers(query, folder, ends)
        assert in_order(found.rows()) == expected_rows(database, query)
        return
    counted = 0
    for end, found in zip(ends, answers(query, folder, ends), strict=True):
        expected = expected_rows(database, query, end)
        assert in_order(found.rows()) == expected, f"at {moment(end)}"
        counted += len(expected)
    assert counted > 0


def test_a_measurement_tells_rows_and_cost(folder: Path) -> None:
    told = measured(QUERIES["q0"], folder, folder, STREAM)
    assert told["rows"] == told["compared"] == 2_760
    assert told["cpu"] > 0
    assert told["resident"] > 0
