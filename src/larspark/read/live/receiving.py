"""Between a protocol and what keeps its lines: a receiver hands on what comes, and says when it cannot go on."""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from larspark.read.live.addresses import Address

LOG = logging.getLogger("larspark.live")

LONGEST_PAUSE = 10.0
"""Seconds between two attempts to reach a sender that has gone."""


class ReceivedLines(NamedTuple):
    """Whole lines as they came, without the end of the last; and under which name the sender knows them, if they may
    come again."""

    content: bytes
    receipt: str = ""


class KeeperClosed(Exception):
    """Nothing is kept any more: the run has ended while a receiver was handing on lines."""


class Keeper(Protocol):
    """Where received lines go."""

    @property
    def name(self) -> str | None:
        """Tells those apart that use the same broker; None: nothing outlives the run, so a session need not either."""
        ...

    @property
    def going_on(self) -> bool:
        """Whether lines were kept in an earlier run."""
        ...

    def known(self, received: ReceivedLines) -> bool:
        """Whether what comes again is among the latest."""
        ...

    def append(self, received: Sequence[ReceivedLines], sender: str = "") -> None:
        """Keep lines of one sender; waits while there is no room. Then they may be acknowledged."""
        ...

    def over(self) -> None:
        """Nothing more comes."""
        ...


class Receiver(ABC):
    """Hands on the lines of an address, in threads of its own, until it is stopped."""

    def __init__(self, address: Address, options: Mapping[str, str], keeper: Keeper) -> None:
        self.address = address
        self.options = options
        self.keeper = keeper
        self.stopping = threading.Event()
        self._failure: Exception | None = None
        self._last = time.monotonic()

    @abstractmethod
    def start(self) -> None:
        """Begin; `ConnectionError` when the address does not answer, unless it has done so in an earlier run."""

    @property
    def once(self) -> bool:
        """Whether the end of the last connection is the end of all."""
        return self.options.get("once") == "true"

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

    def keep(self, received: Sequence[ReceivedLines], sender: str = "") -> None:
        if received:
            self.keeper.append(received, sender)
            self._last = time.monotonic()

    def in_thread(self, work: Callable[[], None]) -> None:
        """Run `work` beside; what it raises is raised again by `check`."""

        def guarded() -> None:
            try:
                work()
            except KeeperClosed:
                pass  # the run was stopped while there was no room
            except Exception as error:
                self._failure = error

        threading.Thread(target=guarded, daemon=True, name=f"larspark {self.address}").start()

    def tell(self, text: str) -> None:
        """A line for whoever watches the run."""
        LOG.warning("larspark: %s %s", self.address, text)


def pause_before(attempt: int) -> float:
    """Seconds before another attempt, more each time."""
    return min(LONGEST_PAUSE, 0.1 * (1 << min(attempt, 10)))
