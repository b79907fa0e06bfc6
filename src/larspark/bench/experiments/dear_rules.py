"""Rules that cost more than they look: comparisons with `now`, decimals, `always` over a count."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from random import Random

from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.per_atom import least_costs
from larspark.language.facts import Fact

KEYS, RATE, REPETITIONS = 50, 10, 3

PLAIN = "w(K) :- @T r(K,V) [60]."
NOW = "w(K) :- @T r(K,V) [60], now - T >= 10, now - T < 40."
GROUPED = "w(K,S,M) :- r(K,_) [20], S = #sum{ V : r(K,V) [20] }, M = #max{ V : r(K,V) [20] }."
COUNTED = "c(K) :- r(K,_) [20], N = #count{ V : r(K,V) [20] }, N > 2."
ALWAYS = f"{COUNTED} w(K) :- always c(K) [5]."


def _measure(quick: bool) -> Iterator[Figure]:
    points, times = (100, 1) if quick else (2000, REPETITIONS)
    whole, parts = _stream(points, decimals=False), _stream(points, decimals=True)
    for what, (dear, stream), usual in (
        ("a comparison with `now` / none", (NOW, whole), PLAIN),
        ("`#sum` and `#max` of decimals / of integers", (GROUPED, parts), GROUPED),
        ("`always` over a count / the count", (ALWAYS, whole), COUNTED),
    ):
        costs, others = least_costs(dear, stream, RATE, times), least_costs(usual, whole, RATE, times)
        for way, cost, other in zip(("replay", "live"), costs, others, strict=True):
            details = {"us_per_atom": round(cost * 1e6, 2), "other_us_per_atom": round(other * 1e6, 2)}
            yield Figure(f"{what}, {way}", round(cost / other, 2), "", details=details)


def _stream(points: int, *, decimals: bool) -> list[tuple[int, Fact]]:
    random = Random(5)
    found = []
    for time in range(points):
        for _ in range(RATE):
            key, value = random.randrange(KEYS), random.randrange(1000)
            found.append((time, Fact("r", (key, Decimal(value) / 8 if decimals and value % 8 else value))))
    return found


EXPERIMENTS = (
    Experiment(
        "dear-rules", "comparisons with now, decimals, always over a count, beside what is plain", _measure, seconds=30
    ),
)
