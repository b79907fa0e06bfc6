"""What window functions promise, on random streams.

thesis-thm14 claims more of partition windows than Def. 9 gives: see thesis-thm14-at0 and -at1 among the vectors.
"""

from __future__ import annotations

from random import Random

import pytest

from definitions.tick_streams import canonical
from larspark.language.facts import Signature
from larspark.language.tree import (
    UNBOUNDED,
    Constant,
    FilterWindow,
    IntervalWindow,
    Keyed,
    PartitionWindow,
    Pattern,
    Term,
    TimeWindow,
    TupleWindow,
    Window,
)
from larspark.language.values import Value
from larspark.semantics.streams import Stream, merged
from larspark.semantics.windows import apply
from support.random_formulas import FACTS, random_data, random_window

SEEDS = range(300)


def value(term: Term) -> Value:
    assert isinstance(term, Constant)
    return term.value


def select(window: Window, stream: Stream, time: int) -> Stream:
    return apply(window, stream, time, value)


@pytest.mark.parametrize("end", [None, 14])
def test_a_window_is_a_substream(end: int | None) -> None:
    """Def. 3."""
    for seed in SEEDS:
        random = Random(seed)
        stream, window, time = random_data(random, end), random_window(random), random.randint(0, 16)
        found = select(window, stream, time)
        assert found.substream_of(stream), (seed, window)
        assert set(found.arrivals()) <= set(stream.arrivals())


def enlarged(random: Random, stream: Stream) -> Stream:
    """The same input with more derived atoms, on the same timeline."""
    more = {random.randint(stream.start, 14): frozenset({random.choice(FACTS)}) for _ in range(3)}
    return stream.with_derived(merged(stream.derived, more))


def test_windows_are_monotone_in_what_is_derived() -> None:
    """thesis-mono-time, and tuple windows that count input alone (sec. 3.2.3, after Example 30)."""
    for seed in SEEDS:
        random = Random(seed)
        small = random_data(random, 14)
        big, window = enlarged(random, small), random_window(random)
        for time in range(small.start, 15):
            assert select(window, small, time).substream_of(select(window, big, time)), (seed, window, time)


def test_time_filter_and_interval_windows_are_monotone_in_the_input() -> None:
    """thesis-mono-time: shared timeline, t inside it. Tuple windows are not (thesis-mono-tuple, thesis-ex44-r)."""
    for seed in SEEDS:
        random = Random(seed)
        small, window = random_data(random, 14), random_window(random)
        extra = [(random.randint(small.start, 14), random.choice(FACTS)) for _ in range(3)]
        big = Stream.of(small.start, 14, [*small.input, *extra], small.derived)
        if not isinstance(window, TupleWindow | PartitionWindow):
            time = random.randint(small.start, 14)
            assert select(window, small, time).substream_of(select(window, big, time)), (seed, window)


def test_filter_and_time_window_commute() -> None:
    """thesis-filter-commute."""
    for seed in SEEDS:
        random = Random(seed)
        stream, time = random_data(random, 14), random.randint(0, 16)
        window, filtering = TimeWindow(random.randint(0, 5), random.randint(0, 2)), FilterWindow((Pattern("a", ()),))
        assert select(window, select(filtering, stream, time), time) == select(
            filtering, select(window, stream, time), time
        )


def test_nested_sliding_windows_are_restrictions() -> None:
    """thesis-sparse-time."""
    for seed in SEEDS:
        random = Random(seed)
        stream, found = random_data(random, 14), None
        for _ in range(3):
            window = TimeWindow(random.choice([0, 2, 5, UNBOUNDED]), random.randint(0, 2))
            found = select(window, found or stream, random.randint(0, 14))
        assert found is not None
        assert found == stream.restricted(found.start, found.end)


def test_one_partition_is_a_filter_and_a_tuple_window() -> None:
    """thesis-partition-filter: for t in the timeline; an empty partition has no index with us."""
    for seed in SEEDS:
        random = Random(seed)
        stream, size = random_data(random, 14), random.randint(1, 3)
        time = random.randint(stream.start, 14)
        partition = PartitionWindow(size, 0, (Keyed(Signature("e", 1), ()),))
        chain = select(TupleWindow(size), select(FilterWindow((Pattern("e", (None,)),)), stream, time), time)
        found = select(partition, stream, time)
        assert found.facts() == chain.facts(), seed
        if any(arrival.fact.predicate == "e" and arrival.time <= time for arrival in stream.input):
            assert found.timeline == chain.timeline


def test_windows_on_ticks_are_windows_on_streams() -> None:
    """thesis-lem9, thesis-lem10: at the last tick, ties broken by arrival."""
    for seed in SEEDS:
        random = Random(seed)
        stream, size = random_data(random, 14).data(), random.randint(1, 4)
        ticks = canonical(stream)
        now = ticks.ticks[-1]
        assert ticks.underlying() == stream
        assert ticks.time_window(now, size).underlying() == select(TimeWindow(size), stream, now.time)
        assert ticks.tuple_window(now, size).underlying().facts() == select(TupleWindow(size), stream, now.time).facts()


def test_an_interval_window_ignores_the_reference_time() -> None:
    """thesis-lem14, for the window itself."""
    for seed in SEEDS:
        random = Random(seed)
        stream, window = random_data(random, 14), IntervalWindow(Constant(3), Constant(random.randint(0, 9)))
        assert select(window, stream, 1) == select(window, stream, 12)


def test_a_time_window_without_atoms_is_no_tuple_window() -> None:
    """thesis-thm15-claim: [4,5] of a stream with one atom at 0 is not selected by any tuple window."""
    stream = Stream.of(0, 9, [(0, FACTS[0])])
    wanted = select(TimeWindow(1), stream, 5)
    assert wanted.timeline == (4, 5)
    others = [
        select(TupleWindow(past, future), stream, time).timeline
        for past in (*range(4), UNBOUNDED)
        for future in (*range(4), UNBOUNDED)
        for time in range(10)
    ]
    assert wanted.timeline not in others
