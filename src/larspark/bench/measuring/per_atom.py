"""What the interval reasoner spends per atom of a stream, in one go and time point by time point."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from larspark.analysis.pipeline import analyse
from larspark.bench.measuring.measure import cpu_seconds
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.state.arrivals import Arrivals

WARM_UP = 100
"""Time points of a first run, which loads the compiled code."""


def least_costs(text: str, stream: Sequence[tuple[int, Fact]], rate: int, times: int) -> tuple[float, float]:
    """CPU seconds per atom, replayed and live, the least of several runs; so many atoms come at every time point."""
    _costs(text, stream[: rate * WARM_UP], rate)
    replays, steps = zip(*(_costs(text, stream, rate) for _ in range(times)), strict=True)
    return min(replays), min(steps)


def _costs(text: str, stream: Sequence[tuple[int, Fact]], rate: int) -> tuple[float, float]:
    analysis = analyse(parse_program(text))
    replayed, points = IntervalReasoner(analysis), len(stream) // rate
    arrivals = Arrivals.of(stream, replayed.dictionary)
    replay = cpu_seconds(lambda: deque(replayed.replay(points, arrivals), maxlen=0))
    live = IntervalReasoner(analysis)
    steps = [(time, Arrivals.of(stream[time * rate : (time + 1) * rate], live.dictionary)) for time in range(points)]
    stepped = cpu_seconds(lambda: deque((live.advance_batch(*step) for step in steps), maxlen=0))
    return replay / len(stream), stepped / len(stream)
