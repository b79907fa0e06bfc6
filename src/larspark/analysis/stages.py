"""Keyed stages: which rules run together on parts of the data, and by which key.

Rules of one stage agree on where the key stands in each predicate they read, so every atom goes to one partition of the
stage and everything that joins meets there. A predicate derived in a stage can be read in the same stage when its key
stands in its heads, too; otherwise its conclusions are exchanged, and a later stage reads them. What cannot be split
runs in one partition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from larspark.analysis.analysis import Analysis, Component, Fragment
from larspark.analysis.keys import (
    Guard,
    RuleKey,
    fixed_predicates,
    joined,
    keys,
    obstacle,
    places,
    variable_at,
)
from larspark.analysis.occurrences import Occurrence, head_atoms
from larspark.language.facts import Signature
from larspark.language.traversal import walk
from larspark.language.tree import At, Rule

__all__ = ["Guard", "Obstacle", "RuleKey", "Stage", "can_be_inconsistent", "stages"]

MOST_TRIED = 4096
"""A stage with more ways to choose its key positions runs in one partition."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why rules run in one partition, and the rule that cannot be split."""

    because: str
    rule: Rule


@dataclass(frozen=True, slots=True)
class Stage:
    """Rules that run together: split by keys, or in one partition where there are obstacles."""

    level: int
    """Stages of one level do not depend on each other; they read conclusions of lower levels."""
    predicates: frozenset[Signature]
    rules: tuple[Rule, ...]
    keys: tuple[RuleKey, ...] = ()
    positions: Mapping[Signature, int] = field(default_factory=dict)
    """Where the key stands in each predicate that is read."""
    settled: frozenset[Signature] = frozenset()
    """The predicates all of whose conclusions about one atom are drawn in one partition."""
    obstacles: tuple[Obstacle, ...] = ()
    fixed: bool = False
    """The conclusions follow from facts of the program alone."""

    @property
    def keyed(self) -> bool:
        return not self.obstacles and not self.fixed


def stages(analysis: Analysis) -> tuple[Stage, ...]:
    """The stages in evaluation order; constraints run where their atoms are."""
    planner = _Planner(analysis)
    if _in_one_piece(analysis):
        every = [rule for part in analysis.components for rule in part.rules] + list(analysis.constraints)
        planner.place(Component(analysis.intensional, tuple(every), True))
    else:
        for part in analysis.components:
            planner.place(part)
        for rule in analysis.constraints:
            planner.place(Component(frozenset(), (rule,), False))
    return tuple(draft.finished() for draft in sorted(planner.drafts, key=lambda draft: draft.level))


def can_be_inconsistent(analysis: Analysis) -> bool:
    """Whether there may be no answer stream: through a choice, a constraint, or a time before the timeline."""
    pinned = any(isinstance(node, At) for rule in analysis.program.rules for node in walk(rule.head))
    return analysis.fragment is Fragment.PLAIN or bool(analysis.constraints) or pinned


def _in_one_piece(analysis: Analysis) -> bool:
    """Choices must be made together; and what is recorded depends on whether there is an answer stream at all."""
    return analysis.fragment is Fragment.PLAIN or bool(analysis.recorded and can_be_inconsistent(analysis))


@dataclass(frozen=True, slots=True)
class _Choice:
    """A key for every rule that has atoms to join, and the positions on which these agree."""

    keys: tuple[RuleKey, ...]
    positions: Mapping[Signature, int]

    def aligned(self, signature: Signature, rules: Iterable[Rule]) -> frozenset[int]:
        """Where the key stands in every head of a predicate: its atoms lie in the partition of that argument."""
        variable = {id(key.rule): key.variable for key in self.keys}
        heads = [(rule, atom) for rule in rules for atom in head_atoms(rule) if atom.signature == signature]
        return frozenset(
            place
            for place in range(signature.arity)
            if all(variable.get(id(rule), "") == variable_at(atom, place) for rule, atom in heads)
        )


_NO_CHOICE = _Choice((), {})


@dataclass
class _Draft:
    """A stage that still grows."""

    level: int
    fixed: bool = False
    obstacles: list[Obstacle] = field(default_factory=list)
    predicates: set[Signature] = field(default_factory=set)
    rules: list[Rule] = field(default_factory=list)
    keys: list[RuleKey] = field(default_factory=list)
    positions: dict[Signature, int] = field(default_factory=dict)
    aligned: dict[Signature, frozenset[int]] = field(default_factory=dict)

    @property
    def keyed(self) -> bool:
        return not self.obstacles and not self.fixed

    def add(self, part: Component, chosen: _Choice) -> None:
        self.predicates |= part.predicates
        self.rules += part.rules
        self.keys += chosen.keys
        self.positions.update(chosen.positions)
        self.aligned.update({one: chosen.aligned(one, part.rules) for one in part.predicates})

    def finished(self) -> Stage:
        settled = frozenset(one for one in self.predicates if not self.keyed or self.aligned[one])
        return Stage(
            self.level,
            frozenset(self.predicates),
            tuple(self.rules),
            tuple(self.keys),
            dict(self.positions),
            settled,
            tuple(self.obstacles),
            self.fixed,
        )


class _Planner:
    """Puts one component after the other into the first stage that takes it."""

    def __init__(self, analysis: Analysis) -> None:
        self.fixed = fixed_predicates(analysis)
        self.drafts: list[_Draft] = []
        self._home: dict[Signature, _Draft] = {}
        self._liking = self._popularity(analysis.program.rules)

    def place(self, part: Component) -> None:
        if part.predicates and part.predicates <= self.fixed:
            self._settle(part, self._draft(part, lambda draft: draft.fixed, _Draft(0, fixed=True)), _NO_CHOICE)
            return
        found = self._obstacle(part)
        if found is None:
            fresh = _Draft(self._earliest(part))
            for draft in [*(draft for draft in self.drafts if draft.keyed and self._in_reach(part, draft)), fresh]:
                chosen = self._agreed(part, draft)
                if chosen is not None:
                    self._settle(part, draft, chosen)
                    return
            found = Obstacle(_disagreement(part), next(rule for rule in part.rules if joined(self.fixed, rule)))
        alone = self._draft(part, lambda draft: bool(draft.obstacles), _Draft(self._earliest(part)))
        alone.obstacles.append(found)
        self._settle(part, alone, _NO_CHOICE)

    def _settle(self, part: Component, draft: _Draft, chosen: _Choice) -> None:
        if draft not in self.drafts:
            self.drafts.append(draft)
        draft.add(part, chosen)
        self._home.update(dict.fromkeys(part.predicates, draft))

    def _draft(self, part: Component, suits: Callable[[_Draft], bool], fresh: _Draft) -> _Draft:
        return next((one for one in self.drafts if suits(one) and self._in_reach(part, one)), fresh)

    def _obstacle(self, part: Component) -> Obstacle | None:
        for rule in part.rules:
            because = obstacle(self.fixed, rule)
            if because:
                return Obstacle(because, rule)
        if not any(joined(self.fixed, rule) for rule in part.rules):
            return Obstacle("it reads fixed data only", part.rules[0])
        return None

    # -- levels ------------------------------------------------------------------------------------

    def _producers(self, part: Component) -> Iterator[_Draft]:
        """The stages whose conclusions the component reads."""
        for rule in part.rules:
            for found in joined(self.fixed, rule):
                if found.atom.signature in self._home:
                    yield self._home[found.atom.signature]

    def _earliest(self, part: Component) -> int:
        return max((draft.level + 1 for draft in self._producers(part)), default=0)

    def _in_reach(self, part: Component, draft: _Draft) -> bool:
        return all(one is draft or one.level < draft.level for one in self._producers(part))

    # -- keys --------------------------------------------------------------------------------------

    def _agreed(self, part: Component, draft: _Draft) -> _Choice | None:
        """Keys for the rules of the component on which the stage and they agree."""
        joining = [rule for rule in part.rules if joined(self.fixed, rule)]
        for chosen in islice(self._choices(joining, draft.positions), MOST_TRIED):
            if all(
                place in (draft.aligned[one] if one in draft.predicates else chosen.aligned(one, part.rules))
                for one, place in chosen.positions.items()
                if one in draft.predicates or one in part.predicates
            ):
                return chosen
        return None

    def _choices(self, rules: Sequence[Rule], positions: Mapping[Signature, int]) -> Iterator[_Choice]:
        if not rules:
            yield _Choice((), positions)
            return
        rule, *others = rules
        for key in sorted(keys(self.fixed, rule), key=self._dislike):
            for agreed in self._extensions(joined(self.fixed, rule), key.variable, positions):
                for rest in self._choices(others, agreed):
                    yield _Choice((key, *rest.keys), rest.positions)

    def _extensions(
        self, meeting: Sequence[Occurrence], variable: str, positions: Mapping[Signature, int]
    ) -> Iterator[Mapping[Signature, int]]:
        """The positions extended such that the variable is the key of all these atoms."""
        if not meeting:
            yield positions
            return
        found, *others = meeting
        signature = found.atom.signature
        for place in places(found, variable):
            if positions.get(signature, place) == place:
                yield from self._extensions(others, variable, {**positions, signature: place})

    def _popularity(self, rules: Iterable[Rule]) -> Counter[tuple[Signature, int]]:
        """How many rules could be split by each argument of each predicate."""
        return Counter(
            spot for rule in rules for spot in {one for key in keys(self.fixed, rule) for one in self._spots(key)}
        )

    def _spots(self, key: RuleKey) -> Iterator[tuple[Signature, int]]:
        for found in joined(self.fixed, key.rule):
            yield from ((found.atom.signature, place) for place in places(found, key.variable))

    def _dislike(self, key: RuleKey) -> tuple[int, str]:
        """Keys that more rules could use, and that the head keeps, come first: fewer exchanges."""
        kept = any(variable_at(atom, n) == key.variable for atom in head_atoms(key.rule) for n in range(len(atom.args)))
        return -sum(self._liking[spot] for spot in self._spots(key)) - kept, key.variable


def _disagreement(part: Component) -> str:
    return "the recursion keeps no argument in its place" if part.recursive else "its rules agree on no key"
