"""What happens, evaluation by evaluation, for as many readers as there are. Nobody who reads is ever waited for."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter
from secrets import token_hex
from typing import Any, NamedTuple

from larspark.explain.evaluations.history import Refusal, Sourced
from larspark.language.facts import Fact
from larspark.reasoners.protocol import Change
from larspark.web.marks import AnswerMark

KEPT = 20_000
"""Events that a reader may lag behind; one that lags more is told to begin anew."""

Tick = tuple[int, int]
"""A time point, and the number of the evaluation at it."""


class EvaluationEvent(NamedTuple):
    """One evaluation; its facts are made when somebody reads it."""

    tick: Tick
    arrived: Sequence[Sourced]
    change: Change | None
    refused: Sequence[Refusal] = ()
    ended: Sequence[AnswerMark] = ()
    """Conclusions that are known as a whole."""

    @property
    def id(self) -> str:
        """The time point, with a number where it is not the first evaluation there."""
        return tick_text(self.tick)

    def as_json(self) -> dict[str, Any]:
        time, change = self.tick[0], self.change
        found: dict[str, Any] = {"time": time}
        if self.arrived:
            found["arrived"] = [[*_named(one.fact), one.time] for one in self.arrived]
        if self.refused:
            known = [(one.fact, one.time) for one in self.refused]
            found["refused"] = [[*_named(fact), at] for fact, at in known if fact is not None and at is not None]
        if self.ended:
            found["stretches"] = [[*_named(one.fact), one.first, one.last, one.at] for one in self.ended]
        if change is None:
            return found
        appeared, disappeared, pinned, unpinned = change.sets
        for name, facts in (("appeared", appeared), ("disappeared", disappeared)):
            if facts:
                found[name] = sorted(_named(fact) for fact in facts)
        for name, timed in (("pinned", pinned), ("unpinned", unpinned)):
            if timed:
                found[name] = sorted([*_named(fact), at] for at, fact in timed)
        if not change.consistent:
            found["consistent"] = False
        return found

    def as_text(self) -> str:
        """As a server-sent event."""
        return f"id: {self.id}\ndata: {json.dumps(self.as_json(), ensure_ascii=False, separators=(',', ':'))}\n\n"


def _named(fact: Fact) -> list[Any]:
    return [str(fact), str(fact.signature)]


def tick_text(tick: Tick) -> str:
    time, number = tick
    return str(time) if number == 0 else f"{time}.{number}"


def read_tick(text: str) -> Tick | None:
    """None for what is no id."""
    time, _, number = text.partition(".")
    if not time.isdecimal() or not (number or "0").isdecimal():
        return None
    return int(time), int(number or 0)


class EventLog:
    """The events of one run, in the order of time; written by one thread, read by others."""

    def __init__(self, kept: int = KEPT) -> None:
        self.run = token_hex(6)
        """Tells runs apart: readers of another one begin anew."""
        self._kept = kept
        self._events: list[EvaluationEvent] = []
        self._dropped = 0
        self._last: Tick | None = None

    @property
    def end(self) -> int:
        """The place behind the last event."""
        return self._dropped + len(self._events)

    @property
    def last(self) -> Tick | None:
        return self._last

    def begin_after(self, tick: Tick | None) -> None:
        """What came before is known otherwise."""
        self._last = tick

    def append(
        self,
        time: int,
        arrived: Sequence[Sourced],
        change: Change | None,
        refused: Sequence[Refusal] = (),
        ended: Sequence[AnswerMark] = (),
    ) -> None:
        number = self._last[1] + 1 if self._last is not None and self._last[0] >= time else 0
        moment = max(time, self._last[0]) if self._last is not None else time
        self._last = (moment, number)
        self._events.append(EvaluationEvent(self._last, arrived, change, refused, ended))
        if len(self._events) > 2 * self._kept:
            gone = len(self._events) - self._kept
            self._events, self._dropped = self._events[gone:], self._dropped + gone

    def place_after(self, tick: Tick | None) -> int | None:
        """Where a reader who knows everything up to a tick goes on; None when that is no longer there."""
        if tick is None:
            return None if self._dropped else 0
        events, dropped = self._events, self._dropped
        place = bisect_right(events, tick, key=attrgetter("tick"))
        return None if place == 0 and dropped else dropped + place

    def since(self, place: int, most: int) -> tuple[Sequence[EvaluationEvent], int] | None:
        """Events from a place on, and the place behind them; None when they are no longer there."""
        events, dropped = self._events, self._dropped
        if place < dropped:
            return None
        found = events[place - dropped : place - dropped + most]
        return found, place + len(found)


def texts(events: Iterable[EvaluationEvent]) -> bytes:
    return "".join(event.as_text() for event in events).encode()
