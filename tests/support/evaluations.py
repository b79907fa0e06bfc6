"""The ways to go through a scenario: when it is evaluated, and what arrives there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from larspark.language.facts import Fact
from support.random_programs import Scenario


class Step(NamedTuple):
    """One evaluation."""

    time: int
    arriving: tuple[Fact, ...] = ()


def points(scenario: Scenario) -> Iterator[Step]:
    """Every time point, after all its arrivals."""
    for time in scenario.times:
        yield Step(time, _at(scenario, time))


def ticks(scenario: Scenario) -> Iterator[Step]:
    """After every single arrival, and when some of the idle time points begin."""
    for time in scenario.times:
        arriving = _at(scenario, time)
        if (time - scenario.stream.start) % 4 == (0 if arriving else 1):
            yield Step(time)
        for fact in arriving:
            yield Step(time, (fact,))


def arrivals(scenario: Scenario) -> Iterator[Step]:
    """Only where something arrives, all of a time point at once or in two parts; others are passed over."""
    for time in scenario.times:
        if arriving := _at(scenario, time):
            half = len(arriving) // 2 if time % 2 else 0
            if half:
                yield Step(time, arriving[:half])
            yield Step(time, arriving[half:])
    yield Step(scenario.times[-1])


Way: TypeAlias = Callable[[Scenario], Iterator[Step]]

WAYS: Mapping[str, Way] = MappingProxyType({"points": points, "ticks": ticks, "arrivals": arrivals})


def _at(scenario: Scenario, time: int) -> tuple[Fact, ...]:
    return tuple(arrival.fact for arrival in scenario.stream.input if arrival.time == time)
