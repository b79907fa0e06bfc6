"""When C-SPARQL and CQELS give the same answers (thesis sec. 4.5): conditions on a query and a stream.

Two things set them apart. *Execution*: one pulls at intervals, the other is pushed by arrivals. The answers at a time
depend on the contents of the windows alone, so both give the same answers in total if they meet the same contents.
*Merging*: one puts all windows into one graph, the other keeps streams apart. That makes no difference as long as no
pattern matches a triple of a source that is not its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from larspark.language.facts import Fact
from larspark.language.tree import Constant
from larspark.language.values import Value
from larspark.translations.rdf.queries import Range, RdfQuery, RdfWindow, StreamPattern, TriplePattern, Triples
from larspark.translations.rdf.vocabulary import STREAM_PREDICATE
from larspark.translations.rdf.walking import find, stream_patterns

Arrivals: TypeAlias = Sequence[tuple[int, Fact]]
Triple: TypeAlias = tuple[Value, ...]
Contents: TypeAlias = tuple[frozenset[Triple], ...]


@dataclass(frozen=True)
class Agreement:
    """The times at which one execution meets window contents that the other never meets."""

    pushed_only: tuple[int, ...]
    pulled_only: tuple[int, ...]

    @property
    def holds(self) -> bool:
        """Whether both executions give the same answers in total."""
        return not self.pushed_only and not self.pulled_only


def agreement(query: RdfQuery, arrivals: Arrivals, interval: int, until: int) -> Agreement:
    """Compare execution at every arrival with execution at the multiples of the interval, from 0 until a time."""
    windows = [(source.stream, source.window) for source in query.streams]
    windows += [(pattern.stream, pattern.window) for pattern in stream_patterns(query)]
    streams = {stream for stream, _ in windows}
    pushes = sorted({time for time, fact in arrivals if fact.args[3:] and fact.args[3] in streams and time <= until})
    pulls = range(0, until + 1, interval)

    def contents(now: int) -> Contents:
        return tuple(content(arrivals, stream, window, now) for stream, window in windows)

    pushed, pulled = {time: contents(time) for time in pushes}, {time: contents(time) for time in pulls}
    return Agreement(_unmet(pushed, pulled), _unmet(pulled, pushed))


def _unmet(mine: Mapping[int, Contents], others: Mapping[int, Contents]) -> tuple[int, ...]:
    met = set(others.values())
    return tuple(time for time, found in mine.items() if found not in met)


def content(arrivals: Arrivals, stream: str, window: RdfWindow, now: int) -> frozenset[Triple]:
    """The triples that a window over a stream holds at a time."""
    past = [
        (time, fact.args[:3])
        for time, fact in arrivals
        if fact.predicate == STREAM_PREDICATE and fact.args[3] == stream and time <= now
    ]
    match window:
        case Triples(number):
            return frozenset(triple for _, triple in past[-number:])
        case Range(int(length), step):
            hop = step if step and step <= length else 1
            pivot = now // hop * hop
            return frozenset(triple for time, triple in past if pivot - length <= time <= pivot)
        case _:
            return frozenset(triple for _, triple in past)


def merged_patterns(query: RdfQuery, triples: Iterable[tuple[str, Triple]]) -> list[TriplePattern]:
    """The patterns of a CQELS query that a triple of another source, stream or graph, would match as well.

    If there are none, the C-SPARQL query with the same patterns and windows has the same answers whenever both are
    evaluated.
    """
    found = list(triples)
    return [
        pattern
        for around in find(query.where, StreamPattern)
        for pattern in find(around, TriplePattern)
        if any(source != around.stream and _matches(pattern, triple) for source, triple in found)
    ]


def _matches(pattern: TriplePattern, triple: Triple) -> bool:
    terms = (pattern.subject, pattern.predicate, pattern.object)
    return all(not isinstance(t, Constant) or t.value == value for t, value in zip(terms, triple, strict=True))
