"""What lasts: held values and recorded states beside a plain window over the same stream, busy and idle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from statistics import median

from larspark.analysis.pipeline import analyse
from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.measure import cpu_seconds
from larspark.bench.measuring.per_atom import least_costs
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.state.arrivals import Arrivals

RULES = {
    "window": "hot(M) :- reading(M,C) [300], C > 80. lately(M) :- switch_on(M) [300]. seen(M) :- switch_off(M) [300].",
    "held": "#hold reading(M,C) per M for 300. hot(M) :- reading(M,C), C > 80. "
    "lately(M) :- switch_on(M) [300]. seen(M) :- switch_off(M) [300].",
    "recorded": "#record on/1. on(M) :- switch_on(M). on(M) :- @(now-1) on(M), not switch_off(M). "
    "hot(M) :- reading(M,C) [300], C > 80.",
}
"""All read the same stream: readings of machines that are switched on and off."""
KEYS, RATE, IDLE = 1000, 10, 1000
REPETITIONS = 3


def _measure(quick: bool) -> Iterator[Figure]:
    points = 200 if quick else 4000
    stream = _stream(points)
    costs = {name: least_costs(text, stream, RATE, 1 if quick else REPETITIONS) for name, text in RULES.items()}
    for name in ("held", "recorded"):
        for way, cost, usual in zip(("replay", "live"), costs[name], costs["window"], strict=True):
            details = {"us_per_atom": round(cost * 1e6, 2), "window_us_per_atom": round(usual * 1e6, 2)}
            yield Figure(f"{name} / a plain window, {way}", round(cost / usual, 2), "", 2, details=details)
        busy, passed = _idle(RULES[name], stream[: RATE * 20])
        yield Figure(f"{IDLE} idle time points / a busy one, {name}", round(passed / busy, 3), "", 1)


def _stream(points: int) -> list[tuple[int, Fact]]:
    """Of ten arrivals eight are readings, one switches on and one off."""
    random = Random(7)
    found: list[tuple[int, Fact]] = []
    for time in range(points):
        for place in range(RATE):
            machine = random.randrange(KEYS)
            if place < RATE - 2:
                found.append((time, Fact("reading", (machine, random.randrange(60, 100)))))
            else:
                found.append((time, Fact("switch_on" if place == RATE - 1 else "switch_off", (machine,))))
    return found


def _idle(text: str, stream: Sequence[tuple[int, Fact]]) -> tuple[float, float]:
    """The median CPU seconds of a busy time point, and of passing over idle ones."""
    reasoner = IntervalReasoner(analyse(parse_program(text)))
    busy, passed, time = [], [], 0
    for begin in range(0, len(stream), RATE):
        facts = [(time, fact) for _, fact in stream[begin : begin + RATE]]
        arrivals = Arrivals.of(facts, reasoner.dictionary)
        busy.append(cpu_seconds(partial(reasoner.advance_batch, time, arrivals)))
        passed.append(cpu_seconds(partial(reasoner.advance, time + IDLE)))
        time += IDLE + 1
    return median(busy), median(passed)


EXPERIMENTS = (Experiment("lasting", "held values and recorded states against a plain window", _measure, seconds=20),)
