"""What `larspark bench nexmark` prints."""

from __future__ import annotations

from larspark.bench.nexmark.engines import Cost
from larspark.bench.nexmark.generator import GeneratedEvents
from larspark.bench.nexmark.race import cost_line, race_table

STREAM = GeneratedEvents(1_000_000)
COSTS = [
    Cost("larspark", "q0", 2.0, 300 << 20, 920_000),
    Cost("larspark", "q6", 4.0, 400 << 20, 10),
    Cost("flink", "q0", 6.0, 2_000 << 20),
    Cost("flink", "q6", error="Flink SQL cannot say it"),
]


def test_the_table_has_rates_ratios_and_memory() -> None:
    _, _, *rows = race_table(COSTS, STREAM).splitlines()
    assert rows == ["| q0 | 500 | 167 | 3.0 | 300 | 2,000 |", "| q6 | 250 | – | – | 400 | – |"]


def test_what_cannot_be_run_is_told() -> None:
    assert cost_line(COSTS[3], STREAM) == "flink q6: Flink SQL cannot say it"
    assert cost_line(COSTS[0], STREAM) == "larspark q0: 500 thousand events/s per core, 300 MB"
