"""The input so far: points per predicate for reading by time, one log in arrival order for counting windows."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping

from larspark.language.facts import Fact, Signature
from larspark.reasoners.selection import Arrival

FIRST_COMPACTION = 256


class History:
    """Arrivals, forgotten once no window can select them any more."""

    def __init__(
        self,
        past: Mapping[Signature, int | None],
        log_needed: bool,
        still_counted: Callable[[list[Arrival], int], set[Arrival]] | None,
    ) -> None:
        self._past = past
        """Per predicate that some body reads by time: how far back; None for ever."""
        self._points: dict[Signature, deque[Arrival]] = defaultdict(deque)
        self._log_needed = log_needed
        self._still_counted = still_counted
        """Of a log at a time, what some counting window still selects; None when nothing may go."""
        self._compact_at = FIRST_COMPACTION
        self.log: list[Arrival] = []
        self.changes: dict[Signature, int] = defaultdict(int)
        """Per predicate, how often it arrived: a reader that saw the same number has seen everything."""
        self.count = 0

    def arrive(self, time: int, facts: Iterable[Fact], *, counted: bool = True) -> None:
        """Let facts arrive; recorded conclusions join the points without being `counted` as input atoms."""
        for fact in facts:
            self.count += counted
            arrival = Arrival(time, self.count, fact)
            if fact.signature in self._past:
                self._points[fact.signature].append(arrival)
            if counted and self._log_needed:
                self.log.append(arrival)
            self.changes[fact.signature] += 1

    def points(self, signature: Signature) -> Iterator[Arrival]:
        yield from self._points.get(signature, ())

    def has(self, time: int, fact: Fact) -> bool:
        """Did the fact arrive, or was it recorded, at this time?"""
        return any(arrival.time == time and arrival.fact == fact for arrival in self.points(fact.signature))

    def forget(self, time: int) -> None:
        """Drop what lies beyond every window at `time` and later."""
        for signature, points in self._points.items():
            past = self._past[signature]
            while past is not None and points and points[0].time < time - past:
                points.popleft()
        if self._still_counted is not None and len(self.log) >= self._compact_at:
            keep = self._still_counted(self.log, time)
            self.log = [arrival for arrival in self.log if arrival in keep]
            self._compact_at = max(FIRST_COMPACTION, 2 * len(self.log))
