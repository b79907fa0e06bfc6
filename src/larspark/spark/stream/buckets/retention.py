"""What a bucket must remember of its arrivals: those that a later evaluation can still see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from larspark.blocks import Block, Numbers, merge
from larspark.intervals.sessions import going_on
from larspark.language.facts import Signature
from larspark.spark.evaluate.messages import OTHERS
from larspark.spark.plan.plan import PlannedStage, SparkPlan

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Retained:
    """How long arrivals matter."""

    pasts: Mapping[Signature, int | None]
    """How many time points back; None: for ever."""
    latest: tuple[tuple[Signature, tuple[int, ...], int], ...]
    """Predicate, keys and number of the latest arrivals that windows count."""
    sessions: tuple[tuple[Signature, tuple[int, ...], int], ...]
    """Predicate, keys and pause of sessions."""
    counted: int
    """The size of the largest window that counts the arrivals of all predicates; 0 when there is none."""

    @property
    def read(self) -> frozenset[Signature]:
        return frozenset({*self.pasts, OTHERS} if self.counted else self.pasts)

    def kept(self, arrivals: Iterable[Block], watermark: int) -> list[Block]:
        """The arrivals that matter at the watermark or later."""
        together: dict[Signature, list[Block]] = {}
        for block in arrivals:
            together.setdefault(block.signature, []).append(block)
        merged = {signature: merge(blocks) for signature, blocks in together.items()}
        counted = self._counted(list(merged.values()), watermark)
        found = []
        for signature, block in merged.items():
            past = block.times <= watermark
            needed = ~past | self._recent(signature, block.times, watermark)
            for one, keys, count in self.latest:
                if one == signature:
                    needed |= past & (_ranks(_groups(block, keys), past) < count)
            for one, keys, gap in self.sessions:
                if one == signature:
                    rows = np.flatnonzero(past)
                    needed[rows] |= going_on(_groups(block, keys)[rows], block.times[rows], gap, watermark)
            if counted is not None:
                assert block.order is not None
                needed |= past & np.isin(block.order, counted)
            if needed.any():
                found.append(block if needed.all() else block.take(np.flatnonzero(needed)))
        return found

    def _recent(self, signature: Signature, times: Numbers, watermark: int) -> Mask:
        """Within the reach of a time window; where all arrivals are counted, the longest reach is for all."""
        if self.counted:
            pasts = self.pasts.values()
            past = None if None in pasts else max((past or 0 for past in pasts), default=0)
        elif signature in self.pasts:
            past = self.pasts[signature]
        else:
            return np.zeros(len(times), np.bool_)
        return np.ones(len(times), np.bool_) if past is None else times >= watermark - past

    def _counted(self, blocks: list[Block], watermark: int) -> Numbers | None:
        """The places of the latest arrivals of all predicates, where a window counts them."""
        if not self.counted:
            return None
        past = [block.times <= watermark for block in blocks]
        times = np.concatenate([block.times[rows] for block, rows in zip(blocks, past, strict=True)])
        orders = [block.order[rows] for block, rows in zip(blocks, past, strict=True) if block.order is not None]
        order = np.concatenate(orders)
        return order[np.lexsort((order, times))[-self.counted :]]


def retained_by(plan: SparkPlan, planned: PlannedStage) -> Retained:
    """What a stage must remember."""
    retention = plan.analysis.retention
    read = sorted(planned.program.inputs)
    latest = tuple((one, keys, count) for one in read for keys, count in retention[one].latest)
    sessions = tuple((one, keys, gap) for one in read for keys, gap in retention[one].sessions)
    counted = max((count for *_, count in latest), default=1) if planned.program.counts_everything else 0
    return Retained({one: retention[one].past for one in read}, latest, sessions, counted)


def _groups(block: Block, keys: tuple[int, ...]) -> Numbers:
    """Equal numbers for equal values of the arguments at these places."""
    groups = np.zeros(len(block), np.int64)
    for codes in _codes(block, keys):
        _, groups = np.unique(np.column_stack((groups, codes)), axis=0, return_inverse=True)
        groups = groups.reshape(-1)
    return groups


def _codes(block: Block, keys: tuple[int, ...]) -> Iterator[Numbers]:
    for key in keys:
        column = block.arguments[key]
        if isinstance(column, np.ndarray):
            yield column
        else:
            coded = column.dictionary_decode().dictionary_encode()  # the same text may stand twice in a dictionary
            yield np.asarray(coded.indices.to_numpy(), np.int64)


def _ranks(groups: Numbers, chosen: Mask) -> Numbers:
    """The place of each chosen row from the end of its group; the rows are in order."""
    ranks = np.zeros(len(groups), np.int64)
    backwards = np.flatnonzero(chosen)[::-1]
    by_group = backwards[np.argsort(groups[backwards], kind="stable")]
    found = groups[by_group]
    begins = np.flatnonzero(np.append(True, found[1:] != found[:-1])) if len(found) else np.empty(0, np.int64)
    lengths = np.diff(np.append(begins, len(found)))
    ranks[by_group] = np.arange(len(found)) - np.repeat(begins, lengths)
    return ranks
