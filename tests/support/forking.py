"""What a forked process finds, in which something may be broken without harm to the others."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def forked(run: Callable[[], Found], broken: Callable[[BaseException | None], Found]) -> Found:
    """What `run` gives there; `broken` says what it means that it raises something, or (None) that the process dies."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            found = run()
        except BaseException as error:  # a fault may break anything
            found = broken(error)
        with os.fdopen(writing, "wb") as answer:
            pickle.dump(found, answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        said = answer.read()
    os.waitpid(child, 0)
    told: Found = pickle.loads(said) if said else broken(None)
    return told
