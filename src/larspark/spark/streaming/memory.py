"""What a bucket must remember of its arrivals: those that a later evaluation can still see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from larspark.spark.cells import numbers_of
from larspark.spark.plan import Plan, PlannedStage
from larspark.spark.streaming.parcels import Numbers

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Memory:
    """How long arrivals matter."""

    pasts: Mapping[int, int | None]
    """By predicate: how many time points back; None: for ever."""
    latest: tuple[tuple[int, tuple[int, ...], int], ...]
    """Predicate, keys and number of the latest arrivals that windows count."""
    counted: int
    """The size of the largest window that counts the arrivals of all predicates; 0 when there is none."""

    def kept(self, arrivals: pa.Table, watermark: int) -> pa.Table:
        """The arrivals (in the order of arrival) that matter at the watermark or later."""
        times, predicates = numbers_of(arrivals.column("time")), numbers_of(arrivals.column("predicate"))
        needed = (times > watermark) | self._recent(times, predicates, watermark)
        past = times <= watermark
        order = np.lexsort((np.arange(len(times)), times))
        for predicate, keys, count in self.latest:
            chosen = past & (predicates == predicate)
            needed |= chosen & (_ranks(_groups(arrivals, keys), chosen, order) < count)
        if self.counted:
            needed |= past & (_ranks(np.zeros(len(times), np.int64), past, order) < self.counted)
        return arrivals.filter(pa.array(needed))

    def _recent(self, times: Numbers, predicates: Numbers, watermark: int) -> Mask:
        """Within the reach of a time window; where all arrivals are counted, the longest reach is for all."""
        recent = np.zeros(len(times), np.bool_)
        if self.counted:
            longest = (
                None if None in self.pasts.values() else max((past or 0 for past in self.pasts.values()), default=0)
            )
            return np.ones(len(times), np.bool_) if longest is None else times >= watermark - longest
        for predicate, past in self.pasts.items():
            reached = True if past is None else times >= watermark - past
            recent |= (predicates == predicate) & reached
        return recent


def memory_of(plan: Plan, planned: PlannedStage) -> Memory:
    """What a stage must remember."""
    numbers, retention = plan.vocabulary.numbers, plan.analysis.retention
    read = sorted(planned.program.inputs)
    latest = tuple((numbers[one], keys, count) for one in read for keys, count in retention[one].latest)
    counted = max((count for *_, count in latest), default=1) if planned.program.counts_everything else 0
    return Memory({numbers[one]: retention[one].past for one in read}, latest, counted)


def _groups(arrivals: pa.Table, keys: tuple[int, ...]) -> Numbers:
    """Equal numbers for equal values of the arguments at these places."""
    groups = np.zeros(len(arrivals), np.int64)
    for key in keys:
        for name in (f"n{key}", f"s{key}"):
            encoded = pc.fill_null(arrivals.column(name).combine_chunks().dictionary_encode().indices, -1)
            codes = np.asarray(encoded.to_numpy(zero_copy_only=False), np.int64)
            _, groups = np.unique(np.column_stack((groups, codes)), axis=0, return_inverse=True)
            groups = groups.reshape(-1)
    return groups


def _ranks(groups: Numbers, chosen: Mask, order: Numbers) -> Numbers:
    """The place of each chosen row from the end of its group, in the given order."""
    ranks = np.zeros(len(groups), np.int64)
    backwards = order[::-1][chosen[order[::-1]]]
    by_group = backwards[np.argsort(groups[backwards], kind="stable")]
    found = groups[by_group]
    begins = np.flatnonzero(np.append(True, found[1:] != found[:-1])) if len(found) else np.empty(0, np.int64)
    lengths = np.diff(np.append(begins, len(found)))
    ranks[by_group] = np.arange(len(found)) - np.repeat(begins, lengths)
    return ranks
