"""Many rules: what it costs to check them and to build an engine for them, and a step that concerns few of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import process_time
from typing import TypeVar

from larspark.bench.measuring.figures import Experiment, Figure
from larspark.language.facts import Fact
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.state.arrivals import Arrivals
from larspark.runtime.prepared import Prepared, prepare

RULES, MANY, TOUCHED = 2000, 10_000, 10
FEWER = 4
"""A program with so many times fewer rules stands for one that is small."""
PER_RULE = 1.0
"""Milliseconds to check and to build."""
GROWTH = 1.25
"""How much more a rule may cost among many: less than that is the noise of caches, not a law."""
BESIDE = 2.0
"""How much more a step may cost beside rules that it does not concern."""
PASSES = 3

ResultT = TypeVar("ResultT")


def _measure(quick: bool) -> Iterator[Figure]:
    rules, many = (100, 400) if quick else (RULES, MANY)
    passes = 1 if quick else PASSES
    small, large = _building(rules // FEWER, passes), _building(rules, passes)
    for what, few, all_ in zip(("check", "build an engine"), small, large, strict=True):
        details = {"rules": rules, "fewer": rules // FEWER, "ms_among_fewer": round(few, 3)}
        yield Figure(f"{what}, per rule", round(all_, 3), "ms", PER_RULE, details=details)
        yield Figure(f"{what}, a rule among {FEWER} times as many / among fewer", round(all_ / few, 2), "", GROWTH)
    points = 20 if quick else 1000
    alone, beside = _stepping(TOUCHED, points, passes), _stepping(many, points, passes)
    details = {"rules": many, "touched": TOUCHED, "us": round(beside, 2), "us_alone": round(alone, 2)}
    name = f"a step for {TOUCHED} of {many:,} rules / for these alone"
    yield Figure(name, round(beside / alone, 2), "", BESIDE, details=details)


def many_rules(count: int) -> str:
    """Each has input of its own."""
    return "\n".join(f"q{number}(X) :- a{number}(X) [20], not b{number}(X) [5]." for number in range(count))


def _building(rules: int, passes: int) -> tuple[float, float]:
    """The least CPU milliseconds per rule to check a program, and to build an engine for it."""
    text = many_rules(rules)
    checked, built = [], []
    for _ in range(passes):
        seconds, prepared = _timed(partial(_checked, text))
        checked.append(seconds)
        built.append(_timed(partial(prepared.reasoner, "interval"))[0])
    return min(checked) / rules * 1e3, min(built) / rules * 1e3


def _checked(text: str) -> Prepared:
    prepared = prepare(text)
    prepared.require()
    return prepared


def _stepping(rules: int, points: int, passes: int) -> float:
    """The least CPU microseconds of a step with an arrival for each of the first rules."""
    prepared = prepare(many_rules(rules))
    found = []
    for _ in range(passes):
        reasoner = prepared.reasoner("interval")
        assert isinstance(reasoner, IntervalReasoner)
        steps = [(time, Arrivals.of(_arriving(time), reasoner.dictionary)) for time in range(points)]
        seconds, _ = _timed(partial(_advance, reasoner, steps))
        found.append(seconds / points * 1e6)
    return min(found)


def _arriving(time: int) -> list[tuple[int, Fact]]:
    """At every time point for the same rules, at every third of them what keeps them from concluding."""
    kind = "b" if time % 3 == 0 else "a"
    return [(time, Fact(f"{kind}{number}", (time % 7,))) for number in range(TOUCHED)]


def _advance(reasoner: IntervalReasoner, steps: list[tuple[int, Arrivals]]) -> None:
    advance = reasoner.engine.advance
    for time, arrivals in steps:
        advance(time, arrivals)


def _timed(call: Callable[[], ResultT]) -> tuple[float, ResultT]:
    begin = process_time()
    result = call()
    return process_time() - begin, result


EXPERIMENTS = (Experiment("many-rules", "programs of thousands of rules", _measure, seconds=60),)
