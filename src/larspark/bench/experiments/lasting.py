"""What lasts: held values and recorded states beside a plain window over the same stream, busy and idle."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from statistics import median
from time import process_time

from larspark.analysis.pipeline import analyse
from larspark.bench.measuring.figures import Experiment, Figure
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
REPETITIONS, WARM_UP = 3, 100


def _measure(quick: bool) -> Iterator[Figure]:
    points = 200 if quick else 4000
    stream = _stream(points)
    costs = {name: _least(text, stream, points, 1 if quick else REPETITIONS) for name, text in RULES.items()}
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


def _least(text: str, stream: Sequence[tuple[int, Fact]], points: int, times: int) -> tuple[float, float]:
    """The least of several runs, after a short one that loads the compiled code."""
    _run(text, stream[: RATE * WARM_UP], WARM_UP)
    replays, steps = zip(*(_run(text, stream, points) for _ in range(times)), strict=True)
    return min(replays), min(steps)


def _run(text: str, stream: Sequence[tuple[int, Fact]], points: int) -> tuple[float, float]:
    """CPU seconds per atom in one go, and time point by time point."""
    analysis = analyse(parse_program(text))
    replayed = IntervalReasoner(analysis)
    arrivals = Arrivals.of(stream, replayed.dictionary)
    replay = _seconds(lambda: deque(replayed.replay(points, arrivals), maxlen=0))
    live = IntervalReasoner(analysis)
    steps = [(time, Arrivals.of(stream[time * RATE : (time + 1) * RATE], live.dictionary)) for time in range(points)]
    stepped = _seconds(lambda: deque((live.advance_batch(*step) for step in steps), maxlen=0))
    return replay / len(stream), stepped / len(stream)


def _idle(text: str, stream: Sequence[tuple[int, Fact]]) -> tuple[float, float]:
    """The median CPU seconds of a busy time point, and of passing over idle ones."""
    reasoner = IntervalReasoner(analyse(parse_program(text)))
    busy, passed, time = [], [], 0
    for begin in range(0, len(stream), RATE):
        facts = [(time, fact) for _, fact in stream[begin : begin + RATE]]
        arrivals = Arrivals.of(facts, reasoner.dictionary)
        busy.append(_seconds(partial(reasoner.advance_batch, time, arrivals)))
        passed.append(_seconds(partial(reasoner.advance, time + IDLE)))
        time += IDLE + 1
    return median(busy), median(passed)


def _seconds(call: Callable[[], object]) -> float:
    begin = process_time()
    call()
    return process_time() - begin


EXPERIMENTS = (Experiment("lasting", "held values and recorded states against a plain window", _measure, seconds=20),)
