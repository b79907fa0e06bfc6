"""Values that a part of a rule needs from the rest of it: they become a relation of their own (sideways passing).

An aggregate, or a condition that is more than a look into one relation, is found for the values that the rest of the
body asks about. Asking for more than is needed does no harm, so it is enough to solve a part of the body.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Signature
from larspark.language.traversal import atoms
from larspark.language.tree import Aggregate, Comparison, Formula, Not, Truth
from larspark.reasoners.interval.lowering.binding import Names
from larspark.reasoners.interval.network import Demanded, Kind, Match
from larspark.reasoners.unbound_time import unbound_time

if TYPE_CHECKING:
    from larspark.reasoners.interval.lowering.lower_rules import RuleLowering


class Demands:
    """The demands of one rule; `recursive` are the predicates that depend on its head."""

    def __init__(self, rule: RuleLowering, recursive: frozenset[Signature]) -> None:
        self._rule = rule
        self._recursive = recursive

    def binders(self, wanted: Names, body: Iterable[Formula]) -> tuple[Formula, ...]:
        """Literals of the body that give the wanted variables values; if possible none that asks the head itself."""
        positive = [literal for literal in body if not isinstance(literal, Not)]
        for aggregates in (False, True):
            candidates = [one for one in positive if aggregates or not isinstance(one, Aggregate)]
            for usable in ([one for one in candidates if not self._asks_the_head(one)], candidates):
                found = self._rule.bindings.binders(wanted, usable)
                if found is not None:
                    return found
        if any(self._rule.is_endless(one) for one in positive if not isinstance(one, Aggregate | Comparison | Truth)):
            raise Rejected([unbound_time(self._rule.rule.origin)])
        raise Rejected([_unbound(wanted, self._rule)])

    def of(self, literals: tuple[Formula, ...], names: Iterable[str]) -> Match:
        """The values of variables for which these literals hold."""
        columns = tuple(sorted(names))
        made, network = self._rule.views.demands, self._rule.network
        key = literals, columns, self._rule.shared(literals)
        if key not in made:
            source = network.relation("demand", len(columns), Kind.VIEW)
            made[key] = network.relation("demanded", len(columns), Kind.VIEW)
            network.operators.append(Demanded(source, made[key]))
            for core in self._rule.bodies(literals):
                self._rule.add(source, columns, core)
        return Match(made[key], columns)

    def _asks_the_head(self, literal: Formula) -> bool:
        return any(atom.signature in self._recursive for atom in atoms(literal))


def _unbound(wanted: Names, rule: RuleLowering) -> Diagnostic:
    return Diagnostic(
        "E201",
        f"No positive body atom gives {', '.join(sorted(wanted))} values before they are needed.",
        "Add an atom that says where they come from.",
        rule.rule.origin,
    )
