"""Answer streams from atoms with times, and what changed between two of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from larspark.language.facts import Fact
from larspark.reasoners.protocol import AnswerStream, Change


def stream_of(now: int, atoms: Iterable[tuple[int, Fact]]) -> AnswerStream:
    """The answer stream that consists of these atoms at these times, seen from `now`."""
    by_time: dict[int, set[Fact]] = defaultdict(set)
    for time, fact in atoms:
        by_time[time].add(fact)
    present = frozenset(by_time.pop(now, ()))
    return AnswerStream(present, {time: frozenset(facts) for time, facts in sorted(by_time.items())})


def saved_stream(stream: AnswerStream | None) -> object:
    """An answer stream as plain data."""
    return None if stream is None else (stream.now, dict(stream.at))


def stream_saved(saved: Any) -> AnswerStream | None:
    """The answer stream that was saved."""
    if saved is None:
        return None
    now, at = saved
    return AnswerStream(frozenset(now), {time: frozenset(facts) for time, facts in at.items()})


def change_between(time: int, before: AnswerStream | None, after: AnswerStream | None) -> Change:
    """What the evaluation at `time` changed; None stands for no answer stream, which shows nothing."""
    old, new = before or AnswerStream(), after or AnswerStream()
    old_pins, new_pins = _pins(old), _pins(new)
    return Change(
        time,
        new.now - old.now,
        old.now - new.now,
        new_pins - old_pins,
        old_pins - new_pins,
        after is not None,
    )


def _pins(stream: AnswerStream) -> frozenset[tuple[int, Fact]]:
    return frozenset((time, fact) for time, facts in stream.at.items() for fact in facts)
