"""`[tumble n]` and `[hop d over n]` are the windows of SQL, seen once they are whole.

time      0 1 2 3 4 5 6 7 8 9
arrivals  x x . x . x
[tumble 3]      |from 3: 0 1 2|from 6: 3 4 5|from 9: 6 7 8
"""

from __future__ import annotations

from random import Random

import pytest

from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.resolve import resolve
from larspark.language.tree import HALF_OPEN, TimeWindow
from larspark.semantics.streams import Stream
from larspark.semantics.windows import time_window


def contents(stream: Stream, time: int, length: int, hop: int) -> list[int]:
    return time_window(stream, time, length, HALF_OPEN, hop).occupied()


def test_a_tumbling_window_sees_the_last_whole_stretch() -> None:
    stream = Stream.of(0, None, [(time, Fact("x")) for time in (0, 1, 3, 5)])
    seen = [contents(stream, time, 3, 3) for time in range(10)]
    assert seen == [[], [], [], [0, 1], [0, 1], [0, 1], [3, 5], [3, 5], [3, 5], []]


@pytest.mark.parametrize(("hop", "length"), [(1, 4), (2, 4), (3, 4), (4, 4), (2, 5)])
def test_rows_of_a_window_in_sql(hop: int, length: int) -> None:
    """Of every window [end − length, end) with rows, the rows are seen from its end until the next window ends."""
    random = Random(hop * 10 + length)
    times = sorted(random.choices(range(40), k=20))
    stream = Stream.of(0, None, [(time, Fact("x", (time,))) for time in times])
    windows = {end: sorted({t for t in times if end - length <= t < end}) for end in range(0, 60, hop)}
    for time in range(60 - hop):
        assert contents(stream, time, length, hop) == windows[time // hop * hop]


def test_every_time_point_is_in_one_tumbling_window() -> None:
    stream = Stream.of(0, None, [(time, Fact("x")) for time in range(30)])
    assert [t for end in range(5, 31, 5) for t in contents(stream, end, 5, 5)] == list(range(30))


def test_the_spelling_means_it() -> None:
    program = resolve(parse_program("a :- x [tumble 4]. b :- x [hop 2 over 4]."))
    first, second = (rule.body[0] for rule in program.rules)
    assert getattr(first, "window", None) == TimeWindow(4, HALF_OPEN, 4)
    assert getattr(second, "window", None) == TimeWindow(4, HALF_OPEN, 2)
