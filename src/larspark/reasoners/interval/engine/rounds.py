"""A step in rounds: what is recorded depends on what is concluded, and the other way round; see `intervals.rounds`."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np

from larspark.intervals.sets import bounded
from larspark.intervals.step import rounds
from larspark.intervals.tables.addresses import address_of
from larspark.intervals.tables.lists import list_of_rows
from larspark.intervals.tables.storage import Rows
from larspark.reasoners.interval.network import CoreRule, Match, Network, Noted, Relation, Repeated, Stretched
from larspark.reasoners.interval.state.tables import as_rows


class Rounds:
    """What is recorded of a network, and which keys are going to differ from the record if nothing arrives."""

    def __init__(self, network: Network) -> None:
        self.kinds: Sequence[Repeated | Noted] = (*network.repeated.values(), *network.noted.values())
        repeated = (_repeated(kind, network.now[one], network) for one, kind in network.repeated.items())
        self._kinds = np.array([*repeated, *map(_noted, network.noted.values())], np.int64).reshape(-1)
        self._later = list_of_rows([as_rows([], kind.recorded.width) for kind in self.kinds])
        """For every kind the keys whose conclusions are going to differ from the record, with the time."""
        self._later_at = address_of(self._later)
        self._since = self._until = 0

    def begin(self, since: int, until: int) -> None:
        """From now on let the record be compared between these times."""
        self._since, self._until = since, until

    def look_at(self, place: int, rows: Rows) -> None:
        """Compare these keys of a kind in the next step."""
        rounds.put_later(self._later, place, rows)

    def follow(self, step_at: int) -> int:
        """Go on with a step until it is done or something outside must be done first; says which."""
        return rounds.follow_rounds(step_at, self._kinds, self._later_at, self._since, self._until)

    @property
    def next_revision(self) -> int:
        """When conclusions are going to differ from the record, if nothing arrives; NEVER if they are not."""
        return rounds.next_revision(self._later)


def _noted(kind: Noted) -> tuple[int, ...]:
    # One time point longer: another evaluation at the same time point sees what this one concludes.
    return kind.concluded.number, kind.recorded.number, 1, bounded(kind.past) + 1, 0


def _repeated(kind: Repeated, now: Relation, network: Network) -> tuple[int, ...]:
    return kind.concluded.number, kind.recorded.number, 0, 0, int(_sustained(kind.recorded, now, network))


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
