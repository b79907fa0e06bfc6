"""The texts for Spark SQL say what SQLite says, for all windows at once or at every end of one."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from larspark.bench.nexmark.answers import in_order
from larspark.bench.nexmark.catalogue import QUERIES, NexmarkQuery
from larspark.bench.nexmark.expected import database_of, expected_rows
from larspark.bench.nexmark.generator import BEGIN, GeneratedEvents, write
from larspark.bench.nexmark.run_spark_sql import answers, open_tables, text_of

STREAM = GeneratedEvents(1_500, rate=100, begin=BEGIN + 86_400_000 - 7_000)


@pytest.fixture(scope="module")
def opened(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> SparkSession:
    folder: Path = tmp_path_factory.mktemp("nexmark")
    write(STREAM, folder)
    open_tables(spark, folder)
    return spark


@pytest.mark.parametrize("query", QUERIES.values(), ids=str)
def test_spark_sql_says_the_same(opened: SparkSession, query: NexmarkQuery) -> None:
    database, ends = database_of(STREAM), query.ends(STREAM.begin, STREAM.end)
    if query.by_event:
        (found,) = answers(opened, query, ends)
        assert in_order(found.collect()) == expected_rows(database, query)
        return
    if "$now" in text_of(query):
        asked = [ends[1], ends[-1]]
        for end, found in zip(asked, answers(opened, query, asked), strict=True):
            assert in_order(found.collect()) == expected_rows(database, query, end)
        return
    (found,) = answers(opened, query, ends)
    rows = found.collect()
    assert rows
    for end in ends:
        assert in_order(row[:-1] for row in rows if row[-1] == end) == expected_rows(database, query, end)
