"""The option `--page` of a running engine: the live page beside it."""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from larspark.cli.commands.serve import HISTORY, require_server
from larspark.questions.evaluated_case import BEST_FIRST
from larspark.reasoners.protocol import Reasoner
from larspark.runtime.prepared import Prepared

Watch = Callable[[Reasoner, int], Reasoner]
"""Puts a reasoner, from a first time point on, before the eyes of the page."""


def unwatched(reasoner: Reasoner, _start: int) -> Reasoner:
    return reasoner


def stay(ended: Callable[[], bool]) -> None:
    """The input is over, the page stays until it is told to go."""
    print("the input has ended; Ctrl-C ends the page", file=sys.stderr, flush=True)
    while not ended():
        time.sleep(0.1)


def add_page_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--page",
        nargs="?",
        type=int,
        const=8787,
        metavar="PORT",
        help="show it live in a browser, too (default: port 8787; 0 takes any free one)",
    )


@contextmanager
def page_beside(arguments: argparse.Namespace, prepared: Prepared, name: str) -> Iterator[Watch]:
    """While the engine runs; its address is told on standard error."""
    if arguments.page is None:
        yield unwatched
        return
    require_server()
    from larspark.web.following import LiveFollowing  # noqa: PLC0415 - only who wants a page pays for it
    from larspark.web.serving import address, beside, door_at  # noqa: PLC0415
    from larspark.web.watching import RefusalHandler, watched  # noqa: PLC0415

    explaining = next(
        (one for one in (name, *BEST_FIRST) if one in BEST_FIRST and one in prepared.analysis.reasoners), name
    )
    files = [Path(one) for one in arguments.program]
    followed = LiveFollowing(prepared, files[0] if len(files) == 1 else None, explaining, 0, HISTORY)
    door, listening = door_at(arguments.host, arguments.page, None)
    log, handler = logging.getLogger("larspark.tick"), RefusalHandler(followed)
    log.addHandler(handler)
    print(f"the page is at {address(door)}", file=sys.stderr, flush=True)
    try:
        with beside(followed, door, listening):
            yield lambda reasoner, start: watched(reasoner, followed, start)
    finally:
        log.removeHandler(handler)
