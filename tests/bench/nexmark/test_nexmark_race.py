"""Engines one after the other: what is kept, given up, and not run; and the tables that are made of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from larspark.bench.nexmark import race as racing
from larspark.bench.nexmark.catalogue import QUERIES, NexmarkQuery
from larspark.bench.nexmark.costs import Cost, cost_line
from larspark.bench.nexmark.engines import ENGINES, EngineSetting, NexmarkEngine
from larspark.bench.nexmark.generator import GeneratedEvents
from larspark.bench.nexmark.kept import FILE, KeptCosts
from larspark.bench.nexmark.race import Race
from larspark.bench.nexmark.tables import as_text, fill_page, growth, memory, obstacles, ratios, throughput

OWN = Cost("larspark", "q0", 1_000_000, 10_000, cpu=2.0, resident=300 << 20, rows=920_000, compared=18_400)
COSTS = [
    OWN,
    replace(OWN, engine="flink", cpu=6.0, resident=2_000 << 20, rows=None),
    replace(OWN, query="q6", cpu=4.0, resident=400 << 20, rows=10, compared=7),
    Cost("flink", "q6", 1_000_000, 10_000, error="Flink SQL cannot say it"),
]


def _told(text: str, seconds: float = 0) -> list[str]:
    return [sys.executable, "-c", f"import time; time.sleep({seconds}); print({text!r})"]


class Told:
    """An engine whose process tells what it is told to tell."""

    def __init__(self, *commands: Sequence[str], text: str = "q0.lars") -> None:
        self.asked = 0
        self._commands = list(commands)
        self._text = text

    def command(self, _query: NexmarkQuery, _setting: EngineSetting) -> list[str]:
        self.asked += 1
        return list(self._commands[0] if len(self._commands) == 1 else self._commands.pop(0))

    def engine(self, name: str = "flink") -> NexmarkEngine:
        place = QUERIES["q0"].program.with_name(self._text)
        return NexmarkEngine(
            name, name, self.command, lambda _: place, Path(__file__), cannot=lambda _: "cannot say it"
        )


COST = '{"cpu": 2.0, "wall": 2.5, "resident": 1048576, "rows": 3, "compared": 2}'
STREAM = GeneratedEvents(100)


def _race(*engines: NexmarkEngine, sizes: Sequence[int] = (100,), **more: object) -> Race:
    return Race([QUERIES["q0"]], [replace(STREAM, events=size) for size in sizes], engines, **more)  # type: ignore[arg-type]


def _silent(_: str) -> None:
    pass


def test_what_is_measured_is_kept_and_not_measured_again(tmp_path: Path) -> None:
    told = Told(_told(COST))
    race = _race(told.engine())
    (first,) = race.run(KeptCosts(tmp_path), _silent)
    assert first == Cost("flink", "q0", 100, 10_000, 1, 2.0, 2.5, 1 << 20, 3, 2)
    assert list(race.run(KeptCosts(tmp_path), _silent)) == [first]
    assert told.asked == 1
    assert len((tmp_path / FILE).read_text("utf-8").splitlines()) == 1
    list(replace(race, again=True).run(KeptCosts(tmp_path), _silent))
    assert told.asked == 2


def test_what_was_measured_of_other_sources_is_measured_anew(tmp_path: Path) -> None:
    told = Told(_told(COST))
    list(_race(told.engine()).run(KeptCosts(tmp_path), _silent))
    list(_race(replace(told.engine(), runner=Path(racing.__file__))).run(KeptCosts(tmp_path), _silent))
    assert told.asked == 2


def test_a_run_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    first, second = Told(_told(COST)), Told(_told(COST))
    race = _race(first.engine(), second.engine("duckdb"))
    next(race.run(KeptCosts(tmp_path), _silent))
    assert [cost.engine for cost in race.run(KeptCosts(tmp_path), _silent)] == ["flink", "duckdb"]
    assert (first.asked, second.asked) == (1, 1)


def test_who_takes_too_long_is_told_and_not_asked_for_more(tmp_path: Path) -> None:
    slow, quick = Told(_told(COST, 60)), Told(_told(COST))
    race = _race(slow.engine(), quick.engine("duckdb"), sizes=(100, 200), limit=2.0)
    found = list(race.run(KeptCosts(tmp_path), _silent))
    assert [cost.error for cost in found] == ["given up after 2 s with 100 events", ""] * 2
    assert (slow.asked, quick.asked) == (1, 2)


def test_who_fails_says_why_and_the_others_go_on() -> None:
    failing = Told([sys.executable, "-c", "raise SystemExit('no such table')"])
    absent = Told(text="none.sql")
    ending = Told(_told('{"error": "not here"}'))
    engines = [failing.engine(), absent.engine("siddhi"), ending.engine("duckdb"), Told(_told(COST)).engine("file")]
    found = list(_race(*engines).run(KeptCosts(), _silent))
    assert [cost.error for cost in found] == ["no such table", "cannot say it", "not here", ""]
    assert absent.asked == 0


def test_the_tables_have_rates_ratios_and_memory() -> None:
    assert throughput(COSTS).splitlines()[2:] == ["| q0 | 500 | 167 | 1,000 |", "| q6 | 250 | – | 75 |"]
    assert ratios(COSTS).splitlines()[2:] == ["| q0 | 3.0 | 3 |", "| q6 | – | 1.5 |"]
    assert memory(COSTS).splitlines()[2:] == ["| q0 | 300 | 2,000 |", "| q6 | 400 | – |"]
    assert obstacles(COSTS).splitlines()[2:] == ["| Flink | q6 | Flink SQL cannot say it |"]


def test_growth_has_a_column_for_each_size() -> None:
    larger = replace(OWN, events=10_000_000, cpu=25.0, resident=310 << 20)
    head, _, *rows = growth([*COSTS, larger]).splitlines()
    assert head == "| query | who | 1,000,000 events | 10,000,000 events |"
    assert rows == ["| q0 | larspark | 500 k/s, 300 MB | 400 k/s, 310 MB |"]


def test_the_terminal_shows_the_stream_and_what_could_not_be_run() -> None:
    told = as_text(COSTS)
    assert told.startswith("1,000,000 events, 10,000 in a second of event time, seed 1.")
    assert "Flink SQL cannot say it" in told
    assert "Growth" not in told


def test_a_page_is_filled_between_its_marks(tmp_path: Path) -> None:
    kept = KeptCosts(tmp_path)
    for cost in COSTS:
        kept.put(cost, "mark")
    page = tmp_path / "page.md"
    page.write_text("Before.\n<!-- measured: answers -->\nold\n<!-- end -->\nAfter.\n", "utf-8")
    fill_page(page, KeptCosts(tmp_path))
    text = page.read_text("utf-8")
    assert "| q0 | 18,400 | 18,400 |" in text
    assert "old" not in text
    assert text.startswith("Before.")
    assert text.endswith("After.\n")


def test_the_page_of_the_documentation_has_the_marks() -> None:
    page = Path(__file__).parents[3] / "docs" / "nexmark.md"
    names = ("conditions", "stream", "throughput", "ratios", "memory", "answers", "obstacles", "growth")
    assert all(f"<!-- measured: {name} -->" in page.read_text("utf-8") for name in names)


def test_the_page_of_the_documentation_tells_who_is_measured() -> None:
    page = (Path(__file__).parents[3] / "docs" / "nexmark.md").read_text("utf-8")
    (told,) = re.findall(r"^## Who is measured\n(.*?)^## ", page, re.MULTILINE | re.DOTALL)
    assert re.findall(r"^\| `(\S+)` \|", told, re.MULTILINE) == [*ENGINES]


def test_what_cannot_be_run_is_told() -> None:
    assert cost_line(COSTS[3]) == "flink q6, 1,000,000 events: Flink SQL cannot say it"
    assert cost_line(OWN) == "larspark q0, 1,000,000 events: 500 thousand events/s per core, 300 MB"


@pytest.mark.parametrize("engine", ENGINES.values(), ids=lambda one: one.name)
def test_an_engine_has_a_text_or_a_reason(engine: NexmarkEngine) -> None:
    for query in QUERIES.values():
        assert engine.text(query).exists() != bool(engine.obstacle(query))
