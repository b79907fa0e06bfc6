"""Compiling all kernels, before they are used and by several processes, with a word on how far it is.

Others do it, since the baseline of the platform cannot be chosen inside a process where numba may already be in use.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from larspark.cache import CACHE_VARIABLE
from larspark.kernels import store
from larspark.kernels.target import CPU

Tell: TypeAlias = Callable[[int, int], None]
"""Is told how many of how many kernels are compiled."""

PROCESSES = 4
"""At most; more would mostly compile what others are compiling, too."""


def provide_kernels(tell: Tell | None = None) -> None:
    """Make sure that compiled code is there. Whoever comes while another process compiles waits for it."""
    if store.is_complete():
        return
    with _alone(store.own_folder()):
        if not store.is_complete():
            build(tell or ProgressBar())


def build(tell: Tell) -> None:
    """Compile all kernels into the user's folder."""
    environment = {
        **os.environ,
        "NUMBA_CPU_NAME": CPU,
        "NUMBA_CPU_FEATURES": "",
        CACHE_VARIABLE: str(store.own_folder().parent),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    command = [sys.executable, "-m", "larspark.kernels.compile", str(min(PROCESSES, cores))]
    with suppress(OSError), subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            done, of = map(int, line.split())
            tell(done, of)
        if process.wait() == 0:  # otherwise numba compiles the rest where it is used
            store.write(store.COMPLETE, b"")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process at a time."""
    with (folder / store.BUILDING).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


class ProgressBar:
    """How far it is, on the standard error stream: a bar on a terminal, elsewhere a line at the beginning."""

    WIDTH = 30

    def __call__(self, done: int, of: int) -> None:
        if sys.stderr.isatty():
            filled = self.WIDTH * done // of
            bar = "━" * filled + " " * (self.WIDTH - filled)
            end = "\n" if done == of else ""
            print(f"\rlarspark: compiling its kernels, once {bar} {done}/{of}", end=end, file=sys.stderr, flush=True)
        elif done == 0:
            print("larspark: compiling its kernels, once on this machine (less than a minute)", file=sys.stderr)
