"""Doing jobs one after the other, telling how far it has come and how long it will still take."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from larspark.bench.measuring.store import Store
from larspark.bench.measuring.suite import Job, Record, RunRequest, too_slow


def do(
    jobs: Sequence[Job], run: RunRequest, store: Store, *, again: bool, tell: Callable[[str], None]
) -> Iterator[tuple[Job, Record]]:
    """Do the jobs that are not done; every record as it comes, and in the store when its job is finished."""
    open_ = [job for job in jobs if again or not store.has(job, run)]
    if len(open_) < len(jobs):
        tell(f"{len(jobs) - len(open_)} of {len(jobs)} jobs are measured already")
    expected = {job.name: store.seconds(job) for job in open_}
    begin = time.monotonic()
    done = 0.0
    for number, job in enumerate(open_):
        left = sum(expected[later.name] for later in open_[number:])
        pace = (time.monotonic() - begin) / done if done else 1.0
        tell(f"{number + 1} of {len(open_)}: {job.name}; {_minutes(left * pace)} left")
        started = time.monotonic()
        records: list[Record] = []
        for record in job.work(too_slow(job, store)):
            records.append(record)
            yield job, record
        store.put(job, run, records, time.monotonic() - started)
        done += expected[job.name]


def _minutes(seconds: float) -> str:
    return f"about {seconds / 60:.0f} min" if seconds >= 90 else f"about {max(seconds, 1):.0f} s"
