"""Row patterns of SQL beside a search for matches by trying all rows, at every time point."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from larspark.language.facts import Fact
from larspark.translations.cql.translate import translate
from support.tiers import partly
from support.translated import outputs

END = 13
DECLARED = "CREATE TABLE bid (who STRING, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts);\n"

Rows = list[tuple[int, int]]
"""Time and price of the rows of one key."""
Match = list[tuple[str, int]]
"""Names with the places of rows."""
Test = Callable[[Rows, Match, int], bool]


def last(rows: Rows, match: Match, name: str) -> int:
    return rows[[place for one, place in match if one == name][-1]][1]


TESTS: dict[str, dict[str, Test]] = {
    "A": {
        "": lambda rows, match, place: True,
        "A.price > 1": lambda rows, match, place: rows[place][1] > 1,
        "A.price < PREV(A.price)": lambda rows, match, place: place > 0 and rows[place][1] < rows[place - 1][1],
    },
    "B": {
        "B.price < PREV(B.price)": lambda rows, match, place: rows[place][1] < rows[place - 1][1],
        "price >= 2": lambda rows, match, place: rows[place][1] >= 2,
        "B.price > A.price OR B.price = 0": lambda rows, match, place: (
            rows[place][1] > last(rows, match, "A") or rows[place][1] == 0
        ),
        "B.price + 1 > A.price AND B.ts - A.ts < 6": lambda rows, match, place: (
            rows[place][1] + 1 > last(rows, match, "A") and rows[place][0] - rows[match[0][1]][0] < 6
        ),
    },
    "C": {
        "C.price > PREV(C.price)": lambda rows, match, place: rows[place][1] > rows[place - 1][1],
        "price < 2": lambda rows, match, place: rows[place][1] < 2,
        "C.price > B.price": lambda rows, match, place: rows[place][1] > last(rows, match, "B"),
        "C.price > A.price AND LAST(B.price) < 3": lambda rows, match, place: (
            rows[place][1] > last(rows, match, "A") and last(rows, match, "B") < 3
        ),
    },
}
EXCLUSIVE = [("price >= 2", "price < 2"), ("B.price < PREV(B.price)", "C.price > PREV(C.price)")]


@dataclass(frozen=True)
class Pattern:
    parts: tuple[str, ...]
    """Names, with `+` or `+?`."""
    tests: tuple[tuple[str, str], ...]
    within: int | None
    to_next: bool

    @property
    def sql(self) -> str:
        names = [part.rstrip("+?") for part in self.parts]
        measures = ["A.price AS a", f"{names[-1]}.price AS z", "A.ts AS begun"]
        if "B" in names[:-1]:
            measures += ["LAST(B.price) AS b", "FIRST(B.price) + 1 AS c"]
        within = f" WITHIN INTERVAL '{self.within}' SECOND" if self.within else ""
        skip = " AFTER MATCH SKIP TO NEXT ROW" if self.to_next else ""
        defined = ", ".join(f"{name} AS {test}" for name, test in self.tests if test)
        return (
            f"SELECT * FROM bid MATCH_RECOGNIZE (PARTITION BY who ORDER BY ts MEASURES {', '.join(measures)}"
            f" ONE ROW PER MATCH{skip} PATTERN ({' '.join(self.parts)}){within} DEFINE {defined}) AS m"
        )

    def matches(self, rows: Rows) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The time of each match, and its measures."""
        place = 0
        while place < len(rows):
            match = next(self._from(rows, place, 0, []), None)
            if match is None:
                place += 1
                continue
            places = [where for _, where in match]
            measures = [rows[places[0]][1], rows[places[-1]][1], rows[places[0]][0]]
            inside = [rows[where][1] for name, where in match if name == "B"]
            if len(self.parts) == 3:
                measures += [inside[-1], inside[0] + 1]
            yield rows[places[-1]][0], tuple(measures)
            place = place + 1 if self.to_next else places[-1] + 1

    def _from(self, rows: Rows, place: int, part: int, match: Match) -> Iterator[Match]:
        """The ways to go on, the preferred one first."""
        if part == len(self.parts):
            yield match
            return
        name = self.parts[part].rstrip("+?")
        if place >= len(rows) or not dict(TESTS[name])[dict(self.tests)[name]](rows, match, place):
            return
        if self.within and match and rows[place][0] - rows[match[0][1]][0] > self.within:
            return
        further = [*match, (name, place)]
        once = self._from(rows, place + 1, part + 1, further)
        if "+" not in self.parts[part]:
            yield from once
        elif "?" in self.parts[part]:
            yield from once
            yield from self._from(rows, place + 1, part, further)
        else:
            yield from self._from(rows, place + 1, part, further)
            yield from once


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    parts = draw(st.sampled_from([("A", "B"), ("A", "B", "C"), ("A", "B+?", "C"), ("A", "B+?", "C"), ("A", "B+", "C")]))
    one, two, three = (draw(st.sampled_from(sorted(TESTS[name]))) for name in "ABC")
    if "B+" in parts:
        two, three = draw(st.sampled_from(EXCLUSIVE))
    tests = (("A", one), ("B", two), ("C", three))[: len(parts)]
    repeated = any("+" in part for part in parts)
    return Pattern(parts, tests, draw(st.sampled_from([None, None, 3, 5])), repeated or draw(st.booleans()))


streams = st.dictionaries(
    st.tuples(st.integers(0, END), st.sampled_from(["ann", "bo"])), st.integers(0, 4), min_size=4, max_size=18
)


@partly(320, suppress_health_check=[HealthCheck.too_slow])
@given(patterns(), streams)
def test_matches_are_those_found_by_trying(pattern: Pattern, data: dict[tuple[int, str], int]) -> None:
    program = translate(DECLARED + pattern.sql, "file")
    expected: list[set[tuple[object, ...]]] = [set() for _ in range(END + 1)]
    for who in ("ann", "bo"):
        rows = sorted((time, price) for (time, one), price in data.items() if one == who)
        for time, measures in pattern.matches(rows):
            expected[time].add((who, *measures))
    arrivals = [(time, Fact("bid", (who, price))) for (time, who), price in sorted(data.items())]
    for now, found in enumerate(outputs(program, arrivals, END)):
        assert {one.args for one in found if one.predicate == "q"} == expected[now], now
