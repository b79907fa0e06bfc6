"""A live engine for the page: what has arrived, what is to come, and time that is stepped, played, turned back."""

from __future__ import annotations

import threading
import time as wall
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.evaluations.history import RecordPlace, Refusal, Sourced
from larspark.language.facts import Fact
from larspark.questions.explaining import Case
from larspark.questions.other_rules import reach_of
from larspark.reasoners.protocol import Foreseeing
from larspark.runtime.prepared import Prepared
from larspark.runtime.running import Running, started
from larspark.web.following import LiveFollowing

FARTHEST = 100_000
"""Evaluations that one request may ask for."""
PATIENCE = 0.25
"""Seconds that playing sleeps at most before it looks whether it should go on."""


@dataclass(frozen=True)
class PlayedInput:
    """What there is to play, in the order of time."""

    arrivals: tuple[Sourced, ...] = ()
    refused: tuple[Refusal, ...] = ()

    @property
    def start(self) -> int | None:
        return self.arrivals[0].time if self.arrivals else None


class Live(LiveFollowing):
    """One thread at a time changes it; questions are answered from what `asked` returns, without holding it up."""

    def __init__(
        self,
        prepared: Prepared,
        file: Path | None,
        reasoner: str,
        given: PlayedInput,
        *,
        history: int,
        start: int | None = None,
    ) -> None:
        first = start if start is not None else given.start or 0
        super().__init__(prepared, file, reasoner, first, history)
        self._coming = list(reversed(given.arrivals))
        """The next one last."""
        if given.refused:
            self.refuse(given.refused)
        self._running: Running = started(prepared.require(), reasoner, first, 0)
        self._playing: threading.Event | None = None
        self.speed: float | None = None

    # -- time --------------------------------------------------------------------------------------

    def step(self) -> dict[str, Any]:
        """To the next time point at which something arrives or changes; the next one if nothing is known."""
        with self.lock:
            self._step(None)
            return self.state()

    def advance(self, time: int) -> dict[str, Any]:
        """Let time pass; what is to come until then arrives."""
        with self.lock:
            present = self._first if self.time is None else self.time
            if time < present:
                raise Rejected([_past(time, present)])
            for _ in range(FARTHEST):
                if self.time is not None and self.time >= time:
                    return self.state()
                self._step(time)
            message = f"That are more than {FARTHEST} evaluations; time stands at {self.time}."
            raise Rejected([Diagnostic("E411", message, "Go on from there.")])

    def send(self, facts: Sequence[Fact], time: int | None) -> dict[str, Any]:
        """Atoms arrive, now or at a later time point."""
        with self.lock:
            present = self._first if self.time is None else self.time
            at = present if time is None else time
            objections = [found for fact in facts if (found := self.prepared.admission.objection(fact))]
            if at < present:
                objections = [_past(at, present)]
            if objections:
                self.refuse([Refusal(None, objections[0].message, objections[0].code, at, fact) for fact in facts])
                raise Rejected(objections)
            if at - 1 > present or (at > present and self.time is None):
                self.advance(at - 1)
            typed = [
                Sourced(at, fact, RecordPlace("typed", self._typed + place)) for place, fact in enumerate(facts, 1)
            ]
            self._evaluate(at, [*self._due(at), *typed])
            self._typed += len(facts)
            return self.state()

    def _step(self, limit: int | None) -> None:
        following = self._first if self.time is None else self.time + 1
        known = [one for one in (self._next_arrival, self._next_change(following)) if one is not None]
        target = max(following, min(known)) if known else following
        if limit is not None:
            target = min(max(limit, following), target) if known else limit
        self._evaluate(target, self._due(target))

    def _due(self, time: int) -> list[Sourced]:
        """What is to come up to a time point comes now."""
        found = []
        while self._coming and self._coming[-1].time <= time:
            found.append(self._coming.pop())
        return found

    @property
    def _next_arrival(self) -> int | None:
        return self._coming[-1].time if self._coming else None

    def _next_change(self, following: int) -> int | None:
        """When the answer may change by itself; reasoners that do not know are asked at every time point."""
        if self.time is None:
            return None
        reasoner = self._running.reasoner
        return reasoner.next_change() if isinstance(reasoner, Foreseeing) else following

    def _evaluate(self, time: int, arrived: Sequence[Sourced]) -> None:
        change = self._running.advance(time, [one.fact for one in arrived])
        self.happened(time, arrived, change)

    # -- playing -----------------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        return self._playing is not None

    def play(self, speed: float | None) -> dict[str, Any]:
        """Go on by itself: so many times as fast as the clock, or as fast as it goes; ends with the input."""
        self.pause()
        with self.lock:
            stop, self._playing, self.speed = (flag := threading.Event()), flag, speed
        threading.Thread(target=self._play, args=(stop, speed), daemon=True, name="larspark-play").start()
        self.noted()
        return self.state()

    def pause(self) -> dict[str, Any]:
        with self.lock:
            if self._playing is not None:
                self._playing.set()
                self._playing = None
                self.noted()
            return self.state()

    def _play(self, stop: threading.Event, speed: float | None) -> None:
        length = self.prepared.calendar.clock.milliseconds / 1000
        began, first = wall.monotonic(), self.time if self.time is not None else self._first
        while not stop.is_set():
            if speed is not None:
                due = began + ((self.time or first) + 1 - first) * length / speed
                if (early := due - wall.monotonic()) > 0:
                    stop.wait(min(early, PATIENCE))
                    continue
            with self.lock:
                if stop.is_set() or not self._coming:
                    break
                self._step(None if speed is None else (self._first if self.time is None else self.time + 1))
        with self.lock:
            if self._playing is stop:
                self._playing = None
        self.noted()

    # -- another past, other rules -----------------------------------------------------------------

    def back(self, time: int) -> dict[str, Any]:
        """As it was after an evaluation; what arrived later will arrive again."""
        self.pause()
        with self.lock:
            asked = self.asked()
            asked.require(time)
            later = [one for one in self._arrivals if one.time > time]
            self._coming.extend(sorted(later, key=attrgetter("time"), reverse=True))
            self._begin(self.prepared, [one for one in self._arrivals if one.time <= time], time)
            return self.state()

    def apply(self, text: str) -> dict[str, Any]:
        """Go on with other rules: over everything that is kept, as if they had been there all the time."""
        with self.lock:
            prepared = self.asked().other(text, self.name)
            self.text = text
            self._begin(prepared, self._arrivals, self.time)
            return self.state()

    def load(self) -> None:
        """Everything that is to come, at once."""
        with self.lock:
            if self._coming:
                arrivals = [*self._arrivals, *reversed(self._coming)]
                self._coming.clear()
                self._begin(self.prepared, arrivals, arrivals[-1].time)

    def _begin(self, prepared: Prepared, arrivals: Iterable[Sourced], time: int | None) -> None:
        """The past is evaluated in one go; the reasoner is fed what it can still see."""
        kept = list(arrivals)
        running = started(prepared, self.reasoner, self._first, 0)
        if time is not None:
            history = Case(prepared, tuple(kept), self._first, time, self.reasoner).side.history
            reach = None if prepared.analysis.recorded or self.reasoner != "interval" else reach_of(prepared.analysis)
            oldest = self._first if reach is None else time - reach
            for moment, facts in _by_time(one for one in kept if one.time >= oldest):
                running.advance(moment, facts)
            running.advance(time, [])
            self.began(prepared, kept, history)
        else:
            self.began(prepared, kept, None)
        self._running, self.time = running, time

    # -- what is told ------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        found = super().state()
        pending = len(self._coming)
        found |= {"playing": self.playing, "speed": self.speed, "pending": pending}
        now = "has not begun" if self.time is None else f"stands at {self.time}"
        if pending:
            waiting = f"Time {now}. {pending} arrivals are to come, the next at {self._coming[-1].time}."
        else:
            waiting = f"Time {now}. It goes on when atoms are sent or time is advanced."
        found["accounts"] |= {"pending": pending, "waiting": waiting}
        return found


def _by_time(arrivals: Iterable[Sourced]) -> Iterable[tuple[int, list[Fact]]]:
    found: dict[int, list[Fact]] = {}
    for one in arrivals:
        found.setdefault(one.time, []).append(one.fact)
    return found.items()


def _past(time: int, present: int) -> Diagnostic:
    message = f"Time point {time} lies before {present}, where the evaluation is."
    return Diagnostic("E405", message, "Send it for now or later, or go back in time first.")
