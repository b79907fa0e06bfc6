"""Several streams merged in blocks give what merging them record by record gives."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from operator import itemgetter

from hypothesis import given
from hypothesis import strategies as st

from larspark.language.facts import Fact
from larspark.read import Chunk, Rules, chunk_of_facts
from larspark.read.merging import merged
from support.chunks import timed

STREAMS = st.lists(
    st.lists(st.tuples(st.integers(0, 6), st.sampled_from(["a", "b"]), st.integers(0, 3)), max_size=12).map(sorted),
    max_size=4,
)


def chunks(stream: list[tuple[int, Fact]], size: int) -> Iterator[Chunk]:
    for begin in range(0, len(stream), size):
        yield chunk_of_facts(stream[begin : begin + size], Rules(), begin)


@given(STREAMS, st.integers(1, 5))
def test_blocks_are_merged_like_records(drawn: list[list[tuple[int, str, int]]], size: int) -> None:
    streams = [
        [(time, Fact(name, (number, f"s{source}"))) for time, name, number in stream]
        for source, stream in enumerate(drawn)
    ]
    found = list(merged([chunks(stream, size) for stream in streams]))
    assert timed(found) == [(time, str(fact)) for time, fact in merge(*streams, key=itemgetter(0))]
    lasts = [max(int(block.times[-1]) for block in chunk.blocks) for chunk in found]
    firsts = [min(int(block.times[0]) for block in chunk.blocks) for chunk in found]
    assert all(last <= first for last, first in zip(lasts, firsts[1:], strict=False))


def test_a_chunk_of_each_stream_is_enough() -> None:
    taken = []

    def counted(source: int) -> Iterator[Chunk]:
        for time in range(100):
            taken.append((source, time))
            yield chunk_of_facts([(time, Fact("a"))], Rules(), time)

    found = merged([counted(0), counted(1)])
    for _ in range(10):
        next(found)
    assert len(taken) <= 24


def test_refused_records_come_along() -> None:
    bad = chunk_of_facts([(3, Fact("a")), (1, Fact("a"))], Rules())
    found = list(merged([iter([bad]), chunks([(2, Fact("b"))], 1)]))
    assert timed(found) == [(2, "b"), (3, "a")]
    assert [one.diagnostic.code for chunk in found for one in chunk.refused] == ["E405"]
