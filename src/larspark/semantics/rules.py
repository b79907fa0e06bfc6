"""Rules and their ground instances (thesis Def. 15 and sec. 3.2.2, non-ground programs)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from larspark.language.facts import Signature
from larspark.language.traversal import atoms, walk
from larspark.language.tree import (
    Always,
    And,
    At,
    Atom,
    Formula,
    Node,
    Not,
    Or,
    PluginWindow,
    Reset,
    Rule,
    Some,
    Truth,
    Variable,
    Windowed,
)
from larspark.language.values import NotANumber
from larspark.semantics.entailment import conjunction, entails, ground, windowed
from larspark.semantics.horizon import instants
from larspark.semantics.interpretations import TimedFact
from larspark.semantics.names import Enumerate, all_names, bindable, names, order, time_names
from larspark.semantics.structures import Binding, Place

Signatures = frozenset[Signature]


@dataclass(frozen=True)
class PreparedRule:
    """A rule with its body in solving order."""

    rule: Rule
    steps: tuple[Formula | Enumerate, ...]
    negatives: tuple[Formula, ...]
    """Body literals kept apart from the steps, see `fixpoint`."""
    time_variables: frozenset[str]

    @classmethod
    def of(cls, rule: Rule, body: tuple[Formula, ...], negatives: tuple[Formula, ...] = ()) -> PreparedRule:
        needed = all_names([rule.head]) | {n for n in all_names(negatives) if not n.startswith("_")}
        steps = order(body, frozenset(), needed)
        bound = frozenset().union(*(bindable(part) for part in body))
        bound |= {step.name for step in steps if isinstance(step, Enumerate)}
        free = (needed | {n for n in all_names(p for p in body if isinstance(p, Or)) if not n.startswith("_")}) - bound
        missing = tuple(Enumerate(name) for name in sorted(free - _solved(steps)))
        return cls(rule, steps + missing, negatives, time_names(rule))

    def instances(self, place: Place) -> Iterator[Binding]:
        """The substitutions under which the solved part of the body holds.

        A time variable stands for a time point of the timeline only: there is no instance for another value.
        """
        timeline = place.m.stream
        for binding in conjunction(place, self.steps, self.rule, {}):
            times = [binding[name] for name in self.time_variables if name in binding]
            if all(isinstance(time, int) and time in timeline for time in times):
                yield binding


def _solved(steps: tuple[Formula | Enumerate, ...]) -> frozenset[str]:
    """The variables that solving a step leaves bound."""
    bound: frozenset[str] = frozenset()
    for step in steps:
        if isinstance(step, Enumerate):
            bound |= {step.name}
        elif not isinstance(step, Not):
            bound |= bindable(step) if _has_locals(step) else names(step)
    return bound


def _has_locals(formula: Node) -> bool:
    from larspark.language.tree import Aggregate

    return any(isinstance(part, Aggregate) for part in walk(formula))
