"""Random CQL queries: SQLite, run over the content of the windows, is the judge of the translation."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from larspark.language.facts import Fact
from larspark.language.values import Value
from larspark.translations.cql.translate import translate
from support.tiers import partly
from support.translated import judged

SCHEMA = {"r": ("a", "b"), "s": ("b", "c"), "k": ("a", "c")}
STREAMS = ("r", "s")
END = 9
"""The last time point; every one from 0 on is evaluated."""
DECLARATIONS = "CREATE STREAM r (a, b); CREATE STREAM s (b, c); CREATE TABLE k (a, c); "

Arrivals = list[tuple[int, Fact]]


@dataclass(frozen=True)
class Window:
    """A window as CQL writes it, with its content by the words of the CQL definition."""

    kind: str
    size: int = 0
    slide: int = 1

    def __str__(self) -> str:
        match self.kind:
            case "range":
                return f"[RANGE {self.size} SLIDE {self.slide}]" if self.slide > 1 else f"[RANGE {self.size}]"
            case "rows":
                return f"[ROWS {self.size}]"
            case "partition":
                return f"[PARTITION BY b ROWS {self.size}]"
            case "now":
                return "[NOW]"
        return "[RANGE UNBOUNDED]"

    def content(self, stream: str, arrivals: Arrivals, now: int) -> set[tuple[Value, ...]]:
        past = [(time, fact.args) for time, fact in arrivals if fact.predicate == stream and time <= now]
        match self.kind:
            case "range" | "now":
                pivot = now - now % self.slide
                return {row for time, row in past if pivot - self.size <= time <= pivot}
            case "rows":
                return {row for _, row in past[-self.size :]}
            case "partition":
                key = SCHEMA[stream].index("b")
                kept: set[tuple[Value, ...]] = set()
                for value in {row[key] for _, row in past}:
                    kept |= set([row for _, row in past if row[key] == value][-self.size :])
                return kept
        return {row for _, row in past}


@dataclass(frozen=True)
class Query:
    """The text, with `{w0}`, `{w1}`, … where windows stand, and those windows with their streams."""

    template: str
    windows: tuple[tuple[str, Window], ...]
    operator: str = ""

    @property
    def cql(self) -> str:
        text = self.template.format(**{f"w{i}": f"{stream}{w}" for i, (stream, w) in enumerate(self.windows)})
        return DECLARATIONS + (f"{self.operator}({text})" if self.operator else text)

    def relation(self, arrivals: Arrivals, static: list[tuple[Value, ...]], now: int) -> set[tuple[object, ...]]:
        """The answer of SQLite at a time point."""
        database = sqlite3.connect(":memory:")
        _fill(database, "k", "k", static)
        for number, (stream, window) in enumerate(self.windows):
            _fill(database, f"w{number}", stream, window.content(stream, arrivals, now))
        rows = database.execute(self.template.format(**{f"w{i}": f"w{i}" for i in range(len(self.windows))})).fetchall()
        database.close()
        return {tuple(map(_rounded, row)) for row in rows if None not in row}


def _fill(database: sqlite3.Connection, table: str, like: str, rows: Iterable[tuple[Value, ...]]) -> None:
    database.execute(f"CREATE TABLE {table} ({', '.join(SCHEMA[like])})")
    database.executemany(f"INSERT INTO {table} VALUES (?, ?)", sorted(set(rows), key=str))


def _rounded(value: object) -> object:
    return round(float(value), 6) if isinstance(value, int | float | Decimal) else value


windows = st.one_of(
    st.builds(Window, st.just("range"), st.integers(1, 6)),
    st.builds(Window, st.just("range"), st.integers(3, 6), st.integers(2, 3)),
    st.builds(Window, st.sampled_from(["rows", "partition"]), st.integers(1, 3)),
    st.builds(Window, st.sampled_from(["now", "all"])),
)


class Builder:
    """Draws a query piece by piece, numbering windows and aliases."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.windows: list[tuple[str, Window]] = []
        self.aliases = 0

    def source(self) -> tuple[str, list[str]]:
        """Text for FROM and the columns it offers."""
        name = self.draw(st.sampled_from(["r", "s", "r", "s", "k"]))
        alias = f"x{self.aliases}"
        self.aliases += 1
        text = name
        if name in STREAMS:
            text = f"{{w{len(self.windows)}}}"
            self.windows.append((name, self.draw(windows)))
        return f"{text} AS {alias}", [f"{alias}.{column}" for column in SCHEMA[name]]

    def number(self, columns: list[str]) -> str:
        plain = [column for column in columns if not column.endswith(".b")] or ["1"]
        one = self.draw(st.sampled_from(plain))
        return self.draw(st.sampled_from([one, one, f"{one} + {self.draw(st.sampled_from(plain))}", f"2 * {one} - 1"]))

    def comparison(self, columns: list[str]) -> str:
        texts = [column for column in columns if column.endswith(".b")]
        kind = self.draw(st.sampled_from(["number", "text", "in", "between"]))
        operator = self.draw(st.sampled_from(["=", "<>", "<", "<=", ">", ">="]))
        if kind == "text" and texts:
            return f"{self.draw(st.sampled_from(texts))} {operator} {self.draw(st.sampled_from([*texts, repr('y')]))}"
        if kind == "in":
            return f"{self.number(columns)} IN (0, 2)"
        if kind == "between":
            return f"{self.number(columns)} NOT BETWEEN 1 AND {self.number(columns)}"
        return f"{self.number(columns)} {operator} {self.draw(st.sampled_from([self.number(columns), '1', '2']))}"

    def condition(self, columns: list[str], depth: int) -> str:
        kinds = ["plain", "plain", "equal"] if depth == 0 else ["plain", "equal", "and", "or", "not", "exists", "in"]
        match self.draw(st.sampled_from(kinds)):
            case "and" | "or" as word:
                return f"({self.condition(columns, depth - 1)} {word} {self.condition(columns, depth - 1)})"
            case "not":
                return f"NOT ({self.condition(columns, depth - 1)})"
            case "exists":
                source, inner = self.source()
                negation = self.draw(st.sampled_from(["NOT ", "NOT ", ""]))
                return f"{negation}EXISTS (SELECT * FROM {source} WHERE {self.condition(inner + columns, depth - 1)})"
            case "in":
                source, inner = self.source()
                word = self.draw(st.sampled_from(["IN", "NOT IN"]))
                where = self.condition(inner + columns, 0)
                return f"{self.number(columns)} {word} (SELECT {self.number(inner)} FROM {source} WHERE {where})"
            case "equal":
                return f"{self.draw(st.sampled_from(columns))} = {self.draw(st.sampled_from(columns))}"
            case _:
                return self.comparison(columns)

    def block(self, width: int) -> str:
        sources = [self.source() for _ in range(self.draw(st.integers(1, 2)))]
        columns = [column for _, offered in sources for column in offered]
        outputs = [f"{self.draw(st.sampled_from([self.number(columns), *columns]))} AS o{i}" for i in range(width)]
        tables = ", ".join(text for text, _ in sources)
        return f"SELECT {', '.join(outputs)} FROM {tables} WHERE {self.condition(columns, 2)}"

    def grouped(self) -> str:
        source, columns = self.source()
        if self.draw(st.booleans()):
            other, more = self.source()
            source, columns = f"{source} JOIN {other} ON {columns[0]} = {more[0]}", columns + more
        value = self.number(columns)
        aggregates = [
            "COUNT(*)",
            f"COUNT(DISTINCT {columns[-1]})",
            f"SUM({value})",
            f"SUM(DISTINCT {value})",
            f"MIN({value})",
            f"MAX({value}) + 1",
            f"AVG({value})",
        ]
        chosen = self.draw(st.lists(st.sampled_from(aggregates), min_size=1, max_size=2, unique=True))
        key = self.draw(st.sampled_from(["", *columns]))
        outputs = ", ".join([key, *chosen] if key else chosen)
        having = self.draw(st.sampled_from(["", " HAVING COUNT(*) > 1", f" HAVING MAX({value}) < 5"])) if key else ""
        where = self.condition(columns, 1)
        return f"SELECT {outputs} FROM {source} WHERE {where}" + (f" GROUP BY {key}{having}" if key else "")


@st.composite
def queries(draw: st.DrawFn) -> Query:
    builder = Builder(draw)
    match draw(st.sampled_from(["block", "block", "set", "grouped", "derived"])):
        case "set":
            word = draw(st.sampled_from(["UNION", "EXCEPT", "INTERSECT"]))
            text = f"{builder.block(1)} {word} {builder.block(1)}"
        case "grouped":
            text = builder.grouped()
        case "derived":
            inner = builder.block(2).replace("SELECT", "SELECT DISTINCT", 1)
            tables = draw(st.sampled_from([f"({inner}) AS d", f"(SELECT * FROM ({inner}) AS e) AS d"]))
            text = f"SELECT d.o0, COUNT(*) FROM {tables} GROUP BY d.o0"
        case _:
            text = builder.block(draw(st.integers(1, 2)))
    operator = draw(st.sampled_from(["", "", "RSTREAM", "ISTREAM", "DSTREAM"]))
    return Query(text, tuple(builder.windows), operator)


values = {"a": st.integers(0, 2), "b": st.sampled_from(["x", "y"]), "c": st.integers(-1, 2)}


@st.composite
def arrivals(draw: st.DrawFn) -> Arrivals:
    found = []
    for time in sorted(draw(st.lists(st.integers(0, END), min_size=4, max_size=10))):
        stream = draw(st.sampled_from(STREAMS))
        found.append((time, Fact(stream, tuple(draw(values[column]) for column in SCHEMA[stream]))))
    return found


rows = st.lists(st.tuples(values["a"], values["c"]), max_size=3)


@partly(320, suppress_health_check=[HealthCheck.too_slow])
@given(queries(), arrivals(), rows)
def test_answers_are_those_of_sql_over_window_contents(
    query: Query, data: Arrivals, static: list[tuple[Value, ...]]
) -> None:
    program = translate(query.cql)
    background = [Fact("k", row) for row in static]
    for now in range(END + 1):
        current = query.relation(data, static, now)
        match query.operator:
            case "ISTREAM":
                expected = current - query.relation(data, static, now - 1)
            case "DSTREAM":
                expected = query.relation(data, static, now - 1) - current
            case _:
                expected = current
        found = judged(program, data, now, background).output(now)
        assert {tuple(map(_rounded, fact.args)) for fact in found if fact.predicate == "q"} == expected
