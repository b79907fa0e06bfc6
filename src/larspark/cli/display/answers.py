"""One answer stream as text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from larspark.language.facts import Fact, fact_order
from larspark.reasoners.protocol import AnswerStream


def in_order(streams: Iterable[AnswerStream]) -> list[AnswerStream]:
    """Answer streams in an order that does not depend on how they were found."""
    return sorted(
        streams, key=lambda one: (_sorted(one.now), [(time, _sorted(one.at[time])) for time in sorted(one.at)])
    )


def stream_as_json(
    stream: AnswerStream, times: Callable[[int], str] = str, spell: Callable[[Fact], str] = str
) -> dict[str, Any]:
    """`now` holds at the evaluation time, `at` elsewhere."""
    pinned = {times(time): _sorted(stream.at[time], spell) for time in sorted(stream.at)}
    return {"now": _sorted(stream.now, spell), "at": pinned}


def stream_as_text(stream: AnswerStream, times: Callable[[int], str] = str, spell: Callable[[Fact], str] = str) -> str:
    pinned = [f"@{times(time)} {atom}" for time in sorted(stream.at) for atom in _sorted(stream.at[time], spell)]
    return ", ".join([*_sorted(stream.now, spell), *pinned]) or "-"


def _sorted(facts: frozenset[Fact], spell: Callable[[Fact], str] = str) -> list[str]:
    return [spell(fact) for fact in sorted(facts, key=fact_order)]
