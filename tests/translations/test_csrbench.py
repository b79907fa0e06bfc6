"""CSRBench: queries about weather stations, as two engines run them, over the observations of the benchmark.

The ways to execute of both engines are translated. What they should find is said by a SPARQL engine over the content
of the windows, and by the answers that C-SPARQL and CQELS gave when the benchmark was made (`support.csrbench` says
what is published, and which answers are no measure).
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import pyoxigraph as ox
import pytest

from larspark.language.facts import Fact
from larspark.language.terms import Duration
from larspark.translations.rdf.execution import Execution, Pull, Push
from larspark.translations.rdf.terms import value_of
from larspark.translations.rdf.translate import cqels, csparql
from support.csrbench import (
    CQELS,
    CQELS_MEANS,
    CSPARQL,
    CSPARQL_MEANS,
    END,
    PREFIX,
    QUERIES,
    STREAM,
    Query,
    observation,
    observations,
)
from support.translated import outputs

DATA = list(observations())

PER_SECOND = 10
"""Time points, where seconds are too coarse: what happens in a second arrives a little later than it begins, when
C-SPARQL has evaluated."""
TENTH = Duration(100, "ms")


def expected(query: Query, now: int, step: int) -> set[tuple[object, ...]]:
    """What a SPARQL engine finds in the window that is looked at."""
    pivot = now - now % step
    store = ox.Store()
    for time, triple in DATA:
        if pivot - query.size <= time <= pivot:
            store.add(ox.Quad(*triple))
    answers = store.query(f"{PREFIX}SELECT {query.columns} WHERE {{ {query.pattern} }}")
    assert isinstance(answers, ox.QuerySolutions)
    rows = [tuple(None if one is None else value_of(one) for one in row) for row in answers]
    return {tuple(map(rounded, row)) for row in rows if None not in row}


def rounded(value: object) -> object:
    return round(float(value), 9) if isinstance(value, int | Decimal) else value


def arrivals(per_second: int = 1, delay: int = 0) -> list[tuple[int, Fact]]:
    return [
        (time * per_second + delay, Fact("triple", (*(value_of(part) for part in triple), f"<{STREAM}>")))
        for time, triple in DATA
    ]


@pytest.mark.parametrize("number", QUERIES)
@pytest.mark.parametrize("way", ["csparql", "cqels", "csparql pushed", "cqels pulled"])
def test_answers_are_those_of_sparql_over_the_windows(number: int, way: str) -> None:
    query = QUERIES[number]
    step = query.slide
    execution: Execution | None = {"csparql pushed": Push(), "cqels pulled": Pull(step)}.get(way)
    if way.startswith("csparql"):
        program = csparql(query.csparql(), execution=execution)
    else:
        program = cqels(query.cqels(), execution=execution)
    pulled = way in ("csparql", "cqels pulled")
    times = {time for time, _ in DATA}
    some = False
    for now, found in enumerate(outputs(program, arrivals(), END, "interval")):
        rows = {tuple(map(rounded, one.args)) for one in found if one.predicate == "answer"}
        asked = now % step == 0 if pulled else now in times
        wanted = expected(query, now, step) if asked else set()
        if number == 4:
            # SPARQL says 0 for the mean of nothing, a set of numbers has none.
            wanted = {row for row in wanted if row != (0.0,)}
            rows = {row for row in rows if row != (0.0,)}
        assert rows == wanted, now
        some = some or bool(rows)
    assert some


# -- the answers of engines ------------------------------------------------------------------------


def answers_of_csparql(number: int, last: int) -> dict[int, set[tuple[object, ...]]]:
    """By second, what the translation gives where the query is evaluated."""
    program = csparql(QUERIES[number].csparql(), clock=TENTH)
    found = outputs(program, arrivals(PER_SECOND, 1), last * PER_SECOND, "interval")
    return {
        second: {one.args for one in found[second * PER_SECOND] if one.predicate == "answer"}
        for second in range(QUERIES[number].slide, last + 1, QUERIES[number].slide)
    }


def published(told: Mapping[int, str], second: int, quantity: str = "Temperature") -> set[tuple[str, ...]]:
    """The observations of a published answer, as the translation names them."""
    return {
        tuple(f"<{observation(quantity, *_station(one))}>" for one in row.split(">"))
        for row in told.get(second, "").split()
    }


def _station(one: str) -> tuple[str, int]:
    station, second = one.split("@")
    return station, int(second)


def seen(rows: set[tuple[object, ...]]) -> set[tuple[object, ...]]:
    """The observations in rows of an answer."""
    names = ("/Temperature_", "/Humidity_")
    return {tuple(one for one in row if isinstance(one, str) and any(name in one for name in names)) for row in rows}


@pytest.mark.parametrize("number", [1, 6, 7])
def test_csparql_answered_the_same(number: int) -> None:
    for second, rows in answers_of_csparql(number, max(CSPARQL[number])).items():
        assert seen(rows) == published(CSPARQL[number], second), second


@pytest.mark.parametrize(("number", "quantity"), [(3, "Humidity"), (5, "Temperature")])
def test_csparql_answered_the_same_but_at_the_edges_of_windows(number: int, quantity: str) -> None:
    """What comes in the same second in which a window begins or ends was in it or not, as the milliseconds fell."""
    size = QUERIES[number].size
    for second, rows in answers_of_csparql(number, max(CSPARQL[number])).items():
        differing = seen(rows) ^ published(CSPARQL[number], second, quantity)
        edges = {int(one.rstrip(">").rpartition("_")[2]) for row in differing for one in map(str, row)}
        assert edges <= {second - size, second}, second


def test_csparql_found_the_same_means() -> None:
    for second, rows in answers_of_csparql(4, max(CSPARQL_MEANS)).items():
        means = {round(float(str(value)), 3) for (value,) in rows}
        assert means - {0.0} == ({float(CSPARQL_MEANS[second])} if second in CSPARQL_MEANS else set()), second


@pytest.mark.parametrize(("number", "quantity"), [(1, "Temperature"), (3, "Humidity")])
def test_cqels_answered_what_is_new(number: int, quantity: str) -> None:
    before: set[tuple[object, ...]] = set()
    for second, found in enumerate(outputs(cqels(QUERIES[number].pushed()), arrivals(), END, "interval")):
        rows = seen({one.args for one in found if one.predicate == "answer"})
        assert rows - before == published(CQELS[number], second, quantity), second
        before = rows or before


def test_cqels_found_the_same_means() -> None:
    found = outputs(cqels(QUERIES[4].pushed()), arrivals(), END, "interval")
    for second, mean in CQELS_MEANS.items():
        (only,) = (one.args for one in found[second] if one.predicate == "answer")
        assert round(float(str(only[0])), 3) == float(mean), second
