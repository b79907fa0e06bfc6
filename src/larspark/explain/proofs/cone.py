"""Everything that an atom can be derived from, and which of its derivations is the lowest.

The height of a proof is the number of rules on its longest path; heights also see to it that a proof through recursion
is well-founded, since every premise is lower than its conclusion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import inf

from larspark.explain.evaluations.world import AtomSource, World
from larspark.explain.proofs.evidence import (
    AggregateEvidence,
    Both,
    Either,
    Evidence,
    HoldingAtom,
    Quantified,
    evidence,
)
from larspark.explain.proofs.instances import instances
from larspark.language.facts import Signature
from larspark.language.traversal import atoms
from larspark.language.tree import Always, At, Atom, Comparison, Formula, Not, Or, Rule, Some, Windowed
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
    """The derivations of an atom and of what it rests on.

    Where the rules alone tell how high all proofs of its predicate are, only the derivations that will be shown are
    followed, up to `count` for the atom itself; otherwise all are, to find the lowest.
    """

    def __init__(self, world: World, root: TimedFact, count: int = 1) -> None:
        self.world = world
        self.derivations: dict[TimedFact, tuple[Derivation, ...]] = {}
        self.heights: dict[TimedFact, float] = {}
        self._places = {id(rule): place for place, rule in enumerate(world.setting.program.rules)}
        self._fixed = FixedHeights(world)
        if self._fixed.of(root[1].signature) is not None:
            self._follow(root, count)
        else:
            self._expand(root)
            self.heights = dict.fromkeys(self.derivations, inf)
            self._measure()
            self.derivations = {timed: self._ordered(found) for timed, found in self.derivations.items()}

    def _follow(self, root: TimedFact, count: int) -> None:
        """The best derivations of the atom, and of what they rest on one each."""
        waiting = [root]
        while waiting:
            timed = waiting.pop()
            if timed not in self.derivations and self.world.source(timed) is AtomSource.RULE:
                self.derivations[timed] = found = self._ordered(self._derive(timed))
                shown = found[: count if timed == root else 1]
                waiting += (one for derivation in shown for one in self.used(derivation.body))

    def _expand(self, root: TimedFact) -> None:
        waiting = [root]
        while waiting:
            timed = waiting.pop()
            if timed not in self.derivations and self.world.source(timed) is AtomSource.RULE:
                self.derivations[timed] = tuple(self._derive(timed))
                waiting += (one for derivation in self.derivations[timed] for one in atoms_of(derivation.body))

    def _derive(self, timed: TimedFact) -> Iterator[Derivation]:
        place = self.world.place
        for rule in self.world.rules_for(timed[1].signature):
            for binding in instances(place, self.world.index, rule, timed):
                body = tuple(evidence(place, literal, binding) for literal in rule.body)
                others = set(possible(place, rule.head, binding)) - {timed} if isinstance(rule.head, Or) else set()
                yield Derivation(rule, binding, body, any(self.world.source(one) for one in others))

    # -- heights -----------------------------------------------------------------------------------

    def _measure(self) -> None:
        """Round after round, until no proof gets lower."""
        changed = True
        while changed:
            changed = False
            for timed, derivations in reversed(self.derivations.items()):  # what is needed was met later
                height = min((self.height_of(one) for one in derivations), default=inf)
                if height < self.heights[timed]:
                    self.heights[timed] = height
                    changed = True

    def _ordered(self, derivations: Iterable[Derivation]) -> tuple[Derivation, ...]:
        """The lowest derivation first."""

        def key(one: Derivation) -> tuple[float, bool, int, list[tuple[str, str]]]:
            values = sorted((name, str(value)) for name, value in one.binding.items())
            return self.height_of(one), one.chosen, self._places[id(one.rule)], values

        return tuple(sorted(derivations, key=key))

    def height_of(self, derivation: Derivation) -> float:
        return 1 + max(map(self.height, derivation.body), default=0)

    def height(self, found: Evidence) -> float:
        match found:
            case HoldingAtom(timed, given):
                return 0 if given else self._height_at(timed)
            case Quantified("some", _, _, parts):
                return min((self.height(part) for _, part in parts), default=inf)
            case Quantified(_, _, _, parts):
                return max((self.height(part) for _, part in parts), default=0)
            case AggregateEvidence(_, _, elements):
                return max((self.height(part) for one in elements for part in one.body), default=0)
            case Both(_, parts):
                return max(map(self.height, parts), default=0)
            case Either(_, parts):
                return min(map(self.height, parts), default=inf)
        return 0

    def _height_at(self, timed: TimedFact) -> float:
        known = self.heights.get(timed)
        if known is not None:
            return known
        fixed = self._fixed.of(timed[1].signature)
        return 0 if fixed is None or self.world.source(timed) is not AtomSource.RULE else fixed

    def used(self, body: Iterable[Evidence]) -> Iterator[TimedFact]:
        """The atoms that are shown as premises."""
        for found in body:
            match found:
                case HoldingAtom(timed, given):
                    if not given:
                        yield timed
                case Quantified("some"):
                    yield from self.used([self.best(found)[1]])
                case Quantified(_, _, _, parts):
                    yield from self.used(part for _, part in parts)
                case AggregateEvidence(_, _, elements):
                    yield from self.used(part for one in elements for part in one.body)
                case Both(_, parts):
                    yield from self.used(parts)
                case Either(_, parts):
                    yield from self.used([min(parts, key=self.height)])

    def best(self, found: Quantified) -> tuple[int, Evidence]:
        """What is shown of `some`: the lowest proof, and of those the latest, which lasts longest."""
        return min(found.parts, key=lambda part: (self.height(part[1]), -part[0]))


class FixedHeights:
    """The height of all proofs of a predicate, where it follows from the rules alone."""

    def __init__(self, world: World) -> None:
        self._setting = world.setting
        given = {(one.fact.predicate, len(one.fact.args)) for one in world.reached}  # equal to signatures
        always = (fact.signature for fact in world.setting.background)
        held = (one.signature for one in world.setting.holds)
        self._data = frozenset((*given, *always, *held, *world.setting.records))
        self._known: dict[Signature, int | None] = {}

    def of(self, signature: Signature) -> int | None:
        """None: proofs differ in height, or it takes more to know."""
        if signature not in self._known:
            self._known[signature] = None  # what depends on itself has proofs of any height
            self._known[signature] = self._found(signature)
        return self._known[signature]

    def _found(self, signature: Signature) -> int | None:
        if signature not in self._setting.intensional:
            return 0
        if signature in self._data:
            return None
        heights = {self._rule(rule) for rule in self._setting.rules_for(signature)}
        return heights.pop() if len(heights) == 1 else None

    def _rule(self, rule: Rule) -> int | None:
        if isinstance(rule.head, Or):
            return None
        found = [self._literal(literal) for literal in rule.body if not isinstance(literal, Not | Comparison)]
        return None if None in found else 1 + max((one for one in found if one is not None), default=0)

    def _literal(self, literal: Formula) -> int | None:
        below = {self.of(atom.signature) for atom in atoms(literal)}
        if below <= {0}:
            return 0
        body = literal
        while isinstance(body, Windowed | Some | Always | At):
            body = body.body
        return below.pop() if isinstance(body, Atom) else None


def atoms_of(body: tuple[Evidence, ...]) -> Iterator[TimedFact]:
    """The atoms that some evidence ends in."""
    for found in body:
        match found:
            case HoldingAtom(timed, given):
                if not given:
                    yield timed
            case Quantified(_, _, _, parts):
                yield from atoms_of(tuple(part for _, part in parts))
            case AggregateEvidence(_, _, elements):
                yield from atoms_of(tuple(part for one in elements for part in one.body))
            case Both(_, parts) | Either(_, parts):
                yield from atoms_of(parts)
