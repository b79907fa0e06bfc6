"""Components with definite heads and negation on literals only: least models and their choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import fact_order
from larspark.language.tree import Formula, Not
from larspark.language.values import NotANumber
from larspark.semantics.interpretations import Atoms, TimedFact
from larspark.semantics.reduct import interpreted, too_many
from larspark.semantics.rules import OrderedRule, Signatures, demanded, is_definite, is_monotone, mentions
from larspark.semantics.structures import Binding, Place, Structure

ROUNDS = 300
"""How often the rules are applied before their conclusions are taken to have no end."""


def splits(body: tuple[Formula, ...], own: Signatures) -> tuple[tuple[Formula, ...], tuple[Formula, ...]] | None:
    """The body as literals monotone in the own predicates and negations of such, or None if it is not of this form."""
    positives = tuple(literal for literal in body if is_monotone(literal, own))
    negatives = tuple(literal for literal in body if not is_monotone(literal, own))
    plain = all(isinstance(literal, Not) and is_monotone(literal.body, own) for literal in negatives)
    return (positives, negatives) if plain else None


@dataclass(frozen=True)
class DefiniteComponent:
    """Rules whose answer streams are the fixpoints of `conclusions`.

    For bodies of monotone literals and negations of monotone formulas, I is an answer stream iff I is what the
    rules conclude with the negations evaluated in I. If it is, a smaller model of the reduct would, step by step,
    contain every conclusion. Conversely the conclusions are a model of the reduct inside I, so minimality makes
    them I. (The tests compare this with Def. 18 on random programs.)
    """

    rules: tuple[OrderedRule, ...]
    own: Signatures
    recursive: bool

    @classmethod
    def of(cls, rules: Sequence[OrderedRule], own: Signatures) -> DefiniteComponent | None:
        """None if the rules are not of the required form."""
        prepared: list[OrderedRule] = []
        for rule in rules:
            split = splits(rule.rule.body, own)
            if split is None or not is_definite(rule.rule.head, own):
                return None
            prepared.append(OrderedRule.of(rule.rule, *split))
        recursive = any(mentions(step, own) for p in prepared for step in p.steps if isinstance(step, Formula))
        return cls(tuple(prepared), own, recursive)

    def answer_streams(self, m: Structure, time: int, limit: int) -> Iterator[Atoms]:
        """All of them; a head outside the timeline cannot be satisfied."""
        if not any(rule.negatives for rule in self.rules):
            candidates: Iterator[Atoms] = iter([self.conclusions(m, time, frozenset())])
        else:
            budget = Budget(limit)

            def conclude(assumed: Atoms) -> Atoms:
                budget.spend()
                return self.conclusions(m, time, assumed)

            candidates = fixpoints(conclude, frozenset(), conclude(frozenset()))
        return (atoms for atoms in candidates if not self._demands_the_impossible(m, time, atoms))

    def conclusions(self, m: Structure, time: int, assumed: Atoms) -> Atoms:
        """The least set closed under the rules, the negations evaluated in the assumed atoms.

        It shrinks when more is assumed.
        """
        elsewhere = interpreted(m, time, assumed)
        known: Atoms = frozenset()
        for _ in range(ROUNDS):
            place = interpreted(m, time, known)
            new = frozenset(
                timed
                for rule, binding in self._firing(place, elsewhere)
                for timed in _demanded(place, rule, binding) or ()
                if timed[1] not in m.stream.at(timed[0])
            )
            if new <= known or not self.recursive:
                return new
            known |= new
        raise Rejected([endless()])

    def _firing(self, place: Place, elsewhere: Place) -> Iterator[tuple[OrderedRule, Binding]]:
        return ((rule, binding) for rule in self.rules for binding in rule.instances(place, elsewhere))

    def _demands_the_impossible(self, m: Structure, time: int, atoms: Atoms) -> bool:
        place = interpreted(m, time, atoms)
        return any(_demanded(place, rule, binding) is None for rule, binding in self._firing(place, place))


def _demanded(place: Place, rule: OrderedRule, binding: Binding) -> list[TimedFact] | None:
    try:
        return demanded(place, rule.rule.head, binding)
    except NotANumber:
        return []


def fixpoints(conclude: Callable[[Atoms], Atoms], low: Atoms, high: Atoms) -> Iterator[Atoms]:
    """All I with conclude(I) = I and low ⊆ I ⊆ high, for an antitone function.

    Antitone means conclude(high) ⊆ I ⊆ conclude(low): the bounds are tightened by that as far as it goes, then
    an atom between them is tried as true and as false.
    """
    while True:
        tighter = low | conclude(high), high & conclude(low)
        if not tighter[0] <= tighter[1]:
            return
        if tighter == (low, high):
            break
        low, high = tighter
    if low == high:
        yield low
        return
    atom = min(high - low, key=lambda timed: (timed[0], fact_order(timed[1])))
    yield from fixpoints(conclude, low | {atom}, high)
    yield from fixpoints(conclude, low, high - {atom})


class Budget:
    """Counts steps of a search and ends it with a message."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.left = limit

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Rejected([too_many("too many combinations of choices", self.limit)])


def endless() -> Diagnostic:
    return Diagnostic(
        "E505",
        f"The rules still derive new atoms after {ROUNDS} rounds.",
        "Put a window around the recursive atom, so that its times do not run away.",
    )
