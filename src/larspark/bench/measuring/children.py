"""Processes that are measured, each with all that it starts: none of them outlives who measures it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType

from larspark.bench.measuring.tree import processes

_STATE, _SESSION = 0, 3
"""Fields of `/proc/…/stat` behind the name."""
_ENDED = "ZX"
PATIENCE = 10.0
"""Seconds in which a killed process is gone."""


@dataclass
class _Signals:
    """What is asked of this process from outside: it ends by an exception, so that everything is tidied up."""

    held: bool = False
    """While a process is started: between its start and the moment when it is known it could not be ended."""
    came: int | None = None

    def take(self, number: int, _frame: FrameType | None = None) -> None:
        again, self.came = self.came is not None, number
        if not again and not self.held:  # who asks twice must not disturb the tidying up
            self.end()

    def end(self) -> None:
        """Raise what ends this process."""
        if self.came == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + (self.came or 0))

    @contextmanager
    def holding(self) -> Iterator[None]:
        self.held = True
        try:
            yield
        finally:
            self.held = False


_signals = _Signals()


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Within, Ctrl-C, a polite kill and a closed terminal end what is measured, too, and then this process."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    heeded = [one for one in numbers if signal.getsignal(one) != signal.SIG_IGN]  # `nohup` stays in force
    before = {one: signal.signal(one, _signals.take) for one in heeded}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
        _signals.came = None


def said_by(command: Sequence[str], limit: float) -> tuple[str, str]:
    """What a process prints and what it complains about; `TimeoutExpired` if that takes longer than so many seconds.

    However it goes, nothing that the process has started is left.
    """
    with _signals.holding():
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
    with process:
        try:
            if _signals.came is not None:
                _signals.end()
            return process.communicate(timeout=limit)
        finally:
            end_session(process.pid)


def end_session(leader: int) -> None:
    """Kill a process that began a session and everything that it has started; workers of Spark have groups of own."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
    until = time.monotonic() + PATIENCE
    while (left := in_session(leader)) and time.monotonic() < until:
        for one in left:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        time.sleep(0.01)


def in_session(leader: int) -> list[int]:
    """The processes of a session that live."""
    found = processes().items()
    return [one for one, told in found if int(told[_SESSION]) == leader and told[_STATE] not in _ENDED]
