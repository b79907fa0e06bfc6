"""`[session n per K]`: per key, the arrivals up to now that no pause of more than n parts from each other and from now.

time          0 1 2 3 4 5 6 7 8 9
x             *   *         *
[session 2]   |-----------| |-----   from the first arrival to two time points after the last
"""

from __future__ import annotations

from random import Random

import numpy as np

from larspark.intervals.windows.sessions import going_on
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Keyed, SessionWindow
from larspark.semantics.streams import Stream
from larspark.semantics.windows import session_window

X = Signature("x", 0)
CLICK = Signature("click", 1)


def contents(stream: Stream, time: int, window: SessionWindow) -> list[int]:
    return session_window(stream, time, window).occupied()


def test_a_session_is_seen_until_a_pause_is_over() -> None:
    stream = Stream.of(0, None, [(time, Fact("x")) for time in (0, 2, 7)])
    seen = [contents(stream, time, SessionWindow(2, (Keyed(X, ()),))) for time in range(11)]
    assert seen == [[0], [0], [0, 2], [0, 2], [0, 2], [], [], [7], [7], [7], []]


def test_keys_have_sessions_of_their_own() -> None:
    stream = Stream.of(0, None, [(0, Fact("click", ("a",))), (3, Fact("click", ("b",))), (4, Fact("y", ("a",)))])
    assert contents(stream, 3, SessionWindow(2, (Keyed(CLICK, (0,)),))) == [3]
    assert contents(stream, 3, SessionWindow(3, (Keyed(CLICK, ()),))) == [0, 3]
    assert contents(stream, 5, SessionWindow(2, (Keyed(CLICK, (0,)),))) == [3]


def test_the_timeline_is_that_of_all_keys() -> None:
    stream = Stream.of(0, None, [(1, Fact("click", ("a",))), (4, Fact("click", ("b",)))])
    assert session_window(stream, 5, SessionWindow(4, (Keyed(CLICK, (0,)),))).timeline == (1, 5)
    assert session_window(stream, 9, SessionWindow(4, (Keyed(CLICK, (0,)),))).timeline == (9, 9)


def sessions(times: list[int], gap: int) -> list[list[int]]:
    """The sessions of SQL: neighbours that are no more than the gap apart."""
    found: list[list[int]] = []
    for time in sorted(times):
        if found and time - found[-1][-1] <= gap:
            found[-1].append(time)
        else:
            found.append([time])
    return found


def test_every_session_of_sql_is_complete_at_its_last_time_point() -> None:
    for seed in range(50):
        random = Random(seed)
        gap, times = random.randint(0, 4), sorted(set(random.choices(range(40), k=12)))
        stream = Stream.of(0, None, [(time, Fact("x")) for time in times])
        told = [
            contents(stream, time, SessionWindow(gap, (Keyed(X, ()),)))
            for time in range(50)
            if contents(stream, time, SessionWindow(gap, (Keyed(X, ()),)))
            and not set(contents(stream, time, SessionWindow(gap, (Keyed(X, ()),))))
            <= set(contents(stream, time + 1, SessionWindow(gap, (Keyed(X, ()),))))
        ]
        assert told == sessions(times, gap), seed


def test_what_goes_on_is_what_the_window_selects() -> None:
    """The columns that a log and a bucket keep."""
    for seed in range(50):
        random = Random(seed)
        gap, now = random.randint(0, 4), random.randint(20, 30)
        arrivals = [(random.randint(0, 20), random.randint(0, 2)) for _ in range(random.randint(0, 12))]
        stream = Stream.of(0, None, [(time, Fact("click", (key,))) for time, key in arrivals])
        kept = session_window(stream, now, SessionWindow(gap, (Keyed(CLICK, (0,)),)))
        keys, times = (np.array([one[part] for one in arrivals], np.int64) for part in (1, 0))
        found = going_on(keys, times, gap, now)
        assert sorted(times[found]) == sorted(arrival.time for arrival in kept.arrivals()), seed
