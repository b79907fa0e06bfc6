"""Sessions of `tick` with broken lines among the others: the output is that of a session without them."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.language.tree import Duration
from larspark.read import Rules
from larspark.reasoners.registry import make_reasoner
from larspark.runtime.admission import Admission
from larspark.tick.clock import HandClock, Pace
from larspark.tick.engine import TickEngine
from larspark.tick.renderings import ModelText
from larspark.tick.runner import Runner, Setup, TimeFrom
from larspark.tick.sources import LinesSource
from larspark.tick.timing import EveryPoints, EverySignals, OnChange, Timing
from support.analysed import analysed

PROGRAM = "alarm(M) :- always hot(M) [1]. last(M) :- hot(M) [2 #], not seen(_) [2]. @(T+2) due(M) :- @T seen(M) [3]."
TIMINGS = {"change": OnChange(), "signals": EverySignals(2), "points": EveryPoints(2)}

good = st.tuples(st.integers(0, 2), st.sampled_from([b"hot(1)", b"hot(m); seen(1)", b"seen(1)", b"other; hot(1)"]))
"""Time points ahead, and signals."""
broken = st.sampled_from(
    [
        b"hot(",
        b"hot(1); ;",
        b"hot(X)",
        b"@x hot(1)",
        b"@-1 hot(1)",
        b"@99999999999999999999999999 hot(1)",
        b"{",
        b'{"time": 1}',
        b'{"time": 4, "predicate": "hot", "args": [null]}',
        b'{"time": 4, "predicate": "hot", "args": [NaN]}',
        b'{"time": 4, "predicate": "hot", "args": [[1]]}',
        b"\xff\xfe",
        b"@5 hot(1,2)",
        b"@5 alarm(1)",
        b"@0 hot(1)" + b"\0",
        b"@1 hot(1) hot(2)",
    ]
)
sessions = st.lists(good | broken, max_size=14)


class Kept:
    """A sink that keeps what it gets."""

    dropped = 0
    gone = False

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def write(self, *lines: bytes) -> None:
        self.lines += lines

    def abandon(self) -> None:
        pass

    def close(self) -> None:
        pass


def played(lines: list[bytes], timing: Timing) -> tuple[list[bytes], int]:
    """What is written, and how many signals or lines are refused."""
    analysis, sink = analysed(PROGRAM), Kept()
    rules = Rules(live=True, located=True, ordered=False)

    def engine(start: int, write: object) -> TickEngine:
        assert callable(write)
        return TickEngine(make_reasoner("interval", analysis, (), start), start, timing, lambda _: True, write)

    setup = Setup(
        engine,
        Admission(analysis),
        HandClock(),
        Pace(Duration(1, "s"), None),
        [LinesSource("lines", lambda: BytesIO(b"".join(line + b"\n" for line in lines)), rules)],
        [sink],
        ModelText(),
        TimeFrom.INPUT,
        start=0,
    )
    runner = Runner(setup)
    runner.run()
    return sink.lines, runner.close().rejected


@pytest.mark.parametrize("timing", TIMINGS)
def test_broken_lines_leave_no_trace(timing: str) -> None:
    @settings(max_examples=60)
    @given(sessions)
    def check(session: list[tuple[int, bytes] | bytes]) -> None:
        time = 0
        all_lines: list[bytes] = []
        good_lines: list[bytes] = []
        for part in session:
            if isinstance(part, tuple):
                time += part[0]
                good_lines.append(b"@%d %s" % (time, part[1]))
                all_lines.append(good_lines[-1])
            else:
                all_lines.append(part)
        written, rejected = played(all_lines, TIMINGS[timing])
        assert (written, rejected) == (played(good_lines, TIMINGS[timing])[0], len(all_lines) - len(good_lines))

    check()
