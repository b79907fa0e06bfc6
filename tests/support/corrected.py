"""The history of a stream with late arrivals: what relations gain and lose adds up to what held, corrections included.

Windows that count arrivals are evaluated anew then, so some of the changes are the difference of two engines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from larspark.intervals.tables.storage import Rows
from larspark.language.facts import Fact, Signature
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.engine.changes import RelationChanges
from larspark.reasoners.interval.network import Relation
from larspark.reasoners.interval.state.arrivals import Arrivals
from support.verdicts import Atoms, Judged, told

Seen = tuple[bool, Signature]
"""Whether it is about other time points, and the predicate."""

VOID = (False, Signature("", 0))
"""Where there is no answer stream."""


class History:
    """What has been concluded at which evaluations, as far as it is known."""

    def __init__(self, reasoner: IntervalReasoner, first: int, last: int) -> None:
        self._reasoner, self._first, self._last = reasoner, first, last
        self._holds: dict[Seen, set[tuple[int, ...]]] = defaultdict(set)
        """Rows of codes, each with one evaluation."""
        tables = reasoner.engine.tables
        for relation, seen in self._relations().items():
            self._holds[seen].update(self._points(tables.content(relation)))

    def follow(self, changes: RelationChanges) -> None:
        relations = self._relations()
        for relation, rows in changes.lost.items():
            if relation in relations:
                self._holds[relations[relation]].difference_update(self._points(rows))
        for relation, rows in changes.gained.items():
            if relation in relations:
                self._holds[relations[relation]].update(self._points(rows))

    def at(self, time: int) -> list[Atoms]:
        """The answer streams of an evaluation: one, or none."""
        return [] if (time,) in self._holds[VOID] else [frozenset(self._atoms(time))]

    def _relations(self) -> Mapping[Relation, Seen]:
        network = self._reasoner.engine.network
        now = {relation: (False, signature) for signature, relation in network.now.items()}
        pinned = {relation: (True, signature) for signature, relation in network.listed.items()}
        return {**now, **pinned, network.inconsistent: VOID}

    def _points(self, rows: Rows) -> Iterator[tuple[int, ...]]:
        for *codes, first, last in rows.tolist():
            for time in range(max(first, self._first), min(last, self._last) + 1):
                yield (*codes, time)

    def _atoms(self, time: int) -> Iterator[tuple[int, Fact]]:
        decode = self._reasoner.dictionary.decode
        for (pinned, signature), rows in self._holds.items():
            for *codes, at in rows:
                if at == time and signature != VOID[1]:
                    about = codes.pop() >> 1 if pinned else time
                    yield about, Fact(signature.predicate, tuple(map(decode, codes)))


def corrected(judged: Judged, reasoner: IntervalReasoner, lateness: int) -> str:
    """Every other arrival comes as late as is allowed; in the end the history is that of all of them."""
    times = [step.time for step in judged.steps]
    history = History(reasoner, times[0], times[-1])
    waiting: list[tuple[int, Fact]] = []
    for number, (time, arriving) in enumerate(judged.steps):
        waiting += [(time, fact) for fact in arriving]
        # It counts from the evaluation before: what lies further back after the next step has to come now.
        due = [one for one in waiting if time == times[-1] or one[0] < time - lateness or (one[0] + number) % 3 == 2]
        waiting = [one for one in waiting if one not in due]
        for changes in reasoner.replay(time, Arrivals.of(due, reasoner.dictionary)):
            history.follow(changes)
    for time, expected in zip(times, judged.expected, strict=True):
        if history.at(time) != list(expected):
            return f"at {time}, in a corrected history: {told(history.at(time))} instead of {told(expected)}"
    return f"{reasoner.too_late} came too late" if reasoner.too_late else ""
