"""`[n # whole]` and windows per key over several predicates, by their definitions."""

from __future__ import annotations

from random import Random

from larspark.language.facts import Fact, Signature
from larspark.language.tree import Keyed, PartitionWindow
from larspark.semantics.streams import Stream
from larspark.semantics.windows import partition_window, tuple_window

VEHICLES = [
    (36, Fact("tram", ("a1", "b"))),
    (36, Fact("bus", ("b1", "b"))),
    (40, Fact("tram", ("a3", "h"))),
    (40, Fact("bus", ("b1", "s"))),
    (43, Fact("tram", ("a3", "m"))),
    (44, Fact("tram", ("a1", "m"))),
    (45, Fact("bus", ("b2", "m"))),
]
"""Fig. 3.1b of the thesis."""


def atoms(stream: Stream) -> set[tuple[int, Fact]]:
    return {(time, fact) for time, facts in stream.content.items() for fact in facts}


def test_the_third_last_vehicle_does_not_part_its_time_point() -> None:
    """Example 11: two windows of three atoms are possible; the smallest interval with three has four."""
    stream = Stream.of(0, 50, VEHICLES)
    whole = tuple_window(stream, 44, 3, 0, whole=True)
    assert whole.timeline == tuple_window(stream, 44, 3, 0).timeline == (40, 44)
    assert atoms(whole) == set(VEHICLES[2:6])
    assert atoms(tuple_window(stream, 44, 3, 0)) < atoms(whole)


def test_it_is_all_of_the_smallest_interval_with_as_many() -> None:
    for seed in range(200):
        random = Random(seed)
        arrivals = sorted((random.randint(0, 6), number) for number in range(random.randint(0, 9)))
        stream = Stream.of(0, None, [(time, Fact("x", (number,))) for time, number in arrivals])
        now, size = random.randint(0, 8), random.randint(1, 4)
        past = [time for time, _ in arrivals if time <= now]
        first = max((u for u in range(now + 1) if sum(time >= u for time in past) >= size), default=0)
        found = tuple_window(stream, now, size, 0, whole=True)
        assert found.timeline == (first, now)
        assert sorted(time for time, _ in atoms(found)) == [time for time in past if time >= first]


def test_predicates_with_one_key_are_counted_together() -> None:
    on, off = Keyed(Signature("on", 1), (0,)), Keyed(Signature("off", 2), (1,))
    arrivals = [
        (1, Fact("on", ("d",))),
        (2, Fact("on", ("e",))),
        (3, Fact("off", ("x", "d"))),
        (4, Fact("off", ("d", "x"))),
    ]
    found = partition_window(Stream.of(0, None, arrivals), 5, PartitionWindow(1, 0, (on, off)))
    assert atoms(found) == set(arrivals[1:])
    assert found.timeline == (2, 5)
