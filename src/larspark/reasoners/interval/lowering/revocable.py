"""What new data can take back: conclusions through negation, aggregates or tuple windows."""

from __future__ import annotations

from collections.abc import Iterable

from larspark.analysis.structure.graphs import reachable
from larspark.language.facts import Signature
from larspark.language.traversal import atoms_with_sign, walk
from larspark.language.tree import Aggregate, Atom, Not, Rule, WindowNode
from larspark.reasoners.interval.network import (
    Absence,
    Aggregated,
    Boxed,
    Counted,
    Demanded,
    Filled,
    Held,
    InSession,
    Listed,
    Match,
    Network,
    Pointed,
    Relation,
    Run,
    Selected,
    Spanned,
    Stretched,
    Ticking,
    Unrolled,
)


def revocable_predicates(rules: Iterable[Rule], lasting: Iterable[Signature]) -> frozenset[Signature]:
    """The predicates whose conclusions new data can take back: through negation, aggregates or tuple windows.

    What is `lasting` goes on holding if nothing more arrives.
    """
    found = set(lasting)
    derived: dict[Signature, list[Signature]] = {}
    for rule in rules:
        heads = [atom.signature for atom, _ in atoms_with_sign(rule.head)]
        for node in (node for literal in rule.body for node in walk(literal)):
            if isinstance(node, Not | Aggregate) or (isinstance(node, WindowNode) and node.counts_arrivals):
                found.update(heads)
            elif isinstance(node, Atom):
                derived.setdefault(node.signature, []).extend(heads)
    return frozenset(reachable(derived, found))


def mark_revocable(network: Network) -> None:
    derived: dict[Relation, list[Relation]] = {}
    for rule in network.rules:
        for literal in rule.body:
            if isinstance(literal, Match):
                derived.setdefault(literal.relation, []).append(rule.head)
            elif isinstance(literal, Absence):
                rule.head.revocable = True
    for operator in network.operators:
        match operator:
            case Aggregated(target=target, values=values):
                for relation in (target, *values.values()):
                    relation.revocable = True
            case (
                Counted(target=target)
                | Filled(target=target)
                | InSession(target=target)
                | Selected(target=target)
                | Spanned(target=target)
                | Demanded(target=target)
                | Held(target=target)
                | Listed(target=target)
            ):
                target.revocable = True
            case Ticking() | Run():
                pass
            case Unrolled(source, target) | Boxed(source, target) | Stretched(source, target) | Pointed(source, target):
                derived.setdefault(source, []).append(target)
    for relation in reachable(derived, [one for one in network.relations if one.revocable]):
        relation.revocable = True
