"""A step in rounds: what is recorded depends on what is concluded, and the other way round; see `intervals.rounds`."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np

from larspark.analysis.structure.graphs import reachable
from larspark.intervals.sets import bounded
from larspark.intervals.step import rounds
from larspark.intervals.tables.addresses import address_of
from larspark.intervals.tables.lists import list_of_rows
from larspark.intervals.tables.storage import NONE, Rows
from larspark.reasoners.interval.engine.arrange import Part, dependencies, read_by
from larspark.reasoners.interval.engine.inertia import state_rules
from larspark.reasoners.interval.network import CoreRule, Match, Network, Noted, Relation, Repeated, Stretched
from larspark.reasoners.interval.state.tables import as_rows


class Rounds:
    """What is recorded of a network, and which keys are going to differ from the record if nothing arrives."""

    def __init__(self, network: Network, parts: Sequence[Part]) -> None:
        self.kinds: Sequence[Repeated | Noted] = (*network.repeated.values(), *network.noted.values())
        depending = reachable(dependencies(network), network.recorded)
        states: list[int] = []
        kinds: list[tuple[int, ...]] = []
        self._rules: dict[int, CoreRule] = {}
        """The rules that are followed key by key, by the place of the mark that says whether they have fired."""
        for signature, kind in network.repeated.items():
            now = network.now[signature]
            found = state_rules(kind, now, network, depending, parts)
            sustained = int(_sustained(kind.recorded, now, network))
            walked = (NONE, NONE) if found is None else (len(states), found.part)
            kinds.append((kind.concluded.number, kind.recorded.number, 0, 0, sustained, *walked))
            if found is not None:
                marks = (len(states) + mark for mark in found.marks)
                self._rules.update(zip(marks, found.rules, strict=True))
                states += found.numbers
        self._kinds = np.array([*kinds, *map(_noted, network.noted.values())], np.int64).reshape(-1)
        self._states = np.array(states, np.int64)
        self._parts = len(parts)
        self._first = next((place for place, part in enumerate(parts) if read_by(part) & depending), self._parts)
        self._later = list_of_rows([as_rows([], kind.recorded.width) for kind in self.kinds])
        """For every kind the keys whose conclusions are going to differ from the record, with the time."""
        self._later_at = address_of(self._later)
        self._since = self._until = 0

    def begin(self, since: int, until: int) -> None:
        """From now on let the record be compared between these times."""
        self._since, self._until = since, until

    @property
    def before_record(self) -> int:
        """How many parts come first, if what is recorded can be said before the others are evaluated."""
        return self._first if len(self._states) else self._parts

    def look_at(self, place: int, rows: Rows) -> None:
        """Compare these keys of a kind in the next step."""
        rounds.put_later(self._later, place, rows)

    def follow(self, step_at: int) -> int:
        """Go on with a step until it is done or something outside must be done first; says which."""
        return rounds.follow_rounds(
            step_at, self._kinds, self._states, self._later_at, self._since, self._until, self._parts
        )

    @property
    def followed(self) -> list[tuple[bool, bool]]:
        """Of every kind whether it is followed key by key, and whether its rules need not be evaluated then."""
        places = self._kinds.reshape(len(self.kinds), -1)[:, [rounds.STATE_AT, rounds.STATE_PART]]
        return [(bool(at), bool(part)) for at, part in (places != NONE).tolist()]

    @property
    def fired(self) -> set[CoreRule]:
        """The rules that have concluded anything key by key."""
        return {rule for mark, rule in self._rules.items() if self._states[mark]}

    @property
    def next_revision(self) -> int:
        """When conclusions are going to differ from the record, if nothing arrives; NEVER if they are not."""
        return rounds.next_revision(self._later)


def _noted(kind: Noted) -> tuple[int, ...]:
    # One time point longer: another evaluation at the same time point sees what this one concludes.
    return kind.concluded.number, kind.recorded.number, 1, bounded(kind.past) + 1, 0, NONE, NONE


def _sustained(recorded: Relation, now: Relation, network: Network) -> bool:
    """Whether a rule concludes an atom again because it is recorded for the time point before."""
    seen = {
        node.target
        for node in network.operators
        if isinstance(node, Stretched) and node.source is recorded and node.hop == 1 and (node.future or 0) >= -node.lag
    }
    again = {rule.head for rule in network.rules if _copies(rule, seen)}
    return now in again or any(rule.head is now and _copies(rule, again) for rule in network.rules)


def _copies(rule: CoreRule, relations: Set[Relation]) -> bool:
    """Whether a rule concludes what it finds in one of these relations."""
    return any(
        isinstance(literal, Match) and literal.relation in relations and literal.columns == rule.columns
        for literal in rule.body
    )
