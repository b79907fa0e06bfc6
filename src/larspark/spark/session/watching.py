"""How far a bounded run is, told while it goes on: tasks as Spark counts them, times as the partitions note them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from time import monotonic

from pyspark.sql import SparkSession

from larspark.spark.evaluate.progress import ProgressNotes, progress_in
from larspark.spark.session.failures import SparkError
from larspark.spark.session.session import is_remote
from larspark.write.places import unfinished

FIRST, EVERY = 2.0, 0.5
"""Seconds until something is told, and from then on."""


@contextmanager
def watched(
    session: SparkSession, folder: Path, tell: Callable[[str], None], shown: Callable[[int], str] = "{:,}".format
) -> Iterator[None]:
    """While results for a folder are computed in the session, somebody is told how far it is, with times as `shown`."""
    ended, began, progress = Event(), monotonic(), progress_in(unfinished(folder))

    def watch() -> None:
        pause = FIRST
        while not ended.wait(pause):
            pause = EVERY
            tell(
                f"{monotonic() - began:.0f} s: {', '.join([*_tasks(session), *_noted(progress, shown)]) or 'starting'}"
            )

    watcher = Thread(target=watch, name="larspark watching", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _tasks(session: SparkSession) -> Iterator[str]:
    if is_remote(session):  # Spark Connect has no context to ask
        return
    try:
        tracker = session.sparkContext.statusTracker()
        jobs = filter(None, map(tracker.getJobInfo, tracker.getActiveJobsIds()))
        known = [stage for job in jobs for stage in map(tracker.getStageInfo, job.stageIds) if stage]
    except SparkError:  # the session is being stopped
        return
    stages = [stage for stage in known if stage.numActiveTasks]  # others are done, left out, or wait for these
    if stages:
        done, all_of_them = (sum(getattr(one, name) for one in stages) for name in ("numCompletedTasks", "numTasks"))
        yield f"{done} of {all_of_them} tasks"


def _noted(progress: ProgressNotes, shown: Callable[[int], str]) -> Iterator[str]:
    latest = progress.latest()
    if latest is not None and latest[1]:
        stage, notes = latest
        time, end = min(note.time for note in notes), max(note.end for note in notes)
        atoms = sum(note.atoms for note in notes)
        yield f"stage {stage + 1} at time {shown(time)} of {shown(end)}, {atoms:,} atoms"
