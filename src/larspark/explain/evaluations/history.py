"""What holds over time, in stretches of evaluations, and what of it was there at one evaluation."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple, Protocol, TypeAlias

from larspark.language.facts import Fact, Signature
from larspark.language.tree import Program
from larspark.semantics.interpretations import Atoms, by_time

Span = tuple[int, int]
"""First and last time point."""


class RecordPlace(NamedTuple):
    """Where a record stands; lines count from 1, 0 is one that is not known."""

    file: str
    line: int


class Sourced(NamedTuple):
    """An input atom at its time point, with the place that it was read from."""

    time: int
    fact: Fact
    place: RecordPlace | None = None


class Refusal(NamedTuple):
    """A record that was not taken; its time and atom as far as they could be read."""

    place: RecordPlace | None
    reason: str
    code: str
    time: int | None = None
    fact: Fact | None = None


class Stretch(NamedTuple):
    """An atom of the answer from one evaluation to another, both included."""

    fact: Fact
    at: int | None
    """The time point that the atom is about; None: the evaluation time itself."""
    first: int
    last: int


@dataclass(frozen=True)
class AnswerHistory:
    """The (chosen) answer stream at every evaluation from `start` to `end`, all derived predicates."""

    start: int
    end: int
    stretches: tuple[Stretch, ...]
    void: tuple[Span, ...] = ()
    """The evaluations without an answer stream."""

    def since(self, first: int) -> AnswerHistory:
        """Only the evaluations from `first` on."""
        kept = (one for one in self.stretches if one.last >= first)
        later = tuple(one._replace(first=max(one.first, first)) for one in kept)
        void = tuple((max(low, first), high) for low, high in self.void if high >= first)
        return AnswerHistory(first, self.end, later, void)

    def consistent(self, time: int) -> bool:
        """Whether there is an answer stream."""
        return not any(first <= time <= last for first, last in self.void)

    def atoms(self, time: int) -> Atoms:
        """The answer at an evaluation, each atom with the time point it is about."""
        return frozenset(
            (time if at is None else at, fact) for fact, at, first, last in self.stretches if first <= time <= last
        )

    def spans(self, fact: Fact, at: int | None = None) -> list[Span]:
        """The evaluations at which an atom holds, or holds at the time point `at`."""
        own = self._by_fact.get(fact, ())
        found = [(first, last) for _, about, first, last in own if about == at]
        if at is not None:  # seen from its own time point, an atom is not pinned
            found += [(at, at) for _, about, first, last in own if about is None and first <= at <= last]
        return joined(found)

    def holding(self, fact: Fact, at: int, before: Iterable[Span] = ()) -> list[Span]:
        """The evaluations at which a recorded atom holds at the time point `at`: from there on it stays in the stream.

        Those at which it held `before` this history need not be part of it.
        """
        spans = self.spans(fact, at)
        concluded = joined((*before, *spans))
        if not concluded:
            return []
        seen = max(at, concluded[0][0] + 1, self.start)
        return without((*spans, (seen, self.end)), self.void) if seen <= self.end else spans

    def recorded(self, time: int, signatures: Collection[Signature]) -> Mapping[int, frozenset[Fact]]:
        """What earlier evaluations left in the stream, by the time at which it holds."""
        kept: list[tuple[int, Fact]] = []
        for fact, at, first, last in self.stretches:
            if fact.signature in signatures and first < time:
                points = range(first, min(last, time - 1) + 1) if at is None else [at]
                kept += ((point, fact) for point in points if point <= time)
        return by_time(kept)

    def recorders(self, fact: Fact, point: int, time: int) -> list[Span]:
        """The evaluations before `time` that left an atom in the stream."""
        return [(first, min(last, time - 1)) for first, last in self.spans(fact, point) if first < time]

    @cached_property
    def _by_fact(self) -> dict[Fact, list[Stretch]]:
        found: dict[Fact, list[Stretch]] = {}
        for stretch in self.stretches:
            found.setdefault(stretch.fact, []).append(stretch)
        return found


Shown: TypeAlias = Collection[Signature] | Fact
"""Predicates (a mapping: those of their atoms that fit), or one atom."""


class Evaluate(Protocol):
    """Runs a program over arrivals, up to an evaluation."""

    def __call__(
        self,
        arrivals: Iterable[Sourced],
        end: int,
        program: Program | None = None,
        shown: Shown | None = None,
        narrowed: Program | None = None,
    ) -> AnswerHistory:
        """Of all derived predicates, or what is to be shown.

        Another `program` is analysed anew; a `narrowed` one has rules of the program itself, for some of its atoms.
        """
        ...


def joined(spans: Iterable[Span]) -> list[Span]:
    """The same points in as few spans as can be."""
    found: list[Span] = []
    for first, last in sorted(spans):
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return found


def spans_of(points: Iterable[int]) -> list[Span]:
    return joined((point, point) for point in points)


def without(spans: Iterable[Span], gone: Iterable[Span]) -> list[Span]:
    """The points of some spans that are not in others."""
    left: list[Span] = []
    others, place = joined(gone), 0
    for first, last in joined(spans):
        while place < len(others) and others[place][1] < first:
            place += 1
        begin = first
        for low, high in islice(others, place, None):
            if low > last:
                break
            if begin < low:
                left.append((begin, low - 1))
            begin = high + 1
        if begin <= last:
            left.append((begin, last))
    return left
