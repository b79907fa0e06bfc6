"""The input so far: points per predicate for reading by time, one log in arrival order for counting windows."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from larspark.language.facts import Fact, Signature
from larspark.language.tree import Hold
from larspark.language.windows.selection import CONCLUDED, Arrival
from larspark.reasoners.holding import held_on

FIRST_COMPACTION = 256


class ArrivalHistory:
    """Arrivals, forgotten once no window can select them any more."""

    def __init__(
        self,
        past: Mapping[Signature, int | None],
        log_needed: bool,
        still_counted: Callable[[list[Arrival], int], set[Arrival]] | None,
        holds: Mapping[Signature, Hold],
    ) -> None:
        self.holds = holds
        self._now = 0
        self._past = past
        """Per predicate that some body reads by time: how far back; None for ever."""
        self._points: dict[Signature, list[Arrival]] = defaultdict(list)
        """In the order of time."""
        self._ahead: dict[tuple[int, Fact], None] = {}
        """Recorded conclusions whose time has not come."""
        self._log_needed = log_needed
        self._still_counted = still_counted
        """Of a log at a time, what some counting window still selects; None when nothing may go."""
        self._compact_at = FIRST_COMPACTION
        self.log: list[Arrival] = []
        self.changes: dict[Signature, int] = defaultdict(int)
        """Per predicate, how often it arrived: a reader that saw the same number has seen everything."""
        self.count = 0

    def arrive(self, time: int, facts: Iterable[Fact]) -> None:
        """Let facts arrive at the present time."""
        for fact in facts:
            self.count += 1
            arrival = Arrival(time, self.count, fact)
            self._keep(arrival)
            if self._log_needed:
                self.log.append(arrival)

    def record(self, time: int, fact: Fact) -> None:
        """A conclusion will join the points at its time; it is no arrival, so nothing counts it."""
        self._ahead[time, fact] = None

    def move(self, time: int) -> None:
        """Time goes on: what has been recorded about times up to now joins the points."""
        self._now = time
        for recorded in [one for one in self._ahead if one[0] <= time]:
            del self._ahead[recorded]
            if not self.has(*recorded):
                self._keep(Arrival(recorded[0], CONCLUDED, recorded[1]))

    def _keep(self, arrival: Arrival) -> None:
        signature = arrival.fact.signature
        if signature in self._past:
            insort(self._points[signature], arrival, key=_time)
        self.changes[signature] += 1

    def points(self, signature: Signature) -> Iterator[Arrival]:
        """What holds at which time: what arrived, was recorded, or holds on."""
        points = self._points.get(signature, ())
        yield from points
        if signature in self.holds:
            for time, _, fact in held_on(self.holds[signature], points, self._now):
                yield Arrival(time, CONCLUDED, fact)

    def has(self, time: int, fact: Fact) -> bool:
        """Did the fact arrive, or was it recorded, at this time?"""
        return any(arrival.time == time and arrival.fact == fact for arrival in self.points(fact.signature))

    def forget(self, time: int) -> None:
        """Drop what lies beyond every window at `time` and later."""
        for signature, points in self._points.items():
            past = self._past[signature]
            if past is not None:
                del points[: bisect_left(points, time - past, key=_time)]
        if self._still_counted is not None and len(self.log) >= self._compact_at:
            keep = self._still_counted(self.log, time)
            self.log = [arrival for arrival in self.log if arrival in keep]
            self._compact_at = max(FIRST_COMPACTION, 2 * len(self.log))


def _time(arrival: Arrival) -> int:
    return arrival.time
