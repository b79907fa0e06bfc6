"""What Python workers need, and keep.

Compiled kernels are handed out by the driver, so that no worker compiles. They travel as a file that Spark copies to
its executors, under a name that both sides compute; workers on the driver's machine find them where the driver has
them.
"""

from __future__ import annotations

import gc
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet

from pyspark import SparkFiles
from pyspark.sql import SparkSession

from larspark.kernels import store
from larspark.kernels.archive import archive_name, pack, unpack
from larspark.kernels.build import provide_kernels
from larspark.spark.session.session import is_remote

if TYPE_CHECKING:
    from larspark.spark.plan.plan import SparkPlan

_provided: WeakSet[SparkSession] = WeakSet()
_kept: set[type] = set()


def hand_out_kernels(session: SparkSession, plan: SparkPlan) -> None:
    """To be called in the driver, before tasks run."""
    if any(planned.reasoner == "interval" for planned in plan.stages):
        hand_out_all(session)


def hand_out_all(session: SparkSession) -> None:
    """The same, whatever runs."""
    if session in _provided:
        return
    provide_kernels()
    if store.is_complete() and is_remote(session):
        session.addArtifacts(str(pack(Path(_served().name))), file=True)
    elif store.is_complete() and not str(session.sparkContext.master).startswith("local["):
        session.sparkContext.addFile(str(pack(Path(_served().name))))
    _provided.add(session)


@cache
def _served() -> tempfile.TemporaryDirectory[str]:
    """Executors fetch the file when they need it, perhaps long after it has been added."""
    return tempfile.TemporaryDirectory(prefix="larspark-", ignore_cleanup_errors=True)


def take_kernels() -> None:
    """To be called in a worker: what the driver has handed out is taken, unless it is here already."""
    if SparkFiles._is_running_on_worker and not store.is_complete():
        path = Path(SparkFiles.get(archive_name()))
        if path.exists():
            unpack(path)


def keep_loaded(task: object) -> None:
    """To be called at the end of a task, or of a part of it: the first of each kind loads what the others use.

    A worker lives on from task to task with everything that is imported and compiled in it. Looking through all of that
    in the garbage collection after every task takes about as long as reading a million rows.
    """
    if type(task) not in _kept:
        _kept.add(type(task))
        gc.collect()
        gc.freeze()
