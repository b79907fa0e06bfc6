"""Interpretations: a data stream extended with intensional atoms (thesis Def. 16)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from larspark.language.facts import Fact, Signature, fact_order
from larspark.semantics.streams import NOTHING, Stream, merged

TimedFact: TypeAlias = tuple[int, Fact]
"""t ↦ a."""

Atoms: TypeAlias = frozenset[TimedFact]
"""An evaluation function as the set of its mappings t ↦ a (before Theorem 5)."""


@dataclass(frozen=True)
class Interpretation:
    """I ⊇ D. Only the difference I \\ D is stored beside the data."""

    data: Stream
    derived: Mapping[int, frozenset[Fact]]
    """I \\ D: what the program adds, by time; only non-empty time points."""
    intensional: frozenset[Signature]

    @property
    def stream(self) -> Stream:
        """I as a stream."""
        return self.data.with_derived(merged(self.data.derived, self.derived))

    @property
    def atoms(self) -> Atoms:
        return frozenset((time, fact) for time, facts in self.derived.items() for fact in facts)

    def output(self, time: int) -> frozenset[Fact]:
        """The intensional atoms that hold at a time point, also those that arrived (`#input`)."""
        arrived = {fact for fact in self.data.at(time) if fact.signature in self.intensional}
        return self.derived.get(time, NOTHING) | arrived


def by_time(atoms: Iterable[TimedFact]) -> dict[int, frozenset[Fact]]:
    """Derived atoms as a stream takes them."""
    sets: dict[int, set[Fact]] = {}
    for time, fact in atoms:
        sets.setdefault(time, set()).add(fact)
    return {time: frozenset(facts) for time, facts in sorted(sets.items())}


def canonical(atoms: Atoms) -> list[tuple[int, tuple[object, ...]]]:
    """A sort key: interpretations in an order that does not depend on how they were found."""
    return sorted((time, fact_order(fact)) for time, fact in atoms)
