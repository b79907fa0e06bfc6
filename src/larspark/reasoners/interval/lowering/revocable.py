"""What new data can take back: conclusions through negation, aggregates or tuple windows."""

from __future__ import annotations

from collections.abc import Iterable

from larspark.language.facts import Signature
from larspark.language.traversal import atoms_with_sign, walk
from larspark.language.tree import Aggregate, Atom, Not, Rule, WindowNode
from larspark.reasoners.interval.network import (
    Absence,
    Aggregated,
    Boxed,
    Counted,
    Demanded,
    Held,
    InSession,
    Listed,
    Match,
    Network,
    Pointed,
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
    rules = tuple(rules)
    found = set(lasting)
    while True:
        more = {
            atom.signature
            for rule in rules
            if _revocable(rule, found)
            for atom, _ in atoms_with_sign(rule.head)
            if atom.signature not in found
        }
        if not more:
            return frozenset(found)
        found |= more


def _revocable(rule: Rule, predicates: set[Signature]) -> bool:
    return any(
        isinstance(node, Not | Aggregate)
        or (isinstance(node, WindowNode) and node.counts_arrivals)
        or (isinstance(node, Atom) and node.signature in predicates)
        for literal in rule.body
        for node in walk(literal)
    )


def mark_revocable(network: Network) -> None:
    edges = [
        (literal.relation, rule.head, isinstance(literal, Absence))
        for rule in network.rules
        for literal in rule.body
        if isinstance(literal, Match | Absence)
    ]
    for operator in network.operators:
        match operator:
            case Aggregated(source, target, values=values):
                edges += [(source, relation, True) for relation in (target, *values.values())]
            case (
                Counted(target=target)
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
                edges.append((source, target, False))
    changed = True
    while changed:
        changed = False
        for source, target, strict in edges:
            if (strict or source.revocable) and not target.revocable:
                target.revocable = changed = True
