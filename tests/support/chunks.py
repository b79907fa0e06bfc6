"""What chunks say, in a form that tests can write down."""

from __future__ import annotations

from collections.abc import Iterable

from larspark.read import Chunk


def arrivals(*chunks: Chunk) -> list[tuple[int, int, str]]:
    """The order, the time and the atom of each row."""
    blocks = [block for chunk in chunks for block in chunk.blocks]
    rows = (zip(one.order, one.times, one.facts(), strict=True) for one in blocks if one.order is not None)
    return sorted((int(order), int(time), str(fact)) for block in rows for order, time, fact in block)


def timed(chunks: Iterable[Chunk]) -> list[tuple[int, str]]:
    """The time and the atom of each row, in the order of arrival."""
    return [(time, fact) for _, time, fact in arrivals(*chunks)]


def refused(*chunks: Chunk) -> list[tuple[int, str, str]]:
    """The order, the code and the place of each refused record."""
    found = [one for chunk in chunks for one in chunk.refused]
    return [(one.order, one.diagnostic.code, str(one.diagnostic.origin)) for one in found]
