"""The generators: the same parameters give the same stream, on every machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from random import Random

from larspark.bench.workloads.task import Args, ArrivalStep, Parameters
from larspark.language.facts import Fact
from larspark.language.values import normal

READINGS = 200
"""Temperatures of the cooling program lie in 1..READINGS."""

QUALITIES = 5


def _steps(parameters: Parameters, predicate: str, atom: Callable[[int, int], Args]) -> Iterator[ArrivalStep]:
    """`rate` atoms per step; `atom(step, place)` gives the arguments."""
    for number in range(parameters.points):
        facts = tuple(Fact(predicate, atom(number, place)) for place in range(parameters.rate))
        yield ArrivalStep(number * parameters.gap, facts)


def unique(parameters: Parameters) -> Iterator[ArrivalStep]:
    """Atoms that never come again."""
    rate = parameters.rate
    return _steps(parameters, "p", lambda number, place: (number * rate + place, number * rate + place))


def repeated(parameters: Parameters, times: int | None = None) -> Iterator[ArrivalStep]:
    """Each atom comes at `times` consecutive steps; by default it fills the window for as long again."""
    rate, run = parameters.rate, times or 2 * (parameters.window + 1)
    return _steps(parameters, "p", lambda number, place: ((number + place) // run * rate + place, place))


def chain(parameters: Parameters) -> Iterator[ArrivalStep]:
    """p(0,1), p(1,2), p(2,3), …: every atom joins with the one before it."""
    rate = parameters.rate
    return _steps(parameters, "p", lambda number, place: (number * rate + place, number * rate + place + 1))


def random_keys(parameters: Parameters) -> Iterator[ArrivalStep]:
    """Pairs of random keys; a new atom finds about eight partners, whatever the size of the window."""
    random = Random(parameters.seed)
    keys = max(1, parameters.rate * (parameters.window + 1) // 4)
    return _steps(parameters, "p", lambda *_: (random.randrange(keys), random.randrange(keys)))


def random_edges(parameters: Parameters) -> Iterator[ArrivalStep]:
    """Edges of a random graph that stays sparse: half as many edges as nodes are in the window."""
    random = Random(parameters.seed)
    nodes = max(2, 2 * parameters.rate * (parameters.window + 1))
    return _steps(parameters, "edge", lambda *_: (random.randrange(nodes), random.randrange(nodes)))


def readings(parameters: Parameters) -> Iterator[ArrivalStep]:
    """Random temperatures."""
    random = Random(parameters.seed)
    return _steps(parameters, "temp", lambda *_: (random.randint(1, READINGS),))


def sightings(parameters: Parameters) -> Iterator[ArrivalStep]:
    """seen(vehicle, stop) with random vehicles and stops."""
    random = Random(parameters.seed)
    vehicles = max(1, parameters.rate * (parameters.window + 1))
    stops = parameters.size
    return _steps(parameters, "seen", lambda *_: (random.randrange(vehicles), random.randrange(stops)))


def amounts(parameters: Parameters) -> Iterator[ArrivalStep]:
    """seen(amount, stop) as in `sightings`, with amounts that have two digits behind the point."""
    for step in sightings(parameters):
        atoms = (fact.args for fact in step.facts)
        facts = tuple(Fact("seen", (normal(Decimal(f"{amount}e-2")), stop)) for amount, stop in atoms)
        yield ArrivalStep(step.time, facts)


def heartbeats(parameters: Parameters) -> Iterator[ArrivalStep]:
    """beat(machine), and now and then service(machine) instead."""
    random = Random(parameters.seed)
    for number in range(parameters.points):
        facts = tuple(
            Fact("service" if random.random() < 0.1 else "beat", (random.randrange(parameters.size),))
            for _ in range(parameters.rate)
        )
        yield ArrivalStep(number * parameters.gap, facts)


def signals(parameters: Parameters) -> Iterator[ArrivalStep]:
    """Thesis Fig. 7.2: sig(1) … sig(size), each with the given probability."""
    random = Random(parameters.seed)
    for number in range(parameters.points):
        chosen = (place for place in range(1, parameters.size + 1) if random.random() < parameters.probability)
        yield ArrivalStep(number * parameters.gap, tuple(Fact("sig", (place,)) for place in chosen))


def single_signals(parameters: Parameters) -> Iterator[ArrivalStep]:
    """One of sig(1) … sig(size) at each step."""
    random, size = Random(parameters.seed), parameters.size
    return _steps(replace(parameters, rate=1), "sig", lambda *_: (random.randint(1, size),))


def edge_signals(parameters: Parameters) -> Iterator[ArrivalStep]:
    """Thesis Fig. 7.3: sig(j-1,j) for the edges of a path, each with the given probability."""
    for time, facts in signals(parameters):
        yield ArrivalStep(time, tuple(Fact("sig", (edge - 1, edge)) for fact in facts for edge in _numbers(fact)))


def _numbers(fact: Fact) -> list[int]:
    return [value for value in fact.args if isinstance(value, int)]


def walk(value: int, last: int, random: Random) -> int:
    """One step up or down within 1..last."""
    if value == 1:
        return min(2, last)
    if value == last:
        return last - 1
    return value + random.choice((-1, 1))


def walking_value(parameters: Parameters) -> Iterator[ArrivalStep]:
    """Thesis Fig. 7.4: alpha(v) at every time point, v changes by one with the given probability."""
    random = Random(parameters.seed)
    value = random.randint(1, parameters.size)
    for number in range(parameters.points):
        if number and random.random() < parameters.probability:
            value = walk(value, parameters.size, random)
        yield ArrivalStep(number * parameters.gap, (Fact("alpha", (value,)),))


def content_requests(parameters: Parameters) -> Iterator[ArrivalStep]:
    """Thesis Fig. 7.5: changed qualities, cached items, one request per time point; `rate` is the number of items."""
    random = Random(parameters.seed)
    nodes, items = range(1, parameters.size + 1), parameters.rate
    quality = {node: random.randint(1, QUALITIES) for node in nodes}
    for number in range(parameters.points):
        facts = []
        for node in nodes:
            if random.random() < parameters.probability:
                quality[node] = walk(quality[node], QUALITIES, random)
                facts.append(Fact("qual", (node, quality[node])))
            if random.random() < parameters.probability:
                facts.append(Fact("cache", (random.randint(1, items), node)))
        facts.append(Fact("req", (random.randint(1, items), random.randint(1, parameters.size))))
        yield ArrivalStep(number * parameters.gap, tuple(facts))
