"""What a bucket must remember of its arrivals: those that a later evaluation can still see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from larspark.analysis.analysis import KeptSession, Latest
from larspark.blocks import Argument, Block, Numbers, merge
from larspark.blocks.arguments import joined
from larspark.intervals.windows.sessions import going_on
from larspark.language.facts import Signature
from larspark.spark.evaluate.messages import OTHERS
from larspark.spark.plan.plan import PlannedStage, SparkPlan

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Retained:
    """How long arrivals matter."""

    pasts: Mapping[Signature, int | None]
    """How many time points back; None: for ever."""
    latest: tuple[tuple[Signature, Latest], ...]
    """The latest arrivals of each predicate that windows count."""
    sessions: frozenset[KeptSession]
    counted: Latest | None
    """Those of the largest window that counts the arrivals of all predicates."""

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
        sessions = [_going_on(merged, one, watermark) for one in self.sessions]
        found = []
        for signature, block in merged.items():
            past = block.times <= watermark
            needed = ~past | self._recent(signature, block.times, watermark)
            for one, latest in self.latest:
                if one == signature:
                    groups = _numbered((block.arguments[key] for key in latest.keys), len(block))
                    ranks = _ranks(groups, past, block.times if latest.whole else None)
                    needed |= past & (ranks < latest.count)
            for session in sessions:
                if signature in session:
                    needed |= session[signature]
            if counted is not None:
                assert block.order is not None
                needed |= past & np.isin(block.order, counted)
            if needed.any():
                found.append(block if needed.all() else block.take(np.flatnonzero(needed)))
        return found

    def mattering(self, arrivals: Sequence[Block], watermark: int) -> int | None:
        """How many of the arrivals matter at the watermark or later; None where that is dear to say."""
        if self.latest or self.sessions or self.counted:
            return None
        recent = (self._recent(block.signature, block.times, watermark) for block in arrivals)
        found = ((block.times > watermark) | near for block, near in zip(arrivals, recent, strict=True))
        return sum(int(np.count_nonzero(one)) for one in found)

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
        latest = np.lexsort((order, times))[-self.counted.count :]
        if self.counted.whole and len(latest):
            latest = np.flatnonzero(times >= times[latest[0]])
        found: Numbers = order[latest]
        return found


def retained_by(plan: SparkPlan, planned: PlannedStage) -> Retained:
    """What a stage must remember."""
    retention = plan.analysis.retention
    read = sorted(planned.program.inputs)
    latest = tuple((one, kept) for one in read for kept in retention[one].latest)
    sessions = frozenset(session for one in read for session in retention[one].sessions)
    counted = None
    if planned.program.counts_everything:
        most = max((kept.count for _, kept in latest), default=1)
        counted = Latest((), most, any(kept.whole for _, kept in latest))
    return Retained({one: retention[one].past for one in read}, latest, sessions, counted)


def _going_on(blocks: Mapping[Signature, Block], session: KeptSession, watermark: int) -> dict[Signature, Mask]:
    """Which arrivals belong to a session that goes on at the watermark, of all predicates that it is of."""
    of = [(blocks[one], keys) for one, keys in session.predicates if one in blocks]
    if not of:
        return {}
    times = np.concatenate([block.times for block, _ in of])
    columns = (joined([block.arguments[keys[place]] for block, keys in of]) for place in range(len(session.keys)))
    groups = _numbered(columns, len(times))
    rows = np.argsort(times, kind="stable")
    rows = rows[times[rows] <= watermark]
    needed = np.zeros(len(times), np.bool_)
    needed[rows] = going_on(groups[rows], times[rows], session.gap, watermark)
    ends = np.cumsum([len(block) for block, _ in of])
    return {block.signature: needed[end - len(block) : end] for (block, _), end in zip(of, ends, strict=True)}


def _numbered(columns: Iterable[Argument], length: int) -> Numbers:
    """Equal numbers for rows with equal values."""
    groups = np.zeros(length, np.int64)
    for codes in map(_codes, columns):
        _, groups = np.unique(np.column_stack((groups, codes)), axis=0, return_inverse=True)
        groups = groups.reshape(-1)
    return groups


def _codes(column: Argument) -> Numbers:
    if isinstance(column, np.ndarray):
        return column
    coded = column.dictionary_decode().dictionary_encode()  # the same text may stand twice in a dictionary
    return np.asarray(coded.indices.to_numpy(), np.int64)


def _ranks(groups: Numbers, chosen: Mask, times: Numbers | None) -> Numbers:
    """The place of each chosen row from the end of its group; the rows are in order.

    Where times are given, that of the last row of the same time.
    """
    ranks = np.zeros(len(groups), np.int64)
    backwards = np.flatnonzero(chosen)[::-1]
    by_group = backwards[np.argsort(groups[backwards], kind="stable")]
    found = groups[by_group]
    begins = np.flatnonzero(np.append(True, found[1:] != found[:-1])) if len(found) else np.empty(0, np.int64)
    lengths = np.diff(np.append(begins, len(found)))
    own = np.arange(len(found)) - np.repeat(begins, lengths)
    if times is not None and len(found):  # backwards, the last row of a time comes first
        changes = np.append(True, (np.diff(found) != 0) | (np.diff(times[by_group]) != 0))
        own = own[np.flatnonzero(changes)[np.cumsum(changes) - 1]]
    ranks[by_group] = own
    return ranks
