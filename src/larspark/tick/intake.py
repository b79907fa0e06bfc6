"""Where all sources meet: one bounded queue, stamped with the clock in the order of the queue."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from larspark.language.calendar import TimeForm
from larspark.read import Chunk
from larspark.read.chunk import Refused
from larspark.tick.clock import ATTENTION, TickClock
from larspark.tick.signals import Signal, chunk_of_signals, signals_of

CAPACITY = 256
"""Batches; a full queue holds its sources back, so that nothing is lost."""


@dataclass(frozen=True, slots=True)
class SignalBatch:
    """Signals that came together, with the time point of their arrival by the clock."""

    arrived: int
    content: list[Signal] | Chunk
    """One by one, or many in columns."""
    faults: tuple[Refused, ...] = ()

    @property
    def form(self) -> TimeForm:
        """How its times are written."""
        if isinstance(self.content, Chunk):
            return self.content.form
        return max((signal.form for signal in self.content), default=TimeForm.POINTS)

    @property
    def signals(self) -> list[Signal]:
        return signals_of(self.content) if isinstance(self.content, Chunk) else self.content

    @property
    def chunk(self) -> Chunk:
        return self.content if isinstance(self.content, Chunk) else chunk_of_signals(self.content)


@dataclass(frozen=True, slots=True)
class Ended:
    """A source has nothing more to say."""

    source: str


@dataclass(frozen=True)
class LiveQuestion:
    """Something is asked about what holds now."""

    text: str


Message: TypeAlias = SignalBatch | Ended | LiveQuestion


class Intake:
    """Batches in the order of arrival; no batch in it is older than one before it."""

    def __init__(self, clock: TickClock, capacity: int = CAPACITY, *, asked: bool = False) -> None:
        self._clock = clock
        self.asked = asked
        """Whether lines may be questions."""
        self._queue: queue.Queue[Message] = queue.Queue(capacity)
        self._stamping = threading.Lock()
        self._closed = threading.Event()
        self._ahead: Message | None = None
        """Taken out of the queue by `more`, but not wanted yet."""

    def put(self, signals: list[Signal] | Chunk, faults: tuple[Refused, ...] = ()) -> None:
        """Stamp and queue; waits while the queue is full. Stamping and queueing are one step."""
        with self._stamping:
            self._push(SignalBatch(self._clock.now(), signals, faults))

    def ask(self, text: str) -> None:
        with self._stamping:
            self._push(LiveQuestion(text))

    def end(self, source: str) -> None:
        with self._stamping:
            self._push(Ended(source))

    def get(self, timeout: float) -> Message | None:
        """The next message; None when there is none in time."""
        message, self._ahead = self._ahead, None
        if message is not None:
            return message
        try:
            return self._queue.get(timeout=max(timeout, 0.0))
        except queue.Empty:
            return None

    def more(self, arrived: int) -> Iterator[SignalBatch]:
        """The batches that are waiting and arrived at this time point, too."""
        while isinstance(message := self.get(0), SignalBatch) and message.arrived == arrived:
            yield message
        self._ahead = message

    def present(self) -> int | None:
        """The time point of the clock, if everything that arrived before it has been taken out; else None."""
        with self._stamping:
            return self._clock.now() if self._queue.empty() and self._ahead is None else None

    def behind(self, arrived: int) -> bool:
        """Is the time point over, or are more signals waiting?"""
        if self._clock.now() > arrived or isinstance(self._ahead, SignalBatch):
            return True
        with self._queue.mutex:
            return any(isinstance(message, SignalBatch) for message in self._queue.queue)

    def close(self) -> None:
        """Sources that wait for room give up."""
        self._closed.set()

    @property
    def closed(self) -> bool:
        return self._closed.is_set()

    def _push(self, message: Message) -> None:
        while not self._closed.is_set():
            try:
                self._queue.put(message, timeout=ATTENTION)
                return
            except queue.Full:
                continue
