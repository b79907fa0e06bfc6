"""Windows of Flink's and Spark's SQL: at every time point the rows that SQLite finds in the windows of that time."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from larspark.language.facts import Fact
from larspark.translations.cql.translate import translate
from support.tiers import partly
from support.translated import outputs

END = 14
DECLARED = "CREATE TABLE bid (item INT, who STRING, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts);\n"
NUMBERED = ("item", "who", "price", "ts", "arrival", "window_start", "window_end")
COLUMNS = tuple(column for column in NUMBERED if column != "arrival")

Row = tuple[object, ...]


@dataclass(frozen=True)
class Window:
    """A window, with the rows that it shows at a time by the words of SQL's documentation."""

    kind: str
    slide: int
    length: int
    keys: tuple[str, ...] = ()

    def shown(self, rows: list[tuple[int, Row]], now: int) -> list[Row]:
        """The rows with the bounds of their window; a row is (time, columns)."""
        if self.kind != "session":
            end = now // self.slide * self.slide
            start = end - self.length
            return [(*row, start, end) for time, row in rows if start <= time < end]
        found: list[Row] = []
        places = [COLUMNS.index(key) for key in self.keys]
        for key in {tuple(row[place] for place in places) for _, row in rows}:
            own = [(time, row) for time, row in rows if tuple(row[place] for place in places) == key]
            session: list[tuple[int, Row]] = []
            for time, row in [*own, (END * 9, ())]:
                if session and time - session[-1][0] > self.length:
                    end = session[-1][0] + self.length
                    if end == now:
                        found += [(*inside, session[0][0], end) for _, inside in session]
                    session = []
                session.append((time, row))
        return found


@dataclass(frozen=True)
class Query:
    window: Window
    spelling: str
    keys: tuple[str, ...]
    aggregates: tuple[str, ...]
    where: str
    having: str

    @property
    def sql(self) -> str:
        """As Flink or Spark has it."""
        seconds = f"INTERVAL '{self.window.length}' SECOND"
        slide = f"INTERVAL '{self.window.slide}' SECOND, " if self.window.slide != self.window.length else ""
        if self.spelling == "spark":
            more = f", '{self.window.slide} seconds'" if slide else ""
            group = [f"window(ts, '{self.window.length} seconds'{more})", *self.keys]
            return self._select("window.start, window.end", "bid", group)
        if self.spelling == "grouped":
            name = "HOP" if slide else "TUMBLE"
            bounds = f"{name}_START(ts, {slide}{seconds}), {name}_END(ts, {slide}{seconds})"
            return self._select(bounds, "bid", [f"{name}(ts, {slide}{seconds})", *self.keys])
        match self.window.kind:
            case "session":
                partition = f" PARTITION BY {', '.join(self.window.keys)}" if self.window.keys else ""
                call = f"SESSION(TABLE bid{partition}, DESCRIPTOR(ts), {seconds})"
            case _:
                call = f"{'HOP' if slide else 'TUMBLE'}(TABLE bid, DESCRIPTOR(ts), {slide}{seconds})"
        return self._select("window_start, window_end", f"TABLE({call})", ["window_start", "window_end", *self.keys])

    @property
    def plain(self) -> str:
        """As SQLite has it, over the rows of the window."""
        return self._select("window_start, window_end", "bid", ["window_start", "window_end", *self.keys])

    def _select(self, bounds: str, source: str, group: list[str]) -> str:
        outputs = ", ".join([bounds, *self.keys, *self.aggregates])
        where = f" WHERE {self.where}" if self.where else ""
        having = f" HAVING {self.having}" if self.having else ""
        return f"SELECT {outputs} FROM {source}{where} GROUP BY {', '.join(group)}{having}"

    def answers(self, rows: list[Row], columns: tuple[str, ...]) -> set[Row]:
        database = sqlite3.connect(":memory:")
        database.execute(f"CREATE TABLE bid ({', '.join(columns)})")
        database.executemany(f"INSERT INTO bid VALUES ({', '.join('?' * len(columns))})", rows)
        found = database.execute(self.plain).fetchall()
        database.close()
        return {tuple(map(rounded, row)) for row in found}


def rounded(value: object) -> object:
    return round(float(value), 6) if isinstance(value, int | float | Decimal) else value


@st.composite
def queries(draw: st.DrawFn) -> Query:
    kind = draw(st.sampled_from(["hop", "tumble", "session"]))
    length = draw(st.integers(2, 6))
    slide = draw(st.integers(1, length)) if kind == "hop" else length
    session_keys = tuple(draw(st.lists(st.sampled_from(["who", "item"]), max_size=2, unique=True)))
    window = Window(kind, slide, length, session_keys if kind == "session" else ())
    spelling = "table" if kind == "session" else draw(st.sampled_from(["table", "spark", "grouped"]))
    keys = tuple(draw(st.lists(st.sampled_from(["who", "item"]), max_size=2, unique=True)))
    functions = [
        "COUNT(*)",
        "SUM(price)",
        "MAX(price)",
        "MIN(ts)",
        "AVG(price)",
        "COUNT(DISTINCT who)",
        "SUM(price * 2)",
    ]
    aggregates = tuple(draw(st.lists(st.sampled_from(functions), min_size=1, max_size=3, unique=True)))
    where = draw(st.sampled_from(["", "", "price > 1", "who <> 'ann' OR price = 2"]))
    return Query(window, spelling, keys, aggregates, where, draw(st.sampled_from(["", "", "COUNT(*) > 1"])))


rows = st.lists(
    st.tuples(st.integers(0, END), st.integers(1, 2), st.sampled_from(["ann", "bo"]), st.integers(0, 3)),
    min_size=3,
    max_size=14,
).map(lambda found: sorted(found, key=lambda row: row[0]))

OPTIONS = settings(suppress_health_check=[HealthCheck.too_slow])


@partly(320, OPTIONS)
@given(queries(), rows)
def test_rows_of_windows_are_those_of_sql(query: Query, data: list[tuple[int, int, str, int]]) -> None:
    program = translate(DECLARED + query.sql, "file")
    arrivals = [(row[0], Fact("bid", row[1:])) for row in data]
    table: list[tuple[int, Row]] = [(row[0], (*row[1:], row[0])) for row in dict.fromkeys(data)]
    for now, found in enumerate(outputs(program, arrivals, END)):
        shown = {tuple(map(rounded, one.args)) for one in found if one.predicate == "q"}
        assert shown == query.answers(query.window.shown([r for r in table if r[0] <= now], now), COLUMNS), now


@partly(80, OPTIONS)
@given(queries(), rows)
def test_arrivals_tell_equal_rows_apart(query: Query, data: list[tuple[int, int, str, int]]) -> None:
    program = translate(DECLARED + query.sql, "file", numbered=True)
    numbered = [(row[0], (*row[1:], row[0], place)) for place, row in enumerate(data)]
    arrivals = [(time, Fact("bid", (*row[:3], row[4]))) for time, row in numbered]
    for now, found in enumerate(outputs(program, arrivals, END)):
        shown = {tuple(map(rounded, one.args)) for one in found if one.predicate == "q"}
        assert shown == query.answers(query.window.shown([r for r in numbered if r[0] <= now], now), NUMBERED), now


@pytest.mark.parametrize("reasoner", ["interval"])
def test_other_reasoners(reasoner: str) -> None:
    @settings(OPTIONS, max_examples=30)
    @given(queries(), rows)
    def check(query: Query, data: list[tuple[int, int, str, int]]) -> None:
        program = translate(DECLARED + query.sql, "file")
        arrivals = [(row[0], Fact("bid", row[1:])) for row in data]
        shown = [
            [{one for one in found if one.predicate == "q"} for found in outputs(program, arrivals, END, name)]
            for name in (None, reasoner)
        ]
        assert shown[0] == shown[1]

    check()
