"""Keyed stages: which rules run together on parts of the data, and by which key.

Rules of one stage agree on where the key stands in each predicate they read, so every atom goes to one partition of the
stage and everything that joins meets there. A predicate derived in a stage can be read in the same stage when its key
stands in its heads, too; otherwise its conclusions are exchanged, and a later stage reads them. What cannot be split
runs in one partition. What is decided together is a stage of its own (see `splitting`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from larspark.analysis.analysis import Analysis, Component
from larspark.analysis.partitioning.agreement import NO_KEYS, KeyAgreement, KeySearch
from larspark.analysis.partitioning.keys import Distribution, Guard, RuleKey, joined, obstacle
from larspark.analysis.partitioning.splitting import layers
from larspark.analysis.structure.consistency import can_be_inconsistent
from larspark.analysis.structure.occurrences import head_atoms
from larspark.language.facts import Signature
from larspark.language.tree import Rule

__all__ = ["Guard", "Obstacle", "RuleKey", "Stage", "splits_by", "stages"]


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
    chooses: bool = False
    """There are several answer streams, and one is taken."""

    @property
    def keyed(self) -> bool:
        return not self.obstacles and not self.fixed

    @property
    def title(self) -> str:
        """What it is called where people read: by the predicates of the program as it is written."""
        named = ", ".join(map(str, self.written))
        return named or ("parts of formulas" if self.predicates else "constraints")

    @property
    def written(self) -> tuple[Signature, ...]:
        """Its predicates, without those that stand for parts of formulas."""
        return tuple(one for one in sorted(self.predicates) if not one.hidden)


def stages(analysis: Analysis) -> tuple[Stage, ...]:
    """The stages in evaluation order; constraints run where their atoms are."""
    planner = _StagePlanner(analysis)
    found = layers(analysis)
    if analysis.recorded and can_be_inconsistent(analysis):
        every = (*found.below, *found.choices, *found.above)
        rules = tuple(rule for part in every for rule in part.rules)
        recorded = (rule for rule in rules if {atom.signature for atom in head_atoms(rule)} & analysis.recorded)
        because = Obstacle("what is recorded depends on whether there is an answer stream", next(recorded, rules[0]))
        planner.place_alone(Component(analysis.intensional, rules, True), because, chooses=bool(found.choices))
    else:
        for part in found.below:
            planner.place(part)
        for part in found.choices:
            planner.place_choice(part)
        for part in found.above:
            planner.place(part)
    return tuple(draft.finished() for draft in sorted(planner.drafts, key=lambda draft: draft.level))


def splits_by(analysis: Analysis, positions: Mapping[Signature, int], answer: Signature) -> bool:
    """Whether the answers can be had from parts of the input that are split by these arguments, and nothing else.

    Each part is a stream of its own then, in which all rules run; so none may need a share of the fixed data, and no
    answer may follow in two parts.
    """
    planner = _StagePlanner(analysis)
    wanted = _Draft(0, positions=dict(positions))
    planner.drafts.append(wanted)
    found = layers(analysis)
    if found.choices or analysis.recorded or answer in planner.data.fixed:
        return False
    for part in (*found.below, *found.above):
        planner.place(part)
    if any(one is not wanted and not one.fixed for one in planner.drafts):
        return False
    return bool(wanted.aligned.get(answer)) and not any(key.guard for key in wanted.keys)


@dataclass
class _Draft:
    """A stage that still grows."""

    level: int
    fixed: bool = False
    chooses: bool = False
    obstacles: list[Obstacle] = field(default_factory=list)
    predicates: set[Signature] = field(default_factory=set)
    rules: list[Rule] = field(default_factory=list)
    keys: list[RuleKey] = field(default_factory=list)
    positions: dict[Signature, int] = field(default_factory=dict)
    aligned: dict[Signature, frozenset[int]] = field(default_factory=dict)

    @property
    def keyed(self) -> bool:
        return not self.obstacles and not self.fixed

    def add(self, part: Component, agreed: KeyAgreement = NO_KEYS) -> None:
        self.predicates |= part.predicates
        self.rules += part.rules
        self.keys += agreed.keys
        self.positions.update(agreed.positions)
        self.aligned.update({one: agreed.aligned(one, part.rules) for one in part.predicates})

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
            self.chooses,
        )


class _StagePlanner:
    """Puts one component after the other into the first stage that takes it."""

    def __init__(self, analysis: Analysis) -> None:
        self.data = Distribution.of(analysis)
        self.drafts: list[_Draft] = []
        self._home: dict[Signature, _Draft] = {}
        self._keys = KeySearch(self.data, analysis.program.rules)

    def place(self, part: Component) -> None:
        """In the first stage that takes it."""
        if part.predicates and part.predicates <= self.data.fixed:
            self._settle(part, self._draft(part, lambda draft: draft.fixed, _Draft(0, fixed=True)))
            return
        found = self._obstacle(part)
        if not any(joined(self.data, rule) for rule in part.rules):
            found = Obstacle("it reads fixed data only", part.rules[0])
        if found is None:
            fresh = _Draft(self._earliest(part))
            growing = (one for one in self.drafts if one.keyed and not one.chooses and self._in_reach(part, one))
            for draft in [*growing, fresh]:
                agreed = self._keys.agreed(part.rules, draft.positions, draft.aligned)
                if agreed is not None:
                    self._settle(part, draft, agreed)
                    return
            found = Obstacle(_disagreement(part), self._keys.disagreeing(part.rules))
        self.place_alone(part, found)

    def place_choice(self, part: Component) -> None:
        """In a stage of its own."""
        found = self._obstacle(part)
        if found is None:
            agreed = self._keys.agreed(part.rules)
            if agreed is not None:
                self._settle(part, _Draft(self._earliest(part), chooses=True), agreed)
                return
            found = Obstacle("what is decided together agrees on no key", self._keys.disagreeing(part.rules))
        self.place_alone(part, found, chooses=True)

    def place_alone(self, part: Component, because: Obstacle, *, chooses: bool = False) -> None:
        """In one partition; choices that are independent do not share it."""
        fresh = _Draft(self._earliest(part), chooses=chooses)
        alone = fresh if chooses else self._draft(part, lambda one: bool(one.obstacles) and not one.chooses, fresh)
        alone.obstacles.append(because)
        self._settle(part, alone)

    def _settle(self, part: Component, draft: _Draft, agreed: KeyAgreement = NO_KEYS) -> None:
        if draft not in self.drafts:
            self.drafts.append(draft)
        draft.add(part, agreed)
        self._home.update(dict.fromkeys(part.predicates, draft))

    def _draft(self, part: Component, suits: Callable[[_Draft], bool], fresh: _Draft) -> _Draft:
        return next((one for one in self.drafts if suits(one) and self._in_reach(part, one)), fresh)

    def _obstacle(self, part: Component) -> Obstacle | None:
        for rule in part.rules:
            because = obstacle(self.data, rule)
            if because:
                return Obstacle(because, rule)
        return None

    # -- levels ------------------------------------------------------------------------------------

    def _producers(self, part: Component) -> Iterator[_Draft]:
        """The stages whose conclusions the component reads."""
        for rule in part.rules:
            for found in joined(self.data, rule):
                if found.atom.signature in self._home:
                    yield self._home[found.atom.signature]

    def _earliest(self, part: Component) -> int:
        return max((draft.level + 1 for draft in self._producers(part)), default=0)

    def _in_reach(self, part: Component, draft: _Draft) -> bool:
        return all(one is draft or one.level < draft.level for one in self._producers(part))


def _disagreement(part: Component) -> str:
    return "the recursion keeps no argument in its place" if part.recursive else "its rules agree on no key"
