"""Everything that an atom can be derived from, and which of its derivations is the lowest.

The height of a proof is the number of rules on its longest path; heights also see to it that a proof through recursion
is well-founded, since every premise is lower than its conclusion.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from larspark.explain.evidence import (
    Aggregated,
    Both,
    Either,
    Evidence,
    Held,
    Quantified,
    evidence,
)
from larspark.explain.instances import instances
from larspark.explain.world import Source, World
from larspark.language.tree import Or, Rule
from larspark.semantics.interpretations import TimedFact
from larspark.semantics.rules import possible
from larspark.semantics.structures import Binding


@dataclass(frozen=True)
class Derivation:
    """An instance of a rule that gives an atom, and why its body holds, literal by literal."""

    rule: Rule
    binding: Binding
    body: tuple[Evidence, ...]
    chosen: bool = False
    """The head offers other atoms that hold as well."""


class Cone:
    """The derivations of an atom and of all that it rests on."""

    def __init__(self, world: World, root: TimedFact) -> None:
        self.world = world
        self.derivations: dict[TimedFact, tuple[Derivation, ...]] = {}
        self._expand(root)
        self.heights: dict[TimedFact, float] = dict.fromkeys(self.derivations, inf)
        self._measure()
        self._order()

    def _expand(self, root: TimedFact) -> None:
        waiting = [root]
        while waiting:
            timed = waiting.pop()
            if timed not in self.derivations and self.world.source(timed) is Source.RULE:
                self.derivations[timed] = tuple(self._derive(timed))
                waiting += (one for derivation in self.derivations[timed] for one in atoms_of(derivation.body))

    def _derive(self, timed: TimedFact) -> Iterator[Derivation]:
        place = self.world.place
        for rule in self.world.rules_for(timed[1].signature):
            for binding in instances(place, rule, timed):
                body = tuple(evidence(place, literal, binding) for literal in rule.body)
                others = set(possible(place, rule.head, binding)) - {timed} if isinstance(rule.head, Or) else set()
                yield Derivation(rule, binding, body, any(self.world.source(one) for one in others))

    # -- heights -----------------------------------------------------------------------------------

    def _measure(self) -> None:
        """Round after round, until no proof gets lower."""
        changed = True
        while changed:
            changed = False
            for timed, derivations in self.derivations.items():
                height = min((self.height_of(one) for one in derivations), default=inf)
                if height < self.heights[timed]:
                    self.heights[timed] = height
                    changed = True

    def _order(self) -> None:
        """The lowest derivation first."""
        places = {id(rule): place for place, rule in enumerate(self.world.setting.program.rules)}

        def key(one: Derivation) -> tuple[float, bool, int, list[tuple[str, str]]]:
            values = sorted((name, str(value)) for name, value in one.binding.items())
            return self.height_of(one), one.chosen, places[id(one.rule)], values

        self.derivations = {timed: tuple(sorted(found, key=key)) for timed, found in self.derivations.items()}

    def height_of(self, derivation: Derivation) -> float:
        return 1 + max(map(self.height, derivation.body), default=0)

    def height(self, found: Evidence) -> float:
        match found:
            case Held(timed, given):
                return 0 if given else self.heights.get(timed, 0)
            case Quantified("some", _, _, parts):
                return min((self.height(part) for _, part in parts), default=inf)
            case Quantified(_, _, _, parts):
                return max((self.height(part) for _, part in parts), default=0)
            case Aggregated(_, _, elements):
                return max((self.height(part) for one in elements for part in one.body), default=0)
            case Both(_, parts):
                return max(map(self.height, parts), default=0)
            case Either(_, parts):
                return min(map(self.height, parts), default=inf)
        return 0

    def best(self, found: Quantified) -> tuple[int, Evidence]:
        """What is shown of `some`: the lowest proof, and of those the latest, which lasts longest."""
        return min(found.parts, key=lambda part: (self.height(part[1]), -part[0]))


def atoms_of(body: tuple[Evidence, ...]) -> Iterator[TimedFact]:
    """The atoms that some evidence ends in."""
    for found in body:
        match found:
            case Held(timed, given):
                if not given:
                    yield timed
            case Quantified(_, _, _, parts):
                yield from atoms_of(tuple(part for _, part in parts))
            case Aggregated(_, _, elements):
                yield from atoms_of(tuple(part for one in elements for part in one.body))
            case Both(_, parts) | Either(_, parts):
                yield from atoms_of(parts)
