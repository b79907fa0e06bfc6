"""The seven queries of CSRBench, restated, over observations of their kind.

The benchmark asks for sensors by the values they observe, in windows of 1 to 10 seconds that tumble or slide; its point
is when an engine reports and what its windows contain. Here the ways to execute of both engines are translated, and a
SPARQL engine over the content of the windows says what they should find. Queries and data are written anew; the sizes
of windows, the filters and the joins are those of the benchmark ("On Correctness in RDF Stream Processor
Benchmarking", ISWC 2013).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from decimal import Decimal

import pyoxigraph as ox
import pytest

from larspark.language.facts import Fact
from larspark.translations.rdf.execution import Execution, Pull, Push
from larspark.translations.rdf.terms import value_of
from larspark.translations.rdf.translate import cqels, csparql
from support.translated import outputs

NS = "http://sensors.example/"
STREAM = f"{NS}observations"
PREFIX = f"PREFIX s: <{NS}>\n"
END = 33
"""The benchmark has 33 time points."""


def observed(observation: str, sensor: str, quantity: str, value: str) -> str:
    """The pattern of one observation, as all queries have it."""
    return (
        f"{observation} s:quantity s:{quantity} ; s:sensor {sensor} ; s:result {observation}r . "
        f"{observation}r s:value {value} . "
    )


@dataclass(frozen=True)
class Query:
    columns: str
    pattern: str
    size: int
    slide: int


QUERIES = {
    "1, tumbling by 10": Query(
        "?sensor ?o", observed("?o", "?sensor", "Temperature", "?v") + "FILTER(?v > 80)", 10, 10
    ),
    "2, tumbling by 1": Query("?sensor ?o", observed("?o", "?sensor", "Temperature", "?v") + "FILTER(?v > 80)", 1, 1),
    "3, two filters": Query(
        "?sensor ?o ?v", observed("?o", "?sensor", "Humidity", "?v") + "FILTER(?v < 49) FILTER(?v > 24)", 4, 4
    ),
    "4, a mean": Query("(AVG(?v) AS ?mean)", observed("?o", "?sensor", "Temperature", "?v") + "FILTER(?v > 80)", 4, 4),
    "5, sliding": Query("?sensor ?o", observed("?o", "?sensor", "Temperature", "?v") + "FILTER(?v > 80)", 5, 1),
    "6, a join of the stream with itself": Query(
        "?sensor ?p ?w ?o",
        observed("?p", "?sensor", "Temperature", "?w")
        + observed("?o", "?sensor", "Temperature", "?v")
        + "FILTER(?w > ?v) FILTER(?v > 75)",
        5,
        5,
    ),
    "7, a join by comparison": Query(
        "?sensor ?p",
        observed("?o", "s:C1190", "Temperature", "?v")
        + observed("?p", "?sensor", "Temperature", "?w")
        + "FILTER(?w > ?v)",
        5,
        5,
    ),
}


def observations() -> list[tuple[int, ox.Triple]]:
    """Four stations measure temperature and humidity, each in its own rhythm."""
    chosen = random.Random(7)
    found = []
    for time in range(END + 1):
        for place, station in enumerate(("C1190", "C0837", "C1192", "C0694")):
            if time % (place + 2):
                continue
            for quantity, low, high in (("Temperature", 60, 95), ("Humidity", 10, 90)):
                node = ox.NamedNode(f"{NS}{quantity}_{station}_{time}")
                result = ox.NamedNode(f"{NS}result_{quantity}_{station}_{time}")
                value = ox.Literal(Decimal(chosen.randint(low, high)))
                found += [
                    (time, ox.Triple(node, ox.NamedNode(f"{NS}quantity"), ox.NamedNode(NS + quantity))),
                    (time, ox.Triple(node, ox.NamedNode(f"{NS}sensor"), ox.NamedNode(NS + station))),
                    (time, ox.Triple(node, ox.NamedNode(f"{NS}result"), result)),
                    (time, ox.Triple(result, ox.NamedNode(f"{NS}value"), value)),
                ]
    return found


DATA = observations()


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


def arrivals() -> list[tuple[int, Fact]]:
    return [(time, Fact("triple", (*(value_of(part) for part in triple), f"<{STREAM}>"))) for time, triple in DATA]


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize("way", ["csparql", "cqels", "csparql pushed", "cqels pulled"])
def test_answers_are_those_of_sparql_over_the_windows(name: str, way: str) -> None:
    query = QUERIES[name]
    step = query.slide
    execution: Execution | None = {"csparql pushed": Push(), "cqels pulled": Pull(step)}.get(way)
    if way.startswith("csparql"):
        source = f"FROM STREAM <{STREAM}> [RANGE {query.size}s STEP {step}s]"
        program = csparql(f"{PREFIX}SELECT {query.columns} {source} WHERE {{ {query.pattern} }}", execution=execution)
    else:
        slide = f" SLIDE {step}s" if step > 1 else ""
        patterns, _, filters = query.pattern.partition("FILTER")
        stream = f"STREAM <{STREAM}> [RANGE {query.size}s{slide}] {{ {patterns} }} FILTER{filters}"
        program = cqels(f"{PREFIX}SELECT {query.columns} WHERE {{ {stream} }}", execution=execution)
    pulled = way in ("csparql", "cqels pulled")
    times = {time for time, _ in DATA}
    some = False
    for now, found in enumerate(outputs(program, arrivals(), END, "interval")):
        rows = {tuple(map(rounded, one.args)) for one in found if one.predicate == "answer"}
        asked = now % step == 0 if pulled else now in times
        wanted = expected(query, now, step) if asked else set()
        if "AVG" in query.columns:
            # SPARQL says 0 for the mean of nothing, a set of numbers has none.
            wanted = {row for row in wanted if row != (0.0,)}
            rows = {row for row in rows if row != (0.0,)}
        assert rows == wanted, now
        some = some or bool(rows)
    assert some
