"""What a worker has loaded stays: Spark's garbage collection after every task need not look through it again.

A worker lives on from task to task with everything that is imported and compiled in it. Looking through all of that
takes about as long as reading a million rows.
"""

from __future__ import annotations

import gc

_kept: set[type] = set()


def keep_loaded(task: object) -> None:
    """To be called at the end of a task, or of a part of it: the first of each kind loads what the others use."""
    if type(task) not in _kept:
        _kept.add(type(task))
        gc.collect()
        gc.freeze()
