"""Lowering: the rules of a program become core rules over relations."""

from __future__ import annotations

from dataclasses import replace

from larspark.analysis.analysis import Analysis
from larspark.language.facts import Signature
from larspark.language.traversal import atoms
from larspark.language.tree import At, Atom, points
from larspark.reasoners.interval.lowering.feed_aggregates import feed_aggregates
from larspark.reasoners.interval.lowering.lower_rules import RuleLowering
from larspark.reasoners.interval.lowering.revocable import mark_revocable, revocable_predicates
from larspark.reasoners.interval.lowering.settle_demands import settle_demands
from larspark.reasoners.interval.lowering.views import Views
from larspark.reasoners.interval.network import (
    Absence,
    CoreRule,
    Held,
    Kind,
    Lasting,
    Match,
    Network,
    Noted,
    Operand,
    Relation,
    Repeated,
)
from larspark.reasoners.interval.state.dictionary import Dictionary


def lower(analysis: Analysis, dictionary: Dictionary, start: int, background: frozenset[Signature]) -> Network:
    """The network of a program; `background` are the predicates with given facts."""
    revocable = revocable_predicates(analysis.program.rules, {*analysis.held, *analysis.recorded})
    while True:
        network = _lowered(analysis, dictionary, start, background, revocable)
        # Which windows are looked up at every time point, and so give conclusions for a while, is known only now.
        more = network.revocable - revocable
        if not more:
            feed_aggregates(network)
            return network
        revocable |= more


def _lowered(
    analysis: Analysis,
    dictionary: Dictionary,
    start: int,
    background: frozenset[Signature],
    revocable: frozenset[Signature],
) -> Network:
    """The network under the assumption that only the conclusions of some predicates can be taken back."""
    network = Network(start)
    _declare(network, analysis, background)
    views = Views(network, dictionary, revocable)
    for signature in sorted(
        (network.inputs.keys() | network.remembered) & (network.now.keys() | network.pinned.keys())
    ):
        views.show_data(signature)
    for signature, relation in network.pinned.items():
        arrives = signature in network.inputs or signature in network.remembered
        network.listed[signature] = views.list_pins(signature, analysis.retention[signature]) if arrives else relation
    for rule in analysis.program.rules:
        together = analysis.depending_with(atom.signature for atom in atoms(rule.head))
        RuleLowering(network, views, dictionary, rule, together).lower()
    _record_consistent(network)
    settle_demands(network)
    mark_revocable(network)
    return network


def _declare(network: Network, analysis: Analysis, background: frozenset[Signature]) -> None:
    for signature in sorted(analysis.extensional):
        network.inputs[signature] = network.relation(
            f"input {signature}", signature.arity + 1, Kind.INPUT, signature=signature
        )
    for signature, directive in sorted(analysis.held.items()):
        held = network.relation(f"held {signature}", signature.arity, Kind.VIEW)
        network.operators.append(Held(signature, held, directive.keys, points(directive.length)))
        network.lasting[signature] = Lasting(held, 0)
    for signature in sorted(background):
        network.background[signature] = network.relation(
            f"background {signature}", signature.arity, Kind.BACKGROUND, signature=signature
        )
    for rule in analysis.program.rules:
        match rule.head:
            case Atom() as atom:
                network.declare_now(atom.signature)
            case At(_, Atom() as atom) if atom.signature not in network.pinned:
                network.pinned[atom.signature] = network.relation(
                    f"@ {atom.signature}", atom.signature.arity + 1, Kind.PINNED, signature=atom.signature
                )
    for signature in sorted(analysis.recorded):
        _declare_recorded(network, signature, analysis)


def _declare_recorded(network: Network, signature: Signature, analysis: Analysis) -> None:
    """What is recorded comes from outside the rules, and may turn out otherwise."""
    name, arity = f"recorded {signature}", signature.arity
    if signature in network.now:
        stretches = network.relation(name, arity, Kind.VIEW, revocable=True)
        again = network.relation(f"{name} at the same time", arity, Kind.VIEW, revocable=True)
        network.repeated[signature] = Repeated(network.now[signature], stretches, again)
        network.lasting[signature] = Lasting(stretches, 1)
    if signature in network.pinned:
        notes = network.relation(f"{name} at its times", arity + 1, Kind.VIEW, revocable=True)
        network.noted[signature] = Noted(network.pinned[signature], notes, analysis.retention[signature].past)


def _record_consistent(network: Network) -> None:
    """Evaluations without an answer stream record nothing."""
    if all(rule.head is not network.inconsistent for rule in network.rules):
        return

    def consistent(relation: Relation) -> Relation:
        columns: tuple[Operand, ...] = tuple(f"A{place}" for place in range(relation.width))
        kept = network.relation(f"{relation.name} to record", relation.width, Kind.VIEW)
        network.rules.append(CoreRule(kept, columns, (Match(relation, columns), Absence(network.inconsistent, ()))))
        return kept

    for signature, repeated in network.repeated.items():
        kept = consistent(repeated.concluded)
        columns: tuple[Operand, ...] = tuple(f"A{place}" for place in range(kept.width))
        # What an earlier evaluation at the same time point recorded stays.
        network.rules.append(CoreRule(kept, columns, (Match(repeated.again, columns),)))
        network.repeated[signature] = replace(repeated, concluded=kept)
    for signature, noted in network.noted.items():
        network.noted[signature] = replace(noted, concluded=consistent(noted.concluded))
