"""Foresight measured: facts per second, cost against the length of the history, memory, pre-processing.

`python -m larspark.bench.experiments.foresight 2000` prints the memory of a run over so many time points.
"""

from __future__ import annotations

import gc
import json
import random
import sys
from collections.abc import Callable, Iterator
from statistics import median

from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.measure import AnswersDiffer, cpu_seconds
from larspark.bench.measuring.process import measured_alone, resident_bytes
from larspark.bench.peers.by_hand.turbines import Turbines
from larspark.hypothetical import GoalWatch, Outlook, WatchOptions
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.resolve import resolve

TURBINES = """
    @T flag(X)     :- @T temp(X, high).
    @(T+1) cool(X) :- @T flag(X), @(T+1) flag(X).
    @(T+1) shdn(X) :- @T cool(X), @(T+1) flag(X).
    @(T-2) malf(X) :- @T shdn(X).
"""

HOT = 0.1
FACTS_PER_SECOND = 100_000
GROWTH = 1.2
"""How much more a time point may cost, or a run may hold, after ten times the history; measuring has some noise."""
RULES = 30
PREPROCESSING_SECONDS = 1.0


def watch() -> GoalWatch:
    """The turbine program with the goal malf(X,T); certain answers are told once."""
    return GoalWatch(resolve(parse_program(TURBINES)), "malf(X,T)", Outlook(options=WatchOptions(keep=0)))


def readings(devices: int, first: int, points: int) -> list[tuple[int, list[Fact]]]:
    """A reading per device and time point, every tenth of them hot, the same for the same time point."""
    return [(time, _reading(devices, random.Random(time))) for time in range(first, first + points)]


def _reading(devices: int, chance: random.Random) -> list[Fact]:
    return [Fact("temp", (number, "high" if chance.random() < HOT else "low")) for number in range(devices)]


# -- speed -----------------------------------------------------------------------------------------


def _measure_speed(quick: bool) -> Iterator[Figure]:
    devices, points = (200, 10) if quick else (10_000, 40)
    stream = readings(devices, 0, points)
    _compare(stream)
    facts = devices * points
    details = {"devices": devices, "time_points": points}
    updating = min(_seconds(watch(), stream) for _ in range(3))
    by_hand = min(_seconds(Turbines(), stream) for _ in range(3))
    foresight = watch()
    reading = _seconds(foresight, stream, foresight.prospects)
    yield Figure("update", round(facts / updating), "facts/s", FACTS_PER_SECOND, at_least=True, details=details)
    yield Figure("update, all answers read", round(facts / reading), "facts/s", details=details)
    yield Figure("update / written by hand", round(updating / by_hand, 2), "", details=details)


def _seconds(
    watching: GoalWatch | Turbines, stream: list[tuple[int, list[Fact]]], then: Callable[[], object] = lambda: None
) -> float:
    def run() -> None:
        for time, facts in stream:
            watching.advance(time, facts)
            then()

    return cpu_seconds(run)


def _compare(stream: list[tuple[int, list[Fact]]]) -> None:
    """Both must have the same answers at every time point; negative times are none."""
    foresight, by_hand = watch(), Turbines()
    for time, facts in stream[:10]:
        foresight.advance(time, facts)
        by_hand.advance(time, facts)
        found = {(p.theta["X"], p.at, len(p.hypotheses)) for p in foresight.prospects()}
        if found != {answer for answer in by_hand.answers() if answer[1] >= 0}:
            raise AnswersDiffer(f"foresight: the answers differ from those of the hand-written program at {time}")


# -- history and memory ----------------------------------------------------------------------------


def _measure_history(quick: bool) -> Iterator[Figure]:
    """Time points cost the same however many there were before."""
    devices, points, blocks = (50, 20, 3) if quick else (1000, 200, 10)
    foresight = watch()
    costs = []
    for block in range(blocks):
        stream = readings(devices, block * points, points)
        costs.append(_seconds(foresight, stream) / points * 1e6)
        yield Figure("update", round(costs[-1], 1), "µs/time point", axis="time points before", at=block * points)
    growth = median(costs[-3:]) / median(costs[:3])
    yield Figure("last / first time points", round(growth, 3), "", GROWTH, details={"time_points": points * blocks})


def _measure_memory(quick: bool) -> Iterator[Figure]:
    points = 200 if quick else 3000
    found = measured_alone(__name__, str(points))
    growth = round(found["end"]["bytes"] / found["tenth"]["bytes"], 4)
    yield Figure("at the end / after a tenth", growth, "", GROWTH, details={"time_points": points, **found})


def memory(points: int) -> dict[str, dict[str, int]]:
    """Resident bytes and rows kept after a tenth of the time points and at the end."""
    foresight = watch()
    found = {}
    for name, first, last in (("tenth", 0, points // 10), ("end", points // 10, points)):
        for time in range(first, last):
            for _, facts in readings(500, time, 1):
                foresight.advance(time, facts)
        gc.collect()
        found[name] = {"bytes": resident_bytes(), "rows": len(foresight.online)}
    return found


# -- pre-processing --------------------------------------------------------------------------------


def chained_rules(count: int) -> str:
    """Each rule needs the one before it at the time point before, and an input of its own."""
    rules = ["@T p0(X) :- @T e0(X)."]
    rules += [f"@T p{number}(X) :- @(T-1) p{number - 1}(X), @T e{number}(X)." for number in range(1, count)]
    return "\n".join(rules)


def branching_rules(count: int) -> str:
    """Every predicate has two rules: one over input only, one over the predicate below it."""
    rules = ["@T p0(X) :- @T e0(X).", "@T p0(X) :- @(T-1) f0(X)."]
    for number in range(1, count // 2):
        below = f"p{number - 1}"
        rules.append(f"@T p{number}(X) :- @T e{number}(X), @(T-{number}) f{number}(X).")
        rules.append(f"@T p{number}(X) :- @(T-1) {below}(X), @T g{number}(X).")
    return "\n".join(rules)


def _measure_preprocessing(quick: bool) -> Iterator[Figure]:
    count = 10 if quick else RULES
    for name, text, goal in (
        ("chain", chained_rules(count), f"p{count - 1}(X,T)"),
        ("two ways to everything", branching_rules(count), f"p{count // 2 - 1}(X,T)"),
    ):
        program = resolve(parse_program(text))
        seconds = min(cpu_seconds(lambda: GoalWatch(program, goal)) for _ in range(3))  # noqa: B023 - called here
        details = {"rules": len(program.rules)}
        yield Figure(f"{count} rules, {name}", round(seconds, 3), "s", PREPROCESSING_SECONDS, details=details)


EXPERIMENTS = (
    Experiment("foresight", "10,000 turbines, a tenth of them hot: facts per second", _measure_speed, seconds=20),
    Experiment("foresight-history", "cost of a time point against the history before it", _measure_history, seconds=20),
    Experiment("foresight-memory", "memory after 3,000 time points of 500 turbines", _measure_memory, seconds=20),
    Experiment("foresight-rules", "unfolding a goal of a 30-rule program", _measure_preprocessing, seconds=3),
)

if __name__ == "__main__":
    print(json.dumps(memory(int(sys.argv[1]))))
