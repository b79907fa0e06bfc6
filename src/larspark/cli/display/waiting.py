"""What is told to somebody who waits: a line that changes, or where nobody watches a terminal, a line now and then."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TextIO

from rich.console import Console

PAUSE = 10.0
"""Seconds between two lines of a log."""


@contextmanager
def waiting(*, told: bool = True) -> Iterator[Callable[[str], None]]:
    """Takes what is to be told; it is gone from a terminal when the wait is over."""
    console = Console(stderr=True)
    if told and console.is_terminal:
        with console.status("starting") as status:
            yield status.update
    else:
        yield _now_and_then(sys.stderr) if told else _ignored


def _ignored(text: str) -> None:
    """Whoever reads the output of a program does not wait for it."""


def _now_and_then(stream: TextIO) -> Callable[[str], None]:
    following = monotonic() + PAUSE

    def tell(text: str) -> None:
        nonlocal following
        if monotonic() >= following:
            following = monotonic() + PAUSE
            print(text, file=stream, flush=True)

    return tell
