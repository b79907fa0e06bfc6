"""Rules that cost more than they look: comparisons with `now`, decimals, `always` over a count; and very many rules."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from random import Random

from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.measure import cpu_seconds
from larspark.bench.measuring.per_atom import least_costs
from larspark.language.facts import Fact

KEYS, RATE, REPETITIONS = 50, 10, 3

PLAIN = "w(K) :- @T r(K,V) [60]."
NOW = "w(K) :- @T r(K,V) [60], now - T >= 10, now - T < 40."
GROUPED = "w(K,S,M) :- r(K,_) [20], S = #sum{ V : r(K,V) [20] }, M = #max{ V : r(K,V) [20] }."
COUNTED = "c(K) :- r(K,_) [20], N = #count{ V : r(K,V) [20] }, N > 2."
ALWAYS = f"{COUNTED} w(K) :- always c(K) [5]."

RULES, TOUCHED, STEPS = 10_000, 10, 200
FORM = "q{0}(X) :- a{0}(X) [20], not b{0}(X) [5]."


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


def _many(quick: bool) -> Iterator[Figure]:
    from larspark.python.session import Engine, check  # noqa: PLC0415 - loads kernels

    count, steps = (100, 10) if quick else (RULES, STEPS)
    text, few = ("\n".join(FORM.format(number) for number in range(number)) for number in (count, TOUCHED))
    check(few)
    small = Engine(few)
    checked = cpu_seconds(lambda: check(text))
    engines: list[Engine] = [small]
    built = cpu_seconds(lambda: engines.append(Engine(text)))
    yield Figure("checking, per rule", round(checked / count * 1e3, 3), "ms", 1, details={"rules": count})
    yield Figure("building an engine, per rule", round(built / count * 1e3, 3), "ms", 1, details={"rules": count})
    facts = [[f"a{place}({time % 7})" for place in range(TOUCHED)] for time in range(steps)]

    def run(engine: Engine) -> float:
        engine.advance(0, facts[0])
        return cpu_seconds(lambda: [engine.advance(time, atoms) for time, atoms in enumerate(facts, 1)]) / steps

    alone, among = (run(engine) for engine in engines)
    details = {"alone_us": round(alone * 1e6, 1), "among_us": round(among * 1e6, 1)}
    yield Figure(
        f"a step that touches {TOUCHED} of all rules / {TOUCHED} alone", round(among / alone, 2), "", 2, details=details
    )


EXPERIMENTS = (
    Experiment(
        "dear-rules", "comparisons with now, decimals, always over a count, beside what is plain", _measure, seconds=30
    ),
    Experiment("many-rules", "10,000 rules of which ten are touched by a step", _many, seconds=40),
)
