"""The output of a tick engine: one model, filtered, followed by its changes; nothing costs its size."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from larspark.language.facts import Fact, Signature
from larspark.reasoners.protocol import Change
from larspark.tick.lookout import Foreseen
from larspark.tick.ticks import Tick

Filter: TypeAlias = Callable[[Signature], bool]
"""Which predicates are written."""


def no_filter(intensional: frozenset[Signature], shown: frozenset[Signature]) -> Filter:
    """The whole answer: signals of the present time point, and what `#show` lets through of the conclusions."""
    hidden = intensional - shown
    return lambda signature: signature not in hidden


def only_inferences(derived: frozenset[Signature]) -> Filter:
    return lambda signature: signature in derived


def only_predicates(names: Iterable[str]) -> Filter:
    """Predicates by name; signals may be among them."""
    wanted = frozenset(names)
    return lambda signature: signature.predicate in wanted


@dataclass(frozen=True)
class Output:
    """What is written at a tick."""

    tick: Tick
    appeared: frozenset[Fact] = frozenset()
    """Since the last output, which at the beginning is the empty one."""
    disappeared: frozenset[Fact] = frozenset()
    consistent: bool = True
    """False: there is no answer stream."""
    foreseen: tuple[Foreseen, ...] = ()
    """Per goal that is looked out for."""


class Model:
    """The filtered answer at the present tick, followed change by change."""

    def __init__(self, keep: Filter) -> None:
        self._keep = keep
        self._concluded: set[Fact] = set()
        self._signals: set[Fact] = set()
        self._consistent = True
        self._unwritten: set[Fact] = set()
        """What differs from the last output."""
        self._written_consistent = True

    def next_time(self) -> None:
        """A new time point: the signals of the last one are past."""
        for fact in self._signals - self._concluded:
            self._toggle(fact)
        self._signals.clear()

    def signal(self, fact: Fact) -> None:
        if self._keep(fact.signature) and fact not in self._signals:
            self._signals.add(fact)
            if fact not in self._concluded:
                self._toggle(fact)

    def update(self, change: Change) -> None:
        for fact in change.appeared:
            if self._keep(fact.signature) and fact not in self._concluded:
                self._concluded.add(fact)
                if fact not in self._signals:
                    self._toggle(fact)
        for fact in change.disappeared:
            if fact in self._concluded:
                self._concluded.discard(fact)
                if fact not in self._signals:
                    self._toggle(fact)
        self._consistent = change.consistent

    @property
    def has_signals(self) -> bool:
        """Do signals of the present time point show, which are past at the next?"""
        return bool(self._signals)

    @property
    def changed(self) -> bool:
        """Since the last output, which at the beginning is the empty one."""
        if self._consistent and self._written_consistent:
            return bool(self._unwritten)
        return self._consistent != self._written_consistent

    def output(self, tick: Tick, foreseen: tuple[Foreseen, ...] = ()) -> Output:
        """The present output; from now on changes count from here."""
        holding = frozenset(fact for fact in self._unwritten if fact in self._concluded or fact in self._signals)
        gone = frozenset(self._unwritten) - holding
        self._unwritten = set()
        self._written_consistent = self._consistent
        return Output(tick, holding, gone, self._consistent, foreseen)

    def _toggle(self, fact: Fact) -> None:
        self._unwritten ^= {fact}
