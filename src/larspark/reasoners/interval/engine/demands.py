"""Demands that lead back into a recursion: answered as they come up, before anything else is evaluated.

What is found for a key does not hang on who asked for it, so the recursion is not one through negation or an
aggregate: a new key is put among the demanded ones, the parts between are evaluated for it, and the recursion goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Rows
from larspark.intervals.tables.table import outside
from larspark.reasoners.interval.engine.arrange import Part
from larspark.reasoners.interval.engine.component import RuleComponent
from larspark.reasoners.interval.network import Demanded, Network, Relation
from larspark.reasoners.interval.state.tables import Tables

SLACK = 1024
"""How many keys that nobody asks for any more may be kept beside twice the others."""


@dataclass
class Feedback:
    """A demand with the part that derives its source: what comes before is evaluated again for a new key."""

    source: Relation
    target: Relation
    last: int
    kept: int = 0

    def asked(self, gained: Rows | None, tables: Tables) -> Rows | None:
        """The rows of keys that are newly asked for by what the source gained, valid as long as anything matters."""
        return None if gained is None else tables.uncovered(self.target, _at_all_times(gained, tables.horizon))

    def dropped(self, tables: Tables) -> Rows | None:
        """The rows of keys that nobody asks for any more, when there are many."""
        if tables.size(self.target) <= 2 * self.kept + SLACK:
            return None
        known, asking = tables.content(self.target), tables.content(self.source)
        lost = outside(known, _at_all_times(asking[asking[:, -1] >= tables.horizon], -FOREVER))
        self.kept = len(known) - len(lost)
        return lost


def feedbacks(network: Network, parts: Sequence[Part]) -> dict[int, list[Feedback]]:
    """By the part that derives their source."""
    found = [
        Feedback(node.source, node.target, _deriver(node.source, parts))
        for node in network.operators
        if isinstance(node, Demanded)
    ]
    found.sort(key=lambda one: one.last)
    return {last: list(group) for last, group in groupby(found, key=lambda one: one.last)}


def _deriver(relation: Relation, parts: Sequence[Part]) -> int:
    return next(
        place
        for place, part in enumerate(parts)
        if isinstance(part, RuleComponent) and any(rule.head is relation for rule in part.rules)
    )


def _at_all_times(rows: Rows, since: int) -> Rows:
    result = rows.copy()
    result[:, -2], result[:, -1] = since, FOREVER
    return result
