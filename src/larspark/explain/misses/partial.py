"""The best partial instances of a rule: as many conditions as can hold together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from larspark.diagnostics import Rejected
from larspark.explain.evaluations.matching import body_solutions
from larspark.explain.evaluations.world import World
from larspark.explain.proofs.instances import gives, head_bindings
from larspark.language.tree import Formula, Or, Rule
from larspark.semantics.interpretations import TimedFact
from larspark.semantics.names import Enumerate, all_names, order
from larspark.semantics.structures import Binding

STEPS = 4000
"""Literals that are tried for one rule and one number of failures."""
KEPT = 6
"""Partial instances of a rule that are looked at."""


@dataclass(frozen=True)
class Partial:
    """An instance of a rule with the conditions that fail."""

    rule: Rule
    binding: Binding
    failed: tuple[int, ...]
    """Their places in the body."""


def partial_instances(world: World, rule: Rule, target: TimedFact) -> list[Partial]:
    """Those with the fewest conditions that fail; the head gives the atom wherever its variables are known.

    Where the head leaves a choice, none may fail.
    """
    for failures in range(0 if isinstance(rule.head, Or) else 1, len(rule.body) + 1):
        search = _PartialSearch(world, rule, target)
        found: dict[object, Partial] = {}
        for start in head_bindings(world.place, rule.head, target):
            for one in search.run(start, tuple(range(len(rule.body))), (), failures):
                named = frozenset((name, value) for name, value in one.binding.items() if not name.startswith("_"))
                found.setdefault((named, one.failed), one)
        if found:
            return sorted(found.values(), key=_order)[:KEPT]
    return []


def _order(one: Partial) -> tuple[tuple[int, ...], list[tuple[str, str]]]:
    return one.failed, sorted((name, str(value)) for name, value in one.binding.items())


@dataclass
class _PartialSearch:
    world: World
    rule: Rule
    target: TimedFact
    steps: int = field(default=STEPS)

    def run(self, binding: Binding, left: tuple[int, ...], failed: tuple[int, ...], may: int) -> Iterator[Partial]:
        """The conditions that are left, of which so many may still fail."""
        self.steps -= 1
        if self.steps < 0:
            return
        if not left:
            known = all_names([self.rule.head]) <= binding.keys()
            missed = failed or isinstance(self.rule.head, Or)
            if missed and (not known or gives(self.world.place, self.rule.head, binding, self.target)):
                yield Partial(self.rule, binding, tuple(sorted(failed)))
            return
        at = self._next(binding, left)
        rest = tuple(one for one in left if one != at)
        for extended in self._solutions(self.rule.body[at], binding):
            yield from self.run(extended, rest, failed, may)
        if may:
            yield from self.run(binding, rest, (*failed, at), may - 1)

    def _next(self, binding: Binding, left: tuple[int, ...]) -> int:
        """The condition that can be looked at first; where none binds a variable, the first fails."""
        literals = tuple(self.rule.body[at] for at in left)
        first = order(literals, frozenset(binding), all_names([self.rule.head]))[0]
        if isinstance(first, Enumerate):
            return left[0]
        return next(at for at in left if self.rule.body[at] == first)

    def _solutions(self, literal: Formula, binding: Binding) -> Iterator[Binding]:
        """None where a variable has no value, since the condition that gives it one has failed."""
        others = (one for one in self.rule.body if one is not literal)
        outside, world = all_names([self.rule.head, *others]), self.world
        try:
            steps = world.index.order((literal,), frozenset(binding), outside)
            if not isinstance(steps[0].part, Enumerate):
                yield from body_solutions(world.place, world.index, (literal,), self.rule, binding, outside)
        except Rejected:  # a time without bounds, since what would bind it failed
            return
