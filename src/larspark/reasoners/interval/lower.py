"""Lowering: the rules of a program become core rules over relations."""

from __future__ import annotations

from larspark.analysis.analysis import Analysis
from larspark.language.facts import Signature
from larspark.language.traversal import atoms
from larspark.language.tree import At, Atom, Rule, points
from larspark.reasoners.interval.demands import settle_demands
from larspark.reasoners.interval.dictionary import Dictionary
from larspark.reasoners.interval.lower_rules import RuleLowering
from larspark.reasoners.interval.network import Held, Kind, Lasting, Network
from larspark.reasoners.interval.revocable import mark_revocable, revocable_predicates
from larspark.reasoners.interval.views import Views


def lower(analysis: Analysis, dictionary: Dictionary, start: int, background: frozenset[Signature]) -> Network:
    """The network of a program; `background` are the predicates with given facts."""
    network = Network(start)
    _declare(network, analysis, background)
    views = Views(network, dictionary, revocable_predicates(analysis.program.rules, network.lasting))
    for signature in sorted(network.inputs.keys() & (network.now.keys() | network.pinned.keys())):
        views.show_arrivals(signature)
    for signature, relation in network.pinned.items():
        arrives = signature in network.inputs
        network.listed[signature] = views.list_pins(signature, analysis.retention[signature]) if arrives else relation
    for rule in analysis.program.rules:
        RuleLowering(network, views, dictionary, rule, _recursive(analysis, rule)).lower()
    settle_demands(network)
    mark_revocable(network)
    return network


def _recursive(analysis: Analysis, rule: Rule) -> frozenset[Signature]:
    """The predicates that depend on the head of a rule as it does on them."""
    heads = {atom.signature for atom in atoms(rule.head)}
    return frozenset[Signature]().union(
        *(component.predicates for component in analysis.components if component.predicates & heads)
    )


def _declare(network: Network, analysis: Analysis, background: frozenset[Signature]) -> None:
    for signature in sorted(analysis.extensional | analysis.recorded):
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
