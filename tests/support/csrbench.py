"""CSRBench: its queries restated, the observations that they are about, and what two engines answered.

"On Correctness in RDF Stream Processor Benchmarking" (Dell'Aglio and others, ISWC 2013) lets C-SPARQL, CQELS and
SPARQLstream answer seven queries about weather stations, and an oracle says whether the answers are right. The facts
below are taken from what its authors have published: the queries and windows (`srbench-queries.properties`), the
answers (`csparql-answer-*.json`, `cqels-answer-*.json`) of https://github.com/dellaglio/csrbench-oracle (Apache 2.0)
and https://github.com/dellaglio/csrbench-oracle-engines, and the observations (`obs3h.csv` there, 08/08/2004 from
06:05 on, five minutes are a second of the benchmark). Of the observations these are all that any of the seven queries
can find: every temperature above 75, every humidity between 24 and 49, and the other ones of the same stations.

There is no translation from SPARQLstream, so its answers are not here. CQELS answers query 6 with observations that
have left the window long ago: that is no measure, so it is not here, nor is 7, which was not looked at. Nor is query 2,
whose window of a second depends on milliseconds that the observations do not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import pyoxigraph as ox

NS = "http://sensors.example/"
STREAM = f"{NS}observations"
PREFIX = f"PREFIX s: <{NS}>\n"
END = 33
"""The last second in which something is observed."""


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
    """Seconds of the window, and how often it moves."""
    slide: int

    def csparql(self) -> str:
        source = f"FROM STREAM <{STREAM}> [RANGE {self.size}s STEP {self.slide}s]"
        return f"{PREFIX}SELECT {self.columns} {source} WHERE {{ {self.pattern} }}"

    def cqels(self) -> str:
        slide = f" SLIDE {self.slide}s" if self.slide > 1 else ""
        return self._cqels(f"[RANGE {self.size}s{slide}]")

    def pushed(self) -> str:
        """As CQELS runs it: the window moves with every arrival."""
        return self._cqels(f"[RANGE {self.size}s]")

    def _cqels(self, window: str) -> str:
        patterns, _, filters = self.pattern.partition("FILTER")
        stream = f"STREAM <{STREAM}> {window} {{ {patterns} }} FILTER{filters}"
        return f"{PREFIX}SELECT {self.columns} WHERE {{ {stream} }}"


_HOT = observed("?o", "?sensor", "Temperature", "?v") + "FILTER(?v > 80)"

QUERIES = {
    1: Query("?sensor ?o", _HOT, 10, 10),
    2: Query("?sensor ?o", _HOT, 1, 1),
    3: Query("?sensor ?o ?v", observed("?o", "?sensor", "Humidity", "?v") + "FILTER(?v < 49) FILTER(?v > 24)", 4, 4),
    4: Query("(AVG(?v) AS ?mean)", _HOT, 4, 4),
    5: Query("?sensor ?o", _HOT, 5, 1),
    6: Query(
        "?sensor ?p ?w ?o",
        observed("?p", "?sensor", "Temperature", "?w")
        + observed("?o", "?sensor", "Temperature", "?v")
        + "FILTER(?w > ?v) FILTER(?v > 75)",
        5,
        5,
    ),
    7: Query(
        "?sensor ?p",
        observed("?o", "s:C1190", "Temperature", "?v")
        + observed("?p", "?sensor", "Temperature", "?w")
        + "FILTER(?w > ?v)",
        5,
        5,
    ),
}

_OBSERVED = {
    "C0694": "0:79/57 3:78/58 6:78/59 9:78/60 12:78/59 15:78/58 18:78/60 21:78/59 24:78/57 27:78/59 30:78/58 31:78/58",
    "C0762": "14:76/58 17:76/59 20:77/58 23:77/59 26:77/60 29:77/59 32:77/59",
    "C0777": "2:77/72 5:77/72 8:77/73 11:77/74 14:77/75 17:77/76 20:76/83 23:73/94 26:73/96 29:73/96 32:73/96",
    "C0810": "28:59/47",
    "C0837": "14:97/50 17:97/50 20:97/50 23:97/50 26:97/50 29:97/50 32:97/50",
    "C0900": "0:77/64 3:77/64 6:77/64 9:76/65 12:76/64 15:76/64 18:76/63 21:76/63 24:76/62 27:75/60 30:75/60 33:75/60",
    "C0958": "25:80/53 29:80/55 31:80/58",
    "C0964": "15:77/75 17:76/76 21:75/77 23:75/78 27:75/81 29:75/80 33:75/81",
    "C1122": "26:78/31 29:79/28 32:80/31",
    "C1190": "14:80/24 17:79/24 20:79/25 23:78/24 26:77/27 29:77/24 32:77/29",
    "C1192": "12:83/87 15:83/87 18:83/88 21:83/88 24:83/88 27:83/88 30:83/88 33:83/88",
    "C1204": "14:77/60 17:76/61 20:76/61 23:76/61 26:75/63 32:75/65",
    "C1231": "15:78/43 17:78/45 21:77/49 23:77/50 27:78/51 29:78/54 33:77/58",
    "C1275": "12:78/50 13:78/50 18:78/51 21:78/52 24:77/52 25:77/52 30:77/54",
    "C1415": "25:69/28 29:68/28 31:68/28",
    "N3049": "12:74/96 15:74/97 18:74/97 21:74/99 24:74/94 27:74/91 30:75/86 33:77/75",
    "N3105": "12:76/65 15:75/66 18:75/68 21:75/68 24:75/68 27:75/68 30:75/67 33:75/67",
    "N3117": "13:78/61 17:78/58 19:78/61 23:78/61 26:77/63 29:77/65 32:77/66",
    "N3123": "12:76/60 13:76/60 15:76/62 21:75/63 24:75/64",
    "N3132": "5:76/100 11:76/100 17:76/100 23:76/100 29:76/100",
}
"""Of each station, by second: degrees Fahrenheit and percent. Some stations have only their number in the file."""


def observation(quantity: str, station: str, second: int) -> str:
    """The name of an observation."""
    return f"{NS}{quantity}_{station}_{second}"


def observations() -> Iterator[tuple[int, ox.Triple]]:
    """The triples of all observations, each with its second."""
    for station, told in _OBSERVED.items():
        for one in told.split():
            second, values = one.split(":")
            for quantity, value in zip(("Temperature", "Humidity"), values.split("/"), strict=True):
                name = observation(quantity, station, int(second))
                node, result = ox.NamedNode(name), ox.NamedNode(f"{name}_result")
                yield int(second), ox.Triple(node, ox.NamedNode(f"{NS}quantity"), ox.NamedNode(NS + quantity))
                yield int(second), ox.Triple(node, ox.NamedNode(f"{NS}sensor"), ox.NamedNode(NS + station))
                yield int(second), ox.Triple(node, ox.NamedNode(f"{NS}result"), result)
                yield int(second), ox.Triple(result, ox.NamedNode(f"{NS}value"), ox.Literal(Decimal(value)))


Rows = dict[int, str]
"""By second, the observations of an answer: station@second; two of them where the query joins two."""

CSPARQL: dict[int, Rows] = {
    1: {
        20: "C0837@14 C1192@15 C0837@17 C1192@18 C1192@12",
        30: "C0837@20 C1192@24 C1192@27 C0837@29 C0837@26 C1192@21 C0837@23",
        40: "C1192@33 C0837@32 C1192@30",
    },
    3: {
        16: "C1231@15",
        20: "C1190@20 C1231@17",
        28: "C1190@26 C1122@26 C1415@25",
        32: "C1122@29 C1122@32 C1415@31 C1190@32 C0810@28 C1415@29",
    },
    5: {
        13: "C1192@12",
        14: "C1192@12",
        15: "C1192@12 C0837@14",
        16: "C0837@14 C1192@15 C1192@12",
        17: "C1192@15 C0837@14",
        18: "C0837@14 C1192@15 C0837@17",
        19: "C0837@17 C1192@15 C1192@18",
        20: "C0837@17 C1192@18",
        21: "C0837@20 C0837@17 C1192@18",
        22: "C0837@20 C0837@17 C1192@18 C1192@21",
        23: "C0837@20 C1192@21 C1192@18",
        24: "C0837@20 C0837@23 C1192@21",
        25: "C0837@20 C0837@23 C1192@21 C1192@24",
        26: "C0837@23 C1192@24 C1192@21",
        27: "C0837@23 C0837@26 C1192@24",
        28: "C1192@27 C0837@23 C0837@26 C1192@24",
        29: "C1192@24 C0837@26 C1192@27",
        30: "C1192@27 C0837@29 C0837@26",
        31: "C1192@30 C0837@29 C1192@27",
        32: "C1192@30 C0837@29 C1192@27",
        33: "C0837@32 C1192@30 C0837@29",
    },
    6: {
        5: "C0694@0>C0694@3",
        10: "C0900@6>C0900@9",
        20: "C0964@15>C0964@17",
        25: "C1275@21>C1275@24 C1190@20>C1190@23",
        30: "C1122@29>C1122@26",
    },
    7: {
        15: "C1192@12 C0837@14",
        20: "C0837@17 C1192@15 C1192@18",
        25: "C0837@20 C0837@23 C1190@20 C1192@21 C1192@24",
        30: "C1122@29 C1192@27 C1122@26 C1231@27 C1231@29 C0958@25 C0837@29 C0837@26 C0694@27 C0958@29",
        35: "C1192@33 C0694@31 C0694@30 C0837@32 C1192@30 C0958@31 C1122@32",
    },
}
"""What C-SPARQL answered; at other evaluations nothing. Query 5 as far as there are observations."""

CSPARQL_MEANS = {16: "87.667", 20: "90", 24: "92.333", 28: "87.667", 32: "90", 36: "90"}
"""Its answers to query 4; it says 0 for the mean of nothing."""

CQELS: dict[int, Rows] = {
    1: {
        **{second: f"C1192@{second}" for second in (12, 15, 18, 21, 24, 27, 30, 33)},
        **{second: f"C0837@{second}" for second in (14, 17, 20, 23, 26, 29, 32)},
    },
    3: {
        15: "C1231@15",
        17: "C1231@17",
        20: "C1190@20",
        25: "C1415@25",
        26: "C1190@26 C1122@26",
        28: "C0810@28",
        29: "C1415@29 C1122@29",
        31: "C1415@31",
        32: "C1122@32 C1190@32",
    },
}
"""What CQELS answered in which second: the rows that are new."""

CQELS_MEANS = {
    12: "83",
    14: "90",
    15: "87.667",
    **dict.fromkeys((17, 20, 23, 26, 29, 32), "92.333"),
    **dict.fromkeys((18, 21, 24, 27, 30, 33), "90"),
}
"""Its answers to query 4, whenever an observation that counts has come."""
