"""The border between a protocol and the journal: a receiver writes what comes, and says when it cannot go on."""

from __future__ import annotations

import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from larspark.spark.read.live.addresses import Address
from larspark.spark.read.live.journal import Journal, JournalClosed, JournalEntry

LONGEST_PAUSE = 10.0
"""Seconds between two attempts to reach a sender that has gone."""


class Receiver(ABC):
    """Writes lines from an address into a journal, in threads of its own, until it is stopped."""

    def __init__(self, address: Address, options: Mapping[str, str], journal: Journal) -> None:
        self.address = address
        self.options = options
        self.journal = journal
        self.stopping = threading.Event()
        self._failure: Exception | None = None
        self._last = time.monotonic()

    @abstractmethod
    def start(self) -> None:
        """Begin; `ConnectionError` when the address does not answer, unless it has done so in an earlier run."""

    @property
    def going_on(self) -> bool:
        """Whether something has come from the address before."""
        return self.journal.end > 0

    @property
    def ended(self) -> bool:
        """The sender has said that nothing more comes."""
        return False

    @property
    def quiet(self) -> float:
        """For how many seconds nothing has come."""
        return time.monotonic() - self._last

    def stop(self) -> None:
        self.stopping.set()

    def check(self) -> None:
        """Raise what has stopped a thread of the receiver, such as a full disk."""
        if self._failure is not None:
            raise self._failure

    def keep(self, entries: Sequence[JournalEntry]) -> None:
        if entries:
            self.journal.append(entries)
            self._last = time.monotonic()

    def in_thread(self, work: Callable[[], None]) -> None:
        """Run `work` beside; what it raises is raised again by `check`."""

        def guarded() -> None:
            try:
                work()
            except JournalClosed:
                pass  # the stream was stopped while the journal was full
            except Exception as error:
                self._failure = error

        threading.Thread(target=guarded, daemon=True, name=f"larspark {self.address}").start()

    def tell(self, text: str) -> None:
        """A line for whoever watches the run."""
        print(f"larspark: {self.address} {text}", file=sys.stderr, flush=True)


def pause_before(attempt: int) -> float:
    """Seconds before another attempt, more each time."""
    return min(LONGEST_PAUSE, 0.1 * (1 << min(attempt, 10)))


def line_of(raw: bytes) -> str:
    """A line as text; what is no UTF-8 is spelled so that it is refused as a record, and can be found there."""
    try:
        return raw.decode().strip()
    except UnicodeDecodeError:
        return f"not UTF-8: {raw.decode(errors='backslashreplace').strip()}"
